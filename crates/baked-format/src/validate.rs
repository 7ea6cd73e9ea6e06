//! Checks everything that readers of a baked character may rely on.

use crate::character::{BakedCharacter, Coverage, Hitbox, HitboxShape};
use crate::check::{Check, at_most, joint_index, named, shown, sorted, text, unit, value, within};
use crate::envelope::{Cluster, Envelope};
use crate::error::CharacterError;
use crate::hitbox_hull::validate_hull;
use crate::limits::{
    MAX_BOXES, MAX_CHANNELS, MAX_CLIPS, MAX_CLUSTERS, MAX_COORDINATE, MAX_JOINTS, MAX_MOTIONS, MAX_MOVERS, MAX_OPTIONS,
    MAX_SECONDS, MAX_TAGS, MAX_WARNINGS,
};
use crate::validate_ragdoll::validate_ragdoll;
use crate::validate_skin::{SkinOrigin, validate_skin};
use skeleton::humanoid::Humanoid;
use skeleton::{Clip, LocalTransform};
use std::collections::HashSet;

impl BakedCharacter {
    /// Checks everything that readers of a .bonebox file may rely on, except for the rules that
    /// [`Skeleton`](skeleton::Skeleton) already enforces.
    ///
    /// Names exist and are unique, lists are sorted, indices are in range, numbers are finite and in their ranges,
    /// rotations are unit quaternions within [`UNIT_TOLERANCE`](crate::limits::UNIT_TOLERANCE), clips can be sampled, and
    /// nothing exceeds the [`limits`](crate::limits). The writer and the reader both call this function.
    ///
    /// # Errors
    /// Returns [`CharacterError`] for the first value that is wrong, with its place.
    pub fn validate(&self) -> Check {
        self.validate_but_for_skin()?;
        self.skin.as_ref().map_or(Ok(()), |skin| validate_skin(skin, self, SkinOrigin::Unknown))
    }

    /// Checks what [`BakedCharacter::validate`] checks in a character whose skin was decoded from bytes.
    pub(crate) fn validate_decoded(&self) -> Check {
        self.validate_but_for_skin()?;
        self.skin.as_ref().map_or(Ok(()), |skin| validate_skin(skin, self, SkinOrigin::Decoded))
    }

    fn validate_but_for_skin(&self) -> Check {
        file_name(&self.name, "name")?;
        file_name(&self.source.file, "source.file")?;
        text(&self.source.generator, || "source.generator".into())?;
        self.validate_options()?;
        self.validate_joints()?;
        self.validate_boxes()?;
        self.validate_clips()?;
        if let Some(coverage) = &self.coverage {
            self.validate_coverage(coverage)?;
        }
        self.validate_warnings()?;
        self.validate_humanoid()?;
        self.validate_envelopes()?;
        self.validate_attacks()?;
        self.ragdoll.as_ref().map_or(Ok(()), |ragdoll| validate_ragdoll(ragdoll, self))
    }

    fn validate_options(&self) -> Check {
        at_most(self.options.len(), MAX_OPTIONS, "options", || "bake".into())?;
        for (index, (key, value)) in self.options.iter().enumerate() {
            named(key, || format!("options[{index}]"))?;
            text(value, || format!("options[{index}] ({key:?})"))?;
            if index > 0 && self.options[index - 1].0 >= *key {
                return Err(CharacterError::Order {
                    place: format!("options[{index}]"),
                    found: key.clone(),
                    rule: "sort options by key, no key twice",
                });
            }
        }
        Ok(())
    }

    fn validate_joints(&self) -> Check {
        // `Skeleton` has checked names, parents and that numbers are finite.
        at_most(self.skeleton.len(), MAX_JOINTS, "joints", || "skeleton".into())?;
        for (index, joint) in self.skeleton.joints().iter().enumerate() {
            text(&joint.name, || format!("name of joints[{index}]"))?;
            if let LocalTransform::Trs(trs) = &joint.rest {
                unit(trs.rotation, || format!("rest rotation of joints[{index}] ({:?})", joint.name))?;
            }
        }
        Ok(())
    }

