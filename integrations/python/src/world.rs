//! Many bodies.

use crate::character::Bake;
use crate::errors;
use crate::pairs::{add_contact, add_skin_overlap};
use crate::pose::{PoseArguments, add_ray_hit, add_skin_ray_hit, rays};
use crate::records::Records;
use pyo3::prelude::*;
use runtime::{BodyId, BodySettings, Character, CollisionLayers, HitboxWorld, QueryFilter, TouchPhase, WorldError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Many bodies: touches, events and rays.
///
/// In each tick, `pose` the bodies, call `update`, and read `touches` or `events`. Bodies have an id of your choice, a whole
/// number from 0 to 2**64 - 1. Threads may share a world; they wait for each other.
#[pyclass(frozen, module = "bonebox")]
pub(crate) struct World {
    /// Locked without the interpreter's lock, so that threads cannot wait for each other in a circle.
    world: Mutex<HitboxWorld>,
}

impl World {
    fn lock(&self) -> MutexGuard<'_, HitboxWorld> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut HitboxWorld) -> Result<(), WorldError> + Send,
    ) -> PyResult<()> {
        py.detach(|| change(&mut self.lock())).map_err(|error| errors::of_world(py, &error))
    }
}

#[pymethods]
impl World {
    #[new]
    fn new() -> Self {
        Self { world: Mutex::new(HitboxWorld::new()) }
    }

    /// Insert a body with a character. It has no hitboxes until it is posed.
    ///
    /// - `team`: bodies of one team do not touch each other.
    /// - `layers`, `mask`: bits. Two hitboxes touch if each is in a layer of the other's mask.
    /// - `self_touches`: the body's own hitboxes can touch each other.
    /// - `skin`: keep the skin, for exact questions.
    #[pyo3(signature = (body, bake, *, team=None, layers=u32::MAX, mask=u32::MAX, self_touches=false, skin=false))]
    fn insert(
        &self,
        py: Python<'_>,
        body: u64,
        bake: &Bound<'_, Bake>,
        team: Option<u32>,
        layers: u32,
        mask: u32,
        self_touches: bool,
        skin: bool,
    ) -> PyResult<()> {
        let character = Arc::clone(&bake.get().character);
        let layers = CollisionLayers { memberships: layers, mask };
        let settings = BodySettings { layers, team, self_touches, ..BodySettings::default() };
        self.change(py, |world| {
            world.insert(BodyId(body), character, settings)?;
            if skin {
                world.track_skin(BodyId(body), true)?;
            }
            Ok(())
        })
    }

    /// Remove a body. Its touches end with the next update. Raises `WorldError`.
    fn remove(&self, py: Python<'_>, body: u64) -> PyResult<()> {
        self.change(py, |world| world.remove(BodyId(body)).map(drop))
    }

    /// Pose a body, with the arguments of `Pose`.
    ///
    /// After a `PoseError` about matrices out of range, the body has no hitboxes until it is posed again. Other mistakes leave
    /// it as it was.
    #[pyo3(signature = (body, *, clip=None, seconds=0.0, repeat=false, model_from_joint=None, world_from_joint=None, world_from_model=None))]
    fn pose(
        &self,
        py: Python<'_>,
        body: u64,
        clip: Option<&Bound<'_, PyAny>>,
        seconds: f32,
        repeat: bool,
        model_from_joint: Option<&Bound<'_, PyAny>>,
        world_from_joint: Option<&Bound<'_, PyAny>>,
        world_from_model: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let id = BodyId(body);
        let character: Option<Arc<Character>> =
            py.detach(|| self.lock().body(id).map(|body| Arc::clone(body.character())));
        let character = character.ok_or_else(|| errors::of_world(py, &WorldError::NoBody(id)))?;
        let arguments = PoseArguments::read(
            &character,
            clip,
            seconds,
            repeat,
            model_from_joint,
            world_from_joint,
            world_from_model,
        )?;
        self.change(py, |world| match (&arguments, arguments.recipe()) {
            (PoseArguments::World(matrices), _) => world.pose_from_world(id, matrices),
            (_, Some(recipe)) => world.pose(id, recipe),
            (PoseArguments::Recipe(..), None) => Ok(()),
        })
    }

