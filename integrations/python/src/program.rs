//! The command line, and the list of bake options.

use bone_fit::BakeOption;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::OsString;
use std::io::Write as _;

/// Run the program `bonebox` with these arguments, which begin with its name, and return its exit code.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = bonebox_cli::run(arguments);
        // Only Rust's own `main` does this at its end.
        let _ = std::io::stdout().flush();
        code
    })
}

/// The options of a bake, in the order of the program's help: key, values, default and help of each.
#[pyfunction]
pub(crate) fn bake_options(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let option = |row: &BakeOption| {
        let option = PyDict::new(py);
        option.set_item("key", row.key)?;
        option.set_item("section", row.section)?;
        option.set_item("values", row.kind.values())?;
        let words = match row.kind {
            bone_fit::OptionKind::Keywords(words) | bone_fit::OptionKind::KeywordsOrWhole(words, _) => words,
            _ => &[],
        };
        option.set_item("words", words.iter().map(|word| word.keyword).collect::<Vec<_>>())?;
        option.set_item("default", row.default_text())?;
        option.set_item("for_joints", row.for_joints)?;
        option.set_item("help", row.help())?;
        Ok(option)
    };
    BakeOption::ALL.iter().map(option).collect()
}
