//! Poses characters for a picture.

use crate::draw::scene::{Emphasis, Scene, SceneBox, Surface};
use crate::draw::solid::Solid;
use geometry_core::{Obb, portable};
use glam::{Affine3A, DVec3, Mat3, Vec3};
use page_answers::color::{self, Rgb};
use page_answers::duel;
use runtime::{Character, ClipIndex, ClipSampler, PosedCharacter, PosedHitbox, SkinCandidates};
use skeleton::JointIndex;
use skinned_model::{SkinnedModel, skinning};
use std::collections::BTreeSet;

/// The meaning of a hitbox's color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColorBy {
    /// Each joint has its own color.
    Joint,
    /// Each character has its own color.
    Character,
}

/// A character to draw.
pub(crate) struct Actor {
    pub(crate) character: Character,
    /// The surface, if a glTF was given.
    pub(crate) model: Option<SkinnedModel>,
    pub(crate) world_from_model: Affine3A,
    /// The clip that it plays, and the time in seconds on the clip's own clock.
    pub(crate) at: Option<(ClipIndex, f32)>,
}

/// The parts of the actors to draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) surfaces: bool,
    pub(crate) boxes: bool,
    pub(crate) color_by: ColorBy,
    /// `true` if overlapping hitboxes have one color if their skin touches and another color if it does not. Every
    /// character must have its skin.
    pub(crate) exact: bool,
}

/// The largest number of boxes in a picture.
const MOST_BOXES: usize = 4096;

/// The color of the surfaces: clay, as sRGB `0xrrggbb`.
const CLAY: u32 = 0xe4e2df;

/// The color of the first and of the second character, as sRGB `0xrrggbb`.
const CHARACTERS: [u32; 2] = [0x2f7fe6, 0xe08a1e];

/// The color of hitboxes that overlap hitboxes of the other character, as sRGB `0xrrggbb`.
const LIT: u32 = 0xff2d3f;

/// The color of hitboxes that overlap while the skin of their joints does not touch, as sRGB `0xrrggbb`.
const NEAR_MISS: u32 = 0xf5c400;

/// The color of the marks where the skin touches, as sRGB `0xrrggbb`.
const MARK: u32 = 0x101010;

/// Half the size of a mark, as a share of the larger character's extent.
const MARK_SIZE: f64 = 0.006;

/// Poses the actors. With two actors, the boxes of joints that touch are highlighted.
///
/// # Errors
/// Returns an error if a pose is not finite, there are too many boxes for a picture, or an exact picture needs a skin
/// that is missing.
pub(crate) fn scene(actors: &[Actor], wanted: Wanted) -> anyhow::Result<Scene> {
    let boxes: usize = actors.iter().map(|actor| actor.character.box_count()).sum();
    anyhow::ensure!(
        boxes <= MOST_BOXES,
        "the characters have {boxes} boxes, but a picture can show at most {MOST_BOXES}; draw one character, or bake with a lower budget"
    );
    let mut posed: Vec<PosedCharacter> =
        actors.iter().map(|actor| actor.posed(wanted.exact)).collect::<anyhow::Result<_>>()?;
    let touching = touching_joints(&posed);
    let (skin, points) = if wanted.exact { touching_skins(&mut posed)? } else { (touching.clone(), Vec::new()) };
    let mut scene = Scene { floor: floor(actors)?, ..Scene::default() };
    for (index, (actor, posed)) in actors.iter().zip(&posed).enumerate() {
        if wanted.surfaces {
            scene.surfaces.extend(actor.surfaces(actor.pose()));
        }
        if wanted.boxes {
            let joints = actor.world_from_joints();
            let boxes = posed.boxes().map(|one| {
                let joint = (index, one.joint);
                SceneBox {
                    solid: actor.solid(&one, &joints),
                    color: match wanted.color_by {
                        _ if skin.contains(&joint) => Rgb::hex(LIT),
                        _ if touching.contains(&joint) => Rgb::hex(NEAR_MISS),
                        ColorBy::Joint => color::of_joint(one.joint.index()),
                        ColorBy::Character => Rgb::hex(CHARACTERS[index % CHARACTERS.len()]),
                    },
                    emphasis: match actors.len() {
                        0 | 1 => Emphasis::Plain,
                        _ if touching.contains(&joint) || skin.contains(&joint) => Emphasis::Lit,
                        _ => Emphasis::Quiet,
                    },
                }
            });
            scene.boxes.extend(boxes);
        }
    }
    let extents = posed.iter().map(|posed| posed.bounds()).map(|bounds| (bounds.max - bounds.min).max_element());
    let size = MARK_SIZE * f64::from(extents.fold(0.0, f32::max));
    scene.boxes.extend(points.into_iter().map(|point| mark(point.as_dvec3(), size)));
    Ok(scene)
}