    /// Find the touches of the present poses, and return the events since the last update.
    fn update<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.detach(|| self.lock().update());
        self.events(py)
    }

    /// The ids of all bodies, sorted.
    #[getter]
    fn bodies(&self, py: Python<'_>) -> Vec<u64> {
        py.detach(|| self.lock().bodies().map(|body| body.id().0).collect())
    }

    /// The ids of the bodies without a pose, which no question finds.
    #[getter]
    fn unposed_bodies(&self, py: Python<'_>) -> Vec<u64> {
        py.detach(|| self.lock().unposed_bodies().map(|body| body.id().0).collect())
    }

    /// The events of the last update, as an array of the dtype `dtypes.EVENT`; `phase` is "started", "persisted" or "ended".
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let records = py.detach(|| {
            let mut records = Records::default();
            for event in self.lock().events() {
                let phase = match event.phase {
                    TouchPhase::Started => "started",
                    TouchPhase::Persisted => "persisted",
                    TouchPhase::Ended => "ended",
                };
                let record = records.record().text(phase, 9);
                record.u64(event.touch.body_a.0).u64(event.touch.body_b.0).pair(&event.touch.answer);
            }
            records
        });
        records.array(py, "EVENT")
    }

    /// The touches of the last update, as an array of the dtype `dtypes.TOUCH`, sorted by body, then by box.
    #[getter]
    fn touches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let records = py.detach(|| {
            let mut records = Records::default();
            for touch in self.lock().touches() {
                records.record().u64(touch.body_a.0).u64(touch.body_b.0).pair(&touch.answer);
            }
            records
        });
        records.array(py, "TOUCH")
    }

    /// The touches of the last update with depth, direction and point in the present poses, as an array of the dtype `dtypes.TOUCH_CONTACT`.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let records = py.detach(|| {
            let mut records = Records::default();
            let world = self.lock();
            for touch in world.touches() {
                // A body that was removed or has no pose since the update has no contact.
                if let Some(contact) = world.contact(touch) {
                    add_contact(records.record().u64(touch.body_a.0).u64(touch.body_b.0), &contact);
                }
            }
            records
        });
        records.array(py, "TOUCH_CONTACT")
    }

    /// The pairs of joints of different bodies whose skins share a point, as an array of the dtype `dtypes.SKIN_TOUCH`.
    fn exact_touches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let records = py.detach(|| {
            let (mut records, mut found) = (Records::default(), Vec::new());
            self.lock().exact_touches(&QueryFilter::default(), &mut found)?;
            for touch in &found {
                add_skin_overlap(records.record().u64(touch.body_a.0).u64(touch.body_b.0), &touch.answer);
            }
            Ok(records)
        });
        records.map_err(|error| errors::of_world(py, &error))?.array(py, "SKIN_TOUCH")
    }

    /// Cast rays against all bodies but those in `exclude`, as `Pose.cast_rays` does; the dtype is `dtypes.BODY_RAY_HIT`.
    #[pyo3(signature = (origins, directions, max_time=None, *, exclude=Vec::new()))]
    fn cast_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        max_time: Option<f32>,
        exclude: Vec<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rays, exclude) = (rays(origins, directions, max_time)?, ids(exclude));
        let records = py.detach(|| {
            let (world, mut records) = (self.lock(), Records::default());
            for ray in &rays {
                let hit = world.cast_ray(ray, max_time, &QueryFilter::excluding(&exclude));
                let record = records.record().u64(hit.as_ref().map_or(0, |hit| hit.body.0));
                add_ray_hit(record, hit.as_ref().map(|hit| &hit.answer));
            }
            records
        });
        records.array(py, "BODY_RAY_HIT")
    }

    /// Cast rays against the skins of all bodies but those in `exclude`; the dtype is `dtypes.BODY_SKIN_RAY_HIT`.
    #[pyo3(signature = (origins, directions, max_time=None, *, exclude=Vec::new()))]
    fn exact_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        max_time: Option<f32>,
        exclude: Vec<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rays, exclude) = (rays(origins, directions, max_time)?, ids(exclude));
        let records = py.detach(|| {
            let (mut world, mut records) = (self.lock(), Records::default());
            for ray in &rays {
                let hit = world.exact_ray(ray, max_time, &QueryFilter::excluding(&exclude))?;
                let record = records.record().u64(hit.as_ref().map_or(0, |hit| hit.body.0));
                add_skin_ray_hit(record, hit.as_ref().map(|hit| &hit.answer));
            }
            Ok(records)
        });
        records.map_err(|error| errors::of_world(py, &error))?.array(py, "BODY_SKIN_RAY_HIT")
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.lock().bodies().len())
    }

    fn __contains__(&self, py: Python<'_>, body: u64) -> bool {
        py.detach(|| self.lock().body(BodyId(body)).is_some())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("World({} bodies)", self.__len__(py))
    }
}

fn ids(exclude: Vec<u64>) -> Vec<BodyId> {
    exclude.into_iter().map(BodyId).collect()
}
