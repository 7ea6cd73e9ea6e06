//! `symmetry = "mirror"`: hitboxes that are mirror images in the rest pose.
//!
//! Two mirrored joints get hitboxes around the skin of both: the skin of the one joint, and the mirrored skin of the other. The
//! extents of both along the same axes are joined, which gives the box around all points of both, also in motion. A joint on the
//! plane of symmetry gets a hitbox with an axis across the plane and its center on the plane.

use crate::bounds::Bounds;
use crate::error::BakeError;
use crate::fit::enclose::{TightBox, enclose_moved};
use crate::fit::fitter::{Fitted, Fitter, Prepared, TwoBoxes};
use crate::fit::min_volume::smallest_about;
use crate::fit::mirrored_joints::{MirroredJoints, NotMirrored};
use crate::fit::piece::Piece;
use crate::fit::reflection::Reflection;
use crate::fit::shape::{StoredRound, joined_round};
use crate::options::{Fit, Shape};
use crate::skin::bound_mesh::BoundMesh;
use baked_format::HitboxShape;
use geometry_core::portable;
use glam::{DMat3, DVec3, Vec3};
use hull::ConvexHull;
use skeleton::JointIndex;

/// A hitbox around the skin of both sides may have this many times the volume of the smaller hitbox around one side. Beyond, the
/// skins are not mirror images: one hand holds a sword.
const MOST_GROWTH: f64 = 2.0;

/// A cut whose normal has a larger cosine with that of the plane of symmetry divides a joint's skin into a left and a right part.
const CUT_ACROSS: f64 = 0.1;

/// Pieces that are fitted together.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// The hitbox of the piece is fitted alone.
    Alone,
    /// The piece of a joint on the plane, and the map of its joint's space that mirrors.
    Middle(Reflection),
    /// One of two mirrored pieces: the index of the other, and the map from the other's space.
    First(usize, Reflection),
    /// The other of two mirrored pieces, which is fitted with the first.
    Second,
}

/// The side of each piece of a character.
pub(crate) struct Sides {
    /// `sides[i]` belongs to piece `i`.
    pub(crate) sides: Vec<Side>,
    /// Joints whose hitboxes cannot be mirrored, with the reason.
    pub(crate) left_out: Vec<(JointIndex, NotMirrored)>,
}

impl Sides {
    /// Pairs the pieces of mirrored joints in their order, because the groups of both were cut alike.
    pub(crate) fn find(mesh: &BoundMesh<'_>, pieces: &[Piece]) -> Self {
        let mut joints: Vec<JointIndex> = pieces.iter().map(|piece| piece.joint).collect();
        joints.dedup();
        let MirroredJoints { pairs, middle, mut left_out } = MirroredJoints::find(mesh, &joints);
        let mut sides = vec![Side::Alone; pieces.len()];
        let own = |joint: JointIndex| {
            let start = pieces.partition_point(|piece| piece.joint < joint);
            start..pieces.partition_point(|piece| piece.joint <= joint)
        };
        for ([first, second], reflection) in pairs {
            if own(first).len() != own(second).len() {
                left_out.extend([(first, NotMirrored::Several), (second, NotMirrored::Several)]);
                continue;
            }
            for (one, other) in own(first).zip(own(second)) {
                sides[one] = Side::First(other, reflection);
                sides[other] = Side::Second;
            }
        }
        for (joint, reflection) in middle {
            let normal = reflection.plane().map_or(DVec3::ZERO, |(normal, _)| normal);
            // The two sides of such a cut are no mirror images of themselves.
            let is_across = |piece: &Piece| piece.cuts.iter().any(|cut| cut.normal.dot(normal).abs() > CUT_ACROSS);
            if pieces[own(joint)].iter().any(is_across) {
                left_out.push((joint, NotMirrored::Several));
            } else {
                own(joint).for_each(|piece| sides[piece] = Side::Middle(reflection));
            }
        }
        Self { sides, left_out }
    }
}

/// One or two fitted hitboxes, and whether they are mirror images.
pub(crate) struct Mirrored<const N: usize> {
    pub(crate) fitted: [Fitted; N],
    pub(crate) is_mirrored: bool,
}

