//! A character in one pose.

use crate::character::Bake;
use crate::errors;
use crate::numbers::{self, array_of_points};
use crate::records::Records;
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use runtime::{AnimationRef, Character, ClipIndex, ClipSampler, LoopMode, PoseRecipeRef, PosedCharacter};
use runtime::{RayHit, SkinRayHit};
use std::sync::{Arc, Mutex, PoisonError};

/// The arguments of a pose, checked.
pub(crate) enum PoseArguments {
    /// The animation, and the place of the body.
    Recipe(Animation, Affine3A),
    /// The matrices `world_from_joint`.
    World(Vec<Affine3A>),
}

pub(crate) enum Animation {
    Rest,
    Clip(ClipIndex, f32),
    Joints(Vec<Affine3A>),
}

impl PoseArguments {
    pub(crate) fn read(
        character: &Character,
        clip: Option<&Bound<'_, PyAny>>,
        seconds: f32,
        repeat: bool,
        model_from_joint: Option<&Bound<'_, PyAny>>,
        world_from_joint: Option<&Bound<'_, PyAny>>,
        world_from_model: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if [clip.is_some(), model_from_joint.is_some(), world_from_joint.is_some()].iter().filter(|is| **is).count() > 1
        {
            return Err(PyTypeError::new_err(
                "clip, model_from_joint and world_from_joint exclude each other; pass one of them, or none for the rest pose",
            ));
        }
        let count = character.skeleton().len();
        let joints = |name, value| numbers::matrices(name, value, count, "joint");
        if let Some(value) = world_from_joint {
            if world_from_model.is_some() {
                return Err(PyTypeError::new_err(
                    "world_from_joint already contains the place; pass model_from_joint with world_from_model, or only \
                     world_from_joint",
                ));
            }
            return Ok(Self::World(joints("world_from_joint", value)?));
        }
        let place = match world_from_model {
            Some(value) => numbers::matrix("world_from_model", value)?,
            None => Affine3A::IDENTITY,
        };
        let animation = match (clip, model_from_joint) {
            (_, Some(value)) => Animation::Joints(joints("model_from_joint", value)?),
            (Some(clip), None) => {
                let clip = find_clip(character, clip)?;
                check_seconds(seconds)?;
                let mode = if repeat { LoopMode::Loop } else { LoopMode::Once };
                let time = match repeat {
                    true => mode.clip_time(&character.clips()[clip.index()], seconds.into()),
                    false => seconds,
                };
                Animation::Clip(clip, time)
            }
            (None, None) => Animation::Rest,
        };
        Ok(Self::Recipe(animation, place))
    }

    /// The animation and the place for the run time; `None` for matrices in world space.
    pub(crate) fn recipe(&self) -> Option<PoseRecipeRef<'_>> {
        let Self::Recipe(animation, place) = self else { return None };
        let animation = match animation {
            Animation::Rest => AnimationRef::Rest,
            Animation::Clip(clip, seconds) => AnimationRef::Clip { clip: *clip, seconds: *seconds },
            Animation::Joints(matrices) => AnimationRef::Joints(matrices),
        };
        Some(PoseRecipeRef { animation, place: *place })
    }
}

/// The clip with a name or an index.
pub(crate) fn find_clip(character: &Character, clip: &Bound<'_, PyAny>) -> PyResult<ClipIndex> {
    if let Ok(index) = clip.extract::<usize>() {
        let count = character.clips().len();
        let found = u32::try_from(index).ok().filter(|_| index < count);
        return found.map(ClipIndex).ok_or_else(|| {
            let message = format!("{:?} has no clip {index}; pass an index below {count}, or a name", character.name());
            errors::plain(clip.py(), "PoseError", &message)
        });
    }
    let name: String =
        clip.extract().map_err(|_| crate::settings::wrong_type("clip", clip, "a name (str) or an index (int)"))?;
    character.find_clip(&name).ok_or_else(|| {
        let names = character.clips().iter().map(|clip| clip.name.as_str());
        let hint = bone_fit::did_you_mean(bone_fit::nearest_name(&name, names.clone()));
        let names: Vec<&str> = names.collect();
        let known = if names.is_empty() { "it has none".to_owned() } else { names.join(", ") };
        let message = format!("{:?} has no clip {name:?}{hint} Its clips: {known}", character.name());
        errors::plain(clip.py(), "PoseError", &message)
    })
}

pub(crate) fn check_seconds(seconds: f32) -> PyResult<()> {
    if seconds.is_finite() {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("seconds is {seconds}, expected a finite number of seconds on the clip's clock")))
}

