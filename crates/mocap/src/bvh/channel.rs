//! The channels of a joint: the meaning of each number of a frame.

/// The meaning of one number of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// `Xposition`, in the file's unit.
    XPosition,
    /// `Yposition`, in the file's unit.
    YPosition,
    /// `Zposition`, in the file's unit.
    ZPosition,
    /// `Xrotation`, in degrees.
    XRotation,
    /// `Yrotation`, in degrees.
    YRotation,
    /// `Zrotation`, in degrees.
    ZRotation,
}

impl Channel {
    const ALL: [Self; 6] =
        [Self::XPosition, Self::YPosition, Self::ZPosition, Self::XRotation, Self::YRotation, Self::ZRotation];

    /// The channel's word in a BVH file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::XPosition => "Xposition",
            Self::YPosition => "Yposition",
            Self::ZPosition => "Zposition",
            Self::XRotation => "Xrotation",
            Self::YRotation => "Yrotation",
            Self::ZRotation => "Zrotation",
        }
    }

    /// Returns the channel with a word, in upper or lower case.
    pub(crate) fn from_word(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name().as_bytes().eq_ignore_ascii_case(word))
    }

    /// The axis: 0, 1 or 2 for x, y or z.
    pub(crate) fn axis(self) -> usize {
        self as usize % 3
    }

    /// Returns true if the channel is a rotation.
    #[must_use]
    pub fn is_rotation(self) -> bool {
        self as usize >= 3
    }
}

/// The channels of one joint, in the order of their numbers in a frame. There are at most six, and none occurs twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channels {
    list: [Option<Channel>; 6],
}

impl Channels {
    /// The six channels of a joint with position and rotation, in the most common order.
    pub const MOVING: Self = Self {
        list: [
            Some(Channel::XPosition),
            Some(Channel::YPosition),
            Some(Channel::ZPosition),
            Some(Channel::ZRotation),
            Some(Channel::XRotation),
            Some(Channel::YRotation),
        ],
    };

    /// The three channels of a joint with rotation only, in the most common order.
    pub const TURNING: Self =
        Self { list: [Some(Channel::ZRotation), Some(Channel::XRotation), Some(Channel::YRotation), None, None, None] };

    /// Adds a channel at the end. Returns `false` if the list is full or contains the channel.
    pub fn push(&mut self, channel: Channel) -> bool {
        let is_new = self.iter().all(|other| other != channel);
        match self.list.iter_mut().find(|place| place.is_none()) {
            Some(place) if is_new => {
                *place = Some(channel);
                true
            }
            _ => false,
        }
    }

    /// The number of channels.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns true if there are no channels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list[0].is_none()
    }

    /// The channels in the order of their numbers in a frame.
    pub fn iter(&self) -> impl Iterator<Item = Channel> {
        self.list.into_iter().flatten()
    }

    /// Returns true if a channel is a rotation.
    #[must_use]
    pub fn has_rotation(&self) -> bool {
        self.iter().any(Channel::is_rotation)
    }

    /// Returns true if a channel is a position.
    #[must_use]
    pub fn has_position(&self) -> bool {
        self.iter().any(|channel| !channel.is_rotation())
    }
}
