//! Moves two characters, and finds which of their joints overlap, tick by tick.

use baked_format::Attack;
use geometry_core::portable;
use glam::{Affine3A, Mat3, Vec3};
use runtime::{
    Character, ClipIndex, ClipSampler, Contact, JointPair, LoopMode, PosedCharacter, SkinCandidates, SkinOverlap,
    SkinTriangle, exact_overlap_all,
};
use serde::Serialize;
use skeleton::printable;

/// The contacts of one tick.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tick {
    /// The number of the tick, counted from 0.
    pub tick: u32,
    /// The time in seconds.
    pub time: f32,
    /// The pairs of joints whose hitboxes overlap, sorted by A's joint, then by B's joint.
    pub pairs: Vec<Pair>,
    /// The pairs of joints whose skins touch, sorted by A's joint, then by B's joint. Then follow the pairs whose
    /// hitboxes overlap, and one of whose skins is inside the other character without touching its skin. `None` in a
    /// duel of hitboxes only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub skin: Option<Vec<SkinPair>>,
}

/// Two joints that touch.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Pair {
    /// The joint of the first character, by name.
    pub a: String,
    /// The joint of the second character, by name.
    pub b: String,
    /// The depth of the overlap: the distance by which the joints must move apart, in world units.
    pub depth: f32,
}

/// Two joints whose pieces of skin share a point, or one of which is inside the other character.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SkinPair {
    /// The joint of the first character, by name.
    pub a: String,
    /// The joint of the second character, by name.
    pub b: String,
    /// A point in world space that both pieces share; `None` if one piece is inside the other character.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub point: Option<[f32; 3]>,
}

/// A character in a duel, with its clip and its place.
#[derive(Debug)]
pub struct Fighter {
    character: Character,
    clip: Option<ClipIndex>,
    world_from_model: Affine3A,
    posed: PosedCharacter,
    sampler: ClipSampler,
}

impl Fighter {
    /// Makes a fighter that plays a clip, given by name or index, or keeps its rest pose.
    ///
    /// # Errors
    /// Returns an error if the character has no such clip; the message lists its clips.
    pub fn new(character: Character, clip: Option<&str>, world_from_model: Affine3A) -> anyhow::Result<Self> {
        let clip = clip.map(|name| find_clip(&character, name)).transpose()?;
        Ok(Self { character, clip, world_from_model, posed: PosedCharacter::new(), sampler: ClipSampler::new() })
    }

    /// Makes [`ticks`] answer exactly about the skin, if the other fighter tracks its skin too.
    ///
    /// # Errors
    /// Returns an error if the character was baked without its skin.
    pub fn track_skin(&mut self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.character.baked().skin.is_some(),
            "{} was baked without its skin; bake it with `--skin lossless`, or give its asset instead of the .bonebox file",
            self.character.name()
        );
        self.posed.track_skin(true);
        Ok(())
    }

    /// Length of its clip in seconds; 0 in the rest pose.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.clip.map_or(0.0, |clip| self.character.clips()[clip.index()].seconds())
    }

    /// Its character.
    #[must_use]
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// Its clip; `None` for the rest pose.
    #[must_use]
    pub fn clip(&self) -> Option<ClipIndex> {
        self.clip
    }

    /// `true` after [`Fighter::track_skin`].
    #[must_use]
    pub fn tracks_skin(&self) -> bool {
        self.posed.tracks_skin()
    }

    /// The attacks of its clip.
    pub fn attacks(&self) -> impl Iterator<Item = &Attack> {
        self.character.baked().attacks.iter().filter(|attack| Some(attack.clip) == self.clip)
    }

    /// Its place, world from model.
    #[must_use]
    pub fn place(&self) -> &Affine3A {
        &self.world_from_model
    }

    fn pose(&mut self, time: f32) -> anyhow::Result<()> {
        match self.clip {
            Some(clip) => {
                let time = LoopMode::Loop.clip_time(&self.character.clips()[clip.index()], time.into());
                self.posed.pose_from_clip(&mut self.sampler, &self.character, &self.world_from_model, clip, time)?;
            }
            None => self.posed.pose_from_rest(&self.character, &self.world_from_model)?,
        }
        Ok(())
    }
}

/// Returns the clip with a name or, if no clip has the name, with this index.
///
/// # Errors
/// Returns an error if the character has no such clip; the message lists its clips.
pub fn find_clip(character: &Character, name: &str) -> anyhow::Result<ClipIndex> {
    if let Some(clip) = character.find_clip(name) {
        return Ok(clip);
    }
    let clips = character.clips();
    if let Some(index) = name.parse::<usize>().ok().filter(|&index| index < clips.len()) {
        return Ok(ClipIndex(index as u32));
    }
    let names: Vec<_> = clips.iter().map(|clip| printable(&clip.name)).collect();
    anyhow::bail!("{} has no clip {name:?}; its clips: {}", printable(character.name()), names.join(", "))
}

/// The place of the second fighter: on +Z, facing the first fighter, then turned by `turn` degrees.
#[must_use]
pub fn opposite(distance: f32, turn: f32) -> Affine3A {
    let (sin, cos) = match turn {
        0.0 => (0.0, -1.0),
        degrees => {
            let radians = (f64::from(degrees) + 180.0).to_radians();
            (libm::sin(radians) as f32, libm::cos(radians) as f32)
        }
    };
    let axes = Mat3::from_cols(Vec3::new(cos, 0.0, -sin), Vec3::Y, Vec3::new(sin, 0.0, cos));
    portable::affine_from_parts(&axes, Vec3::new(0.0, 0.0, distance))
}