/// The hitboxes of a character in one pose, in world space: `Pose(bake, clip="jab", seconds=0.3)`.
///
/// - `clip`: the name or the index of a clip. `seconds` is the time on the clip's own clock: times before and after the
///   clip give its first and last pose, or with `repeat` a pose of its repetition.
/// - `model_from_joint`: an array of shape (joints, 4, 4), one matrix for each of `Bake.joints`, in this order: the places of
///   the joints in the model, without inverse bind matrices.
/// - `world_from_joint`: the same in world space; then there is no `world_from_model`.
/// - `world_from_model`: an array of shape (4, 4), the place of the character in the world; by default the identity.
///
/// Without `clip` and matrices, the pose is the rest pose. Matrices are for column vectors: the translation is in
/// `[:3, 3]`. Arrays may be float32 or float64; float64 is rounded to float32.
///
/// A pose never changes, and threads may share it. Raises `PoseError`, `ValueError` or `TypeError`.
#[pyclass(frozen, module = "bonebox")]
pub(crate) struct Pose {
    pub(crate) character: Arc<Character>,
    pub(crate) posed: PosedCharacter,
    arguments: PoseArguments,
    /// The same pose with its skin, from the first exact question on.
    exact: Mutex<Option<PosedCharacter>>,
}

#[pymethods]
impl Pose {
    #[new]
    #[pyo3(signature = (bake, *, clip=None, seconds=0.0, repeat=false, model_from_joint=None, world_from_joint=None, world_from_model=None))]
    fn new(
        py: Python<'_>,
        bake: &Bound<'_, Bake>,
        clip: Option<&Bound<'_, PyAny>>,
        seconds: f32,
        repeat: bool,
        model_from_joint: Option<&Bound<'_, PyAny>>,
        world_from_joint: Option<&Bound<'_, PyAny>>,
        world_from_model: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let character = Arc::clone(&bake.get().character);
        let arguments = PoseArguments::read(
            &character,
            clip,
            seconds,
            repeat,
            model_from_joint,
            world_from_joint,
            world_from_model,
        )?;
        let mut posed = PosedCharacter::new();
        pose(&mut posed, &character, &arguments).map_err(|error| errors::of_pose(py, &error))?;
        Ok(Self { character, posed, arguments, exact: Mutex::new(None) })
    }

    /// The name of the character.
    #[getter]
    fn name(&self) -> &str {
        self.character.name()
    }

    /// The hitboxes in world space, as an array of the dtype `dtypes.POSED_BOX`, in the order of `Bake.boxes`.
    ///
    /// The fields are `joint`, `shape`, `center` and `half_extents` in the world's unit, and `axes`: `axes[:, i]` is the unit
    /// vector of axis i.
    #[getter]
    fn boxes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut records = Records::default();
        for one in self.posed.boxes() {
            let record = records.record().u16(one.joint.0).text(one.shape.keyword(), 7);
            record.vector(one.center).vector(one.half_extents).matrix(one.axes);
        }
        records.array(py, "POSED_BOX")
    }

    /// The corners of the boxes in world space, as a float32 array of shape (boxes, 8, 3).
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let corners: Vec<Vec3> = self.posed.boxes().flat_map(|one| one.obb().corners()).collect();
        array_of_points(py, &corners, &[corners.len() / 8, 8, 3])
    }

    /// The least and the greatest coordinates of all hitboxes, as a float32 array of shape (2, 3).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bounds = self.posed.bounds();
        array_of_points(py, &[bounds.min, bounds.max], &[2, 3])
    }

    /// Cast rays against the hitboxes. `origins` and `directions` have the shape (n, 3), in world space.
    ///
    /// Returns an array of the dtype `dtypes.RAY_HIT` with n entries. `entry` and `exit` are times: the point is
    /// `origin + entry * direction`. They are distances if directions have the length 1. `max_time` limits `entry`; None is no
    /// limit. A miss has `hit` False, `box` and `joint` -1, and NaN. `normal` is NaN if the ray starts inside the hitbox.
    #[pyo3(signature = (origins, directions, max_time=None))]
    fn cast_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        max_time: Option<f32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rays = rays(origins, directions, max_time)?;
        let records = py.detach(|| {
            let mut records = Records::default();
            for ray in &rays {
                add_ray_hit(records.record(), self.posed.cast_ray(ray, max_time).as_ref());
            }
            records
        });
        records.array(py, "RAY_HIT")
    }

    /// Cast rays against the skin, as `cast_rays` does against the hitboxes.
    ///
    /// Returns an array of the dtype `dtypes.SKIN_RAY_HIT`: the `point`, the interpolated `normal`, `front` (False if the ray
    /// comes from inside), the source `triangle` with `barycentric` weights, and the `texture_coordinate` if it was baked.
    /// Raises `SkinError` if the character was baked without its skin.
    #[pyo3(signature = (origins, directions, max_time=None))]
    fn exact_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        max_time: Option<f32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rays = rays(origins, directions, max_time)?;
        let records = py.detach(|| {
            let mut records = Records::default();
            self.with_skin(|posed| {
                rays.iter().try_for_each(|ray| {
                    let hit = posed.exact_ray(ray, max_time)?;
                    add_skin_ray_hit(records.record(), hit.as_ref());
                    Ok(())
                })
            })?;
            Ok(records)
        });
        records.map_err(|error| errors::of_skin(py, &error))?.array(py, "SKIN_RAY_HIT")
    }

    /// The posed skin in world space, as a float32 array of shape (triangles, 3, 3). Raises `SkinError`.
    #[getter]
    fn skin_triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let corners = py.detach(|| {
            let mut triangles = Vec::new();
            self.with_skin(|posed| posed.skin_triangles(&mut triangles))?;
            Ok(triangles.iter().flat_map(|triangle| triangle.corners).collect::<Vec<Vec3>>())
        });
        let corners = corners.map_err(|error| errors::of_skin(py, &error))?;
        array_of_points(py, &corners, &[corners.len() / 3, 3, 3])
    }

    fn __repr__(&self) -> String {
        format!("Pose({:?}, {} hitboxes)", self.character.name(), self.character.box_count())
    }
}

