//! What a function of the baker answers: bytes, or the message of an error.

/// The answer to a call. JavaScript reads and frees it.
#[derive(Debug)]
pub struct Reply {
    is_error: bool,
    bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn hand_over(result: Result<Vec<u8>, String>) -> *mut Self {
        let (is_error, bytes) = match result {
            Ok(bytes) => (false, bytes),
            Err(message) => (true, message.into_bytes()),
        };
        Box::into_raw(Box::new(Self { is_error, bytes }))
    }
}

/// Returns 1 if the reply is an error.
///
/// # Safety
/// The reply was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_reply_is_error(reply: *const Reply) -> u32 {
    // SAFETY: the caller's promise.
    u32::from(unsafe { &*reply }.is_error)
}

/// The first byte of the reply.
///
/// # Safety
/// The reply was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_reply_data(reply: *const Reply) -> *const u8 {
    // SAFETY: the caller's promise.
    unsafe { &*reply }.bytes.as_ptr()
}

/// The number of bytes of the reply.
///
/// # Safety
/// The reply was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_reply_length(reply: *const Reply) -> usize {
    // SAFETY: the caller's promise.
    unsafe { &*reply }.bytes.len()
}

/// Frees a reply.
///
/// # Safety
/// The reply was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_reply_free(reply: *mut Reply) {
    // SAFETY: the caller's promise; `hand_over` made it from a box.
    drop(unsafe { Box::from_raw(reply) });
}

/// Bytes that JavaScript passes.
///
/// # Safety
/// `data` points to `length` bytes that stay as they are while `'a` lasts.
pub(crate) unsafe fn bytes<'a>(data: *const u8, length: usize) -> &'a [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, length) }
}

/// A text that JavaScript passes.
///
/// # Safety
/// As [`bytes`].
pub(crate) unsafe fn text<'a>(data: *const u8, length: usize) -> Result<&'a str, String> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { bytes(data, length) };
    std::str::from_utf8(bytes).map_err(|_| "a text is not UTF-8".to_owned())
}
