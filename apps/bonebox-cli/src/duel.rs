//! Two characters move, and which of their joints overlap, tick by tick.

use geometry_core::Obb;
use geometry_core::portable;
use glam::{Affine3A, Mat3, Vec3};
use runtime::{
    Character, ClipIndex, ClipSampler, JointPair, LoopMode, PosedCharacter, SkinCandidates, SkinOverlap, SkinTriangle,
    exact_overlaps,
};
use serde::Serialize;

/// One tick's contacts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tick {
    /// Counts from 0.
    pub tick: u32,
    /// In seconds.
    pub time: f32,
    /// The joints whose hitboxes overlap, sorted by A's joint, then B's.
    pub pairs: Vec<Pair>,
    /// The joints whose skins touch, sorted by A's joint, then B's. After them the joints whose hitboxes overlap while the skin
    /// of one is inside the other character and touches nothing of it. `None` in a duel of hitboxes alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<Vec<SkinPair>>,
}

/// Two joints that touch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// Joint of the first character.
    pub a: String,
    /// Joint of the second.
    pub b: String,
    /// How far they would have to be moved apart.
    pub depth: f32,
}

/// Two joints whose pieces of skin share a point, or one of which is inside the other character.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkinPair {
    /// Joint of the first character.
    pub a: String,
    /// Joint of the second.
    pub b: String,
    /// A point that the two pieces share, world space; `None` if one piece is inside the other character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[f32; 3]>,
}

/// A fighter: a character, the clip it plays and where it stands.
#[derive(Debug)]
pub struct Fighter {
    character: Character,
    clip: Option<ClipIndex>,
    world_from_model: Affine3A,
    posed: PosedCharacter,
    sampler: ClipSampler,
}

impl Fighter {
    /// A character that plays a clip, by name or number, or keeps its rest pose.
    ///
    /// # Errors
    /// No clip of that name; the message lists those that there are.
    pub fn new(character: Character, clip: Option<&str>, world_from_model: Affine3A) -> anyhow::Result<Self> {
        let clip = clip.map(|name| find_clip(&character, name)).transpose()?;
        Ok(Self { character, clip, world_from_model, posed: PosedCharacter::new(), sampler: ClipSampler::new() })
    }

