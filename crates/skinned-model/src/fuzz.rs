//! The body of the fuzz target: any bytes go in, and what comes out must be sound.

use crate::{NoExternalFiles, import};

/// Imports the bytes of one file; whatever [`import`](crate::import()) accepts must pass
/// [`SkinnedModel::validate`](crate::SkinnedModel::validate). Gives whether it was accepted.
///
/// # Panics
/// Where a promise is broken.
pub fn file(bytes: &[u8]) -> bool {
    match import(bytes, &NoExternalFiles) {
        Ok(model) => {
            assert_eq!(model.validate(), Ok(()), "import returned a broken model");
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 4096, "an error message of unbounded length");
            false
        }
    }
}
