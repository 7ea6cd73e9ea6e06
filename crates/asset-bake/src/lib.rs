#![doc = include_str!("../README.md")]
//!
//! # Main functions and types
//!
//! - [`find_assets`] finds the assets in folders, and [`AssetFinder`] does so again and again.
//! - [`RequestedSettings`] holds the options of a caller, and which `bonebox.toml` files apply to an asset.
//!   [`SettingsFiles`] reads the files once for many assets, and [`AssetSettings`] holds the settings of one asset.
//! - [`load_or_bake`] and [`CharacterFile`] load one character into memory, from an asset or from a baked file.
//! - [`bake_file`] and [`bake_bytes`] bake one character with progress, from a file or from bytes in memory.
//! - [`bake_assets`] bakes many assets in parallel and writes the outputs to disk. [`bake_each`] needs little memory for any
//!   number of them, and [`bake_inputs`] lists what they read. [`Workers`] bake in other processes, within limits of time and memory,
//!   and [`serve_bakes`] is what such a process calls.
//! - [`replace_file`] replaces a file atomically. [`copy_named_files`] copies the files that an asset names.
//!
//! This crate opens files; the crates that it depends on take only bytes. It reads no environment variable and prints
//! nothing.
#![forbid(unsafe_code)]

mod error;

mod place;
mod stamp;

mod asset;
mod find;
mod ignore_rules;
mod folder_resolver;
mod named_files;
mod printable_path;
mod target;

mod motions;

mod asset_settings;
mod bake_key;
mod known_joints;
mod open_files;
mod requested;
mod settings_file;
mod settings_files;
mod settings_text;
mod shard;
mod shared;

mod atomic_file;
mod outputs;
mod store;
mod store_place;

mod in_order;

mod bake_progress;
mod bake_request;
mod one_bake;
mod worker;
mod worker_messages;
mod worker_pool;
mod workers;

mod batch;
mod character_file;
mod in_process;
mod inputs;

mod build_folder;

pub use asset::Asset;
pub use asset_settings::AssetSettings;
pub use atomic_file::{folder_of, replace_file};
pub use bake_key::BakeKey;
pub use bake_progress::{AssetResult, BakeOutcome, BakeProgress, BakeStage};
pub use bake_request::BakeRequest;
pub use batch::{BakeRun, TargetKey, bake_assets, bake_each, bake_keys};
pub use build_folder::{BuildError, BuildInstructions, build_folder};
pub use character_file::{CharacterFile, load_or_bake};
pub use error::{AssetError, SettingsFileError};
pub use find::{
    ASSET_EXTENSIONS, AssetFinder, FoundAssets, character_name, find_assets, has_asset_extension, is_baked_file,
};
pub use folder_resolver::FolderResolver;
pub use ignore_rules::IGNORE_FILE;
pub use in_process::{bake_bytes, bake_file};
pub use inputs::{BakeInputs, bake_inputs};
pub use motions::retargeted;
pub use named_files::copy_named_files;
pub use outputs::{OutputPaths, added_clip};
pub use printable_path::{printable_path, shown_path};
pub use requested::{RequestedSettings, SETTINGS_FILE, SettingsFileChoice};
pub use settings_file::MotionPatterns;
pub use settings_files::SettingsFiles;
pub use settings_text::read_settings_text;
pub use shard::Shard;
pub use shared::SharedFigures;
pub use store::{Store, StoreContent, StoreUse};
pub use store_place::{StorePlace, StoredEntry};
pub use target::BakeTarget;
pub use worker::serve_bakes;
pub use workers::Workers;

/// The name of this version, which a bake writes into [`baked_format::Source::generator`].
pub const GENERATOR: &str = concat!("bonebox ", env!("CARGO_PKG_VERSION"));