/// Runs `ticks` ticks, and calls `each` with the touching joints of each tick. If both fighters
/// [track their skin](Fighter::track_skin), each tick also says whose skins touch, exactly.
///
/// # Errors
/// Returns an error if a pose is not finite, or `each` returns an error.
pub fn ticks(
    a: &mut Fighter,
    b: &mut Fighter,
    fps: f32,
    ticks: u32,
    mut each: impl FnMut(Tick) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let is_exact = a.tracks_skin() && b.tracks_skin();
    let mut touching: Vec<JointPair> = Vec::new();
    let mut skins: Vec<SkinOverlap> = Vec::new();
    let mut contacts: Vec<Contact> = Vec::new();
    for tick in 0..ticks {
        let time = tick as f32 / fps;
        a.pose(time)?;
        b.pose(time)?;
        runtime::overlapping_joints(&a.posed, &b.posed, &mut touching);
        runtime::contacts(&a.posed, &b.posed, &mut contacts);
        let pairs = touching.iter().map(|pair| Pair {
            a: a.character.joint_name(pair.joint_a).to_owned(),
            b: b.character.joint_name(pair.joint_b).to_owned(),
            depth: depth(&contacts, pair),
        });
        let pairs = pairs.collect();
        let skin = if is_exact {
            exact_overlap_all(&mut a.posed, &mut b.posed, SkinCandidates::Bounds, &mut skins)?;
            let inside = inside(&mut a.posed, &mut b.posed, &touching, &skins)?;
            let names = |joint_a, joint_b, point| SkinPair {
                a: a.character.joint_name(joint_a).to_owned(),
                b: b.character.joint_name(joint_b).to_owned(),
                point,
            };
            let touch = |skin: &SkinOverlap| names(skin.joint_a, skin.joint_b, Some(skin.point.to_array()));
            Some(
                skins
                    .iter()
                    .map(touch)
                    .chain(inside.iter().map(|pair| names(pair.joint_a, pair.joint_b, None)))
                    .collect(),
            )
        } else {
            None
        };
        each(Tick { tick, time, pairs, skin })?;
    }
    Ok(())
}

/// Returns the overlapping pairs of joints of which one has skin that is inside the other character and touches nothing
/// of it. Both characters must track their skin.
///
/// # Errors
/// Returns an error if a character does not track its skin.
pub fn inside(
    a: &mut PosedCharacter,
    b: &mut PosedCharacter,
    overlapping: &[JointPair],
    touches: &[SkinOverlap],
) -> anyhow::Result<Vec<JointPair>> {
    let mut triangles = [Vec::new(), Vec::new()];
    a.skin_triangles(&mut triangles[0])?;
    b.skin_triangles(&mut triangles[1])?;
    let corner = |triangles: &[SkinTriangle], joint| {
        triangles.iter().find(|triangle| triangle.joint == joint).map(|triangle| triangle.corners[0])
    };
    // A piece that touches nothing of the other character is inside as a whole or not at all, so testing one of its points is enough.
    let mut found = Vec::new();
    for pair in overlapping {
        let touches_a = touches.iter().any(|touch| touch.joint_a == pair.joint_a);
        let touches_b = touches.iter().any(|touch| touch.joint_b == pair.joint_b);
        let of_a = corner(&triangles[0], pair.joint_a).filter(|_| !touches_a);
        let of_b = corner(&triangles[1], pair.joint_b).filter(|_| !touches_b);
        let is_a_inside = of_a.map_or(Ok(false), |point| b.skin_contains(point))?;
        if is_a_inside || of_b.map_or(Ok(false), |point| a.skin_contains(point))? {
            found.push(*pair);
        }
    }
    Ok(found)
}

/// The deepest contact of any two hitboxes of the pair.
fn depth(contacts: &[Contact], pair: &JointPair) -> f32 {
    let of_pair = contacts.iter().filter(|contact| (contact.joint_a, contact.joint_b) == (pair.joint_a, pair.joint_b));
    of_pair.map(|contact| contact.depth).fold(0.0, f32::max)
}

/// The number of ticks of a duel. The tick at the end counts too, so a duel of 0 seconds has one tick.
///
/// # Errors
/// Returns an error if there would be a negative number of ticks or more than 1e9.
pub fn tick_count(seconds: f32, fps: f32) -> anyhow::Result<u32> {
    let last = f64::from(seconds) * f64::from(fps);
    anyhow::ensure!(
        (0.0..1e9).contains(&last),
        "the duel has {last} ticks (seconds times fps), but must have from 0 to 1e9; lower --seconds or --fps"
    );
    // Half a thousandth of a tick covers rounding in the times of a clip's keys.
    Ok((last + 0.0005) as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_faces_the_first_fighter() {
        let place = opposite(2.0, 0.0);
        assert_eq!(portable::affine_transform_point(&place, Vec3::Z), Vec3::new(0.0, 0.0, 1.0));
        let turned = portable::affine_transform_point(&opposite(2.0, 90.0), Vec3::Z);
        assert!(turned.abs_diff_eq(Vec3::new(-1.0, 0.0, 2.0), 1e-6), "{turned}");
    }
}
