//! Exceptions of the package `bonebox`, which `python/bonebox/_errors.py` defines.

use asset_bake::{AssetError, SettingsFileError};
use bake_settings::{EditError, SettingsError};
use baked_format::ReadError;
use bone_fit::{BakeError, OptionError, OverrideError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use runtime::{PoseError, SkinError, WorldError};
use std::io;
use std::path::Path;

/// Makes an exception of the module `bonebox._errors`. `attributes` are keyword arguments of its class.
pub(crate) fn exception(py: Python<'_>, class: &str, message: &str, attributes: &Bound<'_, PyDict>) -> PyErr {
    let made = py
        .import("bonebox._errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call((message,), Some(attributes)));
    match made {
        Ok(made) => PyErr::from_value(made),
        Err(error) => error,
    }
}

/// An exception without attributes.
pub(crate) fn plain(py: Python<'_>, class: &str, message: &str) -> PyErr {
    exception(py, class, message, &PyDict::new(py))
}

/// The facts of an error that a program may need, from an error and its causes.
#[derive(Default)]
struct Facts {
    path: Option<String>,
    option: Option<String>,
    joint: Option<String>,
    nearest: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    is_canceled: bool,
    file: Option<io::ErrorKind>,
    /// The cure in Python, if the message has only that of the program.
    cure: Option<String>,
}

impl Facts {
    fn add_asset_error(&mut self, error: &AssetError) {
        match error {
            AssetError::Asset { path, source } => {
                self.path.get_or_insert(path.display().to_string());
                self.add_asset_error(source);
            }
            AssetError::Shared { source, .. } => self.add_asset_error(source),
            AssetError::File { path, source, .. } => {
                self.path = Some(path.display().to_string());
                self.file = Some(source.kind());
            }
            AssetError::NotFound => self.file = Some(io::ErrorKind::NotFound),
            AssetError::SettingsFile { file, source } => {
                self.path = Some(file.clone());
                if let SettingsFileError::File(error) = source {
                    self.file = Some(error.kind());
                }
            }
            AssetError::Settings { file, problem } => {
                self.path = Some(file.clone());
                self.add_place(problem);
            }
            AssetError::SeveralCharacters { roots } => {
                self.cure = roots.first().map(|root| format!("in Python, pass character={root:?} or another root"));
            }
            AssetError::Option(error) => self.add_option_error(error),
            AssetError::Bake(error) => self.add_bake_error(error),
            _ => {}
        }
    }

    fn add_place(&mut self, problem: &SettingsError) {
        (self.line, self.column) = (Some(problem.line), Some(problem.column));
    }

    fn add_option_error(&mut self, error: &OptionError) {
        let (option, nearest) = match error {
            OptionError::InvalidValue { key, nearest, .. } => ((*key).to_owned(), nearest),
            OptionError::UnknownKey { key, nearest } => (key.clone(), nearest),
            _ => return,
        };
        (self.option, self.nearest) = (Some(option), nearest.map(str::to_owned));
    }

    fn add_bake_error(&mut self, error: &BakeError) {
        match error {
            BakeError::Canceled => self.is_canceled = true,
            BakeError::Override(OverrideError::JointOption { joint, source }) => {
                self.joint = Some(joint.clone());
                self.add_option_error(source);
            }
            BakeError::Override(OverrideError::PartOption { source, .. }) => self.add_option_error(source),
            BakeError::Override(OverrideError::UnknownJoint { name, nearest }) => {
                (self.joint, self.nearest) = (Some(name.clone()), nearest.clone());
            }
            BakeError::Override(OverrideError::ManualBox { joint, .. })
            | BakeError::AnyPoseOfJoint { joint }
            | BakeError::Hull { joint, .. }
            | BakeError::OutOfRange { joint, .. } => self.joint = Some(joint.clone()),
            BakeError::ShapeInAnyPose { joint, .. } => self.joint.clone_from(joint),
            _ => {}
        }
    }

    fn class(&self, other: &'static str) -> &'static str {
        match self.file {
            Some(io::ErrorKind::NotFound) => "MissingFileError",
            Some(_) => "FileError",
            None if self.is_canceled => "Canceled",
            None => other,
        }
    }

    fn raise(&self, py: Python<'_>, other: &'static str, message: &str) -> PyErr {
        let class = self.class(other);
        let attributes = PyDict::new(py);
        let set = || -> PyResult<()> {
            attributes.set_item("path", &self.path)?;
            if self.file.is_none() {
                attributes.set_item("line", self.line)?;
                attributes.set_item("column", self.column)?;
                attributes.set_item("option", &self.option)?;
                attributes.set_item("joint", &self.joint)?;
                attributes.set_item("nearest", &self.nearest)?;
            }
            Ok(())
        };
        match set() {
            Ok(()) => exception(py, class, message, &attributes),
            Err(error) => error,
        }
    }
}

/// The exception of a bake.
pub(crate) fn of_bake(py: Python<'_>, error: &AssetError) -> PyErr {
    let mut facts = Facts::default();
    facts.add_asset_error(error);
    let cure = facts.cure.as_ref().map(|cure| format!("; {cure}")).unwrap_or_default();
    facts.raise(py, "BakeError", &format!("{}{cure}", error.with_causes()))
}

/// The exception of a file that cannot be read or written.
pub(crate) fn of_file(py: Python<'_>, action: &str, path: &Path, error: &io::Error) -> PyErr {
    let facts = Facts { path: Some(path.display().to_string()), file: Some(error.kind()), ..Facts::default() };
    let advice = if error.kind() == io::ErrorKind::NotFound { "; check the path" } else { "" };
    let message = format!("cannot {action} {}: {error}{advice}", asset_bake::printable_path(path));
    facts.raise(py, "FileError", &message)
}

/// The exception of an edit of a settings file. `place` is its path, or a word for a text in memory.
pub(crate) fn of_edit(py: Python<'_>, place: &str, error: &EditError) -> PyErr {
    let mut facts = Facts { path: Some(place.to_owned()), ..Facts::default() };
    let message = match error {
        EditError::Wrong(problem) => {
            facts.add_place(problem);
            format!("{place}:{problem}")
        }
        other => format!("{place}: {other}"),
    };
    facts.raise(py, "SettingsError", &message)
}

/// The exception of a `.bonebox` file that cannot be read.
pub(crate) fn of_read(py: Python<'_>, path: Option<&Path>, error: &ReadError) -> PyErr {
    let attributes = PyDict::new(py);
    let is_asset = path.is_some_and(asset_bake::has_asset_extension)
        || matches!(error, ReadError::NotBonebox { found } if found.starts_with(b"glTF"));
    let path = path.map(asset_bake::printable_path);
    if let Err(error) = attributes.set_item("path", &path) {
        return error;
    }
    let cure = if is_asset { "; an asset is baked with bonebox.bake" } else { "" };
    let message = match &path {
        Some(path) => format!("{path}: {error}{cure}"),
        None => format!("{error}{cure}"),
    };
    exception(py, "LoadError", &message, &attributes)
}

pub(crate) fn of_pose(py: Python<'_>, error: &PoseError) -> PyErr {
    plain(py, "PoseError", &error.to_string())
}

pub(crate) fn of_skin(py: Python<'_>, error: &SkinError) -> PyErr {
    plain(py, "SkinError", &error.to_string())
}

pub(crate) fn of_world(py: Python<'_>, error: &WorldError) -> PyErr {
    let class = match error {
        WorldError::Pose { .. } => "PoseError",
        WorldError::Skin { .. } => "SkinError",
        _ => "WorldError",
    };
    let message = match error {
        WorldError::Skin { id, error: SkinError::NotTracked { character } } => {
            format!("body {id}: {character:?} does not keep its skin; insert the body with skin=True")
        }
        other => other.to_string(),
    };
    plain(py, class, &message)
}