    fn validate_boxes(&self) -> Check {
        at_most(self.boxes.len(), MAX_BOXES, "boxes", || "character".into())?;
        for (index, baked) in self.boxes.iter().enumerate() {
            joint_index(baked.joint.index(), self, || format!("joint of boxes[{index}]"))?;
            if index > 0 && self.boxes[index - 1].joint > baked.joint {
                return Err(CharacterError::Order {
                    place: format!("boxes[{index}]"),
                    found: self.skeleton.joint(baked.joint).name.clone(),
                    rule: "sort boxes by joint",
                });
            }
            self.validate_box(baked, |field| {
                let joint = &self.skeleton.joint(baked.joint).name;
                format!("{field} of boxes[{index}] (joint {joint:?})")
            })?;
        }
        Ok(())
    }

    fn validate_box(&self, baked: &Hitbox, place: impl Fn(&str) -> String) -> Check {
        at_most(baked.tags.len(), MAX_TAGS, "tags", || place("tags"))?;
        baked.tags.iter().try_for_each(|tag| named(tag, || place("a tag")))?;
        sorted(&baked.tags, "sort tags, none twice", || place("a tag"))?;
        // NaN is in no range.
        let (center, half_extents) = (baked.center.to_array(), baked.half_extents.to_array());
        if !center.iter().all(|x| (-MAX_COORDINATE..=MAX_COORDINATE).contains(x)) {
            return Err(value(place("center"), format!("{center:?}"), "three numbers from -1e12 to 1e12"));
        }
        if !half_extents.iter().all(|x| (0.0..=MAX_COORDINATE).contains(x)) {
            return Err(value(place("half_extents"), format!("{half_extents:?}"), "three numbers from 0 to 1e12"));
        }
        let [x, y, z] = half_extents;
        let (fits, expected) = match baked.shape {
            HitboxShape::Box | HitboxShape::Hull => (true, ""),
            HitboxShape::Capsule => {
                (x == z && y >= x, "the radius twice, x and z, and y at least as large (a capsule)")
            }
            HitboxShape::Sphere => (x == y && y == z, "the radius three times (a sphere)"),
        };
        if !fits {
            return Err(value(place("half_extents"), format!("{half_extents:?}"), expected));
        }
        unit(baked.orientation, || place("orientation"))?;
        volume(baked.hull_volume, || place("hull_volume"))?;
        baked.min_volume.map_or(Ok(()), |found| volume(found, || place("min_volume")))?;
        validate_hull(baked, || place("hull"))
    }

    fn validate_clips(&self) -> Check {
        at_most(self.clips.len(), MAX_CLIPS, "clips", || "character".into())?;
        let mut names = HashSet::with_capacity(self.clips.len());
        for (index, clip) in self.clips.iter().enumerate() {
            named(&clip.name, || format!("name of clips[{index}]"))?;
            if !names.insert(clip.name.as_str()) {
                let (place, name) = (format!("clips[{index}]"), clip.name.clone());
                return Err(CharacterError::Duplicate { place, name });
            }
            at_most(clip.timelines.len(), MAX_CHANNELS, "timelines", || format!("clips[{index}]"))?;
            at_most(clip.channels.len(), MAX_CHANNELS, "channels", || format!("clips[{index}]"))?;
            clip.validate(&self.skeleton)?;
            times_in_range(clip, index)?;
        }
        Ok(())
    }

