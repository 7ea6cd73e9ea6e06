//! One file or folder for each command: its arguments, its work and its output.

pub(crate) mod bake;
pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod draw;
pub(crate) mod duel;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod frames;
pub(crate) mod import;
pub(crate) mod import_motion;
pub(crate) mod init;
pub(crate) mod inspect;
pub(crate) mod key;
pub(crate) mod live;
pub(crate) mod man;
pub(crate) mod merge_reports;
pub(crate) mod perform;
pub(crate) mod skin_size;
pub(crate) mod settings;
pub(crate) mod store;
pub(crate) mod table;
