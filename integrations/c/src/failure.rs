//! What functions answer, and how a failure gets out of Rust.

use std::any::Any;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function answers. Every value but `BONEBOX_RESULT_OK` is a failure, and nothing was changed unless the function
/// says otherwise.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxResult {
    /// The function did its work.
    Ok = 0,
    /// A pointer is NULL that must not be.
    NullPointer = 1,
    /// A number, a shape or a string is not one that the function accepts.
    InvalidArgument = 2,
    /// Debug builds only: the handle was freed already, or is of another type.
    InvalidHandle = 3,
    /// The bytes are no `.bonebox` file of a version that this library reads.
    BadFile = 4,
    /// The character has no joint, clip, hitbox or tag of that name or index.
    NotFound = 5,
    /// The world has no body of that id.
    NoBody = 6,
    /// The world has a body of that id already.
    BodyExists = 7,
    /// A pose or a set of hitboxes belongs to another character.
    WrongCharacter = 8,
    /// A pose has another number of matrices, or a matrix or a time that is not finite.
    PoseRefused = 9,
    /// The caller's buffer is too small: it was filled, and the count says how many elements there are in all.
    BufferTooSmall = 10,
    /// A defect in bonebox. Free the objects that took part in the call, and report the message.
    InternalError = 11,
    /// An asset cannot be baked, or the settings have a mistake.
    BakeFailed = 12,
    /// The caller canceled the bake.
    Canceled = 13,
}

/// Room for a message of a failure, with its end.
pub const BONEBOX_MESSAGE_SIZE: usize = 504;

/// What went wrong, in the caller's memory. Every function that can fail takes a pointer to one, which may be NULL. The
/// function writes it only when it fails.
#[repr(C)]
pub struct BoneboxError {
    /// What the function also answers.
    pub result: BoneboxResult,
    /// Bytes of the message, without its end.
    pub message_length: u32,
    /// What is wrong, where, and what to do: UTF-8, ends with a zero byte. A message that is too long is cut.
    pub message: [c_char; BONEBOX_MESSAGE_SIZE],
}

/// A failure on its way to the caller.
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

/// Runs the body of a function: a failure and a panic become a result, and the message goes to `error`.
pub(crate) fn guard(error: *mut BoneboxError, body: impl FnOnce() -> Result<(), Failure>) -> BoneboxResult {
    // A panic leaves the caller's objects as they were at the time; the documentation of `InternalError` says to free them.
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
            // A zero byte within the text would end it early.
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
