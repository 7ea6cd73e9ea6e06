//! The attacks and the states of a character: their clips and hitboxes are found, and their windows checked.

use crate::options::{AttackError, AttackProblem, AttackSettings, Overrides, StateSettings, nearest_name};
use baked_format::{Attack, AttackKind, BakeWarning, BakedCharacter, ClipState, Hitbox, HitboxRole, Window};
use glam::{Affine3A, Vec3A};
use skeleton::{Clip, ClipIndex, NamePattern, Skeleton};

/// An attack stands still if no corner of its hitboxes moves by more than this share of the height.
const STANDS_STILL: f32 = 0.01;

/// The attacks and the states of a character, sorted by clip.
pub(crate) struct FoundAttacks {
    pub(crate) attacks: Vec<Attack>,
    pub(crate) states: Vec<ClipState>,
    pub(crate) warnings: Vec<BakeWarning>,
}

/// Finds the clips and the hitboxes of all attacks and states. `height` is that of the character, in model units.
pub(crate) fn find(
    overrides: &Overrides,
    skeleton: &Skeleton,
    clips: &[Clip],
    boxes: &[Hitbox],
    height: f32,
) -> Result<FoundAttacks, AttackError> {
    let character = Character { skeleton, clips, boxes };
    let attacks = overrides.attacks.iter().map(|attack| character.attack(attack));
    let states = overrides.states.iter().map(|state| character.state(state));
    let (mut attacks, mut states): (Vec<_>, Vec<_>) =
        (attacks.collect::<Result<_, _>>()?, states.collect::<Result<_, _>>()?);
    attacks.sort_by_key(|attack| attack.clip);
    states.sort_by_key(|state| state.clip);
    let mut warnings: Vec<BakeWarning> =
        attacks.iter().filter_map(|attack| character.stands_still(attack, height)).collect();
    warnings.extend(ambiguous_ranks(clips, &attacks));
    Ok(FoundAttacks { attacks, states, warnings })
}

/// Checks whether the attacks and the states of some settings fit a character that was baked with other attacks and
/// states. A bake finds the same mistakes.
///
/// # Errors
/// Returns an error for the first attack or state that does not fit.
pub fn check_attacks(overrides: &Overrides, baked: &BakedCharacter) -> Result<(), AttackError> {
    let character = Character { skeleton: &baked.skeleton, clips: &baked.clips, boxes: &baked.boxes };
    overrides.attacks.iter().try_for_each(|attack| character.attack(attack).map(|_| ()))?;
    overrides.states.iter().try_for_each(|state| character.state(state).map(|_| ()))
}

struct Character<'a> {
    skeleton: &'a Skeleton,
    clips: &'a [Clip],
    boxes: &'a [Hitbox],
}

