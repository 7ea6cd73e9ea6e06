//! Worlds: many bodies, and the touches between them.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, borrow_mut, hand_over, take};
use crate::memory::{Kept, list, read, text, write, write_found, write_list};
use crate::pair::BoneboxContact;
use crate::past::Past;
use crate::pose::{borrow_unposed, place};
use crate::query::RayBatch;
use crate::shapes::{BoneboxMatrix, joint_matrices};
use crate::{BoneboxBoxSet, BoneboxCharacter, BoneboxPose, BoneboxPosedHitbox};
use glam::Affine3A;
use runtime::{
    Body, BodyCastHit, BodyId, BodyRayHit, BodySettings, BodyShapeOverlap, BodySkinShapeOverlap, BodySweepHit,
    BoxIndex, BoxPair, ClipIndex, CollisionLayers, HitboxWorld, PoseLayer, SkinTouch, Touch, TouchEvent, TouchPhase,
};
use skeleton::JointIndex;
use std::ffi::c_char;
use std::sync::Arc;

/// A world of many bodies, or the world of a moment in the past (`bonebox_history_at`), which never changes. One thread at a time may change a world. Any number of threads may query a world while no
/// thread changes it.
#[derive(Default)]
pub struct BoneboxWorld {
    /// The bodies of the present; none in a world of the past.
    pub(crate) world: HitboxWorld,
    /// The bodies of a moment in the past, if this is a world of the past.
    pub(crate) past: Option<Past>,
    matrices: Vec<Affine3A>,
    /// Memory for pose layers, empty between calls.
    pub(crate) layers: Vec<PoseLayer>,
    pub(crate) lists: Kept<Lists>,
}

/// Lists of answers of queries.
#[derive(Default)]
pub(crate) struct Lists {
    pub(crate) rays: Vec<BodyRayHit>,
    pub(crate) overlaps: Vec<BodyShapeOverlap>,
    pub(crate) casts: Vec<BodyCastHit>,
    pub(crate) sweeps: Vec<BodySweepHit>,
    pub(crate) skins: Vec<SkinTouch>,
    pub(crate) skin_shapes: Vec<BodySkinShapeOverlap>,
    pub(crate) inside: Vec<BodyId>,
    pub(crate) batch: RayBatch,
}

impl Handle for BoneboxWorld {
    const NAME: &'static str = "BoneboxWorld";
}

/// Evaluates an expression for the bodies of a world, which are those of the present or of a moment in the past.
macro_rules! with_bodies {
    ($world:expr, $bodies:ident => $ask:expr) => {
        match &$world.past {
            None => {
                let $bodies = &$world.world;
                $ask
            }
            Some(past) => {
                let $bodies = past.view();
                $ask
            }
        }
    };
}

/// Borrows a world of the present, to ask what only such a world knows.
///
/// # Safety
/// As [`borrow`].
pub(crate) unsafe fn present<'a>(world: *const BoneboxWorld, name: &str) -> Result<&'a BoneboxWorld, Failure> {
    let world = borrow(world, name)?;
    if world.past.is_none() { Ok(world) } else { Err(past_world(name)) }
}

/// Borrows a world of the present to change it.
///
/// # Safety
/// As [`borrow_mut`].
pub(crate) unsafe fn present_mut<'a>(world: *mut BoneboxWorld, name: &str) -> Result<&'a mut BoneboxWorld, Failure> {
    let world = borrow_mut(world, name)?;
    if world.past.is_none() { Ok(world) } else { Err(past_world(name)) }
}

#[cold]
fn past_world(name: &str) -> Failure {
    Failure::invalid(format!(
        "`{name}` is a world of the past, which answers rays, casts, overlaps, hitboxes and poses only; pass the world of the present"
    ))
}

impl BoneboxWorld {
    pub(crate) fn of_past(past: Past) -> Self {
        Self { past: Some(past), ..Self::default() }
    }

    pub(crate) fn body(&self, id: u64) -> Result<&Body, Failure> {
        let missing =
            || Failure::new(BoneboxResult::NoBody, format!("body {id} does not exist in this world; insert it first"));
        with_bodies!(self, bodies => bodies.body(BodyId(id))).ok_or_else(missing)
    }

    /// The ids of all bodies, sorted.
    pub(crate) fn ids(&self) -> Box<dyn Iterator<Item = BodyId> + '_> {
        match &self.past {
            None => Box::new(self.world.bodies().map(Body::id)),
            Some(past) => Box::new(past.view().ids()),
        }
    }

    /// Poses a body. If an argument or the pose is refused, the body has no hitboxes until it is posed again.
    pub(crate) fn pose(
        &mut self,
        body: u64,
        pose: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        pose(self).inspect_err(|_| {
            // This fails if the body does not exist, which is the failure that is reported.
            let _ = self.world.clear_pose(BodyId(body));
        })
    }
}

