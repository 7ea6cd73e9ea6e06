//! Many characters: bodies and what touches since the last update.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, borrow_mut, give, take};
use crate::memory::{Kept, Out, OutList, list, read, text};
use crate::pair::{BoneboxBoxPair, BoneboxContact};
use crate::pose::model_affine;
use crate::shapes::{BoneboxMatrix, joint_matrices};
use crate::{BoneboxBoxSet, BoneboxCharacter, BoneboxPose, BoneboxPosedHitbox};
use glam::Affine3A;
use runtime::{
    Body, BodyCastHit, BodyId, BodyRayHit, BodySettings, BodyShapeOverlap, BodySweepHit, BoxIndex, ClipIndex,
    CollisionLayers, HitboxWorld, Touch, TouchPhase,
};
use skeleton::JointIndex;
use std::ffi::c_char;
use std::sync::Arc;

/// Many characters. One thread at a time may change a world; any number of threads may ask it while nobody
/// changes it.
pub struct BoneboxWorld {
    pub(crate) world: HitboxWorld,
    matrices: Vec<Affine3A>,
    pub(crate) lists: Kept<Lists>,
}

/// Lists of answers.
#[derive(Default)]
pub(crate) struct Lists {
    pub(crate) rays: Vec<BodyRayHit>,
    pub(crate) overlaps: Vec<BodyShapeOverlap>,
    pub(crate) casts: Vec<BodyCastHit>,
    pub(crate) sweeps: Vec<BodySweepHit>,
}

impl Handle for BoneboxWorld {
    const NAME: &'static str = "BoneboxWorld";
}

impl BoneboxWorld {
    pub(crate) fn body(&self, id: u64) -> Result<&Body, Failure> {
        let missing =
            || Failure::new(BoneboxResult::NoBody, format!("body {id} does not exist in this world; insert it first"));
        self.world.body(BodyId(id)).ok_or_else(missing)
    }
}

/// What a body is tested against. Start from `bonebox_body_settings_default`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxBodySettings {
    /// The layers that its hitboxes are in, as bits.
    pub memberships: u32,
    /// The layers that its hitboxes are tested against, as bits.
    pub mask: u32,
    /// Its team, where `has_team` is true.
    pub team: u32,
    /// Whether it has a team: bodies of one team are not tested against each other.
    pub has_team: bool,
    /// Whether its own hitboxes are tested against each other, those of neighboring joints excepted.
    pub self_touches: bool,
    /// Whether sweeps see it move from its pose at the last update to its present one.
    pub continuous: bool,
}

impl From<BodySettings> for BoneboxBodySettings {
    fn from(settings: BodySettings) -> Self {
        let BodySettings { layers, team, self_touches, continuous } = settings;
        Self {
            memberships: layers.memberships,
            mask: layers.mask,
            team: team.unwrap_or(0),
            has_team: team.is_some(),
            self_touches,
            continuous,
        }
    }
}

impl From<BoneboxBodySettings> for BodySettings {
    fn from(settings: BoneboxBodySettings) -> Self {
        let BoneboxBodySettings { memberships, mask, team, has_team, self_touches, continuous } = settings;
        let layers = CollisionLayers { memberships, mask };
        Self { layers, team: has_team.then_some(team), self_touches, continuous }
    }
}

/// A hitbox of one body and a hitbox of another that overlap.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxTouch {
    /// The body of the lesser id.
    pub body_a: u64,
    /// The other body.
    pub body_b: u64,
    /// Which hitboxes of which joints.
    pub pair: BoneboxBoxPair,
}

/// What became of a touch since the update before.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxTouchPhase {
    /// It was not there before.
    Started = 0,
    /// It was there already.
    Persisted = 1,
    /// It is no longer there.
    Ended = 2,
}

/// A touch and what became of it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxTouchEvent {
    /// Which hitboxes of which bodies.
    pub touch: BoneboxTouch,
    /// What became of it.
    pub phase: BoneboxTouchPhase,
}

/// How one body is posed: by a clip at a time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxClipPose {
    /// The body.
    pub body: u64,
    /// Where the body's model stands.
    pub world_from_model: BoneboxMatrix,
    /// The index of the clip.
    pub clip: u32,
    /// Seconds on the clip's own clock.
    pub seconds: f32,
}

