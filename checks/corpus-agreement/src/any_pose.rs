//! Checks that no corner of the surface leaves the boxes that the run time computes for a pose. Corners are skinned in
//! f64 and in f32.
//!
//! The surface is shared out by [`SharedSurface`], which was written apart from `bone-fit`. Corners are skinned here,
//! each number rounded as a game would round it, and a corner is inside where exact arithmetic says so: there is no
//! tolerance.

use crate::shared_surface::SharedSurface;
use baked_format::Source;
use bone_fit::{BakeOptions, bake};
use geometry_core::Obb;
use glam::{Affine3A, DAffine3, DVec3, Vec3};
use runtime::kernels::Kernel;
use runtime::{Character, PoseError, PosedCharacter};
use skeleton::JointIndex;
use skinned_model::{SkinnedMesh, SkinnedModel, skinning};

/// A corner of a piece of surface.
struct Corner {
    joint: JointIndex,
    mesh: usize,
    triangle: [u32; 3],
    at: [f64; 3],
}

/// A character that was baked with `poses = any`, and the surface that its boxes promise to hold.
pub struct AnyPose {
    model: SkinnedModel,
    character: Character,
    corners: Vec<Corner>,
}

impl AnyPose {
    /// Bakes a model with the preset `always` and additional options.
    ///
    /// # Panics
    /// If the bake fails.
    #[must_use]
    pub fn new(model: SkinnedModel, words: &[(&str, &str)]) -> Self {
        let mut entries = vec![("preset", "always"), ("attachments", "skip"), ("measure", "none")];
        entries.extend(words);
        let options = BakeOptions::from_entries(entries.iter().copied()).expect("options");
        let source = Source { file: "a.glb".into(), blake3: [0; 32], generator: String::new() };
        let baked = bake(&model, "a", source, &options).expect("a bake").character;
        let bytes = baked_format::write(&baked).expect("a file");
        let character = Character::load(&bytes).expect("what was written can be read");
        let mut corners: Vec<Corner> = Vec::new();
        SharedSurface::new(&model, options.tie_tolerance).visit_pieces(|joint, mesh, triangle, polygon| {
            corners.extend(polygon.iter().map(|&at| Corner { joint, mesh, triangle, at }));
        });
        Self { model, character, corners }
    }

    /// The character after it was baked, written and read.
    #[must_use]
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// The model that was baked.
    #[must_use]
    pub fn model(&self) -> &SkinnedModel {
        &self.model
    }

    /// The number of corners that are checked in each pose. Each corner is skinned twice.
    #[must_use]
    pub fn corners(&self) -> usize {
        self.corners.len()
    }

    /// Poses the character by every kernel and looks for corners outside every box of the joint that owns them.
    ///
    /// # Errors
    /// Returns [`PoseError`] if the run time refuses the pose.
    ///
    /// # Panics
    /// If a corner is outside, or if two kernels disagree.
    pub fn check(&self, world_from_model: &Affine3A, model_from_joint: &[Affine3A]) -> Result<(), PoseError> {
        let mut posed = PosedCharacter::with_kernel(Kernel::Scalar);
        let by_scalar = posed.pose_from_model(&self.character, world_from_model, model_from_joint);
        for kernel in Kernel::available() {
            let mut other = PosedCharacter::with_kernel(kernel);
            let found = other.pose_from_model(&self.character, world_from_model, model_from_joint);
            assert_eq!(found, by_scalar, "{kernel:?}");
            let boxes = |posed: &PosedCharacter| posed.boxes().map(bits).collect::<Vec<_>>();
            assert_eq!(boxes(&other), boxes(&posed), "{kernel:?}");
            assert_eq!(other.bounds(), posed.bounds(), "{kernel:?}");
        }
        by_scalar?;
        let boxes: Vec<(JointIndex, Obb)> = posed.boxes().map(|one| (one.joint, one.obb())).collect();
        let exact = self.skinned_in_f64(world_from_model, model_from_joint);
        let single = self.skinned_in_f32(world_from_model, model_from_joint);
        for corner in &self.corners {
            let [a, b, c] = corner.triangle.map(|vertex| exact[corner.mesh][vertex as usize]);
            let point = a * corner.at[0] + b * corner.at[1] + c * corner.at[2];
            self.assert_inside(&boxes, corner, point, "f64");
            let [a, b, c] = corner.triangle.map(|vertex| single[corner.mesh][vertex as usize]);
            let point = a * corner.at[0] as f32 + b * corner.at[1] as f32 + c * corner.at[2] as f32;
            self.assert_inside(&boxes, corner, point.as_dvec3(), "f32");
        }
        Ok(())
    }

