//! Code that the examples share: an app without a window, over the characters of this repository.

use bevy_app::prelude::*;
use bevy_asset::AssetPlugin;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;

/// An app without a renderer whose every update is one fixed tick. A game with a window takes `DefaultPlugins` in its place.
pub(crate) fn headless() -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin { file_path: "../../assets".into(), ..AssetPlugin::default() },
        TransformPlugin,
    ))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}
