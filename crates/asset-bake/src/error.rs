//! Everything that can stop the bake of one asset or of a whole run.

use bake_settings::SettingsError;
use bone_fit::{BakeError, OptionError};
use skinned_model::ImportError;
use std::io;
use std::path::{Path, PathBuf};

/// Why assets could not be found, read, baked or written.
#[derive(Debug, thiserror::Error)]
pub enum AssetError {
    /// The file system refused. The action is a verb such as `read` or `list`.
    #[error("cannot {action} {}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another program wrote the file while it was being read. Bake again once it is complete.
    #[error("{} changed while it was read; bake again once it is written", path.display())]
    ChangedWhileRead {
        /// The asset.
        path: PathBuf,
    },
    /// The asset is not a skinned model that can be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The settings file cannot be read.
    #[error("cannot read {file}")]
    SettingsFile {
        /// The settings file, relative to the working folder where possible.
        file: String,
        /// What is wrong.
        source: SettingsFileError,
    },
    /// The settings file has a mistake in it.
    #[error("{file}:{problem}")]
    Settings {
        /// The settings file, relative to the working folder where possible.
        file: String,
        /// The mistake with its line and column.
        problem: SettingsError,
    },
    /// A requested option does not exist or does not take that value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A pattern of the request matches no joint of any asset of the run.
    #[error("{0}")]
    Pattern(String),
    /// The model cannot be baked.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// The bake cannot be written in the baked format.
    #[error(transparent)]
    Write(#[from] baked_format::WriteError),
    /// A `.bonebox` file cannot be read.
    #[error(transparent)]
    Read(#[from] baked_format::ReadError),
    /// `check` found no output to compare with.
    #[error("cannot read {}; bake without --check first", path.display())]
    OutputMissing {
        /// The output.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// `check` found an output that differs from a fresh bake.
    #[error("{} is not what its source bakes to; bake again and commit it", path.display())]
    OutputDiffers {
        /// The output.
        path: PathBuf,
    },
    /// Two assets of one run have the same output.
    #[error(
        "{} would write the same {}; rename one of the two, or bake them into different folders with -o",
        first.display(), output.display()
    )]
    SameOutput {
        /// The asset that keeps the output.
        first: PathBuf,
        /// The output.
        output: PathBuf,
    },
    /// An error of one asset, with its path in front.
    #[error("{}", path.display())]
    Asset {
        /// The asset.
        path: PathBuf,
        /// What went wrong with it.
        source: Box<AssetError>,
    },
}

/// Why the bytes of a settings file are not a text.
#[derive(Debug, thiserror::Error)]
pub enum SettingsFileError {
    /// The file system refused.
    #[error(transparent)]
    File(#[from] io::Error),
    /// Save the file as UTF-8.
    #[error("line {line} is not UTF-8; save the file in that encoding")]
    NotUtf8 {
        /// Counted from 1.
        line: usize,
    },
}

impl AssetError {
    /// Returns the message and those of its causes, separated by colons.
    #[must_use]
    pub fn with_causes(&self) -> String {
        let causes = std::iter::successors(std::error::Error::source(self), |cause| cause.source());
        causes.fold(self.to_string(), |text, cause| format!("{text}: {cause}"))
    }

    /// For `map_err` on calls of the file system.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { action, path: path.to_owned(), source }
    }

    /// For `map_err` where the path is not in the message yet.
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
