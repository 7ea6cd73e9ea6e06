//! The errors of a bake, for one asset or a whole run.

use crate::printable_path;
use bake_settings::{ClipExtrasError, SettingsError};
use bone_fit::{AttackError, BakeError, OptionError};
use gltf_export::ExportError;
use skinned_model::{ImportError, ResolveError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The reason why assets could not be found, read, baked or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AssetError {
    /// The operating system refused an action on a file. The action is a verb such as `read` or `list`.
    #[error("cannot {action} {}", printable_path(path))]
    File {
        /// The action as a verb.
        action: &'static str,
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A path that the caller gave does not exist. This error does not have the path; the [`AssetError::Asset`] or the
    /// [`AssetResult`](crate::AssetResult) that contains the error has it.
    #[error("this file or folder does not exist; check the path")]
    NotFound,
    /// A file of rules that leave out files has a mistake.
    #[error("{}: {problem}; its lines are patterns as in a .gitignore", printable_path(path))]
    IgnoreFile {
        /// The path of the file.
        path: PathBuf,
        /// The mistake, with its line.
        problem: String,
    },
    /// Another program wrote the file while it was being read. Bake again when the file is complete.
    #[error("{} changed while it was read; bake again when the file is complete", printable_path(path))]
    ChangedWhileRead {
        /// The path of the asset or of one of its buffers.
        path: PathBuf,
    },
    /// A baked file is named in place of an asset.
    #[error(
        "this is a baked file, expected an asset (.glb, .gltf, .vrm or .fbx); name the asset that it was baked from: {source_file:?}"
    )]
    BakedInPlaceOfAsset {
        /// The file name of the asset that the file was baked from.
        source_file: String,
    },
    /// The JSON of a bake is named in place of an asset or a baked file.
    #[error(
        "this is the JSON of a bake, which bonebox writes but does not read; name the baked file {binary:?}, or the asset \
         that it was baked from"
    )]
    BakedJson {
        /// The file name of the baked file beside it.
        binary: String,
    },
    /// The asset is not a skinned model that can be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The asset has several characters, and nothing says whether each gets a file of its own.
    #[error(
        "the file has {} characters, with the roots {}; bake each to a file of its own with `bonebox bake --split` (or with \
         `split = true` in bonebox.toml), or write `split = false` into bonebox.toml if they are one character",
        roots.len(),
        quoted_list(roots)
    )]
    SeveralCharacters {
        /// The names of the roots.
        roots: Vec<String>,
    },
    /// The settings file cannot be read.
    #[error("cannot read {file}")]
    SettingsFile {
        /// The settings file, relative to the working folder if possible.
        file: String,
        /// The reason why the file cannot be read.
        source: SettingsFileError,
    },
    /// The settings file contains a mistake.
    #[error("{file}:{problem}")]
    Settings {
        /// The settings file, relative to the working folder if possible.
        file: String,
        /// The mistake, with its line and column.
        problem: SettingsError,
    },
    /// The `extras` of an animation contain a mistake.
    #[error(transparent)]
    ClipExtras(#[from] ClipExtrasError),
    /// An attack or a state in the `extras` of an animation does not fit the character.
    #[error("extras.bonebox of an animation: {0}")]
    AttackOfAsset(AttackError),
    /// A requested option does not exist, or does not have such a value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A pattern of the request matches no joint of any asset of the run.
    #[error("{0}")]
    Pattern(String),
    /// The bake took longer than the request allows.
    #[error(
        "the bake took more than {} s, so it was stopped; no file was written. Allow more time, or make it faster with a lower `budget` or \
         `rate`, or with `measure = \"rest\"`",
        most.as_secs_f64()
    )]
    TooSlow {
        /// The longest time that the request allows.
        most: Duration,
    },
    /// The bake needs more memory than the request allows.
    #[error(
        "the bake needs more than {} MB of memory, so it was stopped; no file was written. Allow more memory, or look at the file: its \
         skin or its clips may be larger than a game needs",
        *most as f64 / 1e6
    )]
    TooMuchMemory {
        /// The most bytes that the request allows.
        most: u64,
    },
    /// The process that baked the character ended, which is a defect of bonebox, or another program ended it.
    #[error("the process that baked it ended without a result ({how}); no file was written")]
    WorkerEnded {
        /// The status of the process, and the first line that it printed to standard error.
        how: String,
    },
    /// A process that bakes cannot be started, or its messages cannot be read or written.
    #[error("a process that bakes cannot be reached")]
    WorkerPipe {
        /// The error of the operating system.
        source: io::Error,
    },
    /// The error of a bake in another process, with its causes.
    #[error("{0}")]
    InWorker(String),
    /// The hitboxes that several characters share cannot be made.
    #[error("the shared hitboxes {set:?} cannot be made")]
    Shared {
        /// The name of the set.
        set: String,
        /// The error of the set or of one of its characters.
        source: Arc<AssetError>,
    },
    /// A recording cannot be read.
    #[error("{0}")]
    Recording(String),
    /// The model cannot be baked.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// The bake cannot be written in the baked format.
    #[error(transparent)]
    Write(#[from] baked_format::WriteError),
    /// A `.bonebox` file cannot be read.
    #[error(transparent)]
    Read(#[from] baked_format::ReadError),
    /// An output does not exist, in a run with `check`.
    #[error("{} does not exist; bake once without a check, and commit the file", printable_path(path))]
    OutputMissing {
        /// The path of the output.
        path: PathBuf,
    },
    /// An output differs from a fresh bake, in a run with `check`.
    #[error(
        "{} differs from a fresh bake of its source{}; bake again and commit the file",
        printable_path(path),
        if differences.is_empty() { String::new() } else { format!(": {}", differences.join("; ")) }
    )]
    OutputDiffers {
        /// The path of the output.
        path: PathBuf,
        /// One text for each known cause: another program, other algorithms, a changed source, or an option with another
        /// value.
        differences: Vec<String>,
    },
    /// An output differs from a fresh bake only in its line endings, in a run with `check`.
    #[error(
        "{} differs from a fresh bake only in its line endings; if Git changed them, write `*.bonebox.json -text` into \
         .gitattributes and check the file out again",
        printable_path(path)
    )]
    LineEndingsDiffer {
        /// The path of the output.
        path: PathBuf,
    },
    /// Two characters of a run have the same output. None of them is baked.
    #[error(
        "{} would write the same {}; no file was written; rename one of the two, or bake them into different folders with -o",
        other,
        printable_path(output)
    )]
    SameOutput {
        /// The other asset, or the character in it, for messages.
        other: String,
        /// The path of the output.
        output: PathBuf,
    },
    /// A file that an asset names cannot be copied to the folder of an export.
    #[error(
        "an export in another folder needs a copy of each file that the asset names, but one cannot be copied: {problem}; \
         an export in the asset's own folder needs no copies"
    )]
    NotCopied {
        /// The reason why the file cannot be copied. It is part of the message, so it is no source of the error.
        problem: ResolveError,
    },
    /// The folder of an export has another file in the place of a file that the asset names.
    #[error(
        "{} exists and differs from {}, which the export needs a copy of; write the export to another folder with -o, or \
         overwrite the file with --force",
        printable_path(target),
        printable_path(source_file)
    )]
    OtherFile {
        /// The path of the file in the folder of the export.
        target: PathBuf,
        /// The path of the file that the asset names.
        source_file: PathBuf,
    },
    /// The files that an asset names cannot be listed.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// An output has a clip that is not in the asset, so a bake would remove the clip.
    #[error(
        "{} has the clip {clip:?}, which `bonebox import-motion` added and which this bake would remove; no file was \
         written; bake into another folder with -o, or remove the clip with --force",
        printable_path(output)
    )]
    AddedClip {
        /// The path of the output.
        output: PathBuf,
        /// The name of the clip.
        clip: String,
    },
    /// An error of one asset. The message begins with the asset's path.
    #[error("{}", printable_path(path))]
    Asset {
        /// The path of the asset.
        path: PathBuf,
        /// The error of the asset.
        source: Box<AssetError>,
    },
}