/// Settings that say against which other bodies a body is tested. Start from `bonebox_body_settings_default`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxBodySettings {
    /// The layers that the body's hitboxes are in, one bit for each layer.
    pub memberships: u32,
    /// The layers that the body's hitboxes are tested against, one bit for each layer.
    pub mask: u32,
    /// The body's team if `has_team` is true, else ignored.
    pub team: u32,
    /// True if the body has a team. Bodies of the same team are not tested against each other.
    pub has_team: bool,
    /// True if the body's own hitboxes are tested against each other, except hitboxes of the same joint and of
    /// neighboring joints.
    pub self_touches: bool,
    /// True if sweeps see the body move from its pose at the last update to its present pose.
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
    /// The lesser id of the two bodies.
    pub body_a: u64,
    /// The greater id of the two bodies.
    pub body_b: u64,
    /// The index of a hitbox of `body_a`.
    pub box_a: u16,
    /// The index of a hitbox of `body_b`.
    pub box_b: u16,
    /// The index of the joint that `box_a` is attached to.
    pub joint_a: u16,
    /// The index of the joint that `box_b` is attached to.
    pub joint_b: u16,
}

/// The change of a touch between the previous update and the last one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxTouchPhase {
    /// The two hitboxes overlap now and did not overlap at the previous update.
    Started = 0,
    /// The two hitboxes overlap now and overlapped at the previous update.
    Persisted = 1,
    /// The two hitboxes overlapped at the previous update and do not overlap now.
    Ended = 2,
}

/// A touch and its change since the previous update.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxTouchEvent {
    /// The two bodies and their hitboxes.
    pub touch: BoneboxTouch,
    /// The change of the touch.
    pub phase: BoneboxTouchPhase,
}

/// A pose of one body: a clip and a time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxClipPose {
    /// The id of the body.
    pub body: u64,
    /// The place of the body's model in the world.
    pub world_from_model: BoneboxMatrix,
    /// The index of the clip.
    pub clip: u32,
    /// The time in seconds, on the clip's own clock.
    pub seconds: f32,
}

impl From<&Touch> for BoneboxTouch {
    fn from(touch: &Touch) -> Self {
        let &Touch { body_a, body_b, answer: BoxPair { box_a, box_b, joint_a, joint_b } } = touch;
        let (box_a, box_b, joint_a, joint_b) = (box_a.0, box_b.0, joint_a.0, joint_b.0);
        Self { body_a: body_a.0, body_b: body_b.0, box_a, box_b, joint_a, joint_b }
    }
}

impl From<&BoneboxTouch> for Touch {
    fn from(touch: &BoneboxTouch) -> Self {
        let (box_a, box_b) = (BoxIndex(touch.box_a), BoxIndex(touch.box_b));
        let (joint_a, joint_b) = (JointIndex(touch.joint_a), JointIndex(touch.joint_b));
        let answer = BoxPair { box_a, box_b, joint_a, joint_b };
        Self { body_a: BodyId(touch.body_a), body_b: BodyId(touch.body_b), answer }
    }
}

impl From<&TouchEvent> for BoneboxTouchEvent {
    fn from(event: &TouchEvent) -> Self {
        Self { touch: (&event.touch).into(), phase: event.phase.into() }
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
    guard(error, || hand_over(world, "world", BoneboxWorld::default()))
}

/// Frees a world and its bodies, also a world of the past; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_free(world: *const BoneboxWorld) -> BoneboxResult {
    guard(std::ptr::null_mut(), || take(world.cast_mut(), "world"))
}

/// Copies the state of world `from` into world `to`, for example to roll back to it later. The function reuses the
/// memory of `to`. An update of the copy gives the same events as an update of the original.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_copy(
    from: *const BoneboxWorld,
    to: *mut BoneboxWorld,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        if std::ptr::eq(from, to) {
            return borrow(from, "from").map(|_| ());
        }
        let (from, to) = (present(from, "from")?, present_mut(to, "to")?);
        to.world.clone_from(&from.world);
        Ok(())
    })
}

/// Returns the default settings: the body is in all layers, is tested against all layers and has no team.
#[unsafe(no_mangle)]
pub extern "C" fn bonebox_body_settings_default() -> BoneboxBodySettings {
    BodySettings::default().into()
}

/// Adds a body with an id that the caller chooses. Touches and queries ignore the body until it is posed. NULL
/// `settings` mean the default settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_insert(
    world: *mut BoneboxWorld,
    body: u64,
    character: *const BoneboxCharacter,
    settings: *const BoneboxBodySettings,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, character, settings) =
            (present_mut(world, "world")?, borrow(character, "character")?, settings.as_ref().copied());
        let settings = settings.map_or_else(BodySettings::default, Into::into);
        Ok(world.world.insert(BodyId(body), Arc::clone(&character.character), settings)?)
    })
}

