//! Tests of the program and its library: files, outputs and messages.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod artists;
mod bake_output;
mod closed_output;
mod command_line;
mod duel;
mod export;
mod faults;
#[cfg(feature = "fbx")]
mod fbx;
mod file_names;
mod import_motion;
mod import_qc;
mod inspect;
mod library;
#[cfg(unix)]
mod live;
mod outputs;
mod program;
mod same_bytes;
mod settings;
mod settings_in_layers;
mod several_characters;
mod shared_hitboxes;
mod shipped_tags;
mod studio;
mod wire_round_trip;
