//! Baking in the process, behind the feature `bake`.

use crate::bytes::BoneboxBytes;
use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::hand_over;
use crate::memory::{list, text};
use bone_fit::{BakeObserver, BakeStep};
use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};

/// A step of a bake, in the order in which the steps run.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxBakeStep {
    /// Binds the surface to joints.
    Assign = 0,
    /// Samples the clips.
    Sample = 1,
    /// Splits the surface of joints that get several hitboxes, if the settings allow it.
    Split = 2,
    /// Fits one hitbox to each piece of the surface.
    Fit = 3,
    /// Measures the share of the surface inside hitboxes.
    Measure = 4,
}

/// A function of the caller, called when a step of a bake starts. It returns true to continue, or false to cancel the
/// bake. The library may call it on another thread than the one that called `bonebox_bake`. It must not throw a C++
/// exception.
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

/// Bakes a skinned glTF or VRM file that is in memory into the bytes of a `.bonebox` file. A bake takes milliseconds to
/// seconds and uses all processor cores. Free the result with `bonebox_bytes_free`.
///
/// - `bytes` is the content of the file, which must contain its buffers. `file` is its name, such as `runa.glb`.
/// - `settings` is the text of a `bonebox.toml`, or NULL for the defaults. Limits in the settings do not apply.
/// - `progress` may be NULL. The library passes `user` to it.
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
        let (bytes, file) = (list(bytes, length, "bytes")?, text(file, "file")?);
        let settings = if settings.is_null() { "" } else { text(settings, "settings")? };
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
        hand_over(baked, "baked", BoneboxBytes { bytes })
    })
}