impl Pose {
    /// Answers an exact question. Several threads may ask: they wait for each other.
    pub(crate) fn with_skin<T>(
        &self,
        ask: impl FnOnce(&mut PosedCharacter) -> Result<T, runtime::SkinError>,
    ) -> Result<T, runtime::SkinError> {
        let mut exact = self.exact.lock().unwrap_or_else(PoisonError::into_inner);
        let posed = exact.get_or_insert_with(|| self.posed_with_skin());
        ask(posed)
    }

    /// A copy of the pose that keeps its skin.
    pub(crate) fn posed_with_skin(&self) -> PosedCharacter {
        let mut posed = PosedCharacter::new();
        posed.track_skin(true);
        // The same pose did not fail before. If the skin leaves the range, the exact question says that there is no pose.
        let _ = pose(&mut posed, &self.character, &self.arguments);
        posed
    }
}

fn pose(
    posed: &mut PosedCharacter,
    character: &Character,
    arguments: &PoseArguments,
) -> Result<(), runtime::PoseError> {
    match (arguments, arguments.recipe()) {
        (PoseArguments::World(matrices), _) => posed.pose_from_world(character, matrices),
        (_, Some(recipe)) => posed.pose(&mut ClipSampler::new(), character, recipe),
        (PoseArguments::Recipe(..), None) => Ok(()),
    }
}

/// Rays from origins and directions of shape (n, 3).
pub(crate) fn rays(
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    max_time: Option<f32>,
) -> PyResult<Vec<Ray>> {
    let (origins, directions) = (numbers::vectors("origins", origins)?, numbers::vectors("directions", directions)?);
    if origins.len() != directions.len() {
        return Err(PyValueError::new_err(format!(
            "there are {} origins and {} directions; pass one direction for each origin",
            origins.len(),
            directions.len()
        )));
    }
    if max_time.is_some_and(f32::is_nan) {
        return Err(PyValueError::new_err("max_time is NaN; pass a number, or None for no limit"));
    }
    let each = origins.into_iter().zip(directions).enumerate();
    each.map(|(index, (origin, direction))| {
        Ray::try_new(origin, direction).map_err(|error| PyValueError::new_err(format!("ray {index}: {error}")))
    })
    .collect()
}

/// The fields of a hit, without the body. A miss has the box and the joint -1 and NaN for its numbers.
pub(crate) fn add_ray_hit(record: &mut Records, hit: Option<&RayHit>) {
    record.bool(hit.is_some());
    match hit {
        Some(hit) => record
            .i32(hit.box_index.0.into())
            .i32(hit.joint.0.into())
            .f32(hit.entry)
            .f32(hit.exit)
            .vector(hit.normal.unwrap_or(Vec3::NAN)),
        None => record.i32(-1).i32(-1).floats([f32::NAN; 5]),
    };
}

/// The fields of a hit on the skin, without the body.
pub(crate) fn add_skin_ray_hit(record: &mut Records, hit: Option<&SkinRayHit>) {
    record.bool(hit.is_some());
    match hit {
        Some(hit) => record
            .i32(hit.joint.0.into())
            .f32(hit.time)
            .vector(hit.point)
            .vector(hit.shading_normal)
            .bool(hit.front)
            .i64(hit.source_triangle.into())
            .floats(hit.barycentric)
            .floats(hit.texture_coordinate.map_or([f32::NAN; 2], |coordinate| coordinate.to_array())),
        None => record.i32(-1).floats([f32::NAN; 7]).bool(false).i64(-1).floats([f32::NAN; 5]),
    };
}
