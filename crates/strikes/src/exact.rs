//! The moment at which an attacking hitbox touches the skin of its target.

use crate::film::{Eye, Film};
use crate::part::Part;
use baked_format::HitboxRole;
use geometry_core::{Capsule, Obb, ObbMotion, triangle};
use glam::Vec3;
use runtime::{
    BodyId, BoxIndex, Character, PosedCharacter, PosedHitbox, PosedShape, SkinError, SkinShapeOverlap, SkinTriangle,
    SweepHit,
};
use skeleton::JointIndex;

/// A hitbox touches the skin if it does when it is enlarged by this share of the half extents of both hitboxes.
pub(crate) const SKIN_TOLERANCE: f32 = 1e-3;

/// The most times that a part is halved in search of a touch.
const MAX_HALVINGS: u32 = 12;

/// The largest share by which the path of a corner within a part is longer than its chord, for turns of 5 degrees and for
/// clips that are not straight.
const PATH: f32 = 1.1;

/// Memory of searches.
#[derive(Debug, Default)]
pub(crate) struct Exact {
    posed: PosedCharacter,
    touched: Vec<SkinShapeOverlap>,
    triangles: Vec<SkinTriangle>,
    /// The first target without a skin.
    pub(crate) without_skin: Option<BodyId>,
}

/// A hitbox of an attacker and one of a target, in a part of a tick.
pub(crate) struct Pair<'f, 'h> {
    pub(crate) film: &'f Film<'h>,
    pub(crate) piece: Part,
    pub(crate) eye: Eye,
    pub(crate) target: BodyId,
    /// The attacking hitbox at the start and at the end of the part.
    pub(crate) own: [PosedHitbox; 2],
    pub(crate) hit: SweepHit,
}

/// A touch of the skin: the share of the part, and the point on the skin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkinTouch {
    pub(crate) time: f32,
    pub(crate) point: Vec3,
}

impl Pair<'_, '_> {
    fn share(&self, time: f32) -> f32 {
        (self.piece.from + (self.piece.to - self.piece.from) * time).clamp(self.piece.from, self.piece.to)
    }

    /// The attacking hitbox at a share of the part, enlarged by a margin.
    fn striker(&self, time: f32, margin: f32) -> PosedHitbox {
        let [first, last] = self.own;
        let half = first.half_extents.max(last.half_extents);
        let obb = |of: &PosedHitbox| Obb::from_valid_parts(of.center, half, of.axes);
        let at = ObbMotion::between(&obb(&first), &obb(&last)).at(time);
        PosedHitbox { center: at.center(), axes: at.axes(), half_extents: half + margin, ..first }
    }

    /// The farthest way of a corner between two shares of the part.
    fn way(&self, [from, to]: [f32; 2]) -> f32 {
        let corners = |time| self.striker(time, 0.0).obb().corners();
        let own = farthest(corners(from), corners(to));
        let other = [self.piece.from, self.piece.to].map(|share| {
            let one = self.film.moved(self.eye, self.piece, share, self.target)?.posed_hitbox(self.hit.box_b)?;
            Some(one.obb().corners())
        });
        let other = match other {
            [Some(first), Some(last)] => farthest(first, last) * (to - from),
            _ => 0.0,
        };
        (own + other) * PATH
    }

    fn tolerance(&self) -> f32 {
        let body = self.film.body(self.eye, self.piece.from, self.target);
        let other = body.and_then(|body| body.posed_hitbox(self.hit.box_b)).map_or(0.0, |one| one.obb().extent_sum());
        (self.own[0].obb().extent_sum() + other) * SKIN_TOLERANCE
    }
}

fn farthest(from: [Vec3; 8], to: [Vec3; 8]) -> f32 {
    from.into_iter().zip(to).map(|(from, to)| from.distance(to)).fold(0.0, f32::max)
}

