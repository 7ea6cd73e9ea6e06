//! The body of the fuzz target: converts any bytes.

/// Converts the bytes of an FBX file. Returns the .glb if the file was accepted.
///
/// # Panics
/// If the .glb is no container, or an error message is too long.
#[must_use]
pub fn file(bytes: &[u8]) -> Option<Vec<u8>> {
    match crate::to_glb(bytes) {
        Ok(converted) => {
            let container = gltf_container::Container::open(&converted.glb).expect("the .glb is a container");
            assert_eq!(container.trailing, 0, "the length in the header is wrong");
            Some(converted.glb)
        }
        Err(error) => {
            assert!(error.to_string().len() < 4096, "the error message is too long");
            None
        }
    }
}
