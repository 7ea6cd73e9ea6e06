//! Finds the hitboxes of a moving body that a moving shape, for example a weapon or a projectile, hits within a tick.

use super::body_motion::{BodyMotion, MovingSolid, motion, reaches_out};
use super::contact::Place;
use super::hit_search::{Look, Sought, keep_first, take_earliest, tolerance};
use crate::kernels::layout::{LANES, Record};
use crate::kernels::set_bits::set_bits;
use crate::kernels::sweep_lanes::{MovingPairs, swept_bounds};
use crate::kernels::{self, Kernel};
use crate::pose::solid::Solid;
use crate::{Bounds, BoxIndex};
use baked_format::HitboxShape;
use geometry_core::{Capsule, FirstContact, Obb, ObbMotion, Sphere};
use glam::{DVec3, Mat3, Vec3};
use skeleton::JointIndex;

/// A shape in world space that moves from one place to another and hits hitboxes on its way.
///
/// Implemented for [`Sphere`], [`Capsule`] and [`Obb`]. The center of a shape moves on a straight line, and its axes
/// turn the shorter way about one fixed axis, both at constant speed. A capsule does not turn about its own segment. If
/// the shape has different sizes in the two places, the moving shape has the larger sizes.
pub trait CastShape {
    /// The kind of the shape: a box, a capsule or a sphere.
    const SHAPE: HitboxShape;

    /// The boxes around the shape in its first and in its last place. A capsule lies along axis 1 of its box.
    fn boxes(from: &Self, to: &Self) -> [Obb; 2];
}

impl CastShape for Obb {
    const SHAPE: HitboxShape = HitboxShape::Box;

    fn boxes(from: &Self, to: &Self) -> [Obb; 2] {
        [*from, *to]
    }
}

impl CastShape for Sphere {
    const SHAPE: HitboxShape = HitboxShape::Sphere;

    fn boxes(from: &Self, to: &Self) -> [Obb; 2] {
        [from, to].map(|ball| Obb::from_valid_parts(ball.center(), Vec3::splat(ball.radius()), Mat3::IDENTITY))
    }
}

impl CastShape for Capsule {
    const SHAPE: HitboxShape = HitboxShape::Capsule;

    fn boxes(from: &Self, to: &Self) -> [Obb; 2] {
        let [first, last] = [from, to].map(|capsule| {
            let segment = capsule.segment();
            segment.end().as_dvec3() - segment.start().as_dvec3()
        });
        // A capsule without a length gets the direction of the other capsule.
        let direction = first.try_normalize().or(last.try_normalize()).unwrap_or(DVec3::Y);
        let last_direction = last.try_normalize().unwrap_or(direction);
        let side = direction.any_orthonormal_vector();
        let last_side = turned(side, direction, last_direction);
        let in_box = |capsule: &Self, along: DVec3, y: DVec3, x: DVec3| {
            let segment = capsule.segment();
            let center = (segment.start().as_dvec3() + segment.end().as_dvec3()) * 0.5;
            let radius = capsule.radius();
            let half = Vec3::new(radius, (along.length() * 0.5) as f32 + radius, radius);
            Obb::new(center.as_vec3(), half, Mat3::from_cols(x.as_vec3(), y.as_vec3(), x.cross(y).as_vec3()))
        };
        [in_box(from, first, direction, side), in_box(to, last, last_direction, last_side)]
    }
}

/// Turns `side` by the shortest rotation that takes `from` to `to`. All three are unit vectors, and `side` is at right
/// angles to `from`.
fn turned(side: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let rest = 1.0 + from.dot(to);
    // For half a turn, no rotation is the shortest, so the vector keeps its direction.
    let turned = if rest > 1e-9 { side - (from + to) * (side.dot(to) / rest) } else { side };
    (turned - to * turned.dot(to)).normalize()
}
/// A hitbox of a body that a moving shape hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// The hitbox: [`crate::Character::hitbox`] has its tags and the name of its joint.
    pub box_index: BoxIndex,
    /// The joint that the hitbox is attached to.
    pub joint: JointIndex,
    /// The time of the first contact, from 0 to 1; never later than the true time.
    pub time: f32,
    /// The direction of the hit: a unit vector in world space, from the moving shape towards the hitbox.
    pub direction: Vec3,
}