impl Fitter<'_> {
    /// Fits the hitboxes of two mirrored pieces. `reflection` maps from the space of the second to that of the first.
    ///
    /// # Errors
    /// Returns the errors of [`Fitter::fit`].
    pub(crate) fn fit_pair(&self, pieces: [&Piece; 2], reflection: &Reflection) -> Result<Mirrored<2>, BakeError> {
        let prepared = [self.prepare(pieces[0])?, self.prepare(pieces[1])?];
        let mut boxes = [self.boxes(&prepared[0]), self.boxes(&prepared[1])];
        let inverse = reflection.inverse();
        let smaller = boxes[0].tight.volume().min(reflection.volume(boxes[1].tight.volume()));
        // The axes of either side are good for both; the smaller result counts.
        let candidates = [
            self.joined(
                &prepared,
                [boxes[0].tight, prepared[1].enclosed(&inverse.axes(&boxes[0].axes))],
                boxes[0].axes,
                reflection,
            ),
            {
                let axes = reflection.axes(&boxes[1].axes);
                self.joined(&prepared, [prepared[0].enclosed(&axes), boxes[1].tight], axes, reflection)
            },
        ];
        let [a, b] = candidates;
        let joined = if b[0].volume() < a[0].volume() { b } else { a };
        let shapes = prepared.each_ref().map(|one| one.options.shape);
        let may_be = shapes[0] == shapes[1]
            && shapes[0] != Shape::Hull
            && (shapes[0] == Shape::Sphere || joined[0].volume() <= MOST_GROWTH * smaller);
        if !may_be {
            let fitted = [self.alone(&prepared[0], &boxes[0])?, self.alone(&prepared[1], &boxes[1])?];
            return Ok(Mirrored { fitted, is_mirrored: false });
        }
        [boxes[0].tight, boxes[1].tight] = joined;
        let rounds = [0, 1].map(|side| self.round(&prepared[side], &boxes[side].tight));
        let rounds = match rounds {
            [Some(first), Some(second)] if first.shape == second.shape => {
                let points = prepared.each_ref().map(|one| one.points.as_slice());
                let [one, other] = joined_round([&first, &second], reflection, points, None);
                let smaller = first.volume().min(reflection.volume(second.volume()));
                if one.volume() > MOST_GROWTH * smaller {
                    let fitted = [
                        self.finish(&prepared[0], &boxes[0], Some(first))?,
                        self.finish(&prepared[1], &boxes[1], Some(second))?,
                    ];
                    return Ok(Mirrored { fitted, is_mirrored: false });
                }
                [Some(one), Some(other)]
            }
            // With `auto`, one side would be a capsule and the other a sphere, so both are boxes.
            _ => [None, None],
        };
        let [first, second] = rounds;
        let mut fitted = [self.finish(&prepared[0], &boxes[0], first)?, self.finish(&prepared[1], &boxes[1], second)?];
        if fitted[0].report.shape != fitted[1].report.shape {
            fitted = [self.finish(&prepared[0], &boxes[0], None)?, self.finish(&prepared[1], &boxes[1], None)?];
        }
        share_half_extents(&mut fitted, reflection);
        Ok(Mirrored { fitted, is_mirrored: true })
    }

    /// Fits the hitbox of a piece on the plane. `reflection` maps the space of its joint to itself.
    ///
    /// # Errors
    /// Returns the errors of [`Fitter::fit`].
    pub(crate) fn fit_middle(&self, piece: &Piece, reflection: &Reflection) -> Result<Mirrored<1>, BakeError> {
        let prepared = self.prepare(piece)?;
        let mut boxes = self.boxes(&prepared);
        let straight =
            straightened(&prepared, &boxes.axes, reflection).filter(|_| prepared.options.shape != Shape::Hull);
        let symmetric = straight.and_then(|(axes, across)| {
            let (normal, offset) = reflection.plane()?;
            let own = prepared.enclosed(&axes);
            let symmetric = enclose_moved(&axes, &prepared.points, |decoded| {
                let mut bounds = bounds_of(&own, decoded);
                let middle = decoded.col(across).dot(normal) * offset;
                let reach = (bounds.high[across] - middle).max(middle - bounds.low[across]);
                (bounds.low[across], bounds.high[across]) = (middle - reach, middle + reach);
                bounds
            });
            let is_small =
                prepared.options.shape == Shape::Sphere || symmetric.volume() <= MOST_GROWTH * boxes.tight.volume();
            is_small.then_some((symmetric, normal, offset))
        });
        let Some((symmetric, normal, offset)) = symmetric else {
            return Ok(Mirrored { fitted: [self.alone(&prepared, &boxes)?], is_mirrored: false });
        };
        boxes.tight = symmetric;
        let round = self.round(&prepared, &boxes.tight).map(|one| {
            let points = [prepared.points.as_slice(); 2];
            let [symmetric, _] = joined_round([&one, &one], reflection, points, Some((normal, offset)));
            symmetric
        });
        Ok(Mirrored { fitted: [self.finish(&prepared, &boxes, round)?], is_mirrored: true })
    }

    fn alone(&self, prepared: &Prepared<'_>, boxes: &TwoBoxes) -> Result<Fitted, BakeError> {
        self.finish(prepared, boxes, self.round(prepared, &boxes.tight))
    }

    /// Returns two mirrored boxes around two boxes. `axes` are those of the first, and the second has their mirror image.
    fn joined(
        &self,
        prepared: &[Prepared<'_>; 2],
        own: [TightBox; 2],
        axes: DMat3,
        reflection: &Reflection,
    ) -> [TightBox; 2] {
        let inverse = reflection.inverse();
        let around = |side: usize, axes: &DMat3, from_other: &Reflection| {
            enclose_moved(axes, &prepared[side].points, |decoded| {
                let mut bounds = bounds_of(&own[side], decoded);
                let other = &own[1 - side];
                let center = decoded.transpose() * from_other.point(other.center.as_dvec3());
                let half = other.half_extents.as_dvec3() * from_other.length(1.0);
                bounds.add(center - half);
                bounds.add(center + half);
                bounds
            })
        };
        [around(0, &axes, reflection), around(1, &inverse.axes(&axes), &inverse)]
    }
}

