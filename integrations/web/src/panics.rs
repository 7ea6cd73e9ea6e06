//! The message of a panic. WebAssembly ends at a panic with an exception that has no message of its own.

use std::panic;
use std::sync::{Mutex, PoisonError};

static MESSAGE: Mutex<String> = Mutex::new(String::new());

/// Keeps the message of a later panic. JavaScript calls this function once, before all others.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_web_start() {
    panic::set_hook(Box::new(|info| {
        *MESSAGE.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
}

/// The message of the last panic as UTF-8. Returns its length, and writes the place of its first byte.
///
/// # Safety
/// `text` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_web_panic(text: *mut *const u8) -> usize {
    let message = MESSAGE.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the caller's promise. The text stays until the next panic, and there is none after the first.
    unsafe { text.write(message.as_ptr()) };
    message.len()
}
