//! The answers to the page, which has no server.

use crate::bake::split;
use crate::reply::{Reply, bytes, text};
use page_answers::{Answers, HeldCharacter, HeldCharacters, Query};
use serde::Deserialize;

/// Characters, and the answers about them.
#[derive(Debug)]
pub struct Page(Answers<HeldCharacters>);

/// A character, apart from the bytes of its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Added {
    file: String,
    settings: String,
    /// The lengths of the buffers whose bytes follow the file, by the URI in a .gltf.
    buffers: Vec<(String, usize)>,
}

/// Makes a page without characters. `options` is a JSON list of pairs of a key and a text, and NULL if they are wrong.
///
/// # Safety
/// `options` points to this number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_page_new(options: *const u8, length: usize) -> *mut Page {
    // SAFETY: the caller's promise.
    let options = serde_json::from_slice(unsafe { bytes(options, length) });
    match options {
        Ok(options) => Box::into_raw(Box::new(Page(Answers::new(HeldCharacters::new(options))))),
        Err(_) => std::ptr::null_mut(),
    }
}

/// Adds a character. The reply is its number.
///
/// `request` is JSON. `data` has the bytes of the file and then those of its buffers.
///
/// # Safety
/// The page was not freed, and the others point to their number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_page_add(
    page: *mut Page,
    request: *const u8,
    request_length: usize,
    data: *const u8,
    data_length: usize,
) -> *mut Reply {
    // SAFETY: the caller's promise.
    let (page, request, data) = unsafe { (&mut *page, text(request, request_length), bytes(data, data_length)) };
    let add = |request| {
        let Added { file, settings, buffers } =
            serde_json::from_str(request).map_err(|error| format!("the request has the wrong form: {error}"))?;
        let (bytes, buffers) = split(data, buffers)?;
        let character = HeldCharacter { file, bytes: bytes.to_vec(), buffers, settings };
        Ok(page.0.characters_mut().add(character).to_string().into_bytes())
    };
    Reply::hand_over(request.and_then(add))
}

/// Answers a question (see [`Answers::answer`]) with JSON. `query` is `key=value&…`, as in an address.
///
/// # Safety
/// The page was not freed, and the others point to their number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_page_answer(
    page: *const Page,
    question: *const u8,
    question_length: usize,
    query: *const u8,
    query_length: usize,
) -> *mut Reply {
    // SAFETY: the caller's promise.
    let (page, question, query) = unsafe { (&*page, text(question, question_length), text(query, query_length)) };
    let answer = || {
        let (question, query) = (question?, Query::parse(query?));
        let answer = page.0.answer(question, &query).ok_or_else(|| format!("there is no question {question:?}"))?;
        answer.map(String::into_bytes).map_err(|error| format!("{error:#}"))
    };
    Reply::hand_over(answer())
}

/// Frees a page.
///
/// # Safety
/// The page was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_page_free(page: *mut Page) {
    // SAFETY: the caller's promise; `bonebox_page_new` made it from a box.
    drop(unsafe { Box::from_raw(page) });
}