/// The contact of a moving shape with a hitbox.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastContact {
    /// The middle of the contact, in world space. It lies in the shape and in the hitbox, within the bounds of
    /// [`Contact::points`](crate::Contact::points).
    pub point: Vec3,
    /// The depth of the overlap at the time of the hit, in world units: 0 or nearly 0, unless the shape and the hitbox
    /// overlap from the start.
    pub depth: f32,
    /// The direction of least penetration: a unit vector in world space, from the moving shape towards the
    /// hitbox.
    pub direction: Vec3,
}

impl CastHit {
    /// The contact of the moving shape with the hitbox at [`CastHit::time`]. Pass the `from`, `to` and `body` of the
    /// cast. Returns `None` if the body does not have this hitbox.
    #[must_use]
    pub fn contact<S: CastShape>(&self, from: &S, to: &S, body: &BodyMotion<'_>) -> Option<CastContact> {
        let [first, last] = S::boxes(from, to);
        let one = Solid::without_hull(S::SHAPE, motion(&first, &last).at(self.time));
        let place = Place::between(body.to.kernel, &one, &body.solid_at(self.box_index, self.time)?);
        Some(CastContact { point: place.center(), depth: place.depth, direction: place.direction })
    }
}

/// The first hitbox of a moving body that a moving shape hits, for example a stone, a blade or a projectile. If several
/// hits have the same time, the answer is the hitbox with the least index. [`crate::sweep_all`] explains times and
/// tolerance. For other shapes than boxes, the tolerance is relative to the half extents of the boxes around the
/// shapes.
///
/// ```
/// use geometry_core::Obb;
/// use glam::{Affine3A, Quat, Vec3};
/// use runtime::{BodyMotion, Character, PosedCharacter, cast_shape};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// let mut posed = PosedCharacter::new();
/// posed.pose_from_rest(&arm, &Affine3A::IDENTITY)?; // boxes of 0.6 by 1 by 0.6
/// let body = BodyMotion::still(&posed);
/// let blade = |x| Obb::from_orientation(Vec3::new(x, 2.5, 0.0), Vec3::new(0.02, 0.4, 0.1), Quat::IDENTITY);
/// let hit = cast_shape(&blade(-3.0), &blade(3.0), &body, None).unwrap();
/// assert_eq!(arm.joint_name(hit.joint), "fore");
/// assert!((hit.time - 2.68 / 6.0).abs() < 1e-4);
/// let contact = hit.contact(&blade(-3.0), &blade(3.0), &body).unwrap();
/// assert!((contact.point - Vec3::new(-0.3, 2.5, 0.0)).length() < 0.01 && contact.depth < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn cast_shape<S: CastShape>(
    from: &S,
    to: &S,
    body: &BodyMotion<'_>,
    relative_tolerance: impl Into<Option<f32>>,
) -> Option<CastHit> {
    let mut first: Option<CastHit> = None;
    each_cast_hit([from, to], body, Sought::One, tolerance(relative_tolerance), |hit| {
        Look::Until(keep_first(&mut first, hit, CastHit::key).time)
    });
    first
}

/// Finds all hitboxes of a moving body that a moving shape hits, and the time of each hit. `hits` is overwritten, the
/// earliest first. See [`cast_shape`]. Allocates only if `hits` must grow.
///
/// ```
/// use geometry_core::{Capsule, Sphere};
/// use glam::{Affine3A, Vec3};
/// use runtime::{BodyMotion, Character, PosedCharacter, cast_shape_all};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// let mut posed = PosedCharacter::new();
/// posed.pose_from_rest(&arm, &Affine3A::IDENTITY)?; // boxes of 0.6 by 1 by 0.6
/// let (body, mut hits) = (BodyMotion::still(&posed), Vec::new());
/// let stone = |x| Sphere::try_new(Vec3::new(x, 2.5, 0.0), 0.2);
/// let (from, to) = (stone(-3.0)?, stone(3.0)?);
/// cast_shape_all(&from, &to, &body, None, &mut hits);
/// assert_eq!(arm.joint_name(hits[0].joint), "fore");
/// assert!((hits[0].time - 2.5 / 6.0).abs() < 1e-4);
/// let contact = hits[0].contact(&from, &to, &body).unwrap();
/// assert!((contact.point - Vec3::new(-0.3, 2.5, 0.0)).length() < 1e-3 && contact.direction.x > 0.999);
/// let staff = |x: f32| Capsule::try_new(Vec3::new(x, 0.0, 0.0), Vec3::new(x, 2.5, 0.0), 0.1);
/// cast_shape_all(&staff(-3.0)?, &staff(3.0)?, &body, None, &mut hits);
/// assert_eq!(hits.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_shape_all<S: CastShape>(
    from: &S,
    to: &S,
    body: &BodyMotion<'_>,
    relative_tolerance: impl Into<Option<f32>>,
    hits: &mut Vec<CastHit>,
) {
    hits.clear();
    each_cast_hit([from, to], body, Sought::All, tolerance(relative_tolerance), |hit| {
        hits.push(hit);
        Look::Until(1.0)
    });
    hits.sort_unstable_by_key(CastHit::key);
}

