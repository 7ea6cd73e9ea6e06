//! The positions of the boxes in the run time.

use anyhow::Result;
use baked_format::BakedCharacter;
use geometry_core::portable;
use glam::{Affine3A, DVec3, Vec3};
use runtime::{Character, ClipIndex, ClipSampler, PosedCharacter};
use serde::Serialize;

/// The boxes of a character at rest and at some times of each clip.
#[derive(Serialize)]
pub(crate) struct Expected {
    /// The extent of all boxes along Y at rest, in the scene's unit.
    height: f32,
    /// The glTF nodes of the joints, in any order.
    joints: Vec<u32>,
    /// Per box: the node of its joint.
    nodes: Vec<u32>,
    clips: Vec<String>,
    poses: Vec<Pose>,
}

#[derive(Serialize)]
struct Pose {
    /// The clip, an index into `clips`; `None` for the rest pose.
    clip: Option<usize>,
    /// The time in seconds on the clip's own clock. The time of a key must be kept to the last bit.
    time: f64,
    boxes: Vec<PosedBox>,
}

#[derive(Serialize)]
struct PosedBox {
    /// The corners of the run time's hitbox in model space; x varies fastest.
    corners: [[f32; 3]; 8],
    /// The corners of the baked box under the joint's matrix, if they no longer form a box.
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<[[f32; 3]; 8]>,
}

/// Two edges count as perpendicular if the cosine of their angle is at most this.
const SKEW: f64 = 1e-4;

/// The tested times as shares of a clip's length: its ends, and three times that are unlikely to be on keys.
const SHARES: [f32; 5] = [0.0, 0.31, 0.53, 0.77, 1.0];

impl Expected {
    pub(crate) fn new(character: BakedCharacter) -> Result<Self> {
        let character = Character::from_baked(character);
        let baked = character.baked();
        let mut poses = vec![pose(&character, None, 0.0)?];
        for (number, clip) in character.clips().iter().enumerate() {
            for share in SHARES {
                let time = clip.start() + share * clip.seconds();
                poses.push(pose(&character, Some(ClipIndex(u32::try_from(number)?)), time)?);
            }
        }
        let skeleton = character.skeleton();
        Ok(Self {
            height: height(&poses[0]),
            joints: skeleton.joints().iter().map(|joint| joint.node.0).collect(),
            nodes: baked.boxes.iter().map(|baked| skeleton.joint(baked.joint).node.0).collect(),
            clips: character.clips().iter().map(|clip| clip.name.clone()).collect(),
            poses,
        })
    }
}

fn pose(character: &Character, clip: Option<ClipIndex>, time: f32) -> Result<Pose> {
    let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    let model_from_joint = match clip {
        None => character.rest_matrices(),
        Some(clip) => sampler.sample(character, clip, time)?,
    };
    posed.pose_from_model(character, &Affine3A::IDENTITY, model_from_joint)?;
    let boxes = posed.boxes().zip(&character.baked().boxes).map(|(posed, baked)| {
        let (center, axes, half) =
            (baked.center, portable::mat3_from_quaternion(baked.orientation), baked.half_extents);
        let (linear, translation) = portable::affine_parts(&model_from_joint[baked.joint.index()]);
        let image = |point: Vec3| (linear.as_dmat3() * point.as_dvec3() + translation.as_dvec3()).as_vec3();
        let edges = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| linear.as_dmat3() * axis.as_dvec3());
        let corners = |index: usize| image(center + axes * (half * signs(index))).to_array();
        PosedBox {
            corners: posed.obb().corners().map(|corner| corner.to_array()),
            image: is_skew(edges).then(|| std::array::from_fn(corners)),
        }
    });
    let boxes = boxes.collect();
    Ok(Pose { clip: clip.map(ClipIndex::index), time: time.into(), boxes })
}

fn signs(corner: usize) -> Vec3 {
    let sign = |axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
    Vec3::new(sign(0), sign(1), sign(2))
}

fn is_skew(edges: [DVec3; 3]) -> bool {
    let [x, y, z] = edges;
    [(x, y), (y, z), (z, x)].iter().any(|(a, b)| a.dot(*b).abs() > SKEW * a.length() * b.length())
}

fn height(rest: &Pose) -> f32 {
    let heights = || rest.boxes.iter().flat_map(|posed| posed.corners).map(|corner| corner[1]);
    heights().fold(f32::MIN, f32::max) - heights().fold(f32::MAX, f32::min)
}