impl Exact {
    /// The first touch of the skin near the target's hitbox, not before the hitboxes are in contact. A hitbox inside the body
    /// touches it.
    pub(crate) fn first_touch(&mut self, pair: &Pair<'_, '_>) -> Option<SkinTouch> {
        if self.without_skin.is_some() {
            return None;
        }
        let start = pair.hit.time;
        self.touch_at(pair, start, 0.0)
            .or_else(|| if start == 0.0 { self.inside_at(pair, start) } else { None })
            .or_else(|| self.search(pair, [start, 1.0], MAX_HALVINGS))
    }

    fn search(&mut self, pair: &Pair<'_, '_>, [from, to]: [f32; 2], halvings: u32) -> Option<SkinTouch> {
        let (middle, reach) = (0.5 * (from + to), 0.5 * pair.way([from, to]));
        let touch = self.touch_at(pair, middle, reach)?;
        if reach <= pair.tolerance() || halvings == 0 {
            return Some(touch);
        }
        self.search(pair, [from, middle], halvings - 1).or_else(|| self.search(pair, [middle, to], halvings - 1))
    }

    /// Poses the target with its skin.
    fn pose(&mut self, pair: &Pair<'_, '_>, time: f32) -> bool {
        self.posed.track_skin(true);
        let view = pair.film.moved_look(pair.eye, pair.piece, pair.share(time), pair.target);
        view.is_some_and(|view| view.pose_with_joints(pair.target, &[], &mut self.posed))
    }

    fn touch_at(&mut self, pair: &Pair<'_, '_>, time: f32, margin: f32) -> Option<SkinTouch> {
        let body = pair.film.body(pair.eye, pair.piece.from, pair.target)?;
        let character = body.character();
        if !self.pose(pair, time) {
            return None;
        }
        let striker = pair.striker(time, margin);
        let shape = striker.posed_shape()?;
        let is_near = |joint| owner(character, joint) == Some(pair.hit.joint_b);
        let result = match &shape {
            PosedShape::Box(one) => self.posed.exact_shape_overlaps(one, &mut self.touched),
            PosedShape::Capsule(one) => self.posed.exact_shape_overlaps(one, &mut self.touched),
            PosedShape::Sphere(one) => self.posed.exact_shape_overlaps(one, &mut self.touched),
        };
        self.note(pair, result);
        let touched = self.touched.iter().find(|one| is_near(one.joint))?;
        let joint = touched.joint;
        // Which triangles, to choose the point nearest to the middle of the attacking hitbox.
        let result = self.posed.skin_triangles(&mut self.triangles);
        self.note(pair, result);
        let of_joint = self.triangles.iter().filter(|one| one.joint == joint);
        let touching = of_joint.filter(|one| overlaps(&shape, &one.corners));
        let points = touching.map(|one| point_in(&shape, striker.center, &one.corners));
        let far = |point: &Vec3| point.distance_squared(striker.center);
        let point = points.min_by(|a, b| far(a).total_cmp(&far(b)))?;
        Some(SkinTouch { time, point })
    }

    /// A touch of a hitbox whose middle is inside the body and the target's hitbox. The point is where it leaves the body
    /// against the direction of the hit.
    fn inside_at(&mut self, pair: &Pair<'_, '_>, time: f32) -> Option<SkinTouch> {
        let middle = pair.striker(time, 0.0).center;
        let target = pair.film.body(pair.eye, pair.piece.from, pair.target)?.posed_hitbox(pair.hit.box_b)?;
        if !target.obb().contains(middle) || !self.pose(pair, time) {
            return None;
        }
        let contains = self.posed.skin_contains(middle);
        if !contains.unwrap_or(false) {
            return None;
        }
        let ray = geometry_core::Ray::try_new(middle, -pair.hit.direction).ok()?;
        let point = self.posed.exact_ray(&ray, None).ok()?.map_or(middle, |hit| hit.point);
        Some(SkinTouch { time, point })
    }

    fn note(&mut self, pair: &Pair<'_, '_>, result: Result<(), SkinError>) {
        if let Err(SkinError::NoSkin { .. } | SkinError::NotTracked { .. }) = result {
            self.without_skin.get_or_insert(pair.target);
        }
    }
}

