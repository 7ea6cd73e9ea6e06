//! The content of an entry of `motions`.

use skeleton::NamePattern;

/// Clips from other files, as one entry of the key `motions` says.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MotionSettings {
    /// The paths of the files, relative to the folder of the settings file, with `/` between names. In names, `*` and `?`
    /// are wildcards.
    pub files: Vec<String>,
    /// The clips that are taken, by patterns for their names in the file; empty for all clips.
    pub clips: Vec<NamePattern>,
    /// The text before the name of each clip.
    pub prefix: String,
    /// Other names of clips: the name that the clip has without this setting, and the new name. The prefix is added to
    /// the new name.
    pub rename: Vec<(String, String)>,
    /// The time at which each clip begins, in seconds after the start of the clip in its file; at least 0.
    pub from: Option<f32>,
    /// The time at which each clip ends, in seconds after the start of the clip in its file; above `from`.
    pub to: Option<f32>,
    /// The way in which joints of a file become joints of the character; `None` if the files decide.
    pub by: Option<MotionMatch>,
    /// Joints of the file by the bones of VRM 1.0's humanoid, for files whose joint names are hard to guess.
    pub bones: Vec<(String, String)>,
    /// `true` if a clip replaces a clip of the asset with the same name.
    pub replace: bool,
}

/// The way in which joints of a motion file become joints of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionMatch {
    /// Joints with the same names get the same transforms.
    Names,
    /// Both skeletons are humanoids, and the motion is converted to the character's proportions.
    Humanoid,
}

impl MotionMatch {
    /// Both values, in the order of the documentation.
    pub const ALL: [Self; 2] = [Self::Names, Self::Humanoid];

    /// The word in a settings file.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Humanoid => "humanoid",
        }
    }
}