/// The reason why a settings file cannot be read as text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsFileError {
    /// The file system refused.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The file is not UTF-8.
    #[error("line {line} is not UTF-8; save the file as UTF-8")]
    NotUtf8 {
        /// The first line that is not UTF-8, counted from 1.
        line: usize,
    },
}

/// The names in quotes, with commas, and only the number of the rest if there are many.
fn quoted_list(names: &[String]) -> String {
    const MOST_NAMED: usize = 8;
    let short = |name: &String| format!("{:?}", name.chars().take(60).collect::<String>());
    let mut shown: Vec<String> = names.iter().take(MOST_NAMED).map(short).collect();
    if names.len() > MOST_NAMED {
        shown.push(format!("{} more", names.len() - MOST_NAMED));
    }
    shown.join(", ")
}

impl AssetError {
    /// The message followed by the messages of its causes, separated by colons.
    #[must_use]
    pub fn with_causes(&self) -> String {
        let causes = std::iter::successors(std::error::Error::source(self), |cause| cause.source());
        causes.fold(self.to_string(), |text, cause| format!("{text}: {cause}"))
    }

    /// Makes an error from an error of the file system, for `map_err`.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { action, path: path.to_owned(), source }
    }

    /// Adds the asset's path to an error without a path, for `map_err`.
    pub(crate) fn of_asset<E: Into<Self>>(path: &Path) -> impl FnOnce(E) -> Self {
        move |error| Self::Asset { path: path.to_owned(), source: Box::new(error.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_follow_the_message() {
        let error = AssetError::file("write", Path::new("a.bonebox"))(io::Error::other("the disk is full"));
        assert_eq!(error.with_causes(), "cannot write a.bonebox: the disk is full");
        let error = AssetError::of_asset::<AssetError>(Path::new("a.glb"))(error);
        assert_eq!(error.with_causes(), "a.glb: cannot write a.bonebox: the disk is full");
    }
}