impl Character<'_> {
    fn attack(&self, settings: &AttackSettings) -> Result<Attack, AttackError> {
        let AttackSettings { name, clip, kind, boxes, active, group, rank, rehit, against, strength, data } = settings;
        let wrong = |problem| AttackError { clip: clip.clone(), entry: settings.entry(), problem };
        let clip = self.clip(clip, active).map_err(wrong)?;
        let boxes = self.boxes_of_kind(*kind, self.named_boxes(boxes).map_err(wrong)?);
        let mut against = against.clone();
        against.sort_unstable();
        against.dedup();
        Ok(Attack {
            name: name.clone(),
            clip,
            kind: *kind,
            boxes,
            active: active.clone(),
            group: group.clone().unwrap_or_else(|| name.clone()),
            rank: *rank,
            rehit: *rehit,
            against,
            strength: *strength,
            data: data.clone(),
        })
    }

    fn state(&self, settings: &StateSettings) -> Result<ClipState, AttackError> {
        let StateSettings { clip, kind, boxes, active } = settings;
        let wrong = |problem| AttackError { clip: clip.clone(), entry: settings.entry(), problem };
        let clip = self.clip(clip, active).map_err(wrong)?;
        let boxes = match boxes.as_slice() {
            [] => (0..self.boxes.len() as u16).collect(),
            names => self.named_boxes(names).map_err(wrong)?,
        };
        Ok(ClipState { clip, kind: *kind, boxes, active: active.clone() })
    }

    /// Returns those of the named boxes that can be hit or that have the role of the attack; all if there are none. A box in the air
    /// that grabs has the tags of its hand, but does not strike with it.
    fn boxes_of_kind(&self, kind: AttackKind, named: Vec<u16>) -> Vec<u16> {
        let own = match kind {
            AttackKind::Strike => HitboxRole::Strike,
            AttackKind::Grab | AttackKind::Throw => HitboxRole::Grab,
        };
        let fits = |index: &u16| [HitboxRole::Hurt, own].contains(&self.boxes[usize::from(*index)].role);
        if named.iter().any(fits) { named.into_iter().filter(fits).collect() } else { named }
    }

    /// Finds a clip by its name, and checks windows of it.
    fn clip(&self, name: &str, active: &[Window]) -> Result<ClipIndex, AttackProblem> {
        let Some(index) = self.clips.iter().position(|clip| clip.name == name) else {
            let nearest = nearest_name(name, self.clips.iter().map(|clip| clip.name.as_str())).map(str::to_owned);
            return Err(AttackProblem::UnknownClip { nearest });
        };
        if !active.windows(2).all(|pair| pair[0].to < pair[1].from) {
            return Err(AttackProblem::Windows);
        }
        /// Seconds that were written with few digits may be this far outside, half a frame of 1,000 a second.
        const ROUNDED: f32 = 0.0005;
        let (start, end) = (self.clips[index].start().max(0.0), self.clips[index].end());
        match active.iter().find(|window| window.from < start - ROUNDED || window.to > end + ROUNDED) {
            Some(&Window { from, to }) => Err(AttackProblem::OutsideOfClip { from, to, start, end }),
            None => Ok(ClipIndex(index as u32)),
        }
    }

    /// The hitboxes that have one of the names as a tag, or whose joints match it.
    fn named_boxes(&self, names: &[String]) -> Result<Vec<u16>, AttackProblem> {
        let joint = |hitbox: &Hitbox| self.skeleton.joint(hitbox.joint).name.as_str();
        let mut found = vec![false; self.boxes.len()];
        for name in names {
            let pattern = NamePattern::new(name.as_str());
            let by_tag = |hitbox: &Hitbox| hitbox.tags.iter().any(|tag| tag == name);
            let by_joint = |hitbox: &Hitbox| pattern.matches(joint(hitbox));
            let has_tag = self.boxes.iter().any(by_tag);
            let mut is_known = false;
            for (found, hitbox) in found.iter_mut().zip(self.boxes) {
                // A tag comes first: a joint with the name of a tag is meant only if no hitbox has the tag.
                let is_named = if has_tag { by_tag(hitbox) } else { by_joint(hitbox) };
                *found |= is_named;
                is_known |= is_named;
            }
            if !is_known {
                let known =
                    self.boxes.iter().flat_map(|hitbox| hitbox.tags.iter().map(String::as_str).chain([joint(hitbox)]));
                let nearest = nearest_name(name, known).map(str::to_owned);
                return Err(AttackProblem::NoHitbox { name: name.clone(), nearest });
            }
        }
        Ok((0..).zip(found).filter_map(|(index, found)| found.then_some(index)).collect())
    }

    /// Returns a warning if the hitboxes of an attack do not move while they attack, which is a mistake in the times or
    /// in the names of the hitboxes.
    fn stands_still(&self, attack: &Attack, height: f32) -> Option<BakeWarning> {
        const STEPS: usize = 16;
        let clip = &self.clips[attack.clip.index()];
        let moves = attack.active.iter().any(|window| {
            let first = self.corners(clip, window.from, &attack.boxes);
            (1..=STEPS).any(|step| {
                let time = window.from + (window.to - window.from) * step as f32 / STEPS as f32;
                let later = self.corners(clip, time, &attack.boxes);
                first.iter().zip(later).any(|(first, later)| first.distance(later) > STANDS_STILL * height)
            })
        });
        // A window that is a single moment has no time to move.
        let has_time = attack.active.iter().any(|window| window.to > window.from);
        if moves || !has_time {
            return None;
        }
        let text = format!(
            "the attack {:?} of the clip {:?} stands still: none of its hitboxes moves in its windows; check `active` and `boxes`",
            attack.name, clip.name
        );
        Some(BakeWarning { code: "attack-stands-still".into(), joint: None, text })
    }

    /// Two opposite corners and the center of each hitbox, in model space.
    fn corners(&self, clip: &Clip, time: f32, boxes: &[u16]) -> Vec<Vec3A> {
        let mut local = self.skeleton.rest_pose();
        clip.sample(time, &mut local);
        let mut matrices = vec![Affine3A::IDENTITY; self.skeleton.len()];
        self.skeleton.model_from_joints(&local, &mut matrices);
        let points = |index: &u16| {
            let hitbox = &self.boxes[usize::from(*index)];
            let half = hitbox.orientation * hitbox.half_extents;
            [hitbox.center - half, hitbox.center, hitbox.center + half]
                .map(|point| matrices[hitbox.joint.index()].transform_point3a(point.into()))
        };
        boxes.iter().flat_map(points).collect()
    }
}

/// Warns of two attacks of a group with the same rank that are active at once: nothing says which of them strikes.
fn ambiguous_ranks(clips: &[Clip], attacks: &[Attack]) -> Vec<BakeWarning> {
    let overlap = |one: &Attack, other: &Attack| {
        let meets = |a: &Window, b: &Window| a.from <= b.to && b.from <= a.to;
        one.active.iter().any(|a| other.active.iter().any(|b| meets(a, b)))
    };
    let mut warnings = Vec::new();
    for (index, one) in attacks.iter().enumerate() {
        let rival = attacks[index + 1..]
            .iter()
            .take_while(|other| other.clip == one.clip)
            .find(|other| other.group == one.group && other.rank == one.rank && overlap(one, other));
        if let Some(other) = rival {
            let text = format!(
                "the attacks {:?} and {:?} of the clip {:?} are active at the same time with the same group {:?} and rank {}, so \
                 the earlier hit decides; give them different ranks or groups",
                one.name,
                other.name,
                clips[one.clip.index()].name,
                one.group,
                one.rank
            );
            warnings.push(BakeWarning { code: "attacks-of-one-rank".into(), joint: None, text });
        }
    }
    warnings
}
