//! The functions of the library in a form that is short to call.

use bonebox_c::*;
use glam::{Affine3A, Mat4, Vec3};
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

/// A failure as C sees it.
#[derive(Debug, PartialEq)]
pub(crate) struct Failed {
    pub(crate) result: BoneboxResult,
    pub(crate) message: String,
}

/// Calls a function that may fail.
pub(crate) fn call(function: impl FnOnce(*mut BoneboxError) -> BoneboxResult) -> Result<(), Failed> {
    let mut error = MaybeUninit::<BoneboxError>::uninit();
    let result = function(error.as_mut_ptr());
    if result == BoneboxResult::Ok {
        return Ok(());
    }
    let error = unsafe { error.assume_init() };
    assert_eq!(error.result, result, "the result is answered and written");
    let bytes: Vec<u8> = error.message[..error.message_length as usize].iter().map(|&byte| byte as u8).collect();
    assert_eq!(error.message[error.message_length as usize], 0);
    Err(Failed { result, message: String::from_utf8(bytes).unwrap() })
}

/// Calls a function that writes one value.
pub(crate) fn value<T>(function: impl FnOnce(*mut T, *mut BoneboxError) -> BoneboxResult) -> Result<T, Failed> {
    let mut value = MaybeUninit::uninit();
    call(|error| function(value.as_mut_ptr(), error))?;
    Ok(unsafe { value.assume_init() })
}

/// Calls a function that may find nothing.
pub(crate) fn found<T>(
    function: impl FnOnce(*mut bool, *mut T, *mut BoneboxError) -> BoneboxResult,
) -> Result<Option<T>, Failed> {
    let mut value = MaybeUninit::uninit();
    let mut is_found = false;
    call(|error| function(&mut is_found, value.as_mut_ptr(), error))?;
    Ok(is_found.then(|| unsafe { value.assume_init() }))
}

/// Calls a function that writes a list, with room for few elements first.
pub(crate) fn all<T: Copy>(
    function: impl Fn(*mut T, usize, *mut usize, *mut BoneboxError) -> BoneboxResult,
) -> Result<Vec<T>, Failed> {
    const FEW: usize = 2;
    let mut few = [const { MaybeUninit::<T>::uninit() }; FEW];
    let mut count = usize::MAX;
    match call(|error| function(few.as_mut_ptr().cast(), FEW, &mut count, error)) {
        Ok(()) => return Ok(few[..count].iter().map(|one| unsafe { one.assume_init() }).collect()),
        Err(failed) if failed.result == BoneboxResult::BufferTooSmall => assert!(count > FEW),
        Err(failed) => return Err(failed),
    }
    let mut list = Vec::with_capacity(count);
    let capacity = count;
    call(|error| function(list.as_mut_ptr(), capacity, &mut count, error))?;
    assert_eq!(count, capacity);
    unsafe { list.set_len(count) };
    Ok(list)
}

pub(crate) fn c(text: &str) -> CString {
    CString::new(text).unwrap()
}

pub(crate) fn text(string: BoneboxString) -> String {
    let bytes = unsafe { std::slice::from_raw_parts(string.data.cast::<u8>(), string.length + 1) };
    assert_eq!(bytes[string.length], 0, "a zero byte stands behind it");
    String::from_utf8(bytes[..string.length].to_vec()).unwrap()
}

pub(crate) fn matrix(affine: &Affine3A) -> BoneboxMatrix {
    BoneboxMatrix { m: Mat4::from(*affine).to_cols_array() }
}

pub(crate) fn vec3(v: Vec3) -> BoneboxVec3 {
    BoneboxVec3 { x: v.x, y: v.y, z: v.z }
}

/// A character that frees itself.
pub(crate) struct OwnCharacter(pub(crate) *mut BoneboxCharacter);

impl OwnCharacter {
    pub(crate) fn load(bytes: &[u8]) -> Result<Self, Failed> {
        value(|out, error| unsafe { bonebox_character_load(bytes.as_ptr(), bytes.len(), out, error) }).map(Self)
    }
}

impl Drop for OwnCharacter {
    fn drop(&mut self) {
        assert_eq!(unsafe { bonebox_character_free(self.0) }, BoneboxResult::Ok);
    }
}

/// A pose that frees itself.
pub(crate) struct OwnPose(pub(crate) *mut BoneboxPose);

impl OwnPose {
    pub(crate) fn new() -> Self {
        Self(value(|out, error| unsafe { bonebox_pose_new(out, error) }).unwrap())
    }
}

impl Drop for OwnPose {
    fn drop(&mut self) {
        assert_eq!(unsafe { bonebox_pose_free(self.0) }, BoneboxResult::Ok);
    }
}

/// A world that frees itself.
pub(crate) struct OwnWorld(pub(crate) *mut BoneboxWorld);

impl OwnWorld {
    pub(crate) fn new() -> Self {
        Self(value(|out, error| unsafe { bonebox_world_new(out, error) }).unwrap())
    }

    pub(crate) fn update(&self) {
        assert_eq!(unsafe { bonebox_world_update(self.0, null_mut()) }, BoneboxResult::Ok);
    }
}

impl Drop for OwnWorld {
    fn drop(&mut self) {
        assert_eq!(unsafe { bonebox_world_free(self.0) }, BoneboxResult::Ok);
    }
}

/// A history that frees itself.
pub(crate) struct OwnHistory(pub(crate) *mut BoneboxHistory);

