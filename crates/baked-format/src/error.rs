//! Why a character cannot be read, cannot be written, or is not valid.

use crate::version::{FORMAT_MINOR_VERSION, FORMAT_VERSION, MAGIC};
use skeleton::humanoid::HumanoidError;
use skeleton::{ClipError, SkeletonError};

/// More than the format holds; see [`limits`](crate::limits).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {found} {what}; a .bonebox file holds at most {limit}")]
pub struct LimitExceeded {
    /// The part that the error is in.
    pub place: String,
    /// What is counted.
    pub what: &'static str,
    /// The most there may be.
    pub limit: u64,
    /// How many there are.
    pub found: u64,
}

/// Why a character is none.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CharacterError {
    /// Too much of something. Split the character or leave the excess out.
    #[error(transparent)]
    Limit(#[from] LimitExceeded),
    /// A value that cannot be.
    #[error("{place} is {found}; expected {expected}")]
    Value {
        /// The part that the error is in.
        place: String,
        /// What there is.
        found: String,
        /// What there should be.
        expected: &'static str,
    },
    /// An index past the end of what it counts.
    #[error("{place} is {index}, but there are only {count} {what}")]
    Index {
        /// The part that the error is in.
        place: String,
        /// The index.
        index: u64,
        /// What it counts.
        what: &'static str,
        /// How many of those there are.
        count: usize,
    },
    /// A list that is not sorted, or holds something twice.
    #[error("{place} ({found:?}) belongs before the one in front of it, or repeats it; {rule}")]
    Order {
        /// The later of the two.
        place: String,
        /// What it is.
        found: String,
        /// How the list is sorted.
        rule: &'static str,
    },
    /// Two clips of one name.
    #[error("{place} has the name {name:?} of an earlier clip; rename one")]
    Duplicate {
        /// The later of the two.
        place: String,
        /// Their name.
        name: String,
    },
    /// The joints are no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// A clip cannot be sampled.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The bones and their joints are no humanoid of this skeleton.
    #[error(transparent)]
    Humanoid(#[from] HumanoidError),
}

/// Why bytes are no character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The magic is missing.
    #[error("this is not a .bonebox file: it begins with {}, not with {}", .found.escape_ascii(), MAGIC.escape_ascii())]
    NotBonebox {
        /// Its first bytes, at most eight.
        found: Box<[u8]>,
    },
    /// The magic has been changed the way a transfer as text does.
    #[error(
        "this .bonebox file was converted as if it were text: copy it again as binary (in git: `*.bonebox binary` in .gitattributes)"
    )]
    SentAsText,
    /// Bytes are missing at the end.
    #[error(
        "this .bonebox file is cut off: it should have at least {expected} bytes and has {found}; copy or bake it again"
    )]
    Truncated {
        /// As the header says.
        expected: u64,
        /// What the file has.
        found: u64,
    },
    /// The file has bytes after its end.
    #[error("this .bonebox file should have {expected} bytes and has {found}; copy or bake it again")]
    TrailingBytes {
        /// As the header says.
        expected: u64,
        /// What the file has.
        found: u64,
    },
    /// Bytes have changed since it was written.
    #[error(
        "the {part} of this .bonebox file is damaged: its checksum is {computed:08x}, the file says {stored:08x}; \
         copy or bake it again"
    )]
    Corrupted {
        /// `header` or `payload`.
        part: &'static str,
        /// The checksum in the header.
        stored: u32,
        /// That of the bytes.
        computed: u32,
    },
    /// The file has a version that this program cannot read.
    #[error("this .bonebox file has format version {version}.{minor_version}, this program reads version {FORMAT_VERSION}; {}",
        if *version > FORMAT_VERSION { "update the program, or bake the character again with this one" } else { "bake the character again" })]
    UnsupportedVersion {
        /// The file's.
        version: u16,
        /// The file's.
        minor_version: u16,
    },
    /// Holds something that was added after this program was built, and that cannot be ignored.
    #[error(
        "{place}: {problem}; this .bonebox file has format version {FORMAT_VERSION}.{minor_version}, newer than this program's {FORMAT_VERSION}.{FORMAT_MINOR_VERSION}: update the program"
    )]
    UnknownFeature {
        /// Where.
        place: String,
        /// What.
        problem: String,
        /// The file's.
        minor_version: u16,
    },
    /// The bytes do not follow the schema. The checksum is right: whoever wrote the file made a mistake.
    #[error("this .bonebox file is malformed: {place}: {problem}; bake it again")]
    Malformed {
        /// Where.
        place: String,
        /// What.
        problem: String,
    },
    /// The bytes follow the schema, but what they say is no character.
    #[error("this .bonebox file is not valid: {0}; bake it again")]
    Invalid(CharacterError),
    /// More than the format holds.
    #[error(transparent)]
    Limit(LimitExceeded),
}

/// What a program can do about a [`ReadError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadErrorKind {
    /// Get the file again.
    BadInput,
    /// Get a smaller file.
    Limit,
    /// Get a newer program, or an older file.
    UnsupportedVersion,
}

impl ReadError {
    /// What to do about it.
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

/// Why a character cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WriteError {
    /// It would not be accepted by [`read`](crate::read): whoever made it has to mend it.
    #[error("this character cannot be written: {0}")]
    Invalid(CharacterError),
    /// More than the format holds: leave the excess out, or split the character.
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
