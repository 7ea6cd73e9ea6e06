//! From text to a motion.

use super::channel::{Channel, Channels};
use super::error::BvhError;
use super::motion::{BvhJoint, Motion};
use super::tokens::{Tokens, quoted};
use glam::Vec3;
use skeleton::Skeleton;

/// Longest time between two frames that is not taken for a mistake, in seconds.
const LONGEST_FRAME: f32 = 3600.0;

impl Motion {
    /// Reads a BVH text.
    ///
    /// Words may be in capital or small letters, lines may end in any way, names may hold blanks. A file with fewer or
    /// more frames than its header says is read as far as it goes ([`Motion::declared_frames`]); a frame that breaks
    /// off is an error. Memory stays below 64 MiB and 64 times the text; no text makes it panic.
    ///
    /// # Errors
    /// See [`BvhError`].
    ///
    /// ```
    /// let text = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 4 Yposition Zrotation Xrotation Yrotation\n\
    ///     JOINT Head { OFFSET 0 0.6 0 CHANNELS 1 Yrotation End Site { OFFSET 0 0.2 0 } }\n}\n\
    ///     MOTION\nFrames: 2\nFrame Time: 0.05\n0.9 0 0 0 -30\n0.9 0 0 0 30\n";
    /// let motion = mocap::bvh::Motion::parse(text.as_bytes())?;
    /// assert_eq!((motion.frames(), motion.joints()[1].name.as_str()), (2, "Head"));
    /// let error = mocap::bvh::Motion::parse(text.replace("0.6", "0,6").as_bytes()).unwrap_err();
    /// assert_eq!((error.line, error.column), (6, 23));
    /// # Ok::<(), mocap::bvh::BvhError>(())
    /// ```
    pub fn parse(text: &[u8]) -> Result<Self, BvhError> {
        let mut tokens = Tokens::new(text);
        tokens.expect("HIERARCHY")?;
        let mut joints = Vec::new();
        while tokens.peek().is("ROOT") {
            hierarchy(&mut tokens, &mut joints)?;
        }
        if joints.is_empty() {
            return Err(tokens.wrong("ROOT"));
        }
        if joints.iter().all(|joint| joint.channels.is_empty()) {
            return Err(tokens.wrong("a joint with channels before this"));
        }
        tokens.expect("MOTION")?;
        tokens.expect("Frames:")?;
        let declared = tokens.count("the number of frames")?;
        tokens.expect("Frame")?;
        tokens.expect("Time:")?;
        let place = tokens.peek();
        let seconds = tokens.number("the seconds between two frames")?;
        if !(seconds > 0.0 && seconds <= LONGEST_FRAME) {
            let cure = "Write the time between two frames in seconds, such as 0.033333";
            let expected = format!("a time between two frames above 0 and at most {LONGEST_FRAME} s");
            return Err(tokens.wrong_at(place.offset, &expected, quoted(place.bytes), cure));
        }
        let width = joints.iter().map(|joint| joint.channels.len()).sum();
        let values = values(&mut tokens, width)?;
        Ok(Self { joints, seconds_per_frame: seconds, values, width, declared_frames: declared })
    }
}

/// One ROOT and everything below it.
fn hierarchy(tokens: &mut Tokens<'_>, joints: &mut Vec<BvhJoint>) -> Result<(), BvhError> {
    // Open joints, from the root to the innermost. Its own stack: a file may nest as deep as it is long.
    let mut open: Vec<usize> = Vec::new();
    loop {
        let word = tokens.peek();
        if word.is("}") && !open.is_empty() {
            tokens.next();
            open.pop();
            if open.is_empty() {
                return Ok(());
            }
        } else if word.is("End") && !open.is_empty() {
            tokens.next();
            tokens.expect("Site")?;
            tokens.expect("{")?;
            let end = offset(tokens)?;
            tokens.expect("}")?;
            if let Some(&joint) = open.last() {
                joints[joint].ends.push(end);
            }
        } else if word.is(if open.is_empty() { "ROOT" } else { "JOINT" }) {
            tokens.next();
            if joints.len() == Skeleton::MAX_JOINTS {
                let expected = format!("at most {} joints", Skeleton::MAX_JOINTS);
                return Err(tokens.wrong_at(word.offset, &expected, "one more".into(), "Remove joints"));
            }
            let name = tokens.name()?;
            tokens.expect("{")?;
            let offset = offset(tokens)?;
            let channels = channels(tokens)?;
            let parent = open.last().copied();
            open.push(joints.len());
            joints.push(BvhJoint { name, parent, offset, channels, ends: Vec::new() });
        } else {
            return Err(tokens.wrong(if open.is_empty() { "ROOT" } else { "JOINT, End Site or }" }));
        }
    }
}

fn offset(tokens: &mut Tokens<'_>) -> Result<Vec3, BvhError> {
    tokens.expect("OFFSET")?;
    let mut number = || tokens.number("a coordinate of the offset");
    Ok(Vec3::new(number()?, number()?, number()?))
}

/// A joint may have no channels, and then need not say so.
fn channels(tokens: &mut Tokens<'_>) -> Result<Channels, BvhError> {
    let mut channels = Channels::default();
    if !tokens.peek().is("CHANNELS") {
        return Ok(channels);
    }
    tokens.next();
    let place = tokens.peek();
    let count = tokens.count("the number of channels")?;
    if count > 6 {
        let cure = "Export rotations as three angles and positions as three numbers";
        return Err(tokens.wrong_at(place.offset, "at most 6 channels", quoted(place.bytes), cure));
    }
    for _ in 0..count {
        let word = tokens.peek();
        if !Channel::from_word(word.bytes).is_some_and(|channel| channels.push(channel)) {
            return Err(tokens.wrong("a channel such as Xposition or Zrotation, none twice"));
        }
        tokens.next();
    }
    Ok(channels)
}

/// Whole frames of `width` numbers.
fn values(tokens: &mut Tokens<'_>, width: usize) -> Result<Vec<f32>, BvhError> {
    let mut values = Vec::new();
    while !tokens.is_at_end() {
        values.push(tokens.number("a value of a frame")?);
    }
    match values.len() % width {
        0 => Ok(values),
        rest => {
            let expected = format!("{} more values for frame {}", width - rest, values.len() / width + 1);
            Err(tokens.wrong(&expected))
        }
    }
}
