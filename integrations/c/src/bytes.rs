//! Bytes that the library allocated.

use crate::failure::{BoneboxResult, guard};
use crate::handle::{Handle, borrow, take};

/// A buffer of bytes that the library allocated.
pub struct BoneboxBytes {
    pub(crate) bytes: Vec<u8>,
}

impl Handle for BoneboxBytes {
    const NAME: &'static str = "BoneboxBytes";
}

/// Returns a pointer to the first byte. Returns NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_bytes_data(bytes: *const BoneboxBytes) -> *const u8 {
    borrow(bytes, "bytes").map_or(std::ptr::null(), |bytes| bytes.bytes.as_ptr())
}

/// Returns the number of bytes. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_bytes_length(bytes: *const BoneboxBytes) -> usize {
    borrow(bytes, "bytes").map_or(0, |bytes| bytes.bytes.len())
}

/// Frees a buffer that the library allocated; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_bytes_free(bytes: *mut BoneboxBytes) -> BoneboxResult {
    guard(std::ptr::null_mut(), || take(bytes, "bytes"))
}
