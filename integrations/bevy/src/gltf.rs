//! Attaches `NAME.bonebox` to the scenes of `NAME.glb`.

use crate::Hitboxes;
use bevy_app::{App, Update};
use bevy_asset::{AssetPath, AssetServer, LoadContext};
use bevy_ecs::prelude::*;
use bevy_gltf::extensions::{ErasedGltfExtensionHandler, GltfExtensionHandler, GltfExtensionHandlers};
use bevy_gltf::{GltfLoaderSettings, gltf};
use bevy_reflect::prelude::*;
use bevy_tasks::{IoTaskPool, Task, futures::check_ready};

/// Names the `.bonebox` file that may be beside a glTF file. The plugin adds this component to the root of each scene
/// that Bevy's glTF loader made and that has skins or animations.
///
/// If the file exists, the plugin puts [`Hitboxes`] on the root, unless the root or one of its ancestors already has
/// [`Hitboxes`]. To keep a scene without hitboxes, remove this component.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct HitboxesBeside {
    /// The path of the `.bonebox` file, in the form that the asset server takes.
    pub path: String,
}

/// A running check whether a file exists.
#[derive(Component)]
struct Looking(Task<bool>);

/// Adds [`HitboxesBeside`] to the scenes of each glTF file while the file is loaded.
#[derive(Clone, Copy, Default)]
struct BesideHandler {
    may_have_hitboxes: bool,
}

impl GltfExtensionHandler for BesideHandler {
    fn dyn_clone(&self) -> Box<dyn ErasedGltfExtensionHandler> {
        Box::new(*self)
    }

    fn on_root(&mut self, _context: &mut LoadContext<'_>, gltf: &gltf::Gltf, _settings: &GltfLoaderSettings) {
        self.may_have_hitboxes = gltf.skins().len() + gltf.animations().len() > 0;
    }

    fn on_scene_completed(
        &mut self,
        context: &mut LoadContext<'_>,
        _scene: &gltf::Scene<'_>,
        root: Entity,
        scene: &mut World,
    ) {
        if self.may_have_hitboxes {
            scene.entity_mut(root).insert(HitboxesBeside { path: beside(context.path()) });
        }
    }
}

/// Returns the path of the `.bonebox` file: `models/runa.bonebox` for `models/runa.glb#Scene0`.
fn beside(gltf: &AssetPath<'_>) -> String {
    let path = AssetPath::from_path_buf(gltf.path().with_extension("bonebox"));
    path.with_source(gltf.source().clone_owned()).to_string()
}

pub(crate) fn build(app: &mut App) {
    app.init_resource::<GltfExtensionHandlers>()
        .register_type::<HitboxesBeside>()
        .add_systems(Update, (look_beside, attach).chain());
    let handlers = &app.world().resource::<GltfExtensionHandlers>().0;
    match handlers.try_write() {
        Some(mut handlers) => handlers.push(Box::new(BesideHandler::default())),
        None => bevy_log::error!(
            "a glTF file is being loaded before BoneboxPlugin was added, so no hitboxes are attached to scenes; add BoneboxPlugin before the app runs"
        ),
    }
}

fn look_beside(
    mut commands: Commands,
    assets: Res<AssetServer>,
    new: Query<(Entity, &HitboxesBeside), Added<HitboxesBeside>>,
) {
    for (entity, beside) in &new {
        let (assets, path) = (assets.clone(), AssetPath::parse(&beside.path).into_owned());
        let look = IoTaskPool::get().spawn(async move {
            let Ok(source) = assets.get_source(path.source()) else { return false };
            source.reader().read(path.path()).await.is_ok()
        });
        commands.entity(entity).insert(Looking(look));
    }
}

fn attach(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut looking: Query<(Entity, &HitboxesBeside, &mut Looking)>,
    above: Query<&ChildOf>,
    has_hitboxes: Query<(), With<Hitboxes>>,
) {
    for (entity, beside, mut look) in &mut looking {
        let Some(is_there) = check_ready(&mut look.0) else { continue };
        commands.entity(entity).remove::<Looking>();
        let has_some =
            std::iter::once(entity).chain(above.iter_ancestors(entity)).any(|one| has_hitboxes.contains(one));
        if is_there && !has_some {
            commands.entity(entity).insert(Hitboxes(assets.load(AssetPath::parse(&beside.path).into_owned())));
        }
    }
}
