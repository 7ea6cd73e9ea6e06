//! Writes a motion as text.

use super::motion::{BvhJoint, Motion};
use glam::Vec3;
use std::fmt::Write as _;

impl Motion {
    /// The motion as BVH text with `\n` line ends. [`Motion::parse`] reads the same motion back.
    ///
    /// Numbers are as short as possible without losing single precision. Braces and line ends in names become `_`.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::from("HIERARCHY\n");
        // The joints whose closing brace is not written yet.
        let mut open: Vec<usize> = Vec::new();
        for (index, joint) in self.joints.iter().enumerate() {
            while open.last().copied() != joint.parent && !open.is_empty() {
                close(&mut text, &mut open);
            }
            start(&mut text, joint, open.len());
            open.push(index);
        }
        while !open.is_empty() {
            close(&mut text, &mut open);
        }
        let _ = write!(text, "MOTION\nFrames: {}\nFrame Time: {}\n", self.frame_count(), self.seconds_per_frame);
        for frame in 0..self.frame_count() {
            for (index, value) in self.frame(frame).iter().enumerate() {
                let blank = if index == 0 { "" } else { " " };
                let _ = write!(text, "{blank}{value}");
            }
            text.push('\n');
        }
        text
    }
}

fn start(text: &mut String, joint: &BvhJoint, depth: usize) {
    let indent = indent(depth);
    let word = if joint.parent.is_none() { "ROOT" } else { "JOINT" };
    let name = joint.name.replace(['{', '}', '\n', '\r'], "_");
    let name = if name.trim().is_empty() { "_" } else { name.trim() };
    let _ = write!(text, "{indent}{word} {name}\n{indent}{{\n{indent}\tOFFSET {}\n", numbers(joint.offset));
    let _ = write!(text, "{indent}\tCHANNELS {}", joint.channels.len());
    for channel in joint.channels.iter() {
        let _ = write!(text, " {}", channel.name());
    }
    text.push('\n');
    for &end in &joint.ends {
        let _ = write!(text, "{indent}\tEnd Site\n{indent}\t{{\n{indent}\t\tOFFSET {}\n{indent}\t}}\n", numbers(end));
    }
}

fn close(text: &mut String, open: &mut Vec<usize>) {
    open.pop();
    let _ = writeln!(text, "{}}}", indent(open.len()));
}

/// The indentation of a line. It is limited, so that a chain of thousands of joints does not give a text of quadratic
/// size.
fn indent(depth: usize) -> String {
    "\t".repeat(depth.min(64))
}

fn numbers(offset: Vec3) -> String {
    format!("{} {} {}", offset.x, offset.y, offset.z)
}
