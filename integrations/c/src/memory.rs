//! Access to the caller's memory: strings and lists that functions read, values and lists that functions write.
#![deny(unsafe_op_in_unsafe_fn)]

use crate::failure::{BoneboxResult, Failure};
use std::ffi::{CStr, c_char};
use std::sync::Mutex;

/// A text that a character holds. It is UTF-8, valid until the character is freed, and a zero byte follows it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxString {
    /// The first byte; never NULL.
    pub data: *const c_char,
    /// The length in bytes, without the zero byte.
    pub length: usize,
}

/// Reads a string that C code passed.
///
/// # Safety
/// `text` is NULL or ends with a zero byte, and stays as it is while `'a` lasts.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: not NULL; the rest is the caller's promise.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map_err(|_| Failure::invalid(format!("`{name}` is not UTF-8: {bytes:?}")))
}

/// Reads a list that C code passed. NULL is an empty list if `count` is 0.
///
/// # Safety
/// `list` is NULL or points to `count` elements, which stay as they are while `'a` lasts.
pub(crate) unsafe fn list<'a, T>(list: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if list.is_null() {
        return Err(Failure::null(name));
    }
    if !list.is_aligned() || count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Failure::invalid(format!("`{name}` is not aligned, or its {count} elements cannot be in memory")));
    }
    // SAFETY: not NULL, aligned and no larger than memory; the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(list, count) })
}

/// Reads a value that C code passed.
///
/// # Safety
/// `value` is NULL or points to a value.
pub(crate) unsafe fn read<T: Copy>(value: *const T, name: &str) -> Result<T, Failure> {
    if value.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: not NULL; the rest is the caller's promise.
    Ok(unsafe { value.read() })
}

/// A pointer to which a function writes one value.
pub(crate) struct Out<'n, T> {
    to: *mut T,
    name: &'n str,
}

impl<'n, T> Out<'n, T> {
    /// # Safety
    /// `to` is NULL or may be written.
    pub(crate) unsafe fn new(to: *mut T, name: &'n str) -> Result<Self, Failure> {
        if to.is_null() { Err(Failure::null(name)) } else { Ok(Self { to, name }) }
    }

    pub(crate) fn write(self, value: T) {
        debug_assert!(!self.to.is_null(), "{} was checked", self.name);
        // SAFETY: `new` was promised that it may be written.
        unsafe { self.to.write(value) };
    }
}

/// Writes the answer to a question.
///
/// # Safety
/// `to` is NULL or may be written.
pub(crate) unsafe fn write<T>(to: *mut T, name: &str, value: T) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    unsafe { Out::new(to, name)? }.write(value);
    Ok(())
}

/// Writes true to `found` and the answer to its place, or false if there is no answer.
///
/// # Safety
/// `found` and `to` are NULL or may be written.
pub(crate) unsafe fn write_found<T, A: Into<T>>(
    found: *mut bool,
    (to, name): (*mut T, &str),
    answer: Option<A>,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let (found, to) = unsafe { (Out::new(found, "found")?, Out::new(to, name)?) };
    found.write(answer.is_some());
    if let Some(answer) = answer {
        to.write(answer.into());
    }
    Ok(())
}

/// Writes as many values as the buffer `out` has room for, and the number of all values to `count`.
///
/// # Safety
/// `out` has room for `capacity` elements or is NULL; `count` is NULL or may be written.
pub(crate) unsafe fn write_list<T>(
    out: *mut T,
    capacity: usize,
    count: *mut usize,
    values: impl Iterator<Item = T>,
) -> Result<(), Failure> {
    if out.is_null() && capacity > 0 {
        return Err(Failure::null("out"));
    }
    // SAFETY: the caller's promise.
    let count = unsafe { Out::new(count, "count")? };
    let mut found = 0;
    for value in values {
        if found < capacity {
            // SAFETY: not NULL, because there is room; the rest is the caller's promise.
            unsafe { out.add(found).write(value) };
        }
        found += 1;
    }
    count.write(found);
    if found <= capacity {
        return Ok(());
    }
    let message = format!("{found} elements were found, but the buffer has room for {capacity}; pass a larger buffer");
    Err(Failure::new(BoneboxResult::BufferTooSmall, message))
}

/// Makes an empty list with the memory of another list. `T` and `U` have the same layout.
pub(crate) fn emptied<T, U>(mut list: Vec<T>) -> Vec<U> {
    list.clear();
    // The standard library collects into the memory of the list that it iterates over.
    list.into_iter().filter_map(|_| None).collect()
}

/// Lists of answers that are kept between calls, so that questions allocate nothing once the lists have grown.
#[derive(Default)]
pub(crate) struct Kept<T>(Mutex<T>);

impl<T: Default> Kept<T> {
    /// Passes the kept lists to `ask`, or new lists while another thread uses the kept ones.
    pub(crate) fn with<R>(&self, ask: impl FnOnce(&mut T) -> R) -> R {
        match self.0.try_lock() {
            Ok(mut lists) => ask(&mut lists),
            Err(_) => ask(&mut T::default()),
        }
    }
}
