#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod between;
mod checksum;
mod explain;
mod history;
mod moment;
mod part;
mod place;
mod poser;
mod reach;
mod rules;
#[cfg(feature = "serde")]
mod save;
mod scratch;
mod shown_pose;
mod tick;
mod view;

pub use explain::{Explanation, NearestHitbox, ShotRay, Verdict};
pub use history::{History, HistorySettings, PastShot, RecordError, Recorded};
pub use moment::{Moment, MomentError, MomentKind};
pub use rules::{Between, Interpolation, Refused, Rules};
#[cfg(feature = "serde")]
pub use save::{HistoryState, RestoreError};
pub use view::View;
