//! Files with explanations of shots, one in each line, as a server writes them.

use anyhow::{Context as _, bail};
use rewind::{Explanation, Verdict};
use std::io::{BufRead, Read as _};

/// The longest line that is read. An explanation takes a kilobyte, and some kilobytes with matrices of joints.
const MOST_BYTES: u64 = 1 << 20;

/// The answers to shots, in words.
pub(crate) const ANSWERS: [&str; 6] = ["hit", "blocked", "left out", "missed", "not there", "not allowed"];

/// The place of an answer in [`ANSWERS`].
pub(crate) fn answer(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::Hit { .. } => 0,
        Verdict::Blocked { .. } => 1,
        Verdict::LeftOut { .. } => 2,
        Verdict::Missed => 3,
        Verdict::NotThere => 4,
        Verdict::NotAllowed => 5,
    }
}

/// Calls `each` with the number of each line, counted from 1, and its explanation. Empty lines are skipped.
///
/// # Errors
/// Returns an error if the file cannot be read, for the first line that is no explanation, and the errors of `each`.
pub(crate) fn read_explanations(
    name: &str,
    lines: &mut dyn BufRead,
    mut each: impl FnMut(usize, Explanation) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut text = Vec::new();
    for number in 1.. {
        text.clear();
        if lines.take(MOST_BYTES).read_until(b'\n', &mut text).with_context(|| format!("cannot read {name}"))? == 0 {
            break;
        }
        if text.len() as u64 == MOST_BYTES {
            bail!("{name}, line {number}: the line has more than {MOST_BYTES} bytes, so it is no explanation");
        }
        if text.trim_ascii().is_empty() {
            continue;
        }
        let explanation: Explanation = serde_json::from_slice(&text).with_context(|| {
            format!("{name}, line {number} is no explanation; write each line with serde_json from `History::explain`")
        })?;
        each(number, explanation)?;
    }
    Ok(())
}
