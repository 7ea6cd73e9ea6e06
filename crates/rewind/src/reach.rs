//! The ball that holds the hitboxes of a character in every pose of its clips.

use glam::{Affine3A, DVec3, Vec3};
use runtime::Character;
use skeleton::{Interpolation, JointIndex, LocalTransform, Property};

/// The most layers of the mode *add* for which a radius is kept. With more layers there is no bound.
const MOST_ADDED: usize = 4;

/// The largest distance of any hitbox from a center, by the number of layers of the mode *add*.
///
/// The center is the rest place of the first joint that clips turn, such as the pelvis: all hitboxes hang on this joint,
/// and joints above it only translate.
///
/// A layer blends local transforms, or adds to them. The length of a blended translation is at most the greater length,
/// and the same is true for the factors of the scale. Added to these is the largest change that a clip makes, once for
/// each layer that adds. From the farthest corner of a box up to the center's joint, each joint then enlarges the distance
/// by at most its scale, and moves it by at most its translation.
#[derive(Debug)]
pub(crate) struct Reach {
    /// The center in model space.
    pub(crate) center: Vec3,
    radius: [Option<f32>; MOST_ADDED + 1],
    /// The largest distance of any point of a box from its joint, in joint space.
    pub(crate) of_box: f32,
    /// `true` if a joint has a scale other than 1 in the rest pose or in a clip.
    pub(crate) has_scaled_joints: bool,
}

/// The largest numbers that the clips give one joint.
#[derive(Clone, Copy)]
struct Most {
    translation: f64,
    scale: f64,
    /// The largest change of the translation from the start of a clip.
    added: f64,
    /// The largest ratio of a scale and the scale at the start of the clip.
    ratio: f64,
    /// The largest change of the translation from the rest pose.
    from_rest: f64,
    /// `true` if a clip rotates or scales the joint.
    turns: bool,
}

impl Reach {
    pub(crate) fn new(character: &Character) -> Self {
        let most = most_of_joints(character);
        let pivot = Pivot::new(character, &most);
        let radius = std::array::from_fn(|added| radius(character, &most, &pivot, added));
        let reach = |one: &runtime::HitboxInfo<'_>| {
            one.baked.center.as_dvec3().length() + one.baked.half_extents.as_dvec3().length() * 1.733
        };
        let of_box = character.hitboxes().map(|one| reach(&one)).fold(0.0, f64::max);
        let center = pivot.world.translation.into();
        let has_scaled_joints = scales_joints(character);
        Self { center, radius, of_box: (of_box * 1.000_001) as f32, has_scaled_joints }
    }

    /// The radius for poses of this number of layers that add; `None` without a bound.
    pub(crate) fn radius(&self, added: usize) -> Option<f32> {
        self.radius.get(added).copied().flatten()
    }
}

/// Returns `true` if a joint has a scale other than 1 in the rest pose or in a clip.
fn scales_joints(character: &Character) -> bool {
    let rest = character.skeleton().joints().iter().any(|joint| match joint.rest {
        LocalTransform::Trs(trs) => trs.scale.abs().max_element() > 1.000_1,
        LocalTransform::Matrix(_) => true,
    });
    rest || character.clips().iter().any(|clip| clip.channels.iter().any(|channel| channel.property == Property::Scale))
}

