//! The body of the fuzz target: any bytes go in, and what comes out must be sound.

use crate::{NoExternalFiles, import};

/// Imports the bytes of one file; whatever [`import`](crate::import()) accepts must pass
/// [`SkinnedModel::validate`](crate::SkinnedModel::validate).
///
/// # Panics
/// Where a promise is broken.
pub fn file(bytes: &[u8]) {
    match import(bytes, &NoExternalFiles) {
        Ok(model) => assert_eq!(model.validate(), Ok(()), "import returned a broken model"),
        Err(error) => assert!(error.to_string().len() < 4096, "an error message of unbounded length"),
    }
}
