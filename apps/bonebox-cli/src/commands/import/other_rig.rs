//! Gives boxes of another rig, such as Valve's or that of Unreal's mannequin, to the joints that are the same bones.

use super::Import;
use skeleton::Skeleton;
use skeleton::humanoid::{HumanBone, Humanoid, bones_of_names};
use std::collections::BTreeMap;

/// Renames the joints of boxes that the character does not have, if their names mean bones of its humanoid. A note tells each
/// new name. `humanoid` returns the character's humanoid, if it is needed.
pub(super) fn assign(
    import: &mut Import,
    skeleton: &Skeleton,
    humanoid: impl FnOnce() -> anyhow::Result<Option<Humanoid>>,
) -> anyhow::Result<()> {
    let names: Vec<&str> = import.boxes.iter().map(|(name, _)| name.as_str()).collect();
    let bones = bones_of_names(&names).into_iter().zip(&names);
    let foreign = bones.filter(|(_, name)| skeleton.find(name).is_none());
    let foreign: BTreeMap<String, HumanBone> =
        foreign.filter_map(|(bone, name)| Some(((*name).to_owned(), bone?))).collect();
    if foreign.is_empty() {
        return Ok(());
    }
    let Some(humanoid) = humanoid()? else {
        import.notes.push(
            "the character has no humanoid, so names of another rig are not assigned to its joints; name its bones under [humanoid]"
                .into(),
        );
        return Ok(());
    };
    for (name, bone) in foreign {
        let Some((found, joint)) = nearest(&humanoid, bone) else { continue };
        let joint = &skeleton.joint(joint).name;
        let why = match found == bone {
            true => format!("both are the bone {bone}"),
            false => format!("the character has no {bone}, and its {found} is the next bone below"),
        };
        import.notes.push(format!("the boxes of {name:?} became boxes of {joint:?}: {why}"));
        import.boxes.iter_mut().filter(|(own, _)| *own == name).for_each(|(own, _)| own.clone_from(joint));
    }
    import.notes.push(
        "joints of another rig may have other axes, which turn and move its boxes: look at each of these boxes in `bonebox view`"
            .into(),
    );
    Ok(())
}

/// Returns the bone, or for a bone of the torso the next one below that has a joint, and the joint.
fn nearest(humanoid: &Humanoid, bone: HumanBone) -> Option<(HumanBone, skeleton::JointIndex)> {
    let torso = [HumanBone::UpperChest, HumanBone::Chest, HumanBone::Spine];
    let candidates = match torso.iter().position(|one| *one == bone) {
        Some(place) => torso[place..].to_vec(),
        None => vec![bone],
    };
    candidates.into_iter().find_map(|bone| Some((bone, humanoid.joint(bone)?)))
}
