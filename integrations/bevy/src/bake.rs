//! Baking in the process, for prototypes.

use crate::{Bonebox, Hitboxes};
use bevy_asset::{AssetPath, AssetServer};
use bevy_tasks::AsyncComputeTaskPool;
use bonebox::bake::{AssetError, bake_bytes};
use std::sync::Arc;

/// The reason why a glTF file was not baked. The asset server logs this error.
#[derive(Clone, Debug, thiserror::Error)]
#[error("hitboxes of {path:?} could not be baked: {reason}")]
pub struct BakeFailure {
    /// The path of the glTF file.
    pub path: String,
    /// The reason, with the causes of the error.
    pub reason: String,
}

impl Hitboxes {
    /// Bakes hitboxes from a glTF or VRM file while the game runs, on Bevy's task pool for computations.
    ///
    /// A bake takes milliseconds to seconds, without a display of its progress. The character has no hitboxes until the
    /// bake ends. A released game should load a file that `bonebox bake` made. Each call bakes; for copies of a
    /// character, clone the handle.
    ///
    /// `settings` is the text of a `bonebox.toml` and may be empty. The file must contain its buffers.
    ///
    /// The asset server logs failures, and observers receive them as [`HitboxFailure`](crate::HitboxFailure).
    #[must_use]
    pub fn bake<'a>(assets: &AssetServer, gltf: impl Into<AssetPath<'a>>, settings: impl Into<String>) -> Self {
        let (assets, path, settings) = (assets.clone(), gltf.into().into_owned(), settings.into());
        Self(assets.clone().add_async(async move { baked(&assets, path, settings).await }))
    }
}

async fn baked(assets: &AssetServer, path: AssetPath<'static>, settings: String) -> Result<Bonebox, Arc<BakeFailure>> {
    let failure = |reason: String| Arc::new(BakeFailure { path: path.to_string(), reason });
    let mut bytes = Vec::new();
    let source = assets.get_source(path.source()).map_err(|error| failure(error.to_string()))?;
    let mut reader = source.reader().read(path.path()).await.map_err(|error| failure(error.to_string()))?;
    reader.read_to_end(&mut bytes).await.map_err(|error| failure(error.to_string()))?;
    let file = path.path().file_name().map_or_else(|| path.to_string(), |name| name.to_string_lossy().into_owned());
    let bake = AsyncComputeTaskPool::get().spawn(async move { bake_bytes(&bytes, &file, &settings, &()) });
    let baked = bake.await.map_err(|error: AssetError| failure(chain(&error)))?;
    Ok(Bonebox::from_baked(baked))
}

/// Joins the messages of an error and its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
