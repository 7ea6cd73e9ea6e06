//! Baking in the process, behind the feature `bake`.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, give, take};
use crate::memory::{Out, list, text};
use bone_fit::{BakeObserver, BakeStep};
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that the library made.
pub struct BoneboxBytes {
    bytes: Vec<u8>,
}

impl Handle for BoneboxBytes {
    const NAME: &'static str = "BoneboxBytes";
}

/// A step of a bake, in the order in which the steps run.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxBakeStep {
    /// The surface is bound to joints.
    Assign = 0,
    /// Clips are sampled.
    Sample = 1,
    /// Joints get several hitboxes where the settings allow it.
    Split = 2,
    /// One hitbox is fitted to each piece.
    Fit = 3,
    /// The share of the surface inside hitboxes is measured.
    Measure = 4,
}

/// A function of the caller that hears of each step of a bake and answers whether to go on. It may be called on another
/// thread than the one that bakes, and no C++ exception may leave it.
pub type BoneboxBakeProgress = Option<unsafe extern "C" fn(step: BoneboxBakeStep, user: *mut c_void) -> bool>;

struct Progress {
    function: BoneboxBakeProgress,
    user: *mut c_void,
    is_canceled: AtomicBool,
}

// SAFETY: the caller allows calls from any thread, see `BoneboxBakeProgress`.
unsafe impl Sync for Progress {}

impl BakeObserver for Progress {
    fn step_started(&self, step: BakeStep) {
        let step = match step {
            BakeStep::Assign => BoneboxBakeStep::Assign,
            BakeStep::Sample => BoneboxBakeStep::Sample,
            BakeStep::Split => BoneboxBakeStep::Split,
            BakeStep::Fit => BoneboxBakeStep::Fit,
            BakeStep::Measure => BoneboxBakeStep::Measure,
        };
        // SAFETY: the caller's promise, see `BoneboxBakeProgress`.
        if self.function.is_some_and(|function| !unsafe { function(step, self.user) }) {
            self.is_canceled.store(true, Ordering::Relaxed);
        }
    }

    fn is_canceled(&self) -> bool {
        self.is_canceled.load(Ordering::Relaxed)
    }
}

/// Bakes a skinned glTF or VRM file that is in memory into the bytes of a `.bonebox` file. `file` is its name, such as
/// `runa.glb`. `settings` is the text of a `bonebox.toml`, or NULL for the defaults; its limits do not apply. Buffers must be
/// inside the file. `progress` may be NULL. A bake takes from milliseconds to seconds, on all threads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_bake(
    bytes: *const u8,
    length: usize,
    file: *const c_char,
    settings: *const c_char,
    progress: BoneboxBakeProgress,
    user: *mut c_void,
    baked: *mut *mut BoneboxBytes,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (bytes, file, out) =
            unsafe { (list(bytes, length, "bytes")?, text(file, "file")?, Out::new(baked, "baked")?) };
        // SAFETY: as above.
        let settings = if settings.is_null() { "" } else { unsafe { text(settings, "settings")? } };
        let progress = Progress { function: progress, user, is_canceled: AtomicBool::new(false) };
        let failed = |error: &dyn std::error::Error| {
            let result = if progress.is_canceled() { BoneboxResult::Canceled } else { BoneboxResult::BakeFailed };
            let mut message = error.to_string();
            let mut cause = error.source();
            while let Some(inner) = cause {
                // Some errors repeat what they were caused by.
                if !message.contains(&inner.to_string()) {
                    message = format!("{message}: {inner}");
                }
                cause = inner.source();
            }
            Failure::new(result, message)
        };
        let character = asset_bake::bake_bytes(bytes, file, settings, &progress).map_err(|error| failed(&error))?;
        let bytes = baked_format::write(&character).map_err(|error| failed(&error))?;
        out.write(give(BoneboxBytes { bytes }));
        Ok(())
    })
}

/// The first byte; NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_bytes_data(bytes: *const BoneboxBytes) -> *const u8 {
    // SAFETY: the caller's promise, see the crate's documentation.
    unsafe { borrow(bytes, "bytes") }.map_or(std::ptr::null(), |bytes| bytes.bytes.as_ptr())
}

/// How many bytes; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_bytes_length(bytes: *const BoneboxBytes) -> usize {
    // SAFETY: the caller's promise, see the crate's documentation.
    unsafe { borrow(bytes, "bytes") }.map_or(0, |bytes| bytes.bytes.len())
}

/// Frees bytes that the library made; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_bytes_free(bytes: *mut BoneboxBytes) -> BoneboxResult {
    // SAFETY: the caller's promise, see the crate's documentation.
    guard(std::ptr::null_mut(), || unsafe { take(bytes, "bytes") })
}
