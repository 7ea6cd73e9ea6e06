//! The compiled part of the Python package `bonebox`. `python/bonebox/__init__.pyi` documents every item for its users.
//!
//! Arguments are checked in `numbers.rs` and `settings.rs`, and answers become arrays in `records.rs`. The other files
//! have a class or a few functions each. Arrays own their memory, and no class holds a reference to another Python object.
#![allow(missing_docs, reason = "nothing here is used from Rust")]

mod errors;
mod numbers;
mod records;
mod settings;

mod hitbox;
mod character;
mod observed;
mod baking;
mod edit;

mod pose;
mod pairs;
mod world;

mod program;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _bonebox {
    #[pymodule_export]
    use crate::baking::bake;
    #[pymodule_export]
    use crate::character::{Bake, BakeWarning, Clip, Coverage, Escape, load};
    #[pymodule_export]
    use crate::edit::{edit_settings, settings_files};
    #[pymodule_export]
    use crate::hitbox::Hitbox;
    #[pymodule_export]
    use crate::pairs::{Distance, contacts, distance, exact_distance, exact_overlaps, overlapping_boxes, overlaps};
    #[pymodule_export]
    use crate::pose::Pose;
    #[pymodule_export]
    use crate::program::{bake_options, run_program};
    #[pymodule_export]
    use crate::world::World;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
