//! Bounds of groups of hitboxes while a body plays a clip and moves, without posing.

use super::recipe_bounds::scales_evenly;
use crate::character::clip_bounds::ClipBounds;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::set_bits::set_bits;
use crate::kernels::{self, Kernel};
use crate::{AnimationRef, Bounds, BoxIndex, Character};
use geometry_core::MAX_COORDINATE;
use glam::Affine3A;

/// Bounds of up to sixteen groups of a character's hitboxes with neighboring indices. They are larger than necessary, and take
/// less time than a pose.
#[derive(Clone, Copy, Debug)]
pub struct PartBounds {
    parts: BoundsBlock,
    /// The number of hitboxes in a group.
    boxes_in_part: usize,
    radius: f32,
}

impl Character {
    /// Bounds in model space that contain the hitboxes while a clip plays from the time of `animation` to `until`, on the
    /// clip's own clock, in either direction. The rest pose does not move.
    ///
    /// `None` if there are no bounds at low cost: for other animations, for times that are NaN, and for hitboxes that were baked
    /// with the preset `always`.
    #[must_use]
    pub fn part_bounds(&self, animation: &AnimationRef<'_>, until: f32) -> Option<PartBounds> {
        let (bounds, from, to) = match animation {
            AnimationRef::Rest => (self.rest_bounds(), 0.0, 0.0),
            AnimationRef::Clip { clip, seconds } if !seconds.is_nan() && !until.is_nan() => {
                (self.clip_bounds(*clip)?, seconds.min(until), seconds.max(until))
            }
            _ => return None,
        };
        let bounds: &ClipBounds = bounds.as_ref().ok()?;
        let mut parts = BoundsBlock::EMPTY;
        for slice in bounds.parts_over(from.into(), to.into()) {
            parts.unite(slice);
        }
        let boxes_in_part = self.box_count().div_ceil(LANES).max(1);
        Some(PartBounds { parts, boxes_in_part, radius: bounds.farthest })
    }
}

impl PartBounds {
    /// A length that no point of a hitbox is farther away from the model's origin, in model space.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Takes the bounds to world space: they contain the images under both places, and all points on straight lines between the
    /// two images of a point. The bounds are then enlarged by `more`, in world units.
    ///
    /// `None` if a place does not scale evenly, or if numbers are so large that the bounds prove nothing.
    #[must_use]
    pub fn moved(&self, places: [&Affine3A; 2], more: f32) -> Option<Self> {
        /// The sum of all roundings of a posed hitbox and of these bounds is less than this share of the numbers.
        const ROUNDING: f32 = 96.0 * f32::EPSILON;
        if !places.iter().all(|place| place.is_finite() && scales_evenly(place)) {
            return None;
        }
        let mut parts = self.parts.transformed(places[0]);
        if places[0] != places[1] {
            parts.unite(&self.parts.transformed(places[1]));
        }
        let length = |place: &Affine3A| place.matrix3.x_axis.length() * 1.001;
        let far = |place: &Affine3A| place.translation.abs().max_element() + length(place) * self.radius;
        let farthest = far(places[0]).max(far(places[1]));
        parts.enlarge(more + farthest * ROUNDING);
        let is_proof = farthest + more <= 0.25 * MAX_COORDINATE;
        is_proof.then_some(Self { parts, ..*self })
    }

    /// The bounds, enlarged on all sides.
    #[must_use]
    pub fn enlarged(mut self, by: f32) -> Self {
        self.parts.enlarge(by);
        self
    }

    /// The bounds of the groups that hold these hitboxes.
    #[must_use]
    pub fn of_boxes(&self, boxes: impl IntoIterator<Item = BoxIndex>) -> Bounds {
        let lanes = boxes.into_iter().map(|one| one.index() / self.boxes_in_part).filter(|&lane| lane < LANES);
        lanes.fold(Bounds::EMPTY, |all, lane| all.union(&self.parts.get(lane)))
    }

    /// The groups that hold these hitboxes, as a mask for the functions below.
    #[must_use]
    pub fn groups_of(&self, boxes: impl IntoIterator<Item = BoxIndex>) -> u16 {
        let lanes = boxes.into_iter().map(|one| one.index() / self.boxes_in_part).filter(|&lane| lane < LANES);
        lanes.fold(0, |groups, lane| groups | 1 << lane)
    }

    /// Returns `true` if the bounds of one of the groups reach into these bounds.
    #[must_use]
    pub fn overlaps(&self, groups: u16, bounds: &Bounds) -> bool {
        kernels::near(Kernel::best(), bounds, &self.parts) & groups != 0
    }

