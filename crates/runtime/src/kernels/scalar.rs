//! [`Kernel::Scalar`]: portable code that tests one pair of boxes after the other, because on a processor without vectors a
//! test gains if it ends at the first axis that separates the boxes.

use super::*;

type Scalar = portable::Portable<{ usize::MAX }>;

table!(entries!(Scalar, inline(never)));