/// Returns `true` if a moving shape hits any hitbox of a moving body. Stops at the first hit found. See [`cast_shape`].
#[must_use]
pub fn cast_shape_any<S: CastShape>(
    from: &S,
    to: &S,
    body: &BodyMotion<'_>,
    relative_tolerance: impl Into<Option<f32>>,
) -> bool {
    let mut any = false;
    each_cast_hit([from, to], body, Sought::One, tolerance(relative_tolerance), |_| {
        any = true;
        Look::NoFurther
    });
    any
}

/// Calls `found` for each hitbox of the body that the moving shape hits.
fn each_cast_hit<S: CastShape>(
    [from, to]: [&S; 2],
    body: &BodyMotion<'_>,
    sought: Sought,
    relative_tolerance: f32,
    mut found: impl FnMut(CastHit) -> Look,
) {
    let cast = CastMotion::new(from, to);
    let mut found = |(), hit| found(hit);
    let mut search = CastSearch::new(&cast, body.to.kernel, sought, relative_tolerance);
    cast.each_near_box(body, |index| search.add(*body, (), index, &mut found));
    search.finish(&mut found);
}

impl CastHit {
    /// The sort key: the earliest hit first, then by box. The bits of nonnegative times
    /// sort like the times.
    pub(crate) fn key(&self) -> (u32, BoxIndex) {
        (self.time.to_bits(), self.box_index)
    }
}

/// A moving shape, and the bounds of the space that its box passes through.
pub(crate) struct CastMotion {
    shape: HitboxShape,
    motion: ObbMotion,
    /// The records of the shape's box in the first and in the last place.
    records: [Record; 2],
    pub(crate) bounds: Bounds,
}

impl CastMotion {
    pub(crate) fn new<S: CastShape>(from: &S, to: &S) -> Self {
        let [from, to] = S::boxes(from, to);
        let records = [&from, &to].map(Record::of_box);
        let bounds = swept_bounds(&records[0], &records[1]);
        Self { shape: S::SHAPE, motion: motion(&from, &to), records, bounds }
    }

    /// Calls `found` with the indices of the body's boxes that the moving shape may hit, in ascending order.
    pub(crate) fn each_near_box(&self, body: &BodyMotion<'_>, found: impl FnMut(usize)) {
        body.each_near_box(&self.bounds, found);
    }
}

