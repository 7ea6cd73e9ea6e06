//! Parses BVH text into a motion.

use super::channel::{Channel, Channels};
use super::error::BvhError;
use super::motion::{BvhJoint, Motion};
use super::tokens::{Tokens, quoted};
use glam::Vec3;
use skeleton::Skeleton;

/// A longer time between two frames, in seconds, is taken for a mistake.
const LONGEST_FRAME: f32 = 3600.0;

impl Motion {
    /// Parses a BVH text.
    ///
    /// Keywords may be in upper or lower case, any line ending is allowed, and names may contain spaces. If the file
    /// has fewer or more frames than its header declares ([`Motion::declared_frame_count`]), the function reads all
    /// frames that the file has. A frame with too few numbers is an error. Memory stays below 64 MiB plus 64 times the
    /// text. No text makes the function panic.
    ///
    /// # Errors
    /// Returns [`BvhError`] at the first place that does not follow the grammar.
    ///
    /// ```
    /// let text = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 4 Yposition Zrotation Xrotation Yrotation\n\
    ///     JOINT Head { OFFSET 0 0.6 0 CHANNELS 1 Yrotation End Site { OFFSET 0 0.2 0 } }\n}\n\
    ///     MOTION\nFrames: 2\nFrame Time: 0.05\n0.9 0 0 0 -30\n0.9 0 0 0 30\n";
    /// let motion = mocap::bvh::Motion::parse(text.as_bytes())?;
    /// assert_eq!((motion.frame_count(), motion.joints()[1].name.as_str()), (2, "Head"));
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
            return Err(tokens.wrong("a joint with channels before this word"));
        }
        tokens.expect("MOTION")?;
        tokens.expect("Frames:")?;
        let declared = tokens.count("the number of frames")?;
        tokens.expect("Frame")?;
        tokens.expect("Time:")?;
        let place = tokens.peek();
        let seconds = tokens.number("the seconds between two frames")?;
        if !(seconds > 0.0 && seconds <= LONGEST_FRAME) {
            let cure = "write the time between two frames in seconds, such as 0.033333";
            let expected = format!("a time between two frames above 0 and at most {LONGEST_FRAME} s");
            return Err(tokens.wrong_at(place.offset, &expected, quoted(place.bytes), cure));
        }
        let width = joints.iter().map(|joint| joint.channels.len()).sum();
        let values = values(&mut tokens, width)?;
        Ok(Self { joints, seconds_per_frame: seconds, values, width, declared_frame_count: declared })
    }
}

/// Parses one ROOT and all joints below it.
fn hierarchy(tokens: &mut Tokens<'_>, joints: &mut Vec<BvhJoint>) -> Result<(), BvhError> {
    // The open joints, from the root to the innermost. The list replaces recursion, because a file may nest very
    // deeply.
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
                return Err(tokens.wrong_at(word.offset, &expected, "one more".into(), "remove joints"));
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

/// Parses the channels of a joint. The CHANNELS line may be missing.
fn channels(tokens: &mut Tokens<'_>) -> Result<Channels, BvhError> {
    let mut channels = Channels::default();
    if !tokens.peek().is("CHANNELS") {
        return Ok(channels);
    }
    tokens.next();
    let place = tokens.peek();
    let count = tokens.count("the number of channels")?;
    if count > 6 {
        let cure = "export rotations as three angles and positions as three numbers";
        return Err(tokens.wrong_at(place.offset, "at most 6 channels", quoted(place.bytes), cure));
    }
    for _ in 0..count {
        let word = tokens.peek();
        if !Channel::from_word(word.bytes).is_some_and(|channel| channels.push(channel)) {
            return Err(tokens.wrong("a channel such as Xposition or Zrotation, each at most once"));
        }
        tokens.next();
    }
    Ok(channels)
}

/// Parses complete frames of `width` numbers each.
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
