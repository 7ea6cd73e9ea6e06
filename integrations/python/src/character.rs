//! A baked character.

use crate::errors;
use crate::hitbox::{Hitbox, keyword};
use crate::numbers;
use crate::records::Records;
use crate::settings::AssetArgument;
use asset_bake::{Asset, OutputPaths};
use baked_format::BakedCharacter;
use bone_fit::{BakeOptions, Figures};
use glam::Affine3A;
use gltf_export::{CapsulePolicy, ExportForm};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use runtime::{Character, ClipSampler};
use skinned_model::SkinnedModel;
use std::path::PathBuf;
use std::sync::Arc;

/// What a bake was made from; a loaded file has nothing of it.
pub(crate) struct Origin {
    /// The model with all clips.
    pub(crate) model: SkinnedModel,
    /// The bytes of the asset's file, without buffers in other files.
    pub(crate) bytes: Vec<u8>,
    pub(crate) options: BakeOptions,
    /// In model units.
    pub(crate) height: f64,
    pub(crate) warnings: Vec<baked_format::BakeWarning>,
    pub(crate) broken_limits: Vec<String>,
    /// The settings file that applied, or where a new one would be.
    pub(crate) settings_path: Option<PathBuf>,
}

/// A baked character: hitboxes, skeleton, clips and figures. `bake` and `load` make it.
///
/// It never changes, and threads may share it. Arrays own their memory. It can be pickled; the copy is like one that
/// `load` made.
#[pyclass(frozen, module = "bonebox")]
pub(crate) struct Bake {
    pub(crate) character: Arc<Character>,
    origin: Option<Origin>,
}

/// A clip of a character: its name, and its first and last time in seconds on its own clock.
#[pyclass(frozen, get_all, module = "bonebox")]
pub(crate) struct Clip {
    name: String,
    start: f32,
    end: f32,
}

#[pymethods]
impl Clip {
    /// The length of the clip in seconds.
    #[getter]
    fn seconds(&self) -> f32 {
        self.end - self.start
    }

    fn __repr__(&self) -> String {
        format!("Clip(name={:?}, start={}, end={})", self.name, self.start, self.end)
    }
}

/// A warning of a bake: its code, the joint that it is about or None, and its text with the cure.
#[pyclass(frozen, get_all, module = "bonebox")]
pub(crate) struct BakeWarning {
    code: String,
    joint: Option<String>,
    text: String,
}

#[pymethods]
impl BakeWarning {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("BakeWarning(code={:?}, joint={:?}, text={:?})", self.code, self.joint, self.text)
    }
}

/// Shares of the skin's surface inside hitboxes, 0 to 1: at `rest`, and as an average over poses of all `clips` (None
/// without clips, or if they were not measured). `own_rest` and `own_clips` count only hitboxes of the skin's own joint.
///
/// `largest_escape` is the largest distance of the skin from the hitboxes, as a share of the character's height; None if
/// clips were not measured. It is a lower bound if `largest_escape_is_at_least` is true.
#[pyclass(frozen, get_all, module = "bonebox")]
pub(crate) struct Coverage {
    rest: f64,
    clips: Option<f64>,
    own_rest: f64,
    own_clips: Option<f64>,
    largest_escape: Option<f64>,
    largest_escape_is_at_least: bool,
}

#[pymethods]
impl Coverage {
    fn __repr__(&self) -> String {
        let number = |number: Option<f64>| number.map_or("None".to_owned(), |number| format!("{number:.6}"));
        format!(
            "Coverage(rest={:.6}, clips={}, largest_escape={})",
            self.rest,
            number(self.clips),
            number(self.largest_escape)
        )
    }
}

/// The farthest escape of the skin of one joint: the joint, the clip and its time in seconds (clip None is the rest pose),
/// the distance to the nearest hitbox in the asset's unit (meters in glTF) and as a share of the character's height, and
/// the point of the skin in model space.
///
/// `outside` is the average share of the joint's surface outside all hitboxes, 0 to 1.
#[pyclass(frozen, get_all, module = "bonebox")]
pub(crate) struct Escape {
    joint: String,
    clip: Option<String>,
    seconds: f32,
    distance: f64,
    share_of_height: f64,
    outside: f64,
    point: (f64, f64, f64),
}

