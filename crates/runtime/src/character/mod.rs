//! A baked character, ready to be posed.

pub(crate) mod box_index;
pub(crate) mod box_set;
pub(crate) mod clip_bounds;
mod clip_tracks;
pub(crate) mod hitbox_table;
pub(crate) mod hull_table;
pub(crate) mod joint_map;
mod joint_places;
mod place_round;
pub(crate) mod pose_error;
pub(crate) mod roles;

use crate::{BoxIndex, ClipIndex, PoseError};
use baked_format::{BakedCharacter, HitboxRole, SkinMorphTarget};
use clip_bounds::ClipBounds;
use clip_tracks::ClipTracks;
use glam::Affine3A;
use hitbox_table::HitboxTable;
use joint_places::JointPlaces;
use skeleton::{Clip, JointIndex, Skeleton};
use std::sync::{Arc, OnceLock};

/// A baked character: the hitboxes, skeleton and clips of one asset.
///
/// Posing never changes a character, so all bodies of the character share it behind an [`Arc`].
#[derive(Clone, Debug)]
pub struct Character {
    baked: BakedCharacter,
    /// The hitboxes; shared with every pose of this character.
    pub(crate) hitboxes: Arc<HitboxTable>,
    /// Joints that own a box or move the skin or the surface of a box, and all their ancestors, parents first.
    pub(crate) needed: Vec<JointIndex>,
    /// The order in which samplers store the local poses of the joints.
    pub(crate) places: JointPlaces,
    /// The prepared form of each clip, indexed like `baked.clips`; the first sample of a clip makes its entry.
    tracks: Vec<OnceLock<ClipTracks>>,
    /// The bounds of the hitboxes over each clip, indexed like `baked.clips`; the first request makes an entry.
    clip_bounds: Vec<OnceLock<Result<ClipBounds, PoseError>>>,
    /// The bounds of the hitboxes in the rest pose, over a clip without channels.
    rest_bounds: OnceLock<Result<ClipBounds, PoseError>>,
    /// `model_from_joint` of the rest pose, one entry per joint; the first request computes it.
    rest: OnceLock<Vec<Affine3A>>,
}

/// One hitbox of a character, returned by [`Character::hitbox`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitboxInfo<'a> {
    /// The index of the hitbox within the character.
    pub index: BoxIndex,
    /// The joint that the hitbox is attached to, an index into [`Character::skeleton`].
    pub joint: JointIndex,
    /// The name of that joint; several hitboxes of one joint share the name.
    pub joint_name: &'a str,
    /// The tags of the hitbox, for game code: sorted words like `arm.left`. If the section `[sets]` of `bonebox.toml`
    /// lists one of these tags in a set, the name of the set is a tag of the hitbox too.
    pub tags: &'a [String],
    /// The shape, center, half extents and orientation in joint space, and the source of the hitbox.
    pub baked: &'a baked_format::Hitbox,
}

