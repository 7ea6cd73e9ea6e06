//! The body of the fuzz target: imports any bytes and validates the result.

use crate::{NoExternalFiles, import};

/// Imports the bytes of one file. A model that [`import`](crate::import()) returns must pass
/// [`SkinnedModel::validate`](crate::SkinnedModel::validate). Returns whether the file was accepted.
///
/// # Panics
/// If the model is not valid, or an error message is too long.
pub fn file(bytes: &[u8]) -> bool {
    match import(bytes, &NoExternalFiles) {
        Ok(model) => {
            assert_eq!(model.validate(), Ok(()), "import returned an invalid model");
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 4096, "the error message is too long");
            false
        }
    }
}