impl From<&Touch> for BoneboxTouch {
    fn from(touch: &Touch) -> Self {
        let &Touch { a, b, box_a, box_b, joint_a, joint_b } = touch;
        let pair = BoneboxBoxPair { box_a: box_a.0, box_b: box_b.0, joint_a: joint_a.0, joint_b: joint_b.0 };
        Self { body_a: a.0, body_b: b.0, pair }
    }
}

impl From<&BoneboxTouch> for Touch {
    fn from(touch: &BoneboxTouch) -> Self {
        let BoneboxBoxPair { box_a, box_b, joint_a, joint_b } = touch.pair;
        Self {
            a: BodyId(touch.body_a),
            b: BodyId(touch.body_b),
            box_a: BoxIndex(box_a),
            box_b: BoxIndex(box_b),
            joint_a: JointIndex(joint_a),
            joint_b: JointIndex(joint_b),
        }
    }
}

impl From<TouchPhase> for BoneboxTouchPhase {
    fn from(phase: TouchPhase) -> Self {
        match phase {
            TouchPhase::Started => Self::Started,
            TouchPhase::Persisted => Self::Persisted,
            TouchPhase::Ended => Self::Ended,
        }
    }
}

/// Makes a world without bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_new(world: *mut *mut BoneboxWorld, error: *mut BoneboxError) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let out = unsafe { Out::new(world, "world")? };
        let (world, lists) = (HitboxWorld::new(), Kept::default());
        out.write(give(BoneboxWorld { world, matrices: Vec::new(), lists }));
        Ok(())
    })
}

/// Frees a world and its bodies; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_free(world: *mut BoneboxWorld) -> BoneboxResult {
    // SAFETY: the caller's promise, see the crate's documentation.
    guard(std::ptr::null_mut(), || unsafe { take(world, "world") })
}

/// Makes `to` a copy of `from`, in the memory that `to` has: a state to roll back to. An update of the copy gives the
/// events that an update of the original would have given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_copy(
    from: *const BoneboxWorld,
    to: *mut BoneboxWorld,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        if std::ptr::eq(from, to) {
            // SAFETY: the caller's promise, see the crate's documentation.
            return unsafe { borrow(from, "from") }.map(|_| ());
        }
        // SAFETY: the caller's promise; these are two worlds.
        let (from, to) = unsafe { (borrow(from, "from")?, borrow_mut(to, "to")?) };
        to.world.clone_from(&from.world);
        Ok(())
    })
}

/// The settings of a body that is in all layers, is tested against all layers and has no team.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_body_settings_default() -> BoneboxBodySettings {
    BodySettings::default().into()
}

/// Adds a body under an id of the caller's choice. Nothing finds it until it is posed. NULL settings are the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_insert(
    world: *mut BoneboxWorld,
    body: u64,
    character: *const BoneboxCharacter,
    settings: *const BoneboxBodySettings,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, character, settings) =
            unsafe { (borrow_mut(world, "world")?, borrow(character, "character")?, settings.as_ref().copied()) };
        let settings = settings.map_or_else(BodySettings::default, Into::into);
        Ok(world.world.insert(BodyId(body), Arc::clone(&character.character), settings)?)
    })
}

/// Takes a body out: nothing finds it from now on, and the next update reports that its touches ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_remove(
    world: *mut BoneboxWorld,
    body: u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let world = unsafe { borrow_mut(world, "world")? };
        world.world.remove(BodyId(body))?;
        Ok(())
    })
}

/// The ids of all bodies, sorted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_bodies(
    world: *const BoneboxWorld,
    out: *mut u64,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, out) = unsafe { (borrow(world, "world")?, OutList::new(out, capacity, count)?) };
        out.write(world.world.bodies().map(|body| body.id().0))
    })
}

/// The ids of the bodies without a pose, sorted: those that were not posed since they were inserted, and those whose last
/// pose was refused. No query finds them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_unposed_bodies(
    world: *const BoneboxWorld,
    out: *mut u64,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, out) = unsafe { (borrow(world, "world")?, OutList::new(out, capacity, count)?) };
        out.write(world.world.unposed_bodies().map(|body| body.id().0))
    })
}

/// Changes a body's settings. Queries see the change at once, touches from the next update on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_set_settings(
    world: *mut BoneboxWorld,
    body: u64,
    settings: *const BoneboxBodySettings,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, settings) = unsafe { (borrow_mut(world, "world")?, read(settings, "settings")?) };
        Ok(world.world.set_settings(BodyId(body), settings.into())?)
    })
}