/// A cube around a point where the skins touch.
fn mark(center: DVec3, half_size: f64) -> SceneBox {
    let half = Vec3::splat(half_size as f32);
    let cube = Obb::new(Vec3::ZERO, half, Mat3::IDENTITY);
    let corners = cube.corners().map(|corner| center + corner.as_dvec3());
    SceneBox { solid: Solid::of_box(corners), color: Rgb::hex(MARK), emphasis: Emphasis::Lit }
}

/// The joints whose skins touch or are inside the other character, each with the index of its actor, and a point for
/// each pair of touching skins.
type TouchingSkins = (BTreeSet<(usize, JointIndex)>, Vec<Vec3>);

fn touching_skins(posed: &mut [PosedCharacter]) -> anyhow::Result<TouchingSkins> {
    let (mut joints, mut points, mut pairs, mut overlapping) = (BTreeSet::new(), Vec::new(), Vec::new(), Vec::new());
    for b in 1..posed.len() {
        let (before, after) = posed.split_at_mut(b);
        for (a, first) in before.iter_mut().enumerate() {
            runtime::exact_overlap_all(first, &mut after[0], SkinCandidates::Bounds, &mut pairs)?;
            joints.extend(pairs.iter().flat_map(|pair| [(a, pair.joint_a), (b, pair.joint_b)]));
            points.extend(pairs.iter().map(|pair| pair.point));
            runtime::overlapping_joints(first, &after[0], &mut overlapping);
            let inside = duel::inside(first, &mut after[0], &overlapping, &pairs)?;
            joints.extend(inside.iter().flat_map(|pair| [(a, pair.joint_a), (b, pair.joint_b)]));
        }
    }
    Ok((joints, points))
}

/// The index of each actor, and its joint.
fn touching_joints(posed: &[PosedCharacter]) -> BTreeSet<(usize, JointIndex)> {
    let mut touching = BTreeSet::new();
    let mut pairs = Vec::new();
    for (a, b) in (0..posed.len()).flat_map(|a| (a + 1..posed.len()).map(move |b| (a, b))) {
        runtime::overlapping_joints(&posed[a], &posed[b], &mut pairs);
        touching.extend(pairs.iter().flat_map(|pair| [(a, pair.joint_a), (b, pair.joint_b)]));
    }
    touching
}

/// The height of the lowest point of all actors in their rest poses.
fn floor(actors: &[Actor]) -> anyhow::Result<Option<f64>> {
    let mut lowest = f64::INFINITY;
    for actor in actors {
        let mut posed = PosedCharacter::new();
        posed.pose_from_rest(&actor.character, &actor.world_from_model)?;
        let surfaces = actor.surfaces(actor.character.skeleton().rest_pose());
        let points = surfaces.iter().flat_map(|surface| surface.positions.iter().copied());
        lowest = points.filter(|point| point.is_finite()).map(|point| point.y).fold(lowest, f64::min);
        if surfaces.is_empty() {
            lowest = lowest.min(f64::from(posed.bounds().min.y));
        }
    }
    Ok(lowest.is_finite().then_some(lowest))
}

