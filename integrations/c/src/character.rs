//! Characters: what a `.bonebox` file holds.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, give, take};
use crate::memory::{BoneboxString, Out, list, text};
use crate::shapes::{BoneboxOrientedBox, BoneboxQuat};
use runtime::{BoxIndex, Character, ClipIndex, HitboxInfo};
use skeleton::{Clip, Joint, JointIndex};
use std::ffi::c_char;
use std::sync::Arc;

/// A baked character: hitboxes, skeleton and clips. It never changes, so any number of threads may read it. Worlds and
/// poses keep what they need of it: it may be freed before them.
pub struct BoneboxCharacter {
    pub(crate) character: Arc<Character>,
    names: Names,
}

impl Handle for BoneboxCharacter {
    const NAME: &'static str = "BoneboxCharacter";
}

/// All names with a zero byte behind each, for C.
#[derive(Default)]
struct Names {
    bytes: Vec<u8>,
    character: Place,
    joints: Vec<Place>,
    clips: Vec<Place>,
    /// All tags of all hitboxes.
    tags: Vec<Place>,
    /// For each hitbox, where its tags begin in `tags`; then the end of the last.
    tag_starts: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    start: usize,
    length: usize,
}

impl Names {
    fn new(character: &Character) -> Self {
        let mut names = Self::default();
        names.character = names.add(character.name());
        names.joints = character.skeleton().joints().iter().map(|joint| names.add(&joint.name)).collect();
        names.clips = character.clips().iter().map(|clip| names.add(&clip.name)).collect();
        for hitbox in character.hitboxes() {
            names.tag_starts.push(names.tags.len());
            for tag in hitbox.tags {
                let place = names.add(tag);
                names.tags.push(place);
            }
        }
        names.tag_starts.push(names.tags.len());
        names
    }

    fn add(&mut self, name: &str) -> Place {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
        Place { start, length: name.len() }
    }

    fn string(&self, place: Place) -> BoneboxString {
        BoneboxString { data: self.bytes[place.start..].as_ptr().cast(), length: place.length }
    }

    fn tags(&self, hitbox: usize) -> &[Place] {
        &self.tags[self.tag_starts[hitbox]..self.tag_starts[hitbox + 1]]
    }
}

/// One joint of a skeleton.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxJoint {
    /// The joint's name, which no other joint of the character has.
    pub name: BoneboxString,
    /// The index of the joint above, which is less than the joint's own; -1 for a root.
    pub parent: i32,
}

/// One clip of a character.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxClip {
    /// The clip's name.
    pub name: BoneboxString,
    /// The time of the first key, in seconds.
    pub start: f32,
    /// The time from the first key to the last, in seconds.
    pub seconds: f32,
}

/// One hitbox of a character.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxHitbox {
    /// The index of the joint that the hitbox is attached to.
    pub joint: u16,
    /// How many tags it has.
    pub tag_count: u32,
    /// The name of that joint.
    pub joint_name: BoneboxString,
    /// Center, half extents and orientation in joint space, in the model's unit.
    pub shape: BoneboxOrientedBox,
}

impl BoneboxCharacter {
    fn joint(&self, joint: u16) -> Result<&Joint, Failure> {
        let joints = self.character.skeleton().joints();
        joints.get(usize::from(joint)).ok_or_else(|| self.no_index("joint", joint, joints.len()))
    }

    pub(crate) fn hitbox(&self, index: u16) -> Result<HitboxInfo<'_>, Failure> {
        let count = self.character.box_count();
        self.character.hitbox(BoxIndex(index)).ok_or_else(|| self.no_index("hitbox", index, count))
    }

    fn clip(&self, clip: u32) -> Result<&Clip, Failure> {
        let clips = self.character.clips();
        clips.get(ClipIndex(clip).index()).ok_or_else(|| self.no_index("clip", clip, clips.len()))
    }

    fn no_index(&self, what: &str, index: impl Into<u64>, count: usize) -> Failure {
        let (name, index) = (self.character.name(), index.into());
        Failure::not_found(format!("{name:?} has no {what} {index}: indices run from 0 to {count}, which is not one"))
    }

    /// `names` in the order of their indices.
    fn no_name<'n>(&self, what: &str, name: &str, names: impl Iterator<Item = &'n str>) -> Failure {
        let some: Vec<&str> = names.take(12).collect();
        Failure::not_found(format!("{:?} has no {what} {name:?}; it has: {}", self.character.name(), some.join(", ")))
    }
}

/// Loads a character from the bytes of a `.bonebox` file. Any bytes are safe to pass: they are checked whole. The bytes
/// are not needed afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_load(
    bytes: *const u8,
    length: usize,
    character: *mut *mut BoneboxCharacter,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (bytes, out) = unsafe { (list(bytes, length, "bytes")?, Out::new(character, "character")?) };
        let loaded = Character::load(bytes).map_err(|error| Failure::new(BoneboxResult::BadFile, error))?;
        out.write(give(BoneboxCharacter { names: Names::new(&loaded), character: Arc::new(loaded) }));
        Ok(())
    })
}