/// Gives some hitboxes of a body layers of their own. A hitbox in several sets has the layers of all of them; the same
/// set again replaces its layers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_set_box_layers(
    world: *mut BoneboxWorld,
    body: u64,
    boxes: *const BoneboxBoxSet,
    memberships: u32,
    mask: u32,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, boxes) = unsafe { (borrow_mut(world, "world")?, borrow(boxes, "boxes")?) };
        Ok(world.world.set_box_layers(BodyId(body), &boxes.boxes, CollisionLayers { memberships, mask })?)
    })
}

/// Undoes `bonebox_world_set_box_layers` of the same set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_clear_box_layers(
    world: *mut BoneboxWorld,
    body: u64,
    boxes: *const BoneboxBoxSet,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, boxes) = unsafe { (borrow_mut(world, "world")?, borrow(boxes, "boxes")?) };
        Ok(world.world.clear_box_layers(BodyId(body), &boxes.boxes)?)
    })
}

/// Switches some hitboxes of a body off, so that they touch nothing and no query finds them, or on again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_switch_boxes(
    world: *mut BoneboxWorld,
    body: u64,
    boxes: *const BoneboxBoxSet,
    on: bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, boxes) = unsafe { (borrow_mut(world, "world")?, borrow(boxes, "boxes")?) };
        Ok(world.world.switch_boxes(BodyId(body), &boxes.boxes, on)?)
    })
}

/// Keeps the matrices of these joints of a body from its next pose on, for `bonebox_world_joint_matrix`: weapon sockets,
/// muzzles, cameras. Replaces the joints that were tracked before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_track_joints(
    world: *mut BoneboxWorld,
    body: u64,
    names: *const *const c_char,
    count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, names) = unsafe { (borrow_mut(world, "world")?, list(names, count, "names")?) };
        // SAFETY: the caller's promise, see the crate's documentation.
        let names = names.iter().map(|&name| unsafe { text(name, "names") }).collect::<Result<Vec<_>, _>>()?;
        Ok(world.world.track_joints(BodyId(body), &names)?)
    })
}

/// The matrix of a tracked joint of a body, in its present pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_joint_matrix(
    world: *const BoneboxWorld,
    body: u64,
    name: *const c_char,
    world_from_joint: *mut BoneboxMatrix,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, name, out) =
            unsafe { (borrow(world, "world")?, text(name, "name")?, Out::new(world_from_joint, "world_from_joint")?) };
        let matrix = world.body(body)?.world_from_joint(name).ok_or_else(|| {
            Failure::not_found(format!(
                "body {body} has no matrix of joint {name:?}: track the joint, then pose the body"
            ))
        })?;
        out.write(BoneboxMatrix::from(&matrix));
        Ok(())
    })
}

/// Poses a body by its rest pose. After a failure of any function that poses, the body has no hitboxes until it is posed
/// again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_pose_from_rest(
    world: *mut BoneboxWorld,
    body: u64,
    world_from_model: *const BoneboxMatrix,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, matrix) = unsafe { (borrow_mut(world, "world")?, read(world_from_model, "world_from_model")?) };
        Ok(world.world.pose_from_rest(BodyId(body), &model_affine(matrix)?)?)
    })
}

/// Poses bodies by clips. All are posed, also behind one that is refused; the failure is that of the first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_pose_from_clips(
    world: *mut BoneboxWorld,
    poses: *const BoneboxClipPose,
    count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, poses) = unsafe { (borrow_mut(world, "world")?, list(poses, count, "poses")?) };
        let mut first = Ok(());
        for pose in poses {
            let place = pose.world_from_model.affine(|| format!("`world_from_model` of body {}", pose.body));
            let posed = place.and_then(|place| {
                Ok(world.world.pose_from_clip(BodyId(pose.body), &place, ClipIndex(pose.clip), pose.seconds)?)
            });
            first = first.and(posed);
        }
        first
    })
}

/// Poses a body by matrices in model space: `model_from_joint[j]` belongs to joint `j`, one for each joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_pose_from_model(
    world: *mut BoneboxWorld,
    body: u64,
    world_from_model: *const BoneboxMatrix,
    model_from_joint: *const BoneboxMatrix,
    joint_count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, matrix, joints) = unsafe {
            let joints = list(model_from_joint, joint_count, "model_from_joint")?;
            (borrow_mut(world, "world")?, read(world_from_model, "world_from_model")?, joints)
        };
        joint_matrices(joints, &mut world.matrices)?;
        Ok(world.world.pose_from_model(BodyId(body), &model_affine(matrix)?, &world.matrices)?)
    })
}