    fn validate_coverage(&self, coverage: &Coverage) -> Check {
        const SHARE: &str = "a share from 0 to 1";
        within(coverage.surface_rest, 0.0, 1.0, SHARE, || "coverage.surface_rest".into())?;
        within(coverage.surface_clips, 0.0, 1.0, SHARE, || "coverage.surface_clips".into())?;
        within(coverage.own_rest, 0.0, 1.0, SHARE, || "coverage.own_rest".into())?;
        within(coverage.own_clips, 0.0, 1.0, SHARE, || "coverage.own_clips".into())?;
        within(coverage.max_escape, 0.0, f32::MAX, "a finite number from 0 up", || "coverage.max_escape".into())?;
        let Some(worst) = &coverage.worst else { return Ok(()) };
        joint_index(worst.joint.index(), self, || "coverage.worst.joint".into())?;
        if let Some(clip) = worst.clip
            && clip.index() >= self.clips.len()
        {
            let (place, index, count) = ("coverage.worst.clip".into(), u64::from(clip.0), self.clips.len());
            return Err(CharacterError::Index { place, index, what: "clips", count });
        }
        within(worst.time, -MAX_SECONDS, MAX_SECONDS, SECONDS, || "coverage.worst.time".into())
    }

    fn validate_warnings(&self) -> Check {
        at_most(self.warnings.len(), MAX_WARNINGS, "warnings", || "bake".into())?;
        for (index, warning) in self.warnings.iter().enumerate() {
            let place = |field: &str| format!("{field} of warnings[{index}]");
            text(&warning.code, || place("code"))?;
            let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            if warning.code.is_empty() || !warning.code.bytes().all(is_letter) {
                let expected = "lower-case letters, digits and hyphens";
                return Err(value(place("code"), shown(&warning.code), expected));
            }
            warning.joint.as_ref().map_or(Ok(()), |joint| text(joint, || place("joint")))?;
            text(&warning.text, || place("text"))?;
        }
        Ok(())
    }

    /// Checks that a `Humanoid` belongs to this skeleton. `Humanoid` itself enforces all other rules.
    fn validate_humanoid(&self) -> Check {
        let Some(humanoid) = &self.humanoid else { return Ok(()) };
        Ok(Humanoid::new(&self.skeleton, humanoid.source(), humanoid.iter()).map(drop)?)
    }

    fn validate_envelopes(&self) -> Check {
        if self.envelopes.is_empty() {
            return Ok(());
        }
        if self.envelopes.len() != self.boxes.len() {
            let found = format!("{} for {} boxes", self.envelopes.len(), self.boxes.len());
            return Err(value("the number of envelopes".into(), found, "one for each box, or none"));
        }
        for (index, (envelope, baked)) in self.envelopes.iter().zip(&self.boxes).enumerate() {
            if baked.shape != HitboxShape::Box {
                let place = format!("shape of boxes[{index}]");
                return Err(value(
                    place,
                    baked.shape.keyword(),
                    "box, because the character has envelopes, which only boxes can have",
                ));
            }
            self.validate_envelope(envelope, baked, |field| format!("{field} of envelopes[{index}]"))?;
        }
        Ok(())
    }

    fn validate_envelope(&self, envelope: &Envelope, baked: &Hitbox, place: impl Fn(&str) -> String) -> Check {
        const LENGTH: &str = "a number from 0 to 1e12";
        const STEP: &str = "a number from 0 to 1e8";
        /// 32,768 steps stay below the largest coordinate.
        const MAX_STEP: f32 = 1e-4 * MAX_COORDINATE;
        within(envelope.slack, 0.0, MAX_COORDINATE, LENGTH, || place("slack"))?;
        within(envelope.place_step, 0.0, MAX_STEP, STEP, || place("place_step"))?;
        within(envelope.rest_step, 0.0, MAX_STEP, STEP, || place("rest_step"))?;
        at_most(envelope.movers.len(), MAX_MOVERS, "movers", || place("the list"))?;
        at_most(envelope.clusters.len(), MAX_CLUSTERS, "clusters", || place("the list"))?;
        let motions = envelope.clusters.iter().map(|cluster| cluster.motions.len()).sum();
        at_most(motions, MAX_MOTIONS, "motions", || place("the list"))?;
        if !envelope.clusters.is_empty() && baked.shape != HitboxShape::Box {
            return Err(value(place("clusters"), format!("of a {}", baked.shape.keyword()), "clusters of boxes only"));
        }
        for (index, mover) in envelope.movers.iter().enumerate() {
            let place = |field: &str| place(&format!("{field} of movers[{index}]"));
            joint_index(mover.joint.index(), self, || place("joint"))?;
            let name = || self.skeleton.joint(mover.joint).name.clone();
            if mover.joint == baked.joint {
                return Err(value(place("joint"), shown(&name()), "another joint than the box's own"));
            }
            if index > 0 && envelope.movers[index - 1].joint >= mover.joint {
                let rule = "sort movers by joint, none twice";
                return Err(CharacterError::Order { place: place("joint"), found: name(), rule });
            }
            unit(mover.orientation, || place("orientation"))?;
            coordinates(&[mover.scale], || place("scale"))?;
            coordinates(&mover.center.to_array(), || place("center"))?;
            within(mover.slack, 0.0, MAX_COORDINATE, LENGTH, || place("slack"))?;
        }
        for (index, cluster) in envelope.clusters.iter().enumerate() {
            validate_cluster(cluster, envelope.movers.len(), |field| place(&format!("{field} of clusters[{index}]")))?;
        }
        Ok(())
    }
}

