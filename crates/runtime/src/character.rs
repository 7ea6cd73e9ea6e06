//! A baked character, ready to be posed.

use crate::box_lanes::{LANES, Record, ShapeBlock};
use baked_format::BakedCharacter;
use geometry_core::portable::mat3_from_quaternion;
use glam::{Mat3, Vec3};
use skeleton::{Clip, JointIndex, Skeleton};
use std::sync::Arc;

/// A box's place in [`Character::box_count`] and in [`crate::PosedCharacter::boxes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct BoxIndex(pub u16);

impl BoxIndex {
    /// As a slice index.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A clip's place in [`Character::clips`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ClipIndex(pub u32);

impl ClipIndex {
    /// As a slice index.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A baked character: shared by all who look like it, never changed by posing.
#[derive(Clone, Debug)]
pub struct Character {
    baked: BakedCharacter,
    /// In joint space, as posing wants them; one for each of `baked.boxes`, in their order.
    pub(crate) shapes: Vec<Shape>,
    /// The same in lanes.
    pub(crate) shape_blocks: Vec<ShapeBlock>,
    /// The joint of each box; shared with all that are posed by this character.
    pub(crate) box_joints: Arc<[JointIndex]>,
    /// So that boxes that are in order have joints in order, none twice.
    pub(crate) has_one_box_a_joint: bool,
    /// Joints that own a box and all joints above them, parents first.
    pub(crate) needed: Vec<JointIndex>,
    /// For each clip, the channels that move a needed joint.
    pub(crate) needed_channels: Vec<Vec<u32>>,
}

/// A box in joint space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) joint: JointIndex,
    pub(crate) center: Vec3,
    pub(crate) half: Vec3,
    /// `joint_from_box`.
    pub(crate) axes: Mat3,
}

/// Why the bytes are no character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(transparent)]
pub struct LoadError(#[from] baked_format::ReadError);

impl LoadError {
    /// What is wrong where, in the format's terms.
    #[must_use]
    pub fn read_error(&self) -> &baked_format::ReadError {
        &self.0
    }
}

impl Character {
    /// A character from the bytes of a `.bonebox` file. Any bytes are safe to pass: they are checked whole.
    ///
    /// # Errors
    /// See [`baked_format::ReadError`].
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # let bytes = baked_format::write(&example::baked_arm("Arm"))?;
    /// use runtime::Character;
    /// // let bytes = std::fs::read("Arm.bonebox")?;
    /// let arm = Character::load(&bytes)?;
    /// assert_eq!((arm.name(), arm.box_count()), ("Arm", 2));
    /// assert!(Character::load(&bytes[1..]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        Ok(Self::from_baked(baked_format::read(bytes)?))
    }

    /// A character that is in memory already.
    ///
    /// `baked` must pass `BakedCharacter::validate`, as everything that was read from a file has: joints of boxes and
    /// channels exist, boxes are sorted by joint.
    ///
    /// # Panics
    /// Where a box names a joint that the skeleton has not.
    #[must_use]
    pub fn from_baked(mut baked: BakedCharacter) -> Self {
        baked.boxes.sort_by_key(|one| one.joint);
        let skeleton = &baked.skeleton;
        let mut is_needed = vec![false; skeleton.len()];
        for one in &baked.boxes {
            let mut joint = Some(one.joint);
            while let Some(index) = joint.filter(|index| !is_needed[index.index()]) {
                is_needed[index.index()] = true;
                joint = skeleton.joint(index).parent;
            }
        }
        let needed = (0..skeleton.len()).filter(|&joint| is_needed[joint]).map(|joint| JointIndex(joint as u16));
        let channels = |clip: &Clip| {
            let moves = |&channel: &usize| is_needed.get(clip.channels[channel].joint.index()).is_some_and(|&is| is);
            (0..clip.channels.len()).filter(moves).map(|channel| channel as u32).collect()
        };
        let shape = |one: &baked_format::Hitbox| Shape {
            joint: one.joint,
            center: one.center,
            half: one.half_extents,
            axes: mat3_from_quaternion(one.orientation),
        };
        let shapes: Vec<Shape> = baked.boxes.iter().map(shape).collect();
        let mut shape_blocks = vec![ShapeBlock::EMPTY; shapes.len().div_ceil(LANES)];
        for (index, shape) in shapes.iter().enumerate() {
            let record = Record::new(shape.center, shape.half, &shape.axes);
            shape_blocks[index / LANES].set(index % LANES, &record);
        }
        Self {
            has_one_box_a_joint: shapes.is_sorted_by(|one, next| one.joint < next.joint),
            box_joints: shapes.iter().map(|shape| shape.joint).collect(),
            shapes,
            shape_blocks,
            needed: needed.collect(),
            needed_channels: baked.clips.iter().map(channels).collect(),
            baked,
        }
    }

    /// Everything the file holds: tags, warnings, coverage, options.
    #[must_use]
    pub fn baked(&self) -> &BakedCharacter {
        &self.baked
    }

    /// The asset's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.baked.name
    }

    /// All joints, also those without a box.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.baked.skeleton
    }

    /// The joint's name.
    ///
    /// # Panics
    /// Where the index is of another character and too large for this one.
    #[must_use]
    pub fn joint_name(&self, joint: JointIndex) -> &str {
        &self.baked.skeleton.joint(joint).name
    }

    /// How many boxes; they are numbered in order of their joints.
    #[must_use]
    pub fn box_count(&self) -> usize {
        self.shapes.len()
    }

    /// What a game calls the box: sorted words like `arm.left`.
    ///
    /// # Panics
    /// Where the index is of another character and too large for this one.
    #[must_use]
    pub fn tags(&self, index: BoxIndex) -> &[String] {
        &self.baked.boxes[index.index()].tags
    }

    /// Baked animations.
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        &self.baked.clips
    }

    /// The clip of that name.
    #[must_use]
    pub fn find_clip(&self, name: &str) -> Option<ClipIndex> {
        self.baked.clips.iter().position(|clip| clip.name == name).map(|index| ClipIndex(index as u32))
    }

    /// Joints that own a box and all joints above them, parents first: what a pose must be computed for.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// let arm = example::arm("Arm"); // root, upper arm, forearm, finger; the finger has no box
    /// let needed: Vec<_> = arm.needed_joints().iter().map(|&joint| arm.joint_name(joint)).collect();
    /// assert_eq!(needed, ["root", "upper", "fore"]);
    /// ```
    #[must_use]
    pub fn needed_joints(&self) -> &[JointIndex] {
        &self.needed
    }
}