/// Frees a character; NULL is allowed. Strings that came from it are gone with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_free(character: *mut BoneboxCharacter) -> BoneboxResult {
    // SAFETY: the caller's promise, see the crate's documentation.
    guard(std::ptr::null_mut(), || unsafe { take(character, "character") })
}

/// The character's name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_name(
    character: *const BoneboxCharacter,
    name: *mut BoneboxString,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (character, out) = unsafe { (borrow(character, "character")?, Out::new(name, "name")?) };
        out.write(character.names.string(character.names.character));
        Ok(())
    })
}

/// How many joints the skeleton has: as many as a pose has matrices. 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_joint_count(character: *const BoneboxCharacter) -> usize {
    // SAFETY: the caller's promise, see the crate's documentation.
    unsafe { borrow(character, "character") }.map_or(0, |character| character.character.skeleton().len())
}

/// How many hitboxes there are. 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_hitbox_count(character: *const BoneboxCharacter) -> usize {
    // SAFETY: the caller's promise, see the crate's documentation.
    unsafe { borrow(character, "character") }.map_or(0, |character| character.character.box_count())
}

/// How many clips there are. 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_clip_count(character: *const BoneboxCharacter) -> usize {
    // SAFETY: the caller's promise, see the crate's documentation.
    unsafe { borrow(character, "character") }.map_or(0, |character| character.character.clips().len())
}

/// One joint. Parents come before their children.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_joint(
    character: *const BoneboxCharacter,
    index: u16,
    joint: *mut BoneboxJoint,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (character, out) = unsafe { (borrow(character, "character")?, Out::new(joint, "joint")?) };
        let parent = character.joint(index)?.parent.map_or(-1, |parent| i32::from(parent.0));
        out.write(BoneboxJoint { name: character.names.string(character.names.joints[usize::from(index)]), parent });
        Ok(())
    })
}

/// The index of the joint of that name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_find_joint(
    character: *const BoneboxCharacter,
    name: *const c_char,
    index: *mut u16,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (character, name, out) =
            unsafe { (borrow(character, "character")?, text(name, "name")?, Out::new(index, "index")?) };
        let skeleton = character.character.skeleton();
        let names = || skeleton.joints().iter().map(|joint| joint.name.as_str());
        let JointIndex(joint) = skeleton.find(name).ok_or_else(|| character.no_name("joint", name, names()))?;
        out.write(joint);
        Ok(())
    })
}

/// One hitbox. Hitboxes are in the order of their joints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_hitbox(
    character: *const BoneboxCharacter,
    index: u16,
    hitbox: *mut BoneboxHitbox,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (character, out) = unsafe { (borrow(character, "character")?, Out::new(hitbox, "hitbox")?) };
        let info = character.hitbox(index)?;
        let baked = info.baked;
        let [x, y, z, w] = baked.orientation.to_array();
        out.write(BoneboxHitbox {
            joint: info.joint.0,
            tag_count: info.tags.len() as u32,
            joint_name: character.names.string(character.names.joints[info.joint.index()]),
            shape: BoneboxOrientedBox {
                center: baked.center.into(),
                half_extents: baked.half_extents.into(),
                orientation: BoneboxQuat { x, y, z, w },
            },
        });
        Ok(())
    })
}

/// One tag of a hitbox; tags are sorted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_hitbox_tag(
    character: *const BoneboxCharacter,
    index: u16,
    tag_index: u32,
    tag: *mut BoneboxString,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (character, out) = unsafe { (borrow(character, "character")?, Out::new(tag, "tag")?) };
        character.hitbox(index)?;
        let tags = character.names.tags(usize::from(index));
        let place = tags.get(tag_index as usize).ok_or_else(|| {
            Failure::not_found(format!("hitbox {index} has no tag {tag_index}: it has {} tags", tags.len()))
        })?;
        out.write(character.names.string(*place));
        Ok(())
    })
}

/// Whether a hitbox has a tag. A tag that no hitbox of the character has is not a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_hitbox_has_tag(
    character: *const BoneboxCharacter,
    index: u16,
    tag: *const c_char,
    has_tag: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (character, tag, out) =
            unsafe { (borrow(character, "character")?, text(tag, "tag")?, Out::new(has_tag, "has_tag")?) };
        out.write(character.hitbox(index)?.tags.iter().any(|one| one == tag));
        Ok(())
    })
}

/// One clip.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_clip(
    character: *const BoneboxCharacter,
    index: u32,
    clip: *mut BoneboxClip,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (character, out) = unsafe { (borrow(character, "character")?, Out::new(clip, "clip")?) };
        let baked = character.clip(index)?;
        let name = character.names.string(character.names.clips[index as usize]);
        out.write(BoneboxClip { name, start: baked.start(), seconds: baked.seconds() });
        Ok(())
    })
}

/// The index of the clip of that name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_find_clip(
    character: *const BoneboxCharacter,
    name: *const c_char,
    index: *mut u32,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (character, name, out) =
            unsafe { (borrow(character, "character")?, text(name, "name")?, Out::new(index, "index")?) };
        let names = || character.character.clips().iter().map(|clip| clip.name.as_str());
        let clip = character.character.find_clip(name).ok_or_else(|| character.no_name("clip", name, names()))?;
        out.write(clip.0);
        Ok(())
    })
}
