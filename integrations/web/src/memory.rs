//! Memory that JavaScript writes to and reads from.

use std::alloc::{Layout, alloc, dealloc};

/// Enough for every type of the C library and for vectors.
const ALIGNMENT: usize = 16;

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()
}

/// Returns memory for this number of bytes; NULL if there is no memory left.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_web_alloc(bytes: usize) -> *mut u8 {
    // SAFETY: the size of the layout is above 0.
    layout(bytes).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) })
}

/// Frees memory.
///
/// # Safety
/// [`bonebox_web_alloc`] returned the pointer for the same number of bytes, and it was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_web_free(memory: *mut u8, bytes: usize) {
    if let Some(layout) = layout(bytes).filter(|_| !memory.is_null()) {
        // SAFETY: the caller's promise.
        unsafe { dealloc(memory, layout) };
    }
}
