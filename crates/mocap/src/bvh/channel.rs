//! What one number of a frame drives.

/// One number of a frame.
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

    /// The word in a file.
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

    /// The channel of that word, in capital or small letters.
    pub(crate) fn from_word(word: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name().as_bytes().eq_ignore_ascii_case(word))
    }

    /// 0, 1 or 2 for x, y or z.
    pub(crate) fn axis(self) -> usize {
        self as usize % 3
    }

    /// Whether it drives the joint's rotation.
    #[must_use]
    pub fn is_rotation(self) -> bool {
        self as usize >= 3
    }
}

/// The channels of one joint in the order of its numbers: at most six, none twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channels {
    list: [Option<Channel>; 6],
}

impl Channels {
    /// The six channels of a joint that moves and turns, in the most common order.
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

    /// The three channels of a joint that turns, in the most common order.
    pub const TURNING: Self =
        Self { list: [Some(Channel::ZRotation), Some(Channel::XRotation), Some(Channel::YRotation), None, None, None] };

    /// Adds a channel at the end; gives whether there was room and the channel was not there yet.
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

    /// How many channels.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list[0].is_none()
    }

    /// In the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Channel> {
        self.list.into_iter().flatten()
    }

    /// Whether some channel drives the joint's rotation.
    #[must_use]
    pub fn turn(&self) -> bool {
        self.iter().any(Channel::is_rotation)
    }

    /// Whether some channel drives the joint's place.
    #[must_use]
    pub fn shift(&self) -> bool {
        self.iter().any(|channel| !channel.is_rotation())
    }
}