impl OwnHistory {
    pub(crate) fn new(ticks: usize, tick_seconds: f64) -> Result<Self, Failed> {
        value(|out, error| unsafe { bonebox_history_new(ticks, tick_seconds, out, error) }).map(Self)
    }

    pub(crate) fn record(&self, tick: u64, world: &OwnWorld) -> Result<BoneboxRecorded, Failed> {
        value(|out, error| unsafe { bonebox_history_record(self.0, tick, world.0, out, error) })
    }

    pub(crate) fn at(&self, tick: u64, fraction: f32, own: &[BoneboxBodyMoment]) -> Result<OwnPast, Failed> {
        self.at_with(BoneboxMoment { tick, fraction }, own, null())
    }

    pub(crate) fn at_with(
        &self,
        moment: BoneboxMoment,
        own: &[BoneboxBodyMoment],
        rules: *const BoneboxRewindRules,
    ) -> Result<OwnPast, Failed> {
        let (list, count) = (own.as_ptr(), own.len());
        value(|out, error| unsafe { bonebox_history_at(self.0, moment, list, count, rules, out, error) }).map(OwnPast)
    }
}

impl Drop for OwnHistory {
    fn drop(&mut self) {
        assert_eq!(unsafe { bonebox_history_free(self.0) }, BoneboxResult::Ok);
    }
}

/// A world of the past that frees itself.
pub(crate) struct OwnPast(pub(crate) *const BoneboxWorld);

impl OwnPast {
    pub(crate) fn kind(&self, body: u64) -> Option<BoneboxMomentKind> {
        found(|is, out, error| unsafe { bonebox_past_kind(self.0, body, is, out, error) }).unwrap()
    }
}

impl Drop for OwnPast {
    fn drop(&mut self) {
        assert_eq!(unsafe { bonebox_world_free(self.0) }, BoneboxResult::Ok);
    }
}

/// Bytes of the library, copied.
pub(crate) fn bytes(made: *mut BoneboxBytes) -> Vec<u8> {
    let copy = unsafe { std::slice::from_raw_parts(bonebox_bytes_data(made), bonebox_bytes_length(made)) }.to_vec();
    assert_eq!(unsafe { bonebox_bytes_free(made) }, BoneboxResult::Ok);
    copy
}

/// A set of hitboxes that frees itself.
pub(crate) struct OwnSet(pub(crate) *mut BoneboxBoxSet);

impl OwnSet {
    pub(crate) fn with_tag(character: &OwnCharacter, tag: &str) -> Result<Self, Failed> {
        let tag = c(tag);
        value(|out, error| unsafe { bonebox_box_set_with_tag(character.0, tag.as_ptr(), out, error) }).map(Self)
    }
}

impl Drop for OwnSet {
    fn drop(&mut self) {
        assert_eq!(unsafe { bonebox_box_set_free(self.0) }, BoneboxResult::Ok);
    }
}

/// A joint mask that frees itself.
pub(crate) struct OwnMask(pub(crate) *mut BoneboxJointMask);

impl OwnMask {
    pub(crate) fn new(character: &OwnCharacter, weights: &[f32]) -> Result<Self, Failed> {
        let (list, count) = (weights.as_ptr(), weights.len());
        value(|out, error| unsafe { bonebox_joint_mask_new(character.0, list, count, out, error) }).map(Self)
    }

    pub(crate) fn below(character: &OwnCharacter, joint: u16) -> Result<Self, Failed> {
        value(|out, error| unsafe { bonebox_joint_mask_below(character.0, joint, out, error) }).map(Self)
    }
}

impl Drop for OwnMask {
    fn drop(&mut self) {
        assert_eq!(unsafe { bonebox_joint_mask_free(self.0) }, BoneboxResult::Ok);
    }
}

/// A character of `assets/`.
pub(crate) fn asset(name: &str) -> OwnCharacter {
    let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
    OwnCharacter::load(&std::fs::read(path).unwrap()).unwrap()
}

/// Inserts a body with default settings.
pub(crate) fn insert(world: &OwnWorld, body: u64, character: &OwnCharacter) {
    call(|error| unsafe { bonebox_world_insert(world.0, body, character.0, null(), error) }).unwrap();
}

pub(crate) fn find_clip(character: &OwnCharacter, name: &str) -> u32 {
    let name = c(name);
    value(|out, error| unsafe { bonebox_character_find_clip(character.0, name.as_ptr(), out, error) }).unwrap()
}

pub(crate) fn find_joint(character: &OwnCharacter, name: &str) -> u16 {
    let name = c(name);
    value(|out, error| unsafe { bonebox_character_find_joint(character.0, name.as_ptr(), out, error) }).unwrap()
}

/// The hitboxes of a pose.
pub(crate) fn hitboxes(pose: &OwnPose) -> Vec<BoneboxPosedHitbox> {
    all(|out, room, count, error| unsafe { bonebox_pose_hitboxes(pose.0, out, room, count, error) }).unwrap()
}

#[track_caller]
pub(crate) fn assert_failed<T>(result: Result<T, Failed>, expected: BoneboxResult, part: &str) {
    let failed = result.err().expect("a failure");
    assert!(failed.result == expected && failed.message.contains(part), "{failed:?} does not say {part:?}");
}

/// The filter that finds everything that can be hit.
pub(crate) const EVERYTHING: BoneboxFilter = BoneboxFilter {
    exclude: null(),
    exclude_count: 0,
    tags: null(),
    tag_count: 0,
    memberships: 0,
    mask: 0,
    team: 0,
    has_layers: false,
    has_team: false,
    roles: 0,
    predicate: None,
    user: null_mut(),
};