/// Removes a body. Queries ignore the body from now on, and the next update reports the end of its touches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_remove(
    world: *mut BoneboxWorld,
    body: u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present_mut(world, "world")?;
        world.world.remove(BodyId(body))?;
        Ok(())
    })
}

/// Writes the ids of all bodies, sorted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_bodies(
    world: *const BoneboxWorld,
    out: *mut u64,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = borrow(world, "world")?;
        write_list(out, capacity, count, world.ids().map(|body| body.0))
    })
}

/// Writes the ids of the bodies without a pose, sorted: bodies that were not posed since they were inserted, and bodies
/// whose last pose was refused. Queries ignore these bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_unposed_bodies(
    world: *const BoneboxWorld,
    out: *mut u64,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = borrow(world, "world")?;
        write_list(out, capacity, count, world.world.unposed_bodies().map(|body| body.id().0))
    })
}

/// Changes a body's settings. Queries use the new settings at once, touches and events use them from the next update on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_set_settings(
    world: *mut BoneboxWorld,
    body: u64,
    settings: *const BoneboxBodySettings,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, settings) = (present_mut(world, "world")?, read(settings, "settings")?);
        Ok(world.world.set_settings(BodyId(body), settings.into())?)
    })
}

/// Gives the hitboxes of a set layers of their own. A hitbox in several sets has the layers of all these sets. A second
/// call with an equal set replaces the layers of the first call.
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
        let (world, boxes) = (present_mut(world, "world")?, borrow(boxes, "boxes")?);
        Ok(world.world.set_box_layers(BodyId(body), &boxes.boxes, CollisionLayers { memberships, mask })?)
    })
}

/// Removes the layers that `bonebox_world_set_box_layers` gave to the same set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_clear_box_layers(
    world: *mut BoneboxWorld,
    body: u64,
    boxes: *const BoneboxBoxSet,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, boxes) = (present_mut(world, "world")?, borrow(boxes, "boxes")?);
        Ok(world.world.clear_box_layers(BodyId(body), &boxes.boxes)?)
    })
}

/// Enables or disables the hitboxes of a set. Touches and queries ignore disabled hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_set_boxes_enabled(
    world: *mut BoneboxWorld,
    body: u64,
    boxes: *const BoneboxBoxSet,
    enabled: bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, boxes) = (present_mut(world, "world")?, borrow(boxes, "boxes")?);
        Ok(world.world.set_boxes_enabled(BodyId(body), &boxes.boxes, enabled)?)
    })
}

/// Tracks joints of a body: from the body's next pose on, `bonebox_world_joint_matrix` returns their matrices, for
/// example for weapon sockets, muzzles and cameras. Replaces the joints that were tracked before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_track_joints(
    world: *mut BoneboxWorld,
    body: u64,
    names: *const *const c_char,
    count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, names) = (present_mut(world, "world")?, list(names, count, "names")?);
        let names = names.iter().map(|&name| text(name, "names")).collect::<Result<Vec<_>, _>>()?;
        Ok(world.world.track_joints(BodyId(body), &names)?)
    })
}

/// Writes the matrix of a tracked joint in the body's present pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_joint_matrix(
    world: *const BoneboxWorld,
    body: u64,
    name: *const c_char,
    world_from_joint: *mut BoneboxMatrix,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, name) = (borrow(world, "world")?, text(name, "name")?);
        let matrix = world.body(body)?.world_from_joint(name).ok_or_else(|| {
            Failure::not_found(format!(
                "joint {name:?} of body {body} is not tracked; track the joint, then pose the body"
            ))
        })?;
        write(world_from_joint, "world_from_joint", BoneboxMatrix::from(&matrix))
    })
}

/// Starts or stops keeping the matrices of bodies that are posed with matrices from now on, which a history needs. A body
/// then takes 48 bytes more for each joint that its poses need.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_keep_joints(
    world: *mut BoneboxWorld,
    are_kept: bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        present_mut(world, "world")?.world.keep_joints(are_kept);
        Ok(())
    })
}

/// Poses a body by its rest pose. If this or any other function that poses a body fails, the body has no hitboxes until
/// it is posed again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_pose_from_rest(
    world: *mut BoneboxWorld,
    body: u64,
    world_from_model: *const BoneboxMatrix,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present_mut(world, "world")?;
        world.pose(body, |world| Ok(world.world.pose_from_rest(BodyId(body), &place(world_from_model)?)?))
    })
}

