//! Options and settings of a bake, from Python's arguments.

use asset_bake::{RequestedSettings, SettingsFileChoice};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyString};
use std::path::PathBuf;

/// An asset: the path of its file, or its bytes.
pub(crate) enum AssetArgument {
    Path(PathBuf),
    Bytes(Vec<u8>),
}

impl AssetArgument {
    pub(crate) fn read(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyBytes>()
            || value.is_instance_of::<pyo3::types::PyByteArray>()
            || value.is_exact_instance_of::<pyo3::types::PyMemoryView>()
        {
            return Ok(Self::Bytes(value.py().import("builtins")?.call_method1("bytes", (value,))?.extract()?));
        }
        value.extract().map(Self::Path).map_err(|_| wrong_type(name, value, "a path (str or os.PathLike) or bytes"))
    }
}

/// The settings that apply.
pub(crate) enum SettingsArgument {
    /// The nearest `bonebox.toml`, as for the program.
    Nearest,
    None,
    File(PathBuf),
    /// The text of a `bonebox.toml`.
    Text(String),
}

impl SettingsArgument {
    /// Reads `settings` (`None`, `False` or a path) and `settings_text`.
    pub(crate) fn read(settings: Option<&Bound<'_, PyAny>>, text: Option<String>) -> PyResult<Self> {
        let expected = "None for the nearest bonebox.toml, False for no settings, or a path";
        match (settings, text) {
            (None, None) => Ok(Self::Nearest),
            (None, Some(text)) => Ok(Self::Text(text)),
            (Some(_), Some(_)) => {
                Err(PyTypeError::new_err("settings and settings_text exclude each other; pass one of them"))
            }
            (Some(settings), None) if settings.is_instance_of::<PyBool>() => match settings.extract()? {
                false => Ok(Self::None),
                true => Err(PyTypeError::new_err(format!("settings is True, expected {expected}"))),
            },
            (Some(settings), None) => {
                settings.extract().map(Self::File).map_err(|_| wrong_type("settings", settings, expected))
            }
        }
    }

    /// The request for an asset on disk; `None` for a text.
    pub(crate) fn requested(&self, options: &[(String, String)]) -> Option<RequestedSettings> {
        let file = match self {
            Self::Nearest => SettingsFileChoice::Nearest,
            Self::None => SettingsFileChoice::None,
            Self::File(path) => SettingsFileChoice::Path(path.clone()),
            Self::Text(_) => return None,
        };
        Some(RequestedSettings { options: options.to_vec(), file })
    }
}

/// The options as the program's arguments: `preset`, then the keyword arguments in their order.
pub(crate) fn options(preset: Option<String>, named: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let mut options: Vec<(String, String)> = preset.into_iter().map(|preset| ("preset".to_owned(), preset)).collect();
    for (key, value) in named.into_iter().flatten() {
        let key: String = key.extract()?;
        if !value.is_none() {
            let word = word(&key, &value)?;
            options.push((key, word));
        }
    }
    Ok(options)
}

/// The text of a value, as on the command line.
fn word(key: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let list = |value: &Bound<'_, PyAny>| value.extract::<Vec<String>>().map(|patterns| patterns.join(","));
    if value.is_instance_of::<PyString>() {
        value.extract()
    } else if value.is_instance_of::<PyBool>() {
        Ok(if value.extract()? { "true" } else { "false" }.to_owned())
    } else if let Ok(whole) = value.extract::<i64>() {
        Ok(whole.to_string())
    } else if let Ok(number) = value.extract::<f64>() {
        Ok(number.to_string())
    } else {
        list(value).map_err(|_| wrong_type(key, value, "a word, a number, or a list of patterns"))
    }
}

pub(crate) fn wrong_type(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let found = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} is a {found}, expected {expected}"))
}