#[pymethods]
impl Escape {
    fn __repr__(&self) -> String {
        let clip = self.clip.as_deref().unwrap_or("the rest pose");
        format!(
            "Escape(joint={:?}, distance={:.6}, clip={clip:?}, seconds={:.3})",
            self.joint, self.distance, self.seconds
        )
    }
}

impl Bake {
    pub(crate) fn new(character: BakedCharacter, origin: Option<Origin>) -> Self {
        Self { character: Arc::new(Character::from_baked(character)), origin }
    }

    pub(crate) fn baked(&self) -> &BakedCharacter {
        self.character.baked()
    }

    /// Writes the two files of the bake.
    pub(crate) fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let outputs = OutputPaths::of_binary(path);
        py.detach(|| outputs.write(self.baked())).map_err(|error| errors::of_bake(py, &error))
    }

    fn told(&self) -> &[baked_format::BakeWarning] {
        self.origin.as_ref().map_or(&self.baked().warnings, |origin| &origin.warnings)
    }

    /// The bytes of the asset for an export, and an error if it is not the asset of this bake.
    fn source(&self, py: Python<'_>, form: ExportForm, model: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<u8>> {
        if !form.is_gltf() {
            return Ok(Vec::new());
        }
        let Some(model) = model else {
            return match &self.origin {
                Some(origin) => Ok(origin.bytes.clone()),
                None => Err(errors::plain(
                    py,
                    "ExportError",
                    &format!(
                        "the form {:?} is added to the asset, which a loaded .bonebox file does not contain; \
                         pass model={:?} or its bytes",
                        form.keyword(),
                        self.baked().source.file
                    ),
                )),
            };
        };
        let (bytes, blake3) = match AssetArgument::read("model", model)? {
            AssetArgument::Path(path) => {
                let asset = Asset::open(&path).map_err(|error| errors::of_bake(py, &error))?;
                let (_, blake3) = asset.import().map_err(|error| errors::of_bake(py, &error))?;
                let gltf = asset.gltf().map_err(|error| errors::of_bake(py, &error))?;
                (gltf.into_owned(), blake3)
            }
            AssetArgument::Bytes(bytes) => {
                let blake3 = *blake3::hash(&bytes).as_bytes();
                let gltf = skinned_model::gltf_bytes(&bytes).map_err(|error| errors::of_bake(py, &error.into()))?;
                (gltf.into_owned(), blake3)
            }
        };
        if blake3 != self.baked().source.blake3 {
            let message =
                format!("the model differs from the asset that {:?} was baked from; bake the asset again", self.name());
            return Err(errors::plain(py, "ExportError", &message));
        }
        Ok(bytes)
    }
}

#[pymethods]
impl Bake {
    /// The name of the character: its file name without the extension.
    #[getter]
    fn name(&self) -> &str {
        self.character.name()
    }