fn most_of_joints(character: &Character) -> Vec<Most> {
    let joints = character.skeleton().joints();
    let mut all: Vec<Most> = joints
        .iter()
        .map(|joint| match joint.rest {
            LocalTransform::Trs(trs) => Most {
                translation: trs.translation.as_dvec3().length(),
                scale: trs.scale.as_dvec3().abs().max_element(),
                added: 0.0,
                ratio: 1.0,
                from_rest: 0.0,
                turns: false,
            },
            LocalTransform::Matrix(matrix) => {
                let columns = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
                let square: f64 = columns.iter().map(|column| column.as_dvec3().length_squared()).sum();
                let translation = matrix.translation.as_dvec3().length();
                Most { translation, scale: square.sqrt(), added: 0.0, ratio: 1.0, from_rest: 0.0, turns: false }
            }
        })
        .collect();
    for clip in character.clips() {
        for channel in &clip.channels {
            let times = &clip.timelines[channel.timeline as usize];
            let most = &mut all[channel.joint.index()];
            let rest = match joints[channel.joint.index()].rest {
                LocalTransform::Trs(trs) => Some(trs.translation.as_dvec3()),
                LocalTransform::Matrix(_) => None,
            };
            most.turns |= channel.property != Property::Translation || rest.is_none();
            if channel.property == Property::Rotation {
                continue;
            }
            let vectors: Vec<[f64; 3]> =
                channel.values.chunks_exact(3).map(|v| [v[0], v[1], v[2]].map(f64::from)).collect();
            let points = match channel.interpolation {
                Interpolation::CubicSpline => bezier_points(&vectors, times),
                Interpolation::Linear | Interpolation::Step => vectors,
            };
            // The first value of the channel is its value at its first key, and holds before it.
            let first = points.get(usize::from(channel.interpolation == Interpolation::CubicSpline)).copied();
            let Some(first) = first else { continue };
            for point in points {
                let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
                if channel.property == Property::Translation {
                    most.translation = most.translation.max(length(point));
                    let change: [f64; 3] = std::array::from_fn(|i| point[i] - first[i]);
                    most.added = most.added.max(length(change));
                    most.from_rest = most.from_rest.max(rest.map_or(0.0, |rest| (DVec3::from(point) - rest).length()));
                } else {
                    let largest = point.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
                    let least = first.iter().fold(f64::INFINITY, |least: f64, number| least.min(number.abs()));
                    most.scale = most.scale.max(largest);
                    most.ratio = most.ratio.max(largest / least);
                }
            }
        }
    }
    all
}

/// The control points of the Bezier curves between keys: a spline stays in their convex hull. The keys' own values are
/// among them.
fn bezier_points(vectors: &[[f64; 3]], times: &[f32]) -> Vec<[f64; 3]> {
    let mut points = Vec::new();
    for key in 0..times.len() {
        let [into, value, out] = [0, 1, 2].map(|part| vectors[3 * key + part]);
        let before = if key == 0 { 0.0 } else { f64::from(times[key] - times[key - 1]) };
        let after = times.get(key + 1).map_or(0.0, |next| f64::from(next - times[key]));
        points.push(std::array::from_fn(|i| value[i] - before / 3.0 * into[i]));
        points.push(value);
        points.push(std::array::from_fn(|i| value[i] + after / 3.0 * out[i]));
    }
    points
}

/// The joint at the center.
struct Pivot {
    joint: Option<JointIndex>,
    /// `model_from_joint` in the rest pose.
    world: Affine3A,
    /// The joints above the pivot, from the root down, each with the product of the scales above the joint.
    above: Vec<(JointIndex, f64)>,
    /// The product of all these scales.
    scale: f64,
}

impl Pivot {
    fn new(character: &Character, most: &[Most]) -> Self {
        let joints = character.skeleton().joints();
        let path = |joint: JointIndex| std::iter::successors(Some(joint), |one| joints[one.index()].parent);
        // The joints that all hitboxes hang on, from the root down.
        let mut boxes = character.hitboxes().map(|one| one.joint);
        let mut common: Vec<JointIndex> = boxes.next().map(|joint| path(joint).collect()).unwrap_or_default();
        boxes.for_each(|joint| common.retain(|one| path(joint).any(|other| other == *one)));
        common.reverse();
        let mut pivot = Self { joint: None, world: Affine3A::IDENTITY, above: Vec::new(), scale: 1.0 };
        for joint in common {
            if let Some(before) = pivot.joint {
                if most[before.index()].turns {
                    break;
                }
                pivot.scale *= most[before.index()].scale;
            }
            pivot.joint = Some(joint);
            pivot.world *= joints[joint.index()].rest.to_affine();
            pivot.above.push((joint, pivot.scale));
        }
        pivot
    }
}