/// The error of [`Character::load`]: the bytes are not a valid `.bonebox` file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(transparent)]
pub struct LoadError(#[from] baked_format::ReadError);

impl Character {
    /// Reads a character from the bytes of a `.bonebox` file. The bytes may come from any source: the function checks
    /// all of them.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid file, see [`baked_format::ReadError`].
    ///
    /// ```
    /// use runtime::Character;
    ///
    /// let bytes = std::fs::read("tests/data/arm.bonebox")?;
    /// let arm = Character::load(&bytes)?;
    /// assert_eq!((arm.name(), arm.box_count()), ("Arm", 2));
    /// assert!(Character::load(&bytes[1..]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        Ok(Self::from_baked(baked_format::read(bytes)?))
    }

    /// Makes a character from baked data that is already in memory.
    ///
    /// `baked` must pass [`BakedCharacter::validate`]; data from [`baked_format::read`] has already passed it. Among
    /// other things, the joints of boxes and channels must exist, and the boxes must be sorted by joint.
    ///
    /// # Panics
    /// Panics if a box has the index of a joint that the skeleton does not have.
    #[must_use]
    pub fn from_baked(mut baked: BakedCharacter) -> Self {
        if baked.envelopes.is_empty() {
            baked.boxes.sort_by_key(|one| one.joint);
        }
        let skeleton = &baked.skeleton;
        let mut is_needed = vec![false; skeleton.len()];
        moving_joints(&baked).for_each(|joint| mark_with_ancestors(skeleton, joint, &mut is_needed));
        let needed = (0..skeleton.len()).filter(|&joint| is_needed[joint]).map(|joint| JointIndex(joint as u16));
        let needed: Vec<JointIndex> = needed.collect();
        let places = JointPlaces::new(skeleton, &needed);
        let tracks = baked.clips.iter().map(|_| OnceLock::new()).collect();
        let clip_bounds = baked.clips.iter().map(|_| OnceLock::new()).collect();
        let hitboxes = HitboxTable::new(&baked);
        let (rest_bounds, rest) = (OnceLock::new(), OnceLock::new());
        Self { hitboxes: Arc::new(hitboxes), needed, places, tracks, clip_bounds, rest_bounds, rest, baked }
    }

    /// Everything that the file holds, such as tags, warnings, coverage and options.
    #[must_use]
    pub fn baked(&self) -> &BakedCharacter {
        &self.baked
    }

    /// The asset's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.baked.name
    }

    /// The hash of the hitboxes that the character shares with others (`[[shared]]` of `bonebox.toml`), as 32 hexadecimal
    /// digits. Two characters that were baked with the same set have the same hash. `None` if the hitboxes are the
    /// character's own.
    ///
    /// ```
    /// use runtime::Character;
    ///
    /// let mut baked = baked_format::read(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// assert_eq!(Character::from_baked(baked.clone()).hitbox_set(), None);
    /// // A bake with shared hitboxes records the hash.
    /// baked.options.push(("hitbox_set".into(), "3c0f".into()));
    /// assert_eq!(Character::from_baked(baked).hitbox_set(), Some("3c0f"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hitbox_set(&self) -> Option<&str> {
        self.baked.options.iter().find(|(key, _)| key == "hitbox_set").map(|(_, hash)| hash.as_str())
    }

    /// The skeleton: all joints, including joints without a box.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.baked.skeleton
    }

    /// The name of a joint.
    ///
    /// # Panics
    /// Panics if the index is out of range. An index of another character may be out of range.
    #[must_use]
    pub fn joint_name(&self, joint: JointIndex) -> &str {
        &self.baked.skeleton.joint(joint).name
    }

    /// One hitbox: its joint, the joint's name and the hitbox's tags. `None` if the character has no hitbox with this index.
    ///
    /// ```
    /// use runtime::{BoxIndex, Character};
    ///
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let hitbox = arm.hitbox(BoxIndex(1)).unwrap();
    /// assert_eq!((hitbox.joint_name, hitbox.tags), ("fore", &["arm".to_string()][..]));
    /// assert!(arm.hitbox(BoxIndex(2)).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hitbox(&self, index: BoxIndex) -> Option<HitboxInfo<'_>> {
        Some(self.info(index, self.baked.boxes.get(index.index())?))
    }

    /// All hitboxes, in the order of their indices.
    pub fn hitboxes(&self) -> impl ExactSizeIterator<Item = HitboxInfo<'_>> {
        self.baked.boxes.iter().enumerate().map(|(index, baked)| self.info(BoxIndex(index as u16), baked))
    }

    fn info<'a>(&'a self, index: BoxIndex, baked: &'a baked_format::Hitbox) -> HitboxInfo<'a> {
        let (joint, tags) = (baked.joint, &baked.tags);
        HitboxInfo { index, joint, joint_name: self.joint_name(joint), tags, baked }
    }

    /// The rest pose: `model_from_joint`, one entry for every joint of the skeleton. The first call computes the
    /// matrices.
    #[must_use]
    pub fn rest_matrices(&self) -> &[Affine3A] {
        self.rest.get_or_init(|| self.skeleton().rest_matrices())
    }

    /// The number of hitboxes. Hitboxes are numbered in the order of their joints.
    #[must_use]
    pub fn box_count(&self) -> usize {
        self.hitboxes.joints.len()
    }

    /// The tags of the hitbox with this index, for game code: sorted words like `arm.left`.
    ///
    /// # Panics
    /// Panics if the index is out of range. An index of another character may be out of range.
    #[must_use]
    pub fn tags(&self, index: BoxIndex) -> &[String] {
        &self.baked.boxes[index.index()].tags
    }

    /// What the hitbox with this index is for. [`HitboxRole::Hurt`] if the file does not say, or if the character has no
    /// hitbox with this index.
    #[must_use]
    pub fn role(&self, index: BoxIndex) -> HitboxRole {
        self.hitboxes.role(index.index())
    }

    /// The baked animation clips, indexed by [`ClipIndex`].
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        &self.baked.clips
    }

    /// Prepares all clips for sampling and for [layers](crate::PoseLayer), and computes the bounds over each clip, so that
    /// no later pose has to. Without this call, the first sample of each clip prepares the clip, and so does the first
    /// layer that adds the clip: both allocate and take some microseconds longer. The first time that a body of a
    /// [`HitboxWorld`](crate::HitboxWorld) plays a clip, the bounds take about a millisecond for each second of the clip. They
    /// take 26 KB for each second of the clip.
    ///
    /// # Panics
    /// Panics if a clip does not pass [`Clip::validate`]. Only a character made by [`Character::from_baked`] can have
    /// such a clip.
    pub fn prepare_clips(&self) {
        let _bounds = self.rest_bounds();
        for clip in 0..self.tracks.len() {
            if let Some((clip, tracks)) = self.tracks(ClipIndex(clip as u32)) {
                tracks.first_pose(clip);
            }
            self.clip_bounds(ClipIndex(clip as u32));
        }
    }

    /// A clip and its prepared form. `None` if the character has no clip with this index.
    pub(crate) fn tracks(&self, clip: ClipIndex) -> Option<(&Clip, &ClipTracks)> {
        let (baked, tracks) = (self.baked.clips.get(clip.index())?, &self.tracks[clip.index()]);
        Some((baked, tracks.get_or_init(|| ClipTracks::new(&self.baked.skeleton, &self.places, baked))))
    }

    /// The bounds of the hitboxes over a clip. `None` if the character has no clip with this index.
    pub(crate) fn clip_bounds(&self, clip: ClipIndex) -> Option<&Result<ClipBounds, PoseError>> {
        let of_clip = self.clip_bounds.get(clip.index())?;
        Some(of_clip.get_or_init(|| ClipBounds::new(&self.hitboxes, &self.baked.clips[clip.index()])))
    }

    /// The bounds of the hitboxes in the rest pose.
    pub(crate) fn rest_bounds(&self) -> &Result<ClipBounds, PoseError> {
        let still = || Clip { name: String::new(), timelines: Vec::new(), channels: Vec::new() };
        self.rest_bounds.get_or_init(|| ClipBounds::new(&self.hitboxes, &still()))
    }

    /// The index of the first clip with this name. `None` if no clip has this name.
    #[must_use]
    pub fn find_clip(&self, name: &str) -> Option<ClipIndex> {
        self.baked.clips.iter().position(|clip| clip.name == name).map(|index| ClipIndex(index as u32))
    }

    /// Returns `true` if the character was baked with its skin, which exact queries need.
    #[must_use]
    pub fn has_skin(&self) -> bool {
        self.hitboxes.skin.is_some()
    }

    /// The morph targets that move the skin, in the order of the weights of
    /// [`PosedCharacter::set_morph_weights`](crate::PosedCharacter::set_morph_weights). Empty if the character was baked without
    /// its skin or with `morphs = "ignore"`. Targets of different meshes may have the same name.
    #[must_use]
    pub fn morph_targets(&self) -> &[SkinMorphTarget] {
        self.baked.skin.as_ref().map_or(&[], |skin| &skin.morph_targets)
    }

    /// The joints that a pose must be computed for, parents first: joints that own a box, joints that move the surface
    /// of a box (`poses = "any"`), joints that move the skin (if the character has its skin), and all ancestors of
    /// these joints.
    ///
    /// ```
    /// use runtime::Character;
    ///
    /// // Root, upper arm, forearm, finger; the finger has no box.
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let needed: Vec<_> = arm.needed_joints().iter().map(|&joint| arm.joint_name(joint)).collect();
    /// assert_eq!(needed, ["root", "upper", "fore"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn needed_joints(&self) -> &[JointIndex] {
        &self.needed
    }

    /// The joints whose own matrices a pose reads, in any order. A joint may occur several times.
    pub(crate) fn moving_joints(&self) -> impl Iterator<Item = JointIndex> {
        moving_joints(&self.baked)
    }
}

/// Marks a joint and all its ancestors. If a joint is marked before the call, all its ancestors must be marked too.
pub(crate) fn mark_with_ancestors(skeleton: &Skeleton, joint: JointIndex, is_marked: &mut [bool]) {
    let mut joint = Some(joint);
    while let Some(index) = joint.filter(|index| !is_marked[index.index()]) {
        is_marked[index.index()] = true;
        joint = skeleton.joint(index).parent;
    }
}

/// The joints that own a hitbox, move the surface of a hitbox (`poses = "any"`) or move the skin.
fn moving_joints(baked: &BakedCharacter) -> impl Iterator<Item = JointIndex> {
    let owners = baked.boxes.iter().map(|one| one.joint);
    let movers = baked.envelopes.iter().flat_map(|envelope| &envelope.movers).map(|mover| mover.joint);
    let of_skin = baked.skin.iter().flat_map(|skin| &skin.bindings).map(|binding| binding.joint);
    owners.chain(movers).chain(of_skin)
}
