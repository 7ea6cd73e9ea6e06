//! The bodies of the fuzz targets: import any bytes and validate the result.

use crate::{NoExternalFiles, characters, import, import_character, import_motion};

/// The number of characters of a file that are imported one by one.
const MOST_CHARACTERS: usize = 3;

/// Imports the bytes of one file and its motions, and if it has several characters, some of them one by one. A model that
/// [`import`](crate::import()) returns must pass [`SkinnedModel::validate`](crate::SkinnedModel::validate). Returns whether
/// the file was accepted.
///
/// # Panics
/// If the model is not valid, or an error message is too long.
pub fn file(bytes: &[u8]) -> bool {
    if let Ok(motion) = import_motion(bytes, &NoExternalFiles) {
        assert_eq!(motion.validate(), Ok(()), "import_motion returned an invalid model");
    }
    match import(bytes, &NoExternalFiles) {
        Ok(model) => {
            assert_eq!(model.validate(), Ok(()), "import returned an invalid model");
            assert_eq!(characters(bytes).as_ref(), Ok(&model.characters));
            for root in model.characters.iter().take(MOST_CHARACTERS) {
                if let Ok(one) = import_character(bytes, &NoExternalFiles, &|_| false, root.node) {
                    assert_eq!(one.validate(), Ok(()), "the import of {root:?} returned an invalid model");
                }
            }
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 4096, "the error message is too long");
            false
        }
    }
}

/// Converts the bytes of an FBX file, and imports the glTF as [`file`] does. Returns whether the file was accepted.
///
/// # Panics
/// If the model is not valid, or an error message is too long.
#[cfg(feature = "fbx")]
pub fn fbx(bytes: &[u8]) -> bool {
    fbx_to_gltf::fuzz::file(bytes).is_some_and(|gltf| file(&gltf))
}