/// Poses a body by matrices in world space: `world_from_joint[j]` belongs to joint `j`, one for each joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_pose_from_world(
    world: *mut BoneboxWorld,
    body: u64,
    world_from_joint: *const BoneboxMatrix,
    joint_count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, joints) =
            unsafe { (borrow_mut(world, "world")?, list(world_from_joint, joint_count, "world_from_joint")?) };
        joint_matrices(joints, &mut world.matrices)?;
        Ok(world.world.pose_from_world(BodyId(body), &world.matrices)?)
    })
}

/// Takes over a pose that was computed or kept elsewhere. The body keeps its own where that is a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_set_pose(
    world: *mut BoneboxWorld,
    body: u64,
    pose: *const BoneboxPose,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, pose) = unsafe { (borrow_mut(world, "world")?, borrow(pose, "pose")?) };
        Ok(world.world.pose_one(BodyId(body), |poser| poser.copy_pose(&pose.posed))?)
    })
}

/// Copies the present pose of a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_get_pose(
    world: *const BoneboxWorld,
    body: u64,
    pose: *mut BoneboxPose,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, pose) = unsafe { (borrow(world, "world")?, borrow_mut(pose, "pose")?) };
        pose.posed.clone_from(world.body(body)?.posed());
        Ok(())
    })
}

/// The hitboxes of a body in world space, in the order of their indices; none where it has no pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_hitboxes(
    world: *const BoneboxWorld,
    body: u64,
    out: *mut BoneboxPosedHitbox,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, out) = unsafe { (borrow(world, "world")?, OutList::new(out, capacity, count)?) };
        out.write(world.body(body)?.posed().boxes().map(Into::into))
    })
}

/// Keeps all poses as they are now: bodies move from them to where they are posed next, until this is called again. For
/// sweeps; bodies whose settings say `continuous` need no call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_start_motion(
    world: *mut BoneboxWorld,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        unsafe { borrow_mut(world, "world")? }.world.start_motion();
        Ok(())
    })
}

/// Makes a body stand still where it is now, so that sweeps do not see the way it came: for bodies that were teleported.
/// To be called after posing it at the new place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_reset_motion(
    world: *mut BoneboxWorld,
    body: u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let world = unsafe { borrow_mut(world, "world")? };
        Ok(world.world.reset_motion(BodyId(body))?)
    })
}

/// Finds all touches of the present poses, and what has changed since the last update.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_update(world: *mut BoneboxWorld, error: *mut BoneboxError) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        unsafe { borrow_mut(world, "world")? }.world.update();
        Ok(())
    })
}

/// Which hitboxes overlapped at the last update, sorted by bodies, then hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_touches(
    world: *const BoneboxWorld,
    out: *mut BoneboxTouch,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, out) = unsafe { (borrow(world, "world")?, OutList::new(out, capacity, count)?) };
        out.write(world.world.touches().iter().map(Into::into))
    })
}

/// The touches of the last update and of the one before, and what became of each, sorted by bodies, then hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_events(
    world: *const BoneboxWorld,
    out: *mut BoneboxTouchEvent,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, out) = unsafe { (borrow(world, "world")?, OutList::new(out, capacity, count)?) };
        let events = world.world.events().iter();
        out.write(events.map(|event| BoneboxTouchEvent { touch: (&event.touch).into(), phase: event.phase.into() }))
    })
}

/// How deep and where the two hitboxes of a touch overlap in the present poses. `found` is false where a body is gone or
/// has no pose, or where the two no longer overlap; `contact` is written only where it is true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_contact(
    world: *const BoneboxWorld,
    touch: *const BoneboxTouch,
    found: *mut bool,
    contact: *mut BoneboxContact,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, touch, found, out) = unsafe {
            let outs = (Out::new(found, "found")?, Out::new(contact, "contact")?);
            (borrow(world, "world")?, read(touch, "touch")?, outs.0, outs.1)
        };
        let contact = world.world.contact(&Touch::from(&touch));
        found.write(contact.is_some());
        if let Some(contact) = contact {
            out.write((&contact).into());
        }
        Ok(())
    })
}