fn validate_cluster(cluster: &Cluster, movers: usize, place: impl Fn(&str) -> String) -> Check {
    bounds(&cluster.low.map(f32::from), &cluster.high.map(f32::from), || place("bounds"))?;
    for (index, motion) in cluster.motions.iter().enumerate() {
        let place = |field: &str| place(&format!("{field} of motions[{index}]"));
        let mover = usize::from(motion.mover);
        if mover >= movers {
            return Err(CharacterError::Index {
                place: place("mover"),
                index: mover as u64,
                what: "movers",
                count: movers,
            });
        }
        if index > 0 && cluster.motions[index - 1].mover >= motion.mover {
            let (found, rule) = (motion.mover.to_string(), "sort motions by mover, none twice");
            return Err(CharacterError::Order { place: place("mover"), found, rule });
        }
        bounds(&motion.low.map(f32::from), &motion.high.map(f32::from), || place("bounds"))?;
        bounds(&[motion.low_weight.into()], &[motion.high_weight.into()], || place("weights"))?;
    }
    Ok(())
}

/// Checks that numbers are finite and in range.
fn coordinates(numbers: &[f32], place: impl Fn() -> String) -> Check {
    if numbers.iter().all(|x| (-MAX_COORDINATE..=MAX_COORDINATE).contains(x)) {
        return Ok(());
    }
    Err(value(place(), format!("{numbers:?}"), "numbers from -1e12 to 1e12"))
}

/// Checks that coordinates are in range, and that no low coordinate exceeds its high coordinate.
fn bounds(low: &[f32], high: &[f32], place: impl Fn() -> String) -> Check {
    coordinates(low, &place)?;
    coordinates(high, &place)?;
    if low.iter().zip(high).all(|(low, high)| low <= high) {
        return Ok(());
    }
    Err(value(place(), format!("{low:?} to {high:?}"), "low numbers that are not above the high ones"))
}

const SECONDS: &str = "seconds from -1e9 to 1e9";

/// Checks the first and the last time. The times are sorted and finite, so these two bound the others.
fn times_in_range(clip: &Clip, index: usize) -> Check {
    for (timeline, times) in clip.timelines.iter().enumerate() {
        for &time in times.first().into_iter().chain(times.last()) {
            within(time, -MAX_SECONDS, MAX_SECONDS, SECONDS, || {
                format!("a key time of clips[{index}] ({:?}), timeline {timeline},", clip.name)
            })?;
        }
    }
    Ok(())
}

/// Checks that a path made of a folder and this name stays inside the folder.
fn file_name(name: &str, place: &str) -> Check {
    named(name, || place.into())?;
    if name.contains(['/', '\\', '\0']) || name == "." || name == ".." {
        return Err(value(place.into(), shown(name), "a file name without folders"));
    }
    Ok(())
}

fn volume(number: f32, place: impl Fn() -> String) -> Check {
    within(number, 0.0, f32::MAX, "a finite volume from 0 up", place)
}
