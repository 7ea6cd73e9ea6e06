//! The one place where files of other formats become glTF.

use crate::error::ImportError;
use crate::warnings::Warnings;
use std::borrow::Cow;

/// Returns the glTF of a file: an FBX file is converted to a .glb, and other bytes are returned as they are.
///
/// Programs that change a file or show it use these bytes, so that they work with every file that
/// [`import`](crate::import()) reads.
///
/// # Errors
/// Returns [`ImportError`] if the file is an FBX file that cannot be converted. If this build has no reader of FBX, the
/// bytes are returned as they are.
pub fn gltf_bytes(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ImportError> {
    converted(bytes, &mut Warnings::default())
}

/// Returns the glTF of a file as [`gltf_bytes`] does, and adds what was left out.
#[cfg(feature = "fbx")]
pub(crate) fn converted<'a>(bytes: &'a [u8], warnings: &mut Warnings) -> Result<Cow<'a, [u8]>, ImportError> {
    if !fbx_to_gltf::is_fbx(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    let fbx_to_gltf::Converted { glb, findings } = fbx_to_gltf::to_glb(bytes)?;
    findings.into_iter().for_each(|finding| warnings.add(finding.code, None, finding.text));
    Ok(Cow::Owned(glb))
}

#[cfg(not(feature = "fbx"))]
pub(crate) fn converted<'a>(bytes: &'a [u8], _: &mut Warnings) -> Result<Cow<'a, [u8]>, ImportError> {
    Ok(Cow::Borrowed(bytes))
}
