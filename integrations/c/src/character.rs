//! Characters: the contents of a `.bonebox` file.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, hand_over, take};
use crate::memory::{BoneboxString, list, text, write};
use crate::query::role_bit;
use crate::shapes::BoneboxOrientedBox;
use baked_format::SkinMesh;
use runtime::{BoxIndex, Character, ClipIndex, HitboxInfo, LoadError};
use skeleton::{Clip, Joint, JointIndex};
use std::ffi::c_char;
use std::sync::Arc;

/// A baked character: hitboxes, skeleton and clips. It never changes, so any number of threads may read it. It may be
/// freed before the worlds and poses that use it: they keep the parts that they need.
pub struct BoneboxCharacter {
    pub(crate) character: Arc<Character>,
    names: Names,
    /// The meshes that the skin's source triangles count through; empty without a skin.
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) morph_targets: Vec<MorphTarget>,
}

/// A mesh of the skin.
pub(crate) struct Mesh {
    pub(crate) name: Place,
    pub(crate) node: u32,
    pub(crate) triangle_count: u32,
}

/// A morph target of the skin.
pub(crate) struct MorphTarget {
    pub(crate) name: Place,
    pub(crate) mesh: u32,
    pub(crate) number: u32,
}

impl Handle for BoneboxCharacter {
    const NAME: &'static str = "BoneboxCharacter";
}

/// All names, each followed by a zero byte, as C expects.
#[derive(Default)]
struct Names {
    bytes: Vec<u8>,
    character: Place,
    joints: Vec<Place>,
    clips: Vec<Place>,
    /// The name and the data of each attack.
    attacks: Vec<[Place; 2]>,
    /// All tags of all hitboxes.
    tags: Vec<Place>,
    /// For each hitbox, the index of its first tag in `tags`; then the length of `tags`.
    tag_starts: Vec<usize>,
}

/// A name in [`Names::bytes`].
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    start: usize,
    length: usize,
}

impl Names {
    fn new(character: &Character) -> Self {
        let mut names = Self::default();
        names.character = names.add(character.name());
        names.joints = character.skeleton().joints().iter().map(|joint| names.add(&joint.name)).collect();
        names.clips = character.clips().iter().map(|clip| names.add(&clip.name)).collect();
        let texts = |attack: &baked_format::Attack| [attack.name.clone(), attack.data.clone().unwrap_or_default()];
        let texts = character.baked().attacks.iter().map(texts);
        names.attacks = texts.map(|texts| texts.map(|text| names.add(&text))).collect();
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
    /// The joint's name. No other joint of the character has the same name.
    pub name: BoneboxString,
    /// The index of the parent joint, which is less than the index of this joint; -1 for a root.
    pub parent: i32,
}

/// One clip of a character.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxClip {
    /// The clip's name.
    pub name: BoneboxString,
    /// The time of the first key, in seconds on the clip's own clock.
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
    /// What the hitbox is for: one of the numbers `BONEBOX_ROLE_...`.
    pub role: u8,
    /// The number of the hitbox's tags.
    pub tag_count: u32,
    /// The name of the joint that the hitbox is attached to.
    pub joint_name: BoneboxString,
    /// Center, half extents and orientation in joint space. Lengths are in the unit of joint space, which differs from the
    /// model's unit if the joint is scaled.
    pub shape: BoneboxOrientedBox,
}

impl BoneboxCharacter {
    /// `meshes` are those of the character's skin.
    pub(crate) fn new(character: Character, meshes: &[SkinMesh]) -> Self {
        let mut names = Names::new(&character);
        let meshes = meshes.iter().map(|mesh| Mesh {
            name: names.add(&mesh.name),
            node: mesh.node.0,
            triangle_count: mesh.triangles,
        });
        let meshes = meshes.collect();
        let targets = character.morph_targets().iter().map(|target| MorphTarget {
            name: names.add(&target.name),
            mesh: target.mesh,
            number: target.number,
        });
        let morph_targets = targets.collect();
        Self { character: Arc::new(character), names, meshes, morph_targets }
    }

    fn joint(&self, joint: u16) -> Result<&Joint, Failure> {
        let joints = self.character.skeleton().joints();
        joints.get(usize::from(joint)).ok_or_else(|| self.no_index("joint", joint, joints.len()))
    }

    pub(crate) fn hitbox(&self, index: u16) -> Result<HitboxInfo<'_>, Failure> {
        let count = self.character.box_count();
        self.character.hitbox(BoxIndex(index)).ok_or_else(|| self.no_index("hitbox", index, count))
    }

    pub(crate) fn clip(&self, clip: u32) -> Result<&Clip, Failure> {
        let clips = self.character.clips();
        clips.get(ClipIndex(clip).index()).ok_or_else(|| self.no_index("clip", clip, clips.len()))
    }

    /// The name and the data of an attack.
    pub(crate) fn attack_texts(&self, index: usize) -> [BoneboxString; 2] {
        self.names.attacks[index].map(|place| self.names.string(place))
    }

    pub(crate) fn string(&self, place: Place) -> BoneboxString {
        self.names.string(place)
    }

    pub(crate) fn no_index(&self, what: &str, index: impl Into<u64>, count: usize) -> Failure {
        let (name, index) = (self.character.name(), index.into());
        Failure::not_found(format!("{name:?} has no {what} {index}; pass an index below {count}"))
    }

    /// Reports that a name is unknown. `names` are the known names in the order of their indices.
    fn no_name<'n>(&self, what: &str, name: &str, names: impl Iterator<Item = &'n str>) -> Failure {
        let some: Vec<&str> = names.take(12).collect();
        let (character, some) = (self.character.name(), some.join(", "));
        Failure::not_found(format!("{character:?} has no {what} {name:?}; its {what}s: {some}"))
    }
}

