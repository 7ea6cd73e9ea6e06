//! Errors of characters that are not valid, cannot be read or cannot be written.

use crate::version::{FORMAT_MINOR_VERSION, FORMAT_VERSION, MAGIC};
use skeleton::humanoid::HumanoidError;
use skeleton::{ClipError, SkeletonError};

/// A number exceeds a limit of the format; see [`limits`](crate::limits).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{place}: {found} {what}, but a .bonebox file holds at most {limit}; split the character or leave the excess out"
)]
pub struct LimitExceeded {
    /// The part that the error is in.
    pub place: String,
    /// The name of the counted things, such as `joints`.
    pub what: &'static str,
    /// The largest number that the format allows.
    pub limit: u64,
    /// The number that was found.
    pub found: u64,
}

/// The reason why a [`BakedCharacter`](crate::BakedCharacter) is not valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CharacterError {
    /// A number exceeds a limit of the format. Split the character, or leave the excess out.
    #[error(transparent)]
    Limit(#[from] LimitExceeded),
    /// A value is not allowed.
    #[error("{place} is {found}; expected {expected}")]
    Value {
        /// The part that the error is in.
        place: String,
        /// The value that was found.
        found: String,
        /// A description of the allowed values.
        expected: &'static str,
    },
    /// An index is not below the number of things that it counts.
    #[error("{place} is {index}, but there are only {count} {what}")]
    Index {
        /// The part that the error is in.
        place: String,
        /// The index that was found in the file.
        index: u64,
        /// The name of the things that the index counts.
        what: &'static str,
        /// The number of these things.
        count: usize,
    },
    /// A list is not sorted, or contains an element twice.
    #[error("{place} ({found:?}) is out of order or repeats the entry before it; {rule}")]
    Order {
        /// The place of the later of the two.
        place: String,
        /// The element at that place.
        found: String,
        /// The order that the list must have.
        rule: &'static str,
    },
    /// Two clips have the same name.
    #[error("{place} has the name {name:?} of an earlier clip; rename one")]
    Duplicate {
        /// The place of the later of the two.
        place: String,
        /// The name that both clips have.
        name: String,
    },
    /// The joints are not a valid skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// A clip cannot be sampled.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The bones and their joints are not a humanoid of this skeleton.
    #[error(transparent)]
    Humanoid(#[from] HumanoidError),
}

/// The reason why bytes cannot be read as a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The magic is missing.
    #[error("this is not a .bonebox file: it begins with {}, not with {}", .found.escape_ascii(), MAGIC.escape_ascii())]
    NotBonebox {
        /// The first bytes of the file, at most eight.
        found: Box<[u8]>,
    },
    /// The first bytes of the file have changed as they do in a transfer as text.
    #[error(
        "this .bonebox file was converted as if it were text: copy it again as binary (in git: `*.bonebox binary` in .gitattributes)"
    )]
    SentAsText,
    /// Bytes are missing at the end.
    #[error(
        "this .bonebox file is cut off: it has {found} bytes, but should have at least {expected}; copy or bake it again"
    )]
    Truncated {
        /// The number of bytes that the header gives.
        expected: u64,
        /// The number of bytes of the file.
        found: u64,
    },
    /// The file has bytes after its end.
    #[error("this .bonebox file has {found} bytes, but should have {expected}; copy or bake it again")]
    TrailingBytes {
        /// The number of bytes that the header gives.
        expected: u64,
        /// The number of bytes of the file.
        found: u64,
    },
    /// Bytes have changed since the file was written.
    #[error(
        "the {part} of this .bonebox file is damaged: its checksum is {computed:08x}, the file says {stored:08x}; \
         copy or bake it again"
    )]
    Corrupted {
        /// `header` or `payload`.
        part: &'static str,
        /// The checksum in the header.
        stored: u32,
        /// The checksum of the bytes.
        computed: u32,
    },
    /// The file has a version that this program cannot read.
    #[error("this .bonebox file has format version {version}.{minor_version}, this program reads version {FORMAT_VERSION}; {}",
        if *version > FORMAT_VERSION { "update the program, or bake the character again with this one" } else { "bake the character again" })]
    UnsupportedVersion {
        /// The version of the file.
        version: u16,
        /// The minor version of the file.
        minor_version: u16,
    },
    /// The file holds something that was added to the format after this program was built, and that the program cannot
    /// ignore.
    #[error(
        "{place}: {problem}; this .bonebox file has format version {FORMAT_VERSION}.{minor_version}, newer than this program's {FORMAT_VERSION}.{FORMAT_MINOR_VERSION}: update the program"
    )]
    UnknownFeature {
        /// The place in the file.
        place: String,
        /// The problem at that place.
        problem: String,
        /// The minor version of the file.
        minor_version: u16,
    },
    /// The bytes do not follow the schema. The checksum is right, so the program that wrote the file made a mistake.
    #[error("this .bonebox file is malformed: {place}: {problem}; bake it again")]
    Malformed {
        /// The place in the file.
        place: String,
        /// The problem at that place.
        problem: String,
    },
    /// The bytes follow the schema, but the character that they describe is not valid.
    #[error("this .bonebox file is not valid: {0}; bake it again")]
    Invalid(CharacterError),
    /// A number exceeds a limit of the format.
    #[error(transparent)]
    Limit(LimitExceeded),
}

/// The kinds of [`ReadError`], by the action that helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The bytes are damaged, or are not a .bonebox file with a valid character: copy or bake the file again.
    BadInput,
    /// The file exceeds a limit of the format: use a smaller file.
    Limit,
    /// The file has a version that this program cannot read: use a newer program, or bake the file again.
    UnsupportedVersion,
}

impl ReadError {
    /// Returns the kind of the error, which says what action helps.
    #[must_use]
    pub fn kind(&self) -> ReadErrorKind {
        match self {
            Self::UnsupportedVersion { .. } | Self::UnknownFeature { .. } => ReadErrorKind::UnsupportedVersion,
            Self::Limit(_) => ReadErrorKind::Limit,
            Self::NotBonebox { .. }
            | Self::SentAsText
            | Self::Truncated { .. }
            | Self::TrailingBytes { .. }
            | Self::Corrupted { .. }
            | Self::Malformed { .. }
            | Self::Invalid(_) => ReadErrorKind::BadInput,
        }
    }
}

impl From<CharacterError> for ReadError {
    fn from(error: CharacterError) -> Self {
        match error {
            CharacterError::Limit(limit) => Self::Limit(limit),
            error => Self::Invalid(error),
        }
    }
}

impl From<HumanoidError> for ReadError {
    fn from(error: HumanoidError) -> Self {
        Self::Invalid(error.into())
    }
}

impl From<SkeletonError> for ReadError {
    fn from(error: SkeletonError) -> Self {
        Self::Invalid(error.into())
    }
}

/// The reason why a character cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The character is not valid, so [`read`](crate::read) would refuse its file. The program that made the character
    /// must correct it.
    #[error("this character cannot be written: {0}")]
    Invalid(CharacterError),
    /// A number exceeds a limit of the format: leave the excess out, or split the character.
    #[error(transparent)]
    Limit(LimitExceeded),
}

impl From<CharacterError> for WriteError {
    fn from(error: CharacterError) -> Self {
        match error {
            CharacterError::Limit(limit) => Self::Limit(limit),
            error => Self::Invalid(error),
        }
    }
}