/// The bounds of a box along its own decoded axes.
fn bounds_of(one: &TightBox, decoded: &DMat3) -> Bounds {
    let (center, half) = (decoded.transpose() * one.center.as_dvec3(), one.half_extents.as_dvec3());
    Bounds { low: center - half, high: center + half }
}

/// Returns the axes of a box of a joint on the plane, and which of them is across the plane. Returns `None` if the box has to have
/// the joint's axes, and none of them is across the plane.
fn straightened(prepared: &Prepared<'_>, axes: &DMat3, reflection: &Reflection) -> Option<(DMat3, usize)> {
    const ALIGNED: f64 = 1.0 - 1e-9;
    let (normal, _) = reflection.plane()?;
    let options = prepared.options;
    if options.fit == Fit::MinVolume {
        let both: Vec<DVec3> = prepared.hull.vertices().iter().flat_map(|&at| [at, reflection.point(at)]).collect();
        let hull = ConvexHull::from_points(&both).ok()?;
        let x = normal.any_orthonormal_vector();
        return Some((smallest_about(&hull, &DMat3::from_cols(x, normal.cross(x), normal), options.objective), 2));
    }
    let along = |axis: usize| axes.col(axis).dot(normal).abs();
    let across = (0..3).max_by(|&a, &b| along(a).total_cmp(&along(b)))?;
    if options.fit == Fit::JointAxes && along(across) < ALIGNED {
        return None;
    }
    let first = if axes.col(across).dot(normal) < 0.0 { -normal } else { normal };
    let second = axes.col((across + 1) % 3).reject_from_normalized(first).try_normalize()?;
    let mut straight = DMat3::IDENTITY;
    *straight.col_mut(across) = first;
    *straight.col_mut((across + 1) % 3) = second;
    *straight.col_mut((across + 2) % 3) = first.cross(second);
    Some((straight, across))
}

/// Gives two mirrored hitboxes the larger of their half extents, which differ by rounding only.
fn share_half_extents(fitted: &mut [Fitted; 2], reflection: &Reflection) {
    let scale = reflection.length(1.0);
    let [first, second] = [0, 1].map(|side: usize| fitted[side].tight.half_extents.as_dvec3());
    let half = first.max(second * scale);
    let rounded = |half: DVec3| Vec3::from_array(half.to_array().map(portable::round_up));
    fitted[0].tight.half_extents = rounded(half);
    fitted[1].tight.half_extents = rounded(half / scale);
    for one in fitted {
        let round = StoredRound { shape: one.report.shape, tight: one.tight };
        one.report.volume = if one.report.shape == HitboxShape::Box { one.tight.volume() } else { round.volume() };
    }
}