/// Loads a character from the bytes of a `.bonebox` file. Any bytes are safe to pass: the function checks all of them.
/// The caller may free the bytes afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_load(
    bytes: *const u8,
    length: usize,
    character: *mut *mut BoneboxCharacter,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let bytes = list(bytes, length, "bytes")?;
        let baked = baked_format::read(bytes).map_err(LoadError::from);
        let baked = baked.map_err(|error| Failure::new(BoneboxResult::BadFile, error))?;
        let meshes = baked.skin.as_ref().map(|skin| skin.meshes.clone()).unwrap_or_default();
        hand_over(character, "character", BoneboxCharacter::new(Character::from_baked(baked), &meshes))
    })
}

/// Frees a character; NULL is allowed. The strings that functions wrote for this character become invalid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_free(character: *mut BoneboxCharacter) -> BoneboxResult {
    guard(std::ptr::null_mut(), || take(character, "character"))
}

/// Writes the character's name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_name(
    character: *const BoneboxCharacter,
    name: *mut BoneboxString,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        write(name, "name", character.names.string(character.names.character))
    })
}

/// Returns the number of joints of the skeleton, which is the number of matrices of a pose. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_joint_count(character: *const BoneboxCharacter) -> usize {
    borrow(character, "character").map_or(0, |character| character.character.skeleton().len())
}

/// Returns the number of hitboxes. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_hitbox_count(character: *const BoneboxCharacter) -> usize {
    borrow(character, "character").map_or(0, |character| character.character.box_count())
}

/// Returns the number of clips. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_clip_count(character: *const BoneboxCharacter) -> usize {
    borrow(character, "character").map_or(0, |character| character.character.clips().len())
}

/// Writes the joint with this index. Parents come before their children.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_joint(
    character: *const BoneboxCharacter,
    index: u16,
    joint: *mut BoneboxJoint,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        let parent = character.joint(index)?.parent.map_or(-1, |parent| i32::from(parent.0));
        write(
            joint,
            "joint",
            BoneboxJoint { name: character.names.string(character.names.joints[usize::from(index)]), parent },
        )
    })
}

/// Writes the index of the joint with this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_find_joint(
    character: *const BoneboxCharacter,
    name: *const c_char,
    index: *mut u16,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (character, name) = (borrow(character, "character")?, text(name, "name")?);
        let skeleton = character.character.skeleton();
        let names = || skeleton.joints().iter().map(|joint| joint.name.as_str());
        let JointIndex(joint) = skeleton.find(name).ok_or_else(|| character.no_name("joint", name, names()))?;
        write(index, "index", joint)
    })
}

/// Writes the hitbox with this index. Hitboxes are in the order of their joints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_hitbox(
    character: *const BoneboxCharacter,
    index: u16,
    hitbox: *mut BoneboxHitbox,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        let info = character.hitbox(index)?;
        let baked = info.baked;
        write(
            hitbox,
            "hitbox",
            BoneboxHitbox {
                joint: info.joint.0,
                role: role_bit(baked.role),
                tag_count: info.tags.len() as u32,
                joint_name: character.names.string(character.names.joints[info.joint.index()]),
                shape: BoneboxOrientedBox {
                    center: baked.center.into(),
                    half_extents: baked.half_extents.into(),
                    orientation: baked.orientation.into(),
                },
            },
        )
    })
}

/// Writes one tag of a hitbox. `tag_index` is less than the hitbox's `tag_count`; tags are sorted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_hitbox_tag(
    character: *const BoneboxCharacter,
    index: u16,
    tag_index: u32,
    tag: *mut BoneboxString,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        character.hitbox(index)?;
        let tags = character.names.tags(usize::from(index));
        let place = tags.get(tag_index as usize).ok_or_else(|| {
            Failure::not_found(format!("hitbox {index} has no tag {tag_index}; pass an index below {}", tags.len()))
        })?;
        write(tag, "tag", character.names.string(*place))
    })
}

/// Writes true if a hitbox has a tag, else false. A tag that no hitbox of the character has is not a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_hitbox_has_tag(
    character: *const BoneboxCharacter,
    index: u16,
    tag: *const c_char,
    has_tag: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (character, tag) = (borrow(character, "character")?, text(tag, "tag")?);
        write(has_tag, "has_tag", character.hitbox(index)?.tags.iter().any(|one| one == tag))
    })
}

/// Writes the clip with this index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_clip(
    character: *const BoneboxCharacter,
    index: u32,
    clip: *mut BoneboxClip,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        let baked = character.clip(index)?;
        let name = character.names.string(character.names.clips[index as usize]);
        write(clip, "clip", BoneboxClip { name, start: baked.start(), seconds: baked.seconds() })
    })
}

/// Writes the index of the clip with this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_find_clip(
    character: *const BoneboxCharacter,
    name: *const c_char,
    index: *mut u32,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (character, name) = (borrow(character, "character")?, text(name, "name")?);
        let names = || character.character.clips().iter().map(|clip| clip.name.as_str());
        let clip = character.character.find_clip(name).ok_or_else(|| character.no_name("clip", name, names()))?;
        write(index, "index", clip.0)
    })
}
