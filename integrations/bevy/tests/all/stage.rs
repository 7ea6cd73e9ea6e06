//! A headless app, and characters as a scene gives them: joints with names and transforms below a root.

use bevy_app::prelude::*;
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy_asset::prelude::*;
use bevy_bonebox::bonebox::format::{BakedCharacter, write};
use bevy_bonebox::bonebox::skeleton::LocalTransform;
use bevy_bonebox::bonebox::{Character, ClipIndex};
use bevy_bonebox::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Mat4;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use std::path::{Path, PathBuf};

/// A file of the workspace's `assets/`.
pub(crate) fn asset_bytes(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn character(name: &str) -> Character {
    Character::load(&asset_bytes(&format!("{name}.bonebox"))).unwrap()
}

/// A headless app with a folder in memory that has Runa and Bruno.
pub(crate) struct Stage {
    pub(crate) app: App,
    pub(crate) folder: Dir,
}

/// The messages that were sent, tick by tick.
#[derive(Resource, Default)]
pub(crate) struct Sent {
    pub(crate) touches: Vec<HitboxTouch>,
    pub(crate) failures: Vec<HitboxFailure>,
}

fn record(mut sent: ResMut<Sent>, mut touches: MessageReader<HitboxTouch>, mut failures: MessageReader<HitboxFailure>) {
    sent.touches.extend(touches.read().cloned());
    sent.failures.extend(failures.read().cloned());
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self::with(BoneboxPlugin::default())
    }

    pub(crate) fn with(plugin: BoneboxPlugin) -> Self {
        let folder = Dir::default();
        for name in ["runa.bonebox", "bruno.bonebox"] {
            folder.insert_asset(Path::new(name), asset_bytes(name));
        }
        let mut app = App::new();
        let root = folder.clone();
        app.register_asset_source(
            AssetSourceId::Default,
            AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
        )
        .add_plugins((TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default(), TransformPlugin, plugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Sent>()
        .add_systems(Last, record);
        Self { app, folder }
    }

    pub(crate) fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    pub(crate) fn load(&mut self, path: &'static str) -> Handle<Bonebox> {
        self.world().resource::<AssetServer>().load(path)
    }

    /// Updates until the condition holds.
    pub(crate) fn until(&mut self, what: &str, mut condition: impl FnMut(&mut World) -> bool) {
        for _ in 0..5_000 {
            self.app.update();
            if condition(self.app.world_mut()) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("never happened: {what}");
    }

    pub(crate) fn until_bound(&mut self, roots: &[Entity]) {
        let bodies = |world: &mut World| roots.iter().all(|&root| is_posed(world, root));
        self.until("all roots are bound", bodies);
    }

    /// Returns the messages that were sent since the last call.
    pub(crate) fn sent(&mut self) -> Sent {
        std::mem::take(&mut *self.world().resource_mut::<Sent>())
    }

    /// A character with a scene of joints below it, as the glTF loader makes it.
    pub(crate) fn spawn(&mut self, name: &'static str, place: Transform) -> Entity {
        let handle = self.load(if name == "runa" { "runa.bonebox" } else { "bruno.bonebox" });
        let root = self.world().spawn((Name::new(name), Hitboxes(handle), place)).id();
        spawn_joints(self.world(), root, &character(name));
        root
    }

    /// A character without joints, posed by a clip.
    pub(crate) fn spawn_clip(&mut self, name: &'static str, clip: &str, place: Transform) -> Entity {
        let handle = self.load(if name == "runa" { "runa.bonebox" } else { "bruno.bonebox" });
        self.world().spawn((Hitboxes(handle), HitboxPose::looped(clip), place)).id()
    }

    /// Puts the joints below a root where the clip has them.
    pub(crate) fn animate(&mut self, root: Entity, character: &Character, clip: ClipIndex, seconds: f32) {
        let mut local = character.skeleton().rest_pose();
        let clip = &character.clips()[clip.index()];
        clip.sample(clip.start() + seconds, &mut local);
        let joints = self.world().get::<bevy_bonebox::HitboxBinding>(root).unwrap().joints().to_vec();
        for (joint, local) in joints.into_iter().zip(&local) {
            *self.world().get_mut::<Transform>(joint.unwrap()).unwrap() = transform(local);
        }
    }
}

pub(crate) fn is_posed(world: &World, root: Entity) -> bool {
    let bodies = world.resource::<bevy_bonebox::HitboxBodies>();
    bodies.posed(root).next().is_some()
}

pub(crate) fn transform(local: &LocalTransform) -> Transform {
    match local {
        LocalTransform::Trs(trs) => {
            Transform { translation: trs.translation, rotation: trs.rotation, scale: trs.scale }
        }
        LocalTransform::Matrix(matrix) => Transform::from_matrix(Mat4::from(*matrix)),
    }
}

/// Spawns the joints of a skeleton in its rest pose below a node `Scene`, which is below the root.
pub(crate) fn spawn_joints(world: &mut World, root: Entity, character: &Character) -> Vec<Entity> {
    let scene = world.spawn((Name::new("Scene"), Transform::IDENTITY, ChildOf(root))).id();
    let mut joints = Vec::new();
    for joint in character.skeleton().joints() {
        let parent = joint.parent.map_or(scene, |parent| joints[parent.index()]);
        joints.push(world.spawn((Name::new(joint.name.clone()), transform(&joint.rest), ChildOf(parent))).id());
    }
    joints
}

/// The bytes of a character after a change of what was baked.
pub(crate) fn changed(name: &str, change: impl FnOnce(&mut BakedCharacter)) -> Vec<u8> {
    let mut baked = character(name).baked().clone();
    change(&mut baked);
    write(&baked).unwrap()
}

/// A character of `assets/` whose hitboxes are hulls of six corners, in the middles of the sides of their boxes.
#[cfg(any(feature = "debug", feature = "avian", feature = "rapier"))]
pub(crate) fn with_hulls(name: &str) -> Vec<u8> {
    use bevy_bonebox::bonebox::HitboxShape;
    use bevy_bonebox::bonebox::format::HitboxHull;
    use bevy_math::Vec3;

    changed(name, |baked| {
        for one in &mut baked.boxes {
            // A little smaller than the box, so that rounding takes no corner out of it.
            let half = 0.999 * one.half_extents;
            let tip = |axis: usize, sign: f32| one.center + one.orientation * (Vec3::AXES[axis] * half * sign);
            let vertices = (0..6).map(|corner| tip(corner / 2, if corner % 2 == 0 { 1.0 } else { -1.0 })).collect();
            let octant = |signs: u8| {
                let [x, y, z] = [signs & 1, 2 + (signs >> 1 & 1), 4 + (signs >> 2)];
                if signs.count_ones().is_multiple_of(2) { [x, y, z] } else { [x, z, y] }
            };
            one.hull = Some(HitboxHull { vertices, triangles: (0..8).map(octant).collect() });
            one.shape = HitboxShape::Hull;
        }
    })
}
