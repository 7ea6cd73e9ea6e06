//! Objects that C code holds by an opaque pointer.
#![deny(unsafe_op_in_unsafe_fn)]

use crate::failure::Failure;
use crate::memory::Out;

/// A type that C code sees only as an opaque pointer.
pub(crate) trait Handle {
    /// The type's name in C.
    const NAME: &'static str;
}

/// Debug builds remember which handles are alive, so that a handle that was freed is a failure and not a crash.
#[cfg(debug_assertions)]
mod live {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    static HANDLES: Mutex<BTreeMap<usize, &'static str>> = Mutex::new(BTreeMap::new());

    pub(super) fn handles() -> MutexGuard<'static, BTreeMap<usize, &'static str>> {
        HANDLES.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Hands an object over to the caller, who frees it with [`take`].
///
/// # Safety
/// `to` is NULL or may be written.
pub(crate) unsafe fn hand_over<T: Handle>(to: *mut *mut T, name: &str, value: T) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let to = unsafe { Out::new(to, name)? };
    let handle = Box::into_raw(Box::new(value));
    #[cfg(debug_assertions)]
    live::handles().insert(handle as usize, T::NAME);
    to.write(handle);
    Ok(())
}

fn check<T: Handle>(handle: *const T, name: &str) -> Result<(), Failure> {
    if handle.is_null() {
        return Err(Failure::new(crate::BoneboxResult::NullPointer, format!("`{name}` is NULL; pass a {}", T::NAME)));
    }
    #[cfg(debug_assertions)]
    if live::handles().get(&(handle as usize)) != Some(&T::NAME) {
        let message =
            format!("`{name}` does not point to a live {}: the object was freed, or the pointer is wrong", T::NAME);
        return Err(Failure::new(crate::BoneboxResult::InvalidHandle, message));
    }
    Ok(())
}

/// # Safety
/// `handle` is NULL or came from [`hand_over`], was not freed, and nothing changes it while `'a` lasts.
pub(crate) unsafe fn borrow<'a, T: Handle>(handle: *const T, name: &str) -> Result<&'a T, Failure> {
    check(handle, name)?;
    // SAFETY: not NULL; the rest is the caller's promise.
    Ok(unsafe { &*handle })
}

/// # Safety
/// As [`borrow`], and nothing reads it either while `'a` lasts.
pub(crate) unsafe fn borrow_mut<'a, T: Handle>(handle: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    check(handle, name)?;
    // SAFETY: not NULL; the rest is the caller's promise.
    Ok(unsafe { &mut *handle })
}

/// Frees an object; NULL is allowed.
///
/// # Safety
/// As [`borrow_mut`], and the caller never uses the handle again.
pub(crate) unsafe fn take<T: Handle>(handle: *mut T, name: &str) -> Result<(), Failure> {
    if handle.is_null() {
        return Ok(());
    }
    check(handle, name)?;
    #[cfg(debug_assertions)]
    live::handles().remove(&(handle as usize));
    // SAFETY: the handle came from `Box::into_raw` in `hand_over` and is freed once.
    drop(unsafe { Box::from_raw(handle) });
    Ok(())
}