/// Finds the hits of a moving shape. Hitboxes of any number of bodies wait until they fill whole vectors. A vector test
/// then rules out most of them together. The remaining hitboxes are tested together if the search must find all hits,
/// and one by one otherwise.
pub(crate) struct CastSearch<'c, 'b, T> {
    cast: &'c CastMotion,
    record: [&'b Record; 2],
    kernel: Kernel,
    sought: Sought,
    relative_tolerance: f32,
    pub(crate) look: Look,
    pairs: MovingPairs<'b>,
    waiting: [Option<(BodyMotion<'b>, T, u16)>; LANES],
}

impl<'c: 'b, 'b, T: Copy> CastSearch<'c, 'b, T> {
    pub(crate) fn new(cast: &'c CastMotion, kernel: Kernel, sought: Sought, relative_tolerance: f32) -> Self {
        let record = [&cast.records[0], &cast.records[1]];
        let (look, pairs, waiting) = (Look::Until(1.0), MovingPairs::new(), [None; LANES]);
        Self { cast, record, kernel, sought, relative_tolerance, look, pairs, waiting }
    }

    /// Adds a box of a body, under the key `of`. `found` is called with each hit and returns the range of the further
    /// search.
    pub(crate) fn add(&mut self, body: BodyMotion<'b>, of: T, index: usize, found: impl FnMut(T, CastHit) -> Look) {
        self.waiting[self.pairs.len()] = Some((body, of, index as u16));
        self.pairs.push(self.record, body.records(index));
        if self.pairs.is_full() {
            self.finish(found);
        }
    }

    /// Tests the waiting boxes, starting with the boxes that can be hit earliest.
    pub(crate) fn finish(&mut self, mut found: impl FnMut(T, CastHit) -> Look) {
        let mut entries = [0.0; LANES];
        let mut may_meet = 0;
        if self.pairs.len() > 1 {
            may_meet = kernels::meeting_pairs(self.kernel, &self.pairs, self.relative_tolerance, &mut entries);
        } else if self.pairs.len() == 1 {
            // For a single pair, the test itself costs less than the test that could rule it out.
            may_meet = 1;
        }
        for (lane, waiting) in self.waiting[..self.pairs.len()].iter().enumerate() {
            // `meeting_pairs` tests boxes only. A round shape can reach out of its box if it is scaled unevenly.
            if let Some((body, _, index)) = waiting
                && reaches_out(body.form(usize::from(*index)))
            {
                may_meet |= 1 << lane;
                entries[lane] = 0.0;
            }
        }
        self.pairs.clear();
        if self.sought == Sought::All && self.cast.shape == HitboxShape::Box && may_meet.count_ones() > 2 {
            may_meet = self.test_boxes(may_meet, &mut found);
        }
        while may_meet != 0 {
            let lane = take_earliest(&mut may_meet, &entries);
            let Look::Until(max_time) = self.look else { return };
            if entries[lane] > max_time {
                return;
            }
            let Some((body, of, index)) = self.waiting[lane] else { continue };
            if let Some(hit) = self.hit(&body, usize::from(index), max_time) {
                self.look = found(of, hit);
            }
        }
    }

    /// Tests those waiting hitboxes that are boxes together, and returns the lanes of the others.
    fn test_boxes(&mut self, lanes: u16, found: &mut impl FnMut(T, CastHit) -> Look) -> u16 {
        let Look::Until(max_time) = self.look else { return 0 };
        let mut others = 0;
        let (mut motions, mut lane_of, mut count) = ([self.cast.motion; LANES], [0; LANES], 0);
        for lane in set_bits(lanes) {
            let Some((body, _, index)) = self.waiting[lane] else { continue };
            let index = usize::from(index);
            if body.form(index) == HitboxShape::Box {
                (motions[count], lane_of[count]) = (body.motion(index), lane);
                count += 1;
            } else {
                others |= 1 << lane;
            }
        }
        let mut pairs = [[&self.cast.motion; 2]; LANES];
        for (pair, motion) in pairs.iter_mut().zip(&motions) {
            pair[1] = motion;
        }
        let mut contacts = [None; LANES];
        let (pairs, contacts) = (&pairs[..count], &mut contacts[..count]);
        kernels::first_contacts(self.kernel, pairs, self.relative_tolerance, max_time, contacts);
        for (contact, lane) in contacts.iter().zip(lane_of) {
            let (Some(contact), Some((body, of, index))) = (contact, self.waiting[lane]) else { continue };
            if let Some(hit) = self.hit_at(&body, usize::from(index), contact) {
                self.look = found(of, hit);
                if self.look == Look::NoFurther {
                    return 0;
                }
            }
        }
        others
    }

    fn hit(&self, body: &BodyMotion<'_>, index: usize, max_time: f32) -> Option<CastHit> {
        let motion = body.motion(index);
        let contact = if [self.cast.shape, body.form(index)] == [HitboxShape::Box; 2] {
            kernels::first_contact(self.kernel, &self.cast.motion, &motion, self.relative_tolerance, max_time)
        } else {
            let cast = MovingSolid::of_box(&self.cast.motion, self.cast.shape);
            cast.first_contact(&MovingSolid::of_body(body, index, &motion), self.relative_tolerance, max_time)
        }?;
        self.hit_at(body, index, &contact)
    }

    /// The hit of a hitbox at its first contact.
    fn hit_at(&self, body: &BodyMotion<'_>, index: usize, contact: &FirstContact) -> Option<CastHit> {
        let (joint, box_index) = (body.joint(index), BoxIndex(index as u16));
        let hit = CastHit { joint, box_index, time: contact.time, direction: contact.direction };
        // A box whose bounds do not overlap is not hit, even if it is within the tolerance.
        self.cast.bounds.overlaps(&body.swept(index)).then_some(hit)
    }
}
