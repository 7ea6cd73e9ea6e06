//! The errors of a container.

/// The reason why a file cannot be split into its parts, or put together. Every message names what was expected, what
/// was found, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The bytes are neither a GLB container nor a JSON object.
    #[error(
        "this is not glTF: expected a file that begins with the letters glTF (.glb, .vrm) or with {{ (.gltf), found {found}; export it again as glTF 2.0"
    )]
    NotGltf {
        /// The first bytes of the file, or a note that it is empty.
        found: String,
    },
    /// The file has another format for 3D models.
    #[error(
        "this is {name}, expected glTF 2.0 (.glb, .gltf, .vrm); open it in a program that reads it, such as Blender, and export it \
         as glTF 2.0"
    )]
    OtherFormat {
        /// The format with its article, such as `an FBX file`.
        name: &'static str,
    },
    /// The file is a pointer of Git LFS, which stands for a file that was not downloaded.
    #[error("this is a pointer of Git LFS, expected the file that it stands for; run `git lfs pull`")]
    LfsPointer,
    /// The GLB container has an unsupported version.
    #[error("this is glTF {found} (GLB container), expected glTF 2.x; convert or export it as glTF 2.0")]
    Version {
        /// The version in the header.
        found: u32,
    },
    /// The GLB container is damaged.
    #[error("the GLB container is damaged at byte {offset}: expected {expected}, found {found}; {cure}")]
    Damaged {
        /// The offset in bytes from the start of the file.
        offset: usize,
        /// A description of the expected bytes at this offset.
        expected: String,
        /// A description of the bytes at this offset.
        found: String,
        /// The action that corrects the file, as a sentence.
        cure: &'static str,
    },
    /// The GLB container would be larger than its header can state.
    #[error("the .glb would have {bytes} bytes, expected at most {}; remove textures or clips from the file", u32::MAX)]
    TooLarge {
        /// The size of the container in bytes.
        bytes: u64,
    },
}