    /// Prepares for [`exact_ticks`].
    ///
    /// # Errors
    /// The character was baked without its skin.
    pub fn track_skin(&mut self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.character.baked().skin.is_some(),
            "{} was baked without its skin: bake it with `--skin lossless`, or name its asset in place of the .bonebox file",
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

    fn pose(&mut self, time: f32) -> anyhow::Result<()> {
        match self.clip {
            Some(clip) => {
                let time = LoopMode::Loop.clip_time(&self.character.clips()[clip.index()], time);
                self.posed.pose_from_clip(&mut self.sampler, &self.character, &self.world_from_model, clip, time)?;
            }
            None => self.posed.pose_from_rest(&self.character, &self.world_from_model)?,
        }
        Ok(())
    }
}

pub(crate) fn find_clip(character: &Character, name: &str) -> anyhow::Result<ClipIndex> {
    if let Some(clip) = character.find_clip(name) {
        return Ok(clip);
    }
    let clips = character.clips();
    if let Some(index) = name.parse::<usize>().ok().filter(|&index| index < clips.len()) {
        return Ok(ClipIndex(index as u32));
    }
    let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
    anyhow::bail!("{} has no clip {name:?}; it has {}", character.name(), names.join(", "))
}

/// Where the second fighter stands: on +Z, looking back at the first, turned by `turn` degrees.
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

/// Runs both for `ticks` ticks and tells `each` who touches whom.
///
/// # Errors
/// A pose that is not finite, or what `each` says.
pub fn ticks(
    a: &mut Fighter,
    b: &mut Fighter,
    fps: f32,
    ticks: u32,
    each: impl FnMut(Tick) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    run(a, b, fps, ticks, false, each)
}

/// As [`ticks`], and says in each tick whose skins touch, exactly.
///
/// # Errors
/// As [`ticks`]; a fighter that does not [track its skin](Fighter::track_skin).
pub fn exact_ticks(
    a: &mut Fighter,
    b: &mut Fighter,
    fps: f32,
    ticks: u32,
    each: impl FnMut(Tick) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    run(a, b, fps, ticks, true, each)
}

fn run(
    a: &mut Fighter,
    b: &mut Fighter,
    fps: f32,
    ticks: u32,
    is_exact: bool,
    mut each: impl FnMut(Tick) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut touching: Vec<JointPair> = Vec::new();
    let mut skins: Vec<SkinOverlap> = Vec::new();
    for tick in 0..ticks {
        let time = tick as f32 / fps;
        a.pose(time)?;
        b.pose(time)?;
        runtime::overlapping_joints(&a.posed, &b.posed, &mut touching);
        let pairs = touching.iter().map(|pair| Pair {
            a: a.character.joint_name(pair.a).to_owned(),
            b: b.character.joint_name(pair.b).to_owned(),
            depth: depth(&a.posed, &b.posed, pair),
        });
        let pairs = pairs.collect();
        let skin = if is_exact {
            exact_overlaps(&mut a.posed, &mut b.posed, SkinCandidates::Bounds, &mut skins)?;
            let inside = inside(&mut a.posed, &mut b.posed, &touching, &skins)?;
            let names = |joint_a, joint_b, point| SkinPair {
                a: a.character.joint_name(joint_a).to_owned(),
                b: b.character.joint_name(joint_b).to_owned(),
                point,
            };
            let touch = |skin: &SkinOverlap| names(skin.joint_a, skin.joint_b, Some(skin.point.to_array()));
            Some(skins.iter().map(touch).chain(inside.iter().map(|pair| names(pair.a, pair.b, None))).collect())
        } else {
            None
        };
        each(Tick { tick, time, pairs, skin })?;
    }
    Ok(())
}

/// Returns the overlapping pairs of joints of which one has skin that is inside the other character and touches nothing of it.
pub(crate) fn inside(
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
    // A piece that touches nothing of the other character is inside as a whole or not at all, so one of its points tells.
    let mut found = Vec::new();
    for pair in overlapping {
        let touches_a = touches.iter().any(|touch| touch.joint_a == pair.a);
        let touches_b = touches.iter().any(|touch| touch.joint_b == pair.b);
        let of_a = corner(&triangles[0], pair.a).filter(|_| !touches_a);
        let of_b = corner(&triangles[1], pair.b).filter(|_| !touches_b);
        let is_a_inside = of_a.map_or(Ok(false), |point| b.skin_contains(point))?;
        if is_a_inside || of_b.map_or(Ok(false), |point| a.skin_contains(point))? {
            found.push(*pair);
        }
    }
    Ok(found)
}

/// The deepest penetration of any two boxes of the pair.
fn depth(a: &PosedCharacter, b: &PosedCharacter, pair: &JointPair) -> f32 {
    let boxes = |posed: &PosedCharacter, joint| {
        let of_joint = posed.boxes().filter(move |posed| posed.joint == joint);
        of_joint.filter_map(|posed| Obb::try_new(posed.center, posed.half_extents, posed.axes).ok()).collect::<Vec<_>>()
    };
    let others = boxes(b, pair.b);
    let depths =
        boxes(a, pair.a).into_iter().flat_map(|one| others.iter().map(move |other| one.separation(other).depth()));
    depths.fold(0.0, f32::max)
}

/// The tick at the end counts too: a duel of 0 seconds has one.
pub(crate) fn tick_count(seconds: f32, fps: f32) -> anyhow::Result<u32> {
    let last = f64::from(seconds) * f64::from(fps);
    anyhow::ensure!((0.0..1e9).contains(&last), "seconds times fps must be from 0 to 1e9, not {last}");
    // Half a thousandth of a tick for seconds that a clip's keys give inexactly.
    Ok((last + 0.0005) as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_looks_back() {
        let place = opposite(2.0, 0.0);
        assert_eq!(portable::affine_transform_point(&place, Vec3::Z), Vec3::new(0.0, 0.0, 1.0));
        let turned = portable::affine_transform_point(&opposite(2.0, 90.0), Vec3::Z);
        assert!(turned.abs_diff_eq(Vec3::new(-1.0, 0.0, 2.0), 1e-6), "{turned}");
    }
}