/// Poses bodies by clips. If a pose is refused, the function still applies the poses after it, and returns the failure
/// of the first refused pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_pose_from_clips(
    world: *mut BoneboxWorld,
    poses: *const BoneboxClipPose,
    count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, poses) = (present_mut(world, "world")?, list(poses, count, "poses")?);
        let mut first = Ok(());
        for pose in poses {
            let posed = world.pose(pose.body, |world| {
                let place = pose.world_from_model.affine(|| format!("`world_from_model` of body {}", pose.body))?;
                Ok(world.world.pose_from_clip(BodyId(pose.body), &place, ClipIndex(pose.clip), pose.seconds)?)
            });
            first = first.and(posed);
        }
        first
    })
}

/// Poses a body by matrices in model space. `model_from_joint[j]` belongs to joint `j`; `joint_count` is the number of
/// joints of the skeleton.
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
        let world = present_mut(world, "world")?;
        world.pose(body, |world| {
            joint_matrices(model_from_joint, joint_count, "model_from_joint", &mut world.matrices)?;
            Ok(world.world.pose_from_model(BodyId(body), &place(world_from_model)?, &world.matrices)?)
        })
    })
}

/// Poses a body by matrices in world space. `world_from_joint[j]` belongs to joint `j`; `joint_count` is the number of
/// joints of the skeleton.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_pose_from_world(
    world: *mut BoneboxWorld,
    body: u64,
    world_from_joint: *const BoneboxMatrix,
    joint_count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present_mut(world, "world")?;
        world.pose(body, |world| {
            joint_matrices(world_from_joint, joint_count, "world_from_joint", &mut world.matrices)?;
            Ok(world.world.pose_from_world(BodyId(body), &world.matrices)?)
        })
    })
}

/// Gives a body a copy of a pose, which must belong to the body's character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_set_pose(
    world: *mut BoneboxWorld,
    body: u64,
    pose: *const BoneboxPose,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present_mut(world, "world")?;
        world.pose(body, |world| {
            let pose = borrow(pose, "pose")?;
            Ok(world.world.pose_one(BodyId(body), |poser| poser.copy_pose(&pose.posed))?)
        })
    })
}

/// Takes away the hitboxes of a body until it is posed again, as a pose that fails does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_clear_pose(
    world: *mut BoneboxWorld,
    body: u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || Ok(present_mut(world, "world")?.world.clear_pose(BodyId(body))?))
}

/// Copies the present pose of a body into `pose`. If the function fails, `pose` has no hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_get_pose(
    world: *const BoneboxWorld,
    body: u64,
    pose: *mut BoneboxPose,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let pose = borrow_unposed(pose)?;
        let world = borrow(world, "world")?;
        pose.posed.clone_from(world.body(body)?.posed());
        Ok(())
    })
}

/// Writes the hitboxes of a body in world space, in the order of their indices; none if the body has no pose.
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
        let world = borrow(world, "world")?;
        write_list(out, capacity, count, world.body(body)?.posed().boxes().map(Into::into))
    })
}

/// Stores the present poses of all bodies as the starting poses of sweeps. Until the next call, sweeps see bodies move
/// from these poses to their present poses. A body that was not posed since the call stands still. Bodies whose settings
/// say `continuous` do not need this call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_start_motion(
    world: *mut BoneboxWorld,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        present_mut(world, "world")?.world.start_motion();
        Ok(())
    })
}

/// Makes the present pose of a body the starting pose of its sweeps. Call this function for a body that was teleported,
/// after posing it at the new place, so that sweeps ignore the way to that place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_reset_motion(
    world: *mut BoneboxWorld,
    body: u64,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present_mut(world, "world")?;
        Ok(world.world.reset_motion(BodyId(body))?)
    })
}

/// Finds all touches of the present poses and compares them with the touches of the previous update.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_update(world: *mut BoneboxWorld, error: *mut BoneboxError) -> BoneboxResult {
    guard(error, || {
        present_mut(world, "world")?.world.update();
        Ok(())
    })
}

/// Writes the touches that the last update found, sorted by bodies, then by hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_touches(
    world: *const BoneboxWorld,
    out: *mut BoneboxTouch,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present(world, "world")?;
        write_list(out, capacity, count, world.world.touches().iter().map(Into::into))
    })
}

/// Writes an event for each touch of the last update and of the update before it, sorted by bodies, then by hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_events(
    world: *const BoneboxWorld,
    out: *mut BoneboxTouchEvent,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present(world, "world")?;
        write_list(out, capacity, count, world.world.events().iter().map(Into::into))
    })
}

/// Computes the contact of the two hitboxes of a touch in the present poses. Writes false to `found` if a body was
/// removed or has no pose. Otherwise writes true to `found` and the contact to `contact`; its depth is 0 if the two
/// hitboxes no longer overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_contact(
    world: *const BoneboxWorld,
    touch: *const BoneboxTouch,
    found: *mut bool,
    contact: *mut BoneboxContact,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, touch) = (present(world, "world")?, read(touch, "touch")?);
        write_found(found, (contact, "contact"), world.world.contact(&Touch::from(&touch)).as_ref())
    })
}
