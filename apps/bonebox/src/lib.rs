//! bonebox
