//! A hitbox as an object, for reading and for edits.

use bake_settings::EditedHitbox;
use baked_format::{HitboxRole, HitboxShape};
use glam::{Quat, Vec3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A hitbox in the space of its joint, for reading and for `edit_settings`.
///
/// - `center`: 3 numbers in joint space, in the joint's unit.
/// - `half_extents`: 3 numbers along the hitbox's own axes. A capsule lies along axis 1: radius, half length with caps,
///   radius. A sphere has its radius three times.
/// - `orientation`: the quaternion x, y, z, w that turns the hitbox's axes into joint space.
/// - `shape`: "box", "capsule", "sphere" or "hull". `role`: "hurt", "strike", "grab", "guard" or "sensor".
/// - `joint`: the joint's name; empty for a hitbox that was made in Python.
#[pyclass(frozen, eq, module = "bonebox", from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Hitbox {
    /// The name of the joint; empty for a hitbox that was made in Python.
    #[pyo3(get)]
    joint: String,
    pub(crate) edited: EditedHitbox,
}

#[pymethods]
impl Hitbox {
    #[new]
    #[pyo3(signature = (center, half_extents, orientation=[0.0, 0.0, 0.0, 1.0], *, shape="box", role="hurt", tags=Vec::new(), joint=""))]
    fn new(
        center: [f32; 3],
        half_extents: [f32; 3],
        orientation: [f32; 4],
        shape: &str,
        role: &str,
        tags: Vec<String>,
        joint: &str,
    ) -> PyResult<Self> {
        let shape = keyword("shape", shape, &HitboxShape::ALL, HitboxShape::keyword)?;
        let role = keyword("role", role, &HitboxRole::ALL, HitboxRole::keyword)?;
        for (name, numbers) in [("center", &center[..]), ("half_extents", &half_extents), ("orientation", &orientation)]
        {
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(PyValueError::new_err(format!("{name} is {numbers:?}, expected finite numbers")));
            }
        }
        if half_extents.iter().any(|half| *half < 0.0) {
            return Err(PyValueError::new_err(format!(
                "half_extents is {half_extents:?}, expected numbers of at least 0"
            )));
        }
        let [center, half_extents] = [center, half_extents].map(Vec3::from_array);
        let orientation = Quat::from_array(orientation);
        let joint = joint.to_owned();
        Ok(Self { joint, edited: EditedHitbox { shape, role, tags, center, half_extents, orientation } })
    }

    #[getter]
    fn center(&self) -> (f32, f32, f32) {
        self.edited.center.into()
    }

    #[getter]
    fn half_extents(&self) -> (f32, f32, f32) {
        self.edited.half_extents.into()
    }

    #[getter]
    fn orientation(&self) -> (f32, f32, f32, f32) {
        self.edited.orientation.into()
    }

    #[getter]
    fn shape(&self) -> &'static str {
        self.edited.shape.keyword()
    }

    #[getter]
    fn role(&self) -> &'static str {
        self.edited.role.keyword()
    }

    #[getter]
    fn tags(&self) -> Vec<String> {
        self.edited.tags.clone()
    }

    fn __repr__(&self) -> String {
        let Self { joint, edited: EditedHitbox { shape, role, tags, center, half_extents, orientation } } = self;
        format!(
            "Hitbox(center={:?}, half_extents={:?}, orientation={:?}, shape={:?}, role={:?}, tags={tags:?}, joint={joint:?})",
            center.to_array(),
            half_extents.to_array(),
            orientation.to_array(),
            shape.keyword(),
            role.keyword(),
        )
    }
}

impl Hitbox {
    pub(crate) fn of_baked(joint: &str, baked: &baked_format::Hitbox) -> Self {
        Self { joint: joint.to_owned(), edited: baked.into() }
    }
}

/// The value with this keyword, or an exception that lists all keywords.
pub(crate) fn keyword<T: Copy>(name: &str, word: &str, all: &[T], keyword: impl Fn(T) -> &'static str) -> PyResult<T> {
    all.iter().copied().find(|one| keyword(*one) == word).ok_or_else(|| {
        let words: Vec<&str> = all.iter().map(|one| keyword(*one)).collect();
        let nearest = bone_fit::did_you_mean(bone_fit::nearest_name(word, words.iter().copied()));
        PyValueError::new_err(format!("{name} is {word:?}, expected one of {}{nearest}", words.join(", ")))
    })
}