impl Actor {
    fn posed(&self, tracks_skin: bool) -> anyhow::Result<PosedCharacter> {
        let mut posed = PosedCharacter::new();
        posed.track_skin(tracks_skin);
        match self.at {
            Some((clip, seconds)) => {
                posed.pose_from_clip(
                    &mut ClipSampler::new(),
                    &self.character,
                    &self.world_from_model,
                    clip,
                    seconds,
                )?;
            }
            None => posed.pose_from_rest(&self.character, &self.world_from_model)?,
        }
        Ok(posed)
    }

    fn pose(&self) -> Vec<skeleton::LocalTransform> {
        let mut local = self.character.skeleton().rest_pose();
        if let Some((clip, seconds)) = self.at {
            self.character.clips()[clip.index()].sample(seconds, &mut local);
        }
        local
    }

    /// The matrices of all joints.
    fn world_from_joints(&self) -> Vec<Affine3A> {
        let skeleton = self.character.skeleton();
        let mut joints = vec![Affine3A::IDENTITY; skeleton.len()];
        skeleton.model_from_joints(&self.pose(), &mut joints);
        joints.iter().map(|model_from_joint| portable::affine_mul(&self.world_from_model, model_from_joint)).collect()
    }

    /// The solid of a posed hitbox: its hull, if it has one, or its shape.
    fn solid(&self, one: &PosedHitbox, world_from_joints: &[Affine3A]) -> Solid {
        let hull = self.character.hitbox(one.index).and_then(|info| info.baked.hull.as_ref());
        match hull {
            Some(hull) => Solid::of_hull(hull, &world_from_joints[one.joint.index()]),
            None => Solid::of_hitbox(one),
        }
    }

    /// The model's surfaces, skinned meshes and attachments, in world space.
    fn surfaces(&self, local: Vec<skeleton::LocalTransform>) -> Vec<Surface> {
        let Some(model) = &self.model else { return Vec::new() };
        let mut world_from_joint = vec![Affine3A::IDENTITY; model.skeleton.len()];
        model.skeleton.model_from_joints(&local, &mut world_from_joint);
        for matrix in &mut world_from_joint {
            *matrix = portable::affine_mul(&self.world_from_model, matrix);
        }
        // A vertex without a joint has no position, so its triangles are left out.
        let nowhere = DVec3::splat(f64::NAN);
        let skinned = model.meshes.iter().map(|mesh| {
            let positions = skinning::skin_positions(mesh, &world_from_joint);
            let positions = positions.into_iter().map(|position| position.unwrap_or(nowhere)).collect();
            Surface::new(positions, &mesh.triangles, &mesh.positions, Rgb::hex(CLAY))
        });
        let attached = model.attachments.iter().map(|attachment| {
            let world_from_mesh =
                portable::affine_mul(&world_from_joint[attachment.joint.index()], &attachment.joint_from_mesh);
            let place = |point: &Vec3| portable::affine_transform_point(&world_from_mesh, *point).as_dvec3();
            let positions = attachment.positions.iter().map(place).collect();
            Surface::new(positions, &attachment.triangles, &attachment.positions, Rgb::hex(CLAY).times(0.8))
        });
        skinned.chain(attached).collect()
    }
}

/// Checks that a model belongs to a baked file.
///
/// # Errors
/// Returns an error if their joints differ, because the model is another one or was changed after the bake.
pub(crate) fn check_same_joints(character: &Character, model: &SkinnedModel) -> anyhow::Result<()> {
    let (baked, found) = (character.skeleton().joints(), model.skeleton.joints());
    let differing = baked.iter().zip(found).find(|(baked, found)| baked.name != found.name);
    if let Some((baked, found)) = differing {
        anyhow::bail!(
            "the bake has the joint {:?}, but the model has {:?} in its place; bake the model again",
            baked.name,
            found.name
        );
    }
    anyhow::ensure!(
        baked.len() == found.len(),
        "the bake has {} joints, but the model has {}; bake the model again",
        baked.len(),
        found.len()
    );
    Ok(())
}
