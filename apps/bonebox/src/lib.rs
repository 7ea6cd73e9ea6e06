//! bonebox
pub mod folder_resolver;
