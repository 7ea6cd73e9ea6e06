//! The processes that bake characters one by one, each within limits.

use std::fmt;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// Processes that bake characters one by one. A bake that takes too long or needs too much memory is stopped at any point, and fails
/// alone; so does one that crashes.
#[derive(Clone)]
pub struct Workers {
    /// Makes the command of a process that calls [`serve_bakes`](crate::serve_bakes) with the request of this run on this number of
    /// threads.
    pub command: Arc<dyn Fn(usize) -> Command + Send + Sync>,
    /// The longest time for one character, with the fits that it needs of characters that share its hitboxes.
    pub most_time: Option<Duration>,
    /// The most bytes of memory of each process. The command must have set this limit; this is only for messages.
    pub most_memory: Option<u64>,
}

impl fmt::Debug for Workers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { command: _, most_time, most_memory } = self;
        formatter.debug_struct("Workers").field("most_time", most_time).field("most_memory", most_memory).finish()
    }
}
