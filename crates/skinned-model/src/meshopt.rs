//! Decompression of EXT_meshopt_compression and KHR_meshopt_compression.

use crate::view_compression::Compression;

/// Never called: the extension table refuses such files.
pub(crate) fn decompress(_bytes: &[u8], _compression: &Compression) -> Result<Vec<u8>, String> {
    Err("this build has no meshopt decoder".to_owned())
}