    /// The names of all joints. Parents come before children. Indices of joints are indices of this list.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.baked().skeleton.joints().iter().map(|joint| joint.name.as_str()).collect()
    }

    /// For each joint, the index of its parent, or None.
    #[getter]
    fn parents(&self) -> Vec<Option<u16>> {
        self.baked().skeleton.joints().iter().map(|joint| joint.parent.map(|parent| parent.0)).collect()
    }

    /// The clips.
    #[getter]
    fn clips(&self) -> Vec<Clip> {
        let clip = |clip: &skeleton::Clip| Clip { name: clip.name.clone(), start: clip.start(), end: clip.end() };
        self.baked().clips.iter().map(clip).collect()
    }

    /// The hitboxes, as an array of the dtype `dtypes.BOX`.
    ///
    /// The fields are `joint` (an index into `joints`), `shape` ("box", "capsule", "sphere" or "hull"), `role`, and in joint
    /// space `center` and `half_extents` (the joint's unit), and `orientation` (a unit quaternion x, y, z, w that turns the
    /// box's axes into joint space). A capsule lies along axis 1, and its half extents are radius, half length with caps, radius.
    #[getter]
    fn boxes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut records = Records::default();
        for one in &self.baked().boxes {
            let record = records.record().u16(one.joint.0).text(one.shape.keyword(), 7).text(one.role.keyword(), 6);
            record.vector(one.center).vector(one.half_extents).rotation(one.orientation);
        }
        records.array(py, "BOX")
    }

    /// The hitboxes as objects, in the order of `boxes`.
    #[getter]
    fn hitboxes(&self) -> Vec<Hitbox> {
        self.character.hitboxes().map(|one| Hitbox::of_baked(one.joint_name, one.baked)).collect()
    }

    /// The measured coverage; None if the bake measured nothing.
    #[getter]
    fn coverage(&self) -> Option<Coverage> {
        let figures = Figures::of_bake(self.baked());
        Some(Coverage {
            rest: figures.coverage_rest?,
            clips: figures.coverage_clips,
            own_rest: figures.own_coverage_rest?,
            own_clips: figures.own_coverage_clips,
            largest_escape: figures.largest_escape,
            largest_escape_is_at_least: figures.escape_is_at_least,
        })
    }

    /// The volume of all hitboxes at rest, in the asset's unit cubed (cubic meters in glTF).
    #[getter]
    fn volume(&self) -> f64 {
        Figures::of_bake(self.baked()).volume
    }

    /// `volume` divided by that of the tightest boxes for the same points; None if they have no volume.
    #[getter]
    fn volume_ratio(&self) -> Option<f64> {
        Figures::of_bake(self.baked()).volume_ratio
    }

    /// The height of the character at rest, in the asset's unit; None for a loaded file.
    #[getter]
    fn height(&self) -> Option<f64> {
        self.origin.as_ref().map(|origin| origin.height)
    }

    /// The options that the bake records, as the program writes them.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        self.baked().options.iter().try_for_each(|(key, value)| options.set_item(key, value))?;
        Ok(options)
    }

    /// The warnings. A bake also has those that are not written into its file, such as a line of bonebox.toml.
    #[getter]
    fn warnings(&self) -> Vec<BakeWarning> {
        let warning = |warning: &baked_format::BakeWarning| BakeWarning {
            code: warning.code.clone(),
            joint: warning.joint.clone(),
            text: warning.text.clone(),
        };
        self.told().iter().map(warning).collect()
    }

    /// One sentence for each limit of bonebox.toml that the bake broke. A loaded file has none.
    #[getter]
    pub(crate) fn broken_limits(&self) -> Vec<String> {
        self.origin.as_ref().map(|origin| origin.broken_limits.clone()).unwrap_or_default()
    }

    /// The bonebox.toml that applied to the bake, or where a new one would apply; None for bytes and loaded files.
    #[getter]
    fn settings_path(&self) -> Option<PathBuf> {
        self.origin.as_ref()?.settings_path.clone()
    }

    /// True if exact questions have answers: the character was baked with `skin="lossless"` or `"compact"`.
    #[getter]
    fn has_skin(&self) -> bool {
        self.character.has_skin()
    }

    /// The farthest escape of the skin of each joint that has skin outside all hitboxes, the farthest one first.
    ///
    /// Needs a bake, not a loaded file, and measures every sample time of every clip. The list is empty with `poses = any`,
    /// where the run time fits the hitboxes to each pose.
    fn escapes(&self, py: Python<'_>) -> PyResult<Vec<Escape>> {
        let Some(origin) = &self.origin else {
            let message = "a loaded .bonebox file has no surface, so its escapes cannot be measured; bake the asset, \
                           or read Bake.coverage.largest_escape";
            return Err(errors::plain(py, "Error", message));
        };
        if !self.baked().envelopes.is_empty() {
            return Ok(Vec::new());
        }
        let found = py.detach(|| bone_fit::escapes_by_joint(&origin.model, &self.baked().boxes, &origin.options));
        let escape = |found: bone_fit::JointEscape| Escape {
            joint: self.character.joint_name(found.joint).to_owned(),
            clip: found.at.clip.map(|clip| origin.model.clips[clip.index()].name.clone()),
            seconds: found.at.time,
            distance: found.distance * origin.height,
            share_of_height: found.distance,
            outside: found.outside,
            point: found.point.into(),
        };
        Ok(found.into_iter().map(escape).collect())
    }

    /// The matrices `model_from_joint` of a clip at a time, or of the rest pose, as a float32 array of shape (joints, 4, 4).
    ///
    /// They are for column vectors: the translation is in `[:, :3, 3]`. `seconds` is on the clip's own clock.
    #[pyo3(signature = (clip=None, seconds=0.0))]
    fn joint_matrices<'py>(
        &self,
        py: Python<'py>,
        clip: Option<&Bound<'_, PyAny>>,
        seconds: f32,
    ) -> PyResult<Bound<'py, PyAny>> {
        let matrices: Vec<Affine3A> = match clip {
            None => self.baked().skeleton.rest_matrices(),
            Some(clip) => {
                let clip = crate::pose::find_clip(&self.character, clip)?;
                crate::pose::check_seconds(seconds)?;
                let mut sampler = ClipSampler::new();
                sampler.sample(&self.character, clip, seconds).map_err(|error| errors::of_pose(py, &error))?.to_vec()
            }
        };
        numbers::array_of_matrices(py, &matrices)
    }

    /// Write NAME.bonebox, and NAME.bonebox.json beside it, as the program does. Existing files are replaced.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        if !asset_bake::is_baked_file(&path) {
            let message = format!("{} does not end with .bonebox; name the file NAME.bonebox", path.display());
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
        self.write(py, path)
    }

    /// The bytes of the .bonebox file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = baked_format::write(self.baked());
        Ok(PyBytes::new(py, &bytes.map_err(|error| errors::of_bake(py, &error.into()))?))
    }

    /// The text of the .bonebox.json file.
    fn to_json(&self) -> String {
        baked_format::to_json(self.baked())
    }

    /// The content of the .bonebox.json file.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.to_json(),))
    }

    /// The bytes of an export, in one of the forms of `bonebox export`.
    ///
    /// "omi", "khr", "vrm", "wire", "omi-ragdoll" and "khr-ragdoll" are glTF: the asset with what the form adds. A loaded file
    /// needs the asset as `model`, a path or bytes. "json", "ron", "mjcf", "urdf", "ragdoll" and "usda" are texts. `capsule`
    /// is the size of the capsules of "vrm". Warns with `ExportWarning`, and raises `ExportError`.
    #[pyo3(signature = (form, *, model=None, capsule="equal-volume"))]
    fn export<'py>(
        &self,
        py: Python<'py>,
        form: &str,
        model: Option<&Bound<'_, PyAny>>,
        capsule: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let form = keyword("form", form, &ExportForm::ALL, ExportForm::keyword)?;
        let policies = [CapsulePolicy::Inscribed, CapsulePolicy::EqualVolume, CapsulePolicy::Enclosing];
        let capsule = keyword("capsule", capsule, &policies, |policy| match policy {
            CapsulePolicy::Inscribed => "inscribed",
            CapsulePolicy::EqualVolume => "equal-volume",
            CapsulePolicy::Enclosing => "enclosing",
        })?;
        let source = self.source(py, form, model)?;
        let export = py.detach(|| gltf_export::export(self.baked(), &source, form, capsule));
        let export = export.map_err(|error| errors::plain(py, "ExportError", &error.to_string()))?;
        let category = py.import("bonebox._errors")?.getattr("ExportWarning")?;
        for warning in &export.warnings {
            py.import("warnings")?.call_method1("warn", (warning, &category))?;
        }
        Ok(PyBytes::new(py, &export.bytes))
    }

    fn __repr__(&self) -> String {
        let baked = self.baked();
        let (joints, boxes, clips) = (baked.skeleton.len(), baked.boxes.len(), baked.clips.len());
        format!("Bake({:?}, {joints} joints, {boxes} hitboxes, {clips} clips)", self.name())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        Ok((py.import("bonebox")?.getattr("load")?, (slf.get().to_bytes(py)?,)))
    }
}

/// Read a character that was baked before: the path of a .bonebox file, or its bytes.
///
/// Raises `MissingFileError`, and `LoadError` if the bytes are no such file.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Bake> {
    let (path, bytes) = match AssetArgument::read("source", source)? {
        AssetArgument::Bytes(bytes) => (None, bytes),
        AssetArgument::Path(path) => {
            if path.is_dir() {
                return Err(PyTypeError::new_err(format!("{} is a folder, expected a .bonebox file", path.display())));
            }
            let bytes = py.detach(|| std::fs::read(&path));
            let bytes = bytes.map_err(|error| errors::of_file(py, "read", &path, &error))?;
            (Some(path), bytes)
        }
    };
    let character = py.detach(|| baked_format::read(&bytes));
    character.map(|character| Bake::new(character, None)).map_err(|error| errors::of_read(py, path.as_deref(), &error))
}