/// The joint with a hitbox that can be hit that is this joint or its nearest parent.
fn owner(character: &Character, joint: JointIndex) -> Option<JointIndex> {
    let boxes = &character.baked().boxes;
    let mut at = Some(joint);
    while let Some(one) = at {
        let first = boxes.partition_point(|hitbox| hitbox.joint < one);
        let mut own = boxes[first..].iter().take_while(|hitbox| hitbox.joint == one);
        if own.any(|hitbox| hitbox.role == HitboxRole::Hurt) {
            return at;
        }
        at = character.skeleton().joint(one).parent;
    }
    None
}

fn overlaps(shape: &PosedShape, corners: &[Vec3; 3]) -> bool {
    use runtime::SkinShape;
    match shape {
        PosedShape::Box(one) => SkinShape::overlaps_triangle(one, corners),
        PosedShape::Capsule(one) => one.overlaps_triangle(corners),
        PosedShape::Sphere(one) => one.overlaps_triangle(corners),
    }
}

/// A point of the triangle in a shape that overlaps it.
fn point_in(shape: &PosedShape, middle: Vec3, corners: &[Vec3; 3]) -> Vec3 {
    const PROJECTIONS: u32 = 32;
    let nearest = |point: Vec3| triangle::closest_point(corners, point.as_dvec3()).as_vec3();
    match shape {
        PosedShape::Box(one) => mean_in_box(one, corners).unwrap_or_else(|| nearest(middle)),
        PosedShape::Sphere(one) => nearest(one.center()),
        // The limit of projections from one to the other.
        PosedShape::Capsule(one) => (0..PROJECTIONS).fold(middle, |point, _| nearest(on_segment(one, point))),
    }
}

/// The mean of the corners of the part of a triangle that lies in a box. `None` if there is none.
///
/// Source: Sutherland and Hodgman, *Reentrant Polygon Clipping*, Communications of the ACM 17(1), 1974.
fn mean_in_box(one: &Obb, corners: &[Vec3; 3]) -> Option<Vec3> {
    /// A triangle cut by six planes has at most nine corners.
    const MOST: usize = 9;
    let half = one.half_extents();
    let (mut inside, mut count) = ([Vec3::ZERO; MOST], 3);
    for (place, corner) in inside.iter_mut().zip(corners) {
        *place = one.to_local(*corner);
    }
    for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0), (2, -1.0_f32)] {
        let (polygon, before) = (inside, count);
        let out = |point: Vec3| sign * point[axis] - half[axis];
        count = 0;
        for place in 0..before {
            let (point, next) = (polygon[place], polygon[(place + 1) % before]);
            let (a, b) = (out(point), out(next));
            let crossing = (a > 0.0) != (b > 0.0);
            let kept = (a <= 0.0).then_some(point);
            let cut = crossing.then(|| point + (next - point) * (a / (a - b)));
            for corner in kept.into_iter().chain(cut) {
                if let Some(place) = inside.get_mut(count) {
                    *place = corner;
                    count += 1;
                }
            }
        }
    }
    let sum = inside[..count].iter().fold(Vec3::ZERO, |sum, corner| sum + *corner);
    let mean = (count > 0).then(|| sum / count as f32)?;
    let axes = one.axes();
    Some(one.center() + axes.x_axis * mean.x + axes.y_axis * mean.y + axes.z_axis * mean.z)
}

fn on_segment(capsule: &Capsule, point: Vec3) -> Vec3 {
    let (start, end) = (capsule.segment().start(), capsule.segment().end());
    let way = end - start;
    let length = way.dot(way);
    let share = if length > 0.0 { ((point - start).dot(way) / length).clamp(0.0, 1.0) } else { 0.0 };
    start + way * share
}

/// The hitbox of a striking body or weapon at the ends of a part.
pub(crate) fn ends_of(first: &PosedCharacter, last: &PosedCharacter, index: BoxIndex) -> Option<[PosedHitbox; 2]> {
    Some([first.hitbox(index)?, last.hitbox(index)?])
}