    /// Returns `true` if the bounds of one of the groups reach into those of one of the groups of another body.
    #[must_use]
    pub fn meets(&self, groups: u16, other: &Self, of_other: u16) -> bool {
        set_bits(groups).any(|lane| other.overlaps(of_other, &self.parts.get(lane)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClipIndex, ClipSampler, PosedCharacter};
    use glam::{Quat, Vec3};
    use test_models::Random;

    fn assets() -> Vec<Character> {
        let asset = |name: &str| {
            let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
            Character::load(&std::fs::read(path).unwrap()).unwrap()
        };
        ["runa", "bruno", "hound"].map(asset).to_vec()
    }

    fn any_place(random: &mut Random, around: Vec3) -> Affine3A {
        let turn = Quat::from_xyzw(random.signed(), random.signed(), random.signed(), 1.5).normalize();
        let scale = Vec3::splat(random.between(0.3, 2.0));
        Affine3A::from_scale_rotation_translation(scale, turn, around + random.vector())
    }

    /// Each box of each pose in between lies in the bounds of its group, and the bounds are not much larger than all poses.
    #[test]
    fn the_bounds_hold_the_boxes_of_all_poses_in_between() {
        let mut random = Random::new(31);
        let (mut sampler, mut posed) = (ClipSampler::new(), PosedCharacter::new());
        for character in assets() {
            let (mut largest, mut count) = (0.0, 0.0);
            for _ in 0..200 {
                let clip = ClipIndex(random.below(character.clips().len()) as u32);
                let seconds = random.between(-0.2, 2.5);
                let until = seconds + random.between(-0.05, 0.05);
                let around = random.vector() * *random.pick(&[0.0, 10.0, 1000.0]);
                let places = [any_place(&mut random, around), any_place(&mut random, around)];
                let model = character.part_bounds(&AnimationRef::Clip { clip, seconds }, until).unwrap();
                for place in &places {
                    let mut all = Bounds::EMPTY;
                    let world = model.moved([place, &places[1]], 0.0).unwrap();
                    let still = model.moved([place; 2], 0.0).unwrap();
                    for step in 0..=8_u8 {
                        let time = seconds + (until - seconds) * f32::from(step) / 8.0;
                        posed.pose_from_clip(&mut sampler, &character, place, clip, time).unwrap();
                        for one in posed.boxes() {
                            let bounds = posed.box_bounds(one.index.index());
                            assert!(world.of_boxes([one.index]).contains(&bounds), "{clip} {time} {one:?}");
                            let group = still.groups_of([one.index]);
                            assert!(still.overlaps(group, &bounds) && still.meets(group, &world, group));
                            assert!(!still.overlaps(!group, &bounds) || still.meets(group, &still, !group));
                            all = all.union(&bounds);
                        }
                    }
                    let whole = still.of_boxes((0..character.box_count()).map(|index| BoxIndex(index as u16)));
                    assert!(!still.overlaps(u16::MAX, &Bounds { min: whole.max + 1.0, max: whole.max + 2.0 }));
                    largest += (whole.max - whole.min).max_element() / (all.max - all.min).max_element();
                    count += 1.0;
                }
            }
            println!("{}: {} times as large", character.name(), largest / count);
            assert!(largest / count < 1.3, "{}", largest / count);
        }
    }

    #[test]
    fn what_cannot_be_bounded_has_no_bounds() {
        let character = assets().swap_remove(0);
        let clip = |seconds| AnimationRef::Clip { clip: ClipIndex(0), seconds };
        assert!(character.part_bounds(&clip(f32::NAN), 0.0).is_none());
        assert!(character.part_bounds(&clip(0.0), f32::NAN).is_none());
        assert!(character.part_bounds(&AnimationRef::Clip { clip: ClipIndex(99), seconds: 0.0 }, 0.0).is_none());
        let model = character.part_bounds(&AnimationRef::Rest, 0.0).unwrap();
        for (place, is_known) in [
            (Affine3A::IDENTITY, true),
            (Affine3A::from_scale(Vec3::new(1.0, 1.01, 1.0)), false),
            (Affine3A::from_scale(Vec3::ZERO), false),
            (Affine3A::from_translation(Vec3::X * MAX_COORDINATE), false),
            (Affine3A::from_translation(Vec3::NAN), false),
        ] {
            assert_eq!(model.moved([&place, &Affine3A::IDENTITY], 0.0).is_some(), is_known, "{place:?}");
        }
    }
}