    fn assert_inside(&self, boxes: &[(JointIndex, Obb)], corner: &Corner, point: DVec3, kind: &str) {
        let outside = |one: &Obb| {
            let from_center = point - one.center().as_dvec3();
            let axes = one.axes().as_dmat3();
            let along = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.dot(from_center).abs());
            let half = one.half_extents().as_dvec3();
            (along[0] - half.x).max(along[1] - half.y).max(along[2] - half.z)
        };
        let own = boxes.iter().filter(|(joint, _)| *joint == corner.joint);
        let least = own.map(|(_, one)| outside(one)).fold(f64::INFINITY, f64::min);
        assert!(
            least <= 0.0,
            "a corner of joint {:?}, skinned in {kind}, is {least:e} outside its boxes: {point}, triangle {:?} at {:?}",
            self.character.joint_name(corner.joint),
            corner.triangle,
            corner.at
        );
    }

    fn skinned_in_f64(&self, world_from_model: &Affine3A, model_from_joint: &[Affine3A]) -> Vec<Vec<DVec3>> {
        let [x, y, z] =
            [world_from_model.matrix3.x_axis, world_from_model.matrix3.y_axis, world_from_model.matrix3.z_axis];
        let linear = glam::DMat3::from_cols(x.as_dvec3(), y.as_dvec3(), z.as_dvec3());
        let world = DAffine3::from_mat3_translation(linear, world_from_model.translation.as_dvec3());
        let posed = |mesh: &SkinnedMesh| {
            let posed = skinning::skin_positions(mesh, model_from_joint).into_iter();
            posed.map(|point| world.transform_point3(point.unwrap_or_default())).collect()
        };
        self.model.meshes.iter().map(posed).collect()
    }

    /// Skins a corner as shaders do: the sum of one matrix for each joint, multiplied by its weight.
    fn skinned_in_f32(&self, world_from_model: &Affine3A, model_from_joint: &[Affine3A]) -> Vec<Vec<Vec3>> {
        let posed = |mesh: &SkinnedMesh| {
            let of_slot =
                |(joint, bind): (&JointIndex, &Affine3A)| *world_from_model * model_from_joint[joint.index()] * *bind;
            let maps: Vec<Affine3A> = mesh.joints.iter().zip(&mesh.joint_from_mesh).map(of_slot).collect();
            let skinned = |(vertex, point): (usize, &Vec3)| {
                let (slots, weights) = mesh.influences.of(vertex);
                let total: f32 = weights.iter().sum();
                let sum = slots.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
                sum.fold(Vec3::ZERO, |sum, (&slot, &weight)| {
                    sum + maps[usize::from(slot)].transform_point3(*point) * (weight / total)
                })
            };
            mesh.positions.iter().enumerate().map(skinned).collect()
        };
        self.model.meshes.iter().map(posed).collect()
    }
}

/// Returns the numbers of a hitbox as bits, for exact comparisons.
fn bits(one: runtime::PosedHitbox) -> Vec<u32> {
    let axes = one.axes.to_cols_array();
    one.center.to_array().into_iter().chain(one.half_extents.to_array()).chain(axes).map(f32::to_bits).collect()
}
