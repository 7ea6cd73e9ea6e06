//! Questions about two poses.

use crate::errors;
use crate::pose::Pose;
use crate::records::Records;
use pyo3::prelude::*;
use runtime::{Contact, SkinCandidates, SkinError, SkinOverlap};

/// The distance of two characters in the world's unit, 0 if they overlap, with the joints and the points where it is measured.
#[pyclass(frozen, get_all, module = "bonebox")]
pub(crate) struct Distance {
    distance: f32,
    joint_a: u16,
    joint_b: u16,
    point_a: (f32, f32, f32),
    point_b: (f32, f32, f32),
}

#[pymethods]
impl Distance {
    fn __repr__(&self) -> String {
        let Self { distance, joint_a, joint_b, .. } = self;
        format!("Distance(distance={distance}, joint_a={joint_a}, joint_b={joint_b})")
    }
}

/// Return True if a hitbox of `a` overlaps a hitbox of `b`. Hitboxes that only touch overlap.
#[pyfunction]
pub(crate) fn overlaps(py: Python<'_>, a: &Bound<'_, Pose>, b: &Bound<'_, Pose>) -> bool {
    let (a, b) = (a.get(), b.get());
    py.detach(|| runtime::overlaps(&a.posed, &b.posed))
}

/// All pairs of hitboxes that overlap, as an array of the dtype `dtypes.PAIR`, sorted by `box_a`, then `box_b`.
#[pyfunction]
pub(crate) fn overlapping_boxes<'py>(
    py: Python<'py>,
    a: &Bound<'_, Pose>,
    b: &Bound<'_, Pose>,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (a.get(), b.get());
    let mut pairs = Vec::new();
    py.detach(|| runtime::overlapping_boxes(&a.posed, &b.posed, &mut pairs));
    let mut records = Records::default();
    for pair in &pairs {
        records.record().pair(pair);
    }
    records.array(py, "PAIR")
}

/// The contacts of all pairs of hitboxes that overlap, as an array of the dtype `dtypes.CONTACT`.
///
/// Moving `b` by `depth * direction` separates the two hitboxes. `point` is the mean of the contact points.
#[pyfunction]
pub(crate) fn contacts<'py>(py: Python<'py>, a: &Bound<'_, Pose>, b: &Bound<'_, Pose>) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (a.get(), b.get());
    let mut contacts = Vec::new();
    py.detach(|| runtime::contacts(&a.posed, &b.posed, &mut contacts));
    let mut records = Records::default();
    for contact in &contacts {
        add_contact(records.record(), contact);
    }
    records.array(py, "CONTACT")
}

/// The fields of a contact, without the bodies.
pub(crate) fn add_contact(record: &mut Records, contact: &Contact) {
    record.u16(contact.joint_a.0).u16(contact.joint_b.0).u16(contact.box_a.0).u16(contact.box_b.0);
    record.f32(contact.depth).vector(contact.direction).vector(contact.center());
}

/// The nearest points of the hitboxes of two characters; None if they are farther apart than `max_distance`.
#[pyfunction]
#[pyo3(signature = (a, b, max_distance=None))]
pub(crate) fn distance(
    py: Python<'_>,
    a: &Bound<'_, Pose>,
    b: &Bound<'_, Pose>,
    max_distance: Option<f32>,
) -> Option<Distance> {
    let (a, b) = (a.get(), b.get());
    let found = py.detach(|| runtime::distance(&a.posed, &b.posed, max_distance))?;
    Some(Distance {
        distance: found.distance,
        joint_a: found.joint_a.0,
        joint_b: found.joint_b.0,
        point_a: found.point_a.into(),
        point_b: found.point_b.into(),
    })
}

/// The pairs of joints whose skins share a point, as an array of the dtype `dtypes.SKIN_PAIR` with a point and a triangle of
/// each skin. Raises `SkinError` if a character was baked without its skin.
#[pyfunction]
pub(crate) fn exact_overlaps<'py>(
    py: Python<'py>,
    a: &Bound<'_, Pose>,
    b: &Bound<'_, Pose>,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (a.get(), b.get());
    let found = py.detach(|| {
        let mut found = Vec::new();
        // A copy of the second pose, so that two questions about the same poses in another order cannot wait for each other.
        let mut other = b.posed_with_skin();
        a.with_skin(|a| runtime::exact_overlap_all(a, &mut other, SkinCandidates::Bounds, &mut found))?;
        Ok::<_, SkinError>(found)
    });
    let mut records = Records::default();
    for overlap in found.map_err(|error| errors::of_skin(py, &error))? {
        add_skin_overlap(records.record(), &overlap);
    }
    records.array(py, "SKIN_PAIR")
}

/// The fields of an overlap of two skins, without the bodies.
pub(crate) fn add_skin_overlap(record: &mut Records, overlap: &SkinOverlap) {
    let record = record.u16(overlap.joint_a.0).u16(overlap.joint_b.0);
    record.u32(overlap.source_triangle_a).u32(overlap.source_triangle_b).vector(overlap.point);
}

/// The nearest points of two skins; None if they are farther apart than `max_distance`. Raises `SkinError`.
#[pyfunction]
#[pyo3(signature = (a, b, max_distance=None))]
pub(crate) fn exact_distance(
    py: Python<'_>,
    a: &Bound<'_, Pose>,
    b: &Bound<'_, Pose>,
    max_distance: Option<f32>,
) -> PyResult<Option<Distance>> {
    let (a, b) = (a.get(), b.get());
    let found = py.detach(|| {
        let mut other = b.posed_with_skin();
        a.with_skin(|a| runtime::exact_distance(a, &mut other, max_distance))
    });
    Ok(found.map_err(|error| errors::of_skin(py, &error))?.map(|found| Distance {
        distance: found.distance,
        joint_a: found.joint_a.0,
        joint_b: found.joint_b.0,
        point_a: found.point_a.into(),
        point_b: found.point_b.into(),
    }))
}
