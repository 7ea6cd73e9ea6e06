//! [`Kernel::Sse2`]: four pairs of boxes at a time, any x86-64. The portable code is SSE2 there.

use super::*;

type Sse2 = portable::Portable<0>;

table!(entries!(Sse2, inline(never)));
