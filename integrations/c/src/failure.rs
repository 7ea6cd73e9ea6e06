//! Results of the functions, and failures with their messages.
#![deny(unsafe_op_in_unsafe_fn)]

use std::any::Any;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a function. Every value except `BONEBOX_RESULT_OK` is a failure. A function that fails has changed
/// nothing, unless its documentation says otherwise.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxResult {
    /// The function did its work.
    Ok = 0,
    /// A pointer that must not be NULL is NULL.
    NullPointer = 1,
    /// The function does not accept a number, a shape or a string that was passed.
    InvalidArgument = 2,
    /// The handle was already freed, or has another type. Only debug builds of the library detect this.
    InvalidHandle = 3,
    /// The bytes are not a `.bonebox` file, a saved world or a saved history, or have a version that this library does not
    /// read.
    BadFile = 4,
    /// The character has no joint, clip, hitbox, tag or body with that name or index, or no ragdoll.
    NotFound = 5,
    /// The world has no body with that id.
    NoBody = 6,
    /// The world already has a body with that id.
    BodyExists = 7,
    /// A pose, a set of hitboxes or a joint mask belongs to another character.
    WrongCharacter = 8,
    /// The pose or its bounds cannot be computed: the number of matrices is not the number of joints, a matrix or a time
    /// is not finite, a pose has no hitboxes, or the character has no bounds over time (`poses = "any"`).
    PoseRefused = 9,
    /// The caller's buffer is too small. The function filled it, and wrote the number of all elements to `count`.
    BufferTooSmall = 10,
    /// A defect in bonebox. Free the objects that were passed to the call, and report the message.
    InternalError = 11,
    /// The asset cannot be baked, or the settings contain a mistake.
    BakeFailed = 12,
    /// The caller canceled the bake.
    Canceled = 13,
    /// An exact query needs the skin: the character was baked without it, or the pose does not track it.
    NoSkin = 14,
}

/// The size of `BoneboxError::message` in bytes, with the zero byte at its end.
pub const BONEBOX_MESSAGE_SIZE: usize = 504;

/// A failure, in memory of the caller. Every function that can fail takes a pointer to a `BoneboxError`, which may be
/// NULL. The function writes to it only when it fails.
#[repr(C)]
pub struct BoneboxError {
    /// The same value that the function returned.
    pub result: BoneboxResult,
    /// The length of the message in bytes, without the zero byte.
    pub message_length: u32,
    /// The message: what is wrong, where, and what to do. It is UTF-8 and ends with a zero byte. A message that does
    /// not fit is cut and ends with `...`.
    pub message: [c_char; BONEBOX_MESSAGE_SIZE],
}

/// A failure inside the library, before [`guard`] reports it to the caller.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) result: BoneboxResult,
    pub(crate) message: String,
}

impl Failure {
    #[cold]
    pub(crate) fn new(result: BoneboxResult, message: impl ToString) -> Self {
        Self { result, message: message.to_string() }
    }

    #[cold]
    pub(crate) fn null(name: &str) -> Self {
        Self::new(BoneboxResult::NullPointer, format!("`{name}` is NULL; pass a valid pointer"))
    }

    #[cold]
    pub(crate) fn invalid(message: impl ToString) -> Self {
        Self::new(BoneboxResult::InvalidArgument, message)
    }

    #[cold]
    pub(crate) fn not_found(message: impl ToString) -> Self {
        Self::new(BoneboxResult::NotFound, message)
    }
}

/// Runs the body of a function, turns a failure or a panic into a result, and writes the message to `error`.
pub(crate) fn guard(error: *mut BoneboxError, body: impl FnOnce() -> Result<(), Failure>) -> BoneboxResult {
    // A panic may leave the caller's objects half changed; the documentation of `InternalError` says to free them.
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return BoneboxResult::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::new(BoneboxResult::InternalError, format!("defect in bonebox: {}", panic_text(&*panic))),
    };
    if !error.is_null() {
        // SAFETY: the caller passes NULL or a `BoneboxError` that may be written.
        unsafe { error.write(BoneboxError::new(&failure)) };
    }
    failure.result
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}

impl BoneboxError {
    fn new(failure: &Failure) -> Self {
        const CUT: &str = "...";
        let room = BONEBOX_MESSAGE_SIZE - 1;
        let text = &failure.message;
        let (kept, end) = if text.len() <= room { (text.len(), "") } else { (room - CUT.len(), CUT) };
        let kept = (0..=kept).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let mut message = [0; BONEBOX_MESSAGE_SIZE];
        let bytes = text[..kept].bytes().chain(end.bytes());
        for (to, byte) in message.iter_mut().zip(bytes) {
            // A zero byte inside the text would end the C string early.
            *to = if byte == 0 { b'?' as c_char } else { byte as c_char };
        }
        Self { result: failure.result, message_length: (kept + end.len()) as u32, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_between_characters() {
        for length in [0, 1, BONEBOX_MESSAGE_SIZE - 1, BONEBOX_MESSAGE_SIZE, 2 * BONEBOX_MESSAGE_SIZE] {
            for character in ['a', 'é', '人'] {
                let text: String = std::iter::repeat_n(character, length).collect();
                let error = BoneboxError::new(&Failure::invalid(&text));
                let bytes: Vec<u8> =
                    error.message.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect();
                assert_eq!(bytes.len(), error.message_length as usize);
                let found = std::str::from_utf8(&bytes).expect("whole characters");
                assert!(found == text || text.starts_with(found.trim_end_matches("...")));
                assert_eq!(error.message[BONEBOX_MESSAGE_SIZE - 1], 0);
            }
        }
    }

    #[test]
    fn a_panic_is_an_internal_error_with_its_message() {
        let mut error = BoneboxError::new(&Failure::invalid(""));
        let result = guard(&mut error, || panic!("index {}", 7));
        assert_eq!((result, error.result), (BoneboxResult::InternalError, BoneboxResult::InternalError));
        let text: String =
            error.message.iter().take_while(|&&byte| byte != 0).map(|&byte| byte as u8 as char).collect();
        assert_eq!(text, "defect in bonebox: index 7");
    }
}