fn radius(character: &Character, most: &[Most], pivot: &Pivot, added: usize) -> Option<f32> {
    if !character.baked().envelopes.is_empty() {
        return None;
    }
    let scale_of = |of_joint: &Most| (0..added).fold(of_joint.scale, |scale, _| scale * of_joint.ratio);
    let mut largest: f64 = 0.0;
    for one in character.hitboxes() {
        // A posed box that is scaled unevenly lies in the ball around its center with sqrt(3) times the radius of the image.
        let mut reach = one.baked.center.as_dvec3().length() + one.baked.half_extents.as_dvec3().length() * 1.733;
        let mut joint = Some(one.joint);
        while let Some(index) = joint {
            let of_joint = &most[index.index()];
            reach *= scale_of(of_joint);
            if joint == pivot.joint {
                break;
            }
            reach += of_joint.translation + added as f64 * of_joint.added;
            joint = character.skeleton().joint(index).parent;
        }
        largest = largest.max(reach * pivot.scale);
    }
    let off_center = |(joint, scale): &(JointIndex, f64)| {
        let of_joint = &most[joint.index()];
        scale * (of_joint.from_rest + added as f64 * of_joint.added)
    };
    let moved: f64 = pivot.above.iter().map(off_center).sum();
    // The center is rounded.
    let rounding = 1e-6 * f64::from(pivot.world.translation.length());
    let radius = (largest * 1.000_01 + moved + rounding) as f32 * 1.000_01;
    radius.is_finite().then_some(radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use runtime::{ClipIndex, ClipSampler, JointMask, PoseLayer, PosedCharacter};
    use test_models::Random;

    fn characters() -> Vec<Character> {
        let asset = |name: &str| {
            let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
            Character::load(&std::fs::read(path).unwrap()).unwrap()
        };
        let baked = [baked_characters::baked_arm("arm"), baked_characters::baked_figure("figure")];
        ["runa", "bruno", "hound"].map(asset).into_iter().chain(baked.map(Character::from_baked)).collect()
    }

    /// Every corner of every box in random blends lies in the ball, and some corner is not far from its surface.
    #[test]
    fn the_ball_holds_every_blend() {
        let mut random = Random::new(12);
        let (mut sampler, mut posed) = (ClipSampler::new(), PosedCharacter::new());
        for character in characters() {
            let reach = Reach::new(&character);
            let mut farthest: f32 = 0.0;
            for _ in 0..2_000 {
                let added = random.below(3);
                let layers = (0..2 + added).map(|layer| {
                    let clip = ClipIndex(random.below(character.clips().len()) as u32);
                    let (seconds, weight) = (random.between(-0.5, 4.5), random.between(0.0, 1.0).sqrt());
                    let bits = random.next_u64();
                    let mask = JointMask::new(&character, |joint| f32::from(u8::from(bits >> (joint.0 % 64) & 1 == 1)));
                    let one = if layer < 2 { PoseLayer::blend } else { PoseLayer::add };
                    one(clip, seconds, weight).masked(&mask)
                });
                let layers: Vec<PoseLayer> = layers.collect();
                posed.pose_from_layers(&mut sampler, &character, &Affine3A::IDENTITY, &layers).unwrap();
                let corners = posed.boxes().flat_map(|one| one.obb().corners());
                let far = corners.map(|corner| (corner - reach.center).length()).fold(0.0, f32::max);
                let radius = reach.radius(added).unwrap();
                assert!(far <= radius, "{}: {far} of {radius}, {layers:?}", character.name());
                farthest = farthest.max(far / radius);
            }
            println!("{}: {farthest} of {:?} around {}", character.name(), reach.radius, reach.center);
            assert!(farthest > 0.65, "{}: {farthest}", character.name());
        }
    }
}
