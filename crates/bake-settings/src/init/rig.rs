//! Detects the tool that a character's joint names come from.

/// The name of a naming convention, for messages. `None` if no known tool names joints in this way.
pub(crate) fn rig_name<'a>(names: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'static str> {
    let any = |test: &dyn Fn(&str) -> bool| names.clone().into_iter().any(test);
    if any(&|name| name.starts_with("mixamorig")) {
        Some("Mixamo")
    } else if any(&|name| name.starts_with("J_Bip_") || name == "leftUpperArm") {
        Some("VRM")
    } else if any(&|name| name.starts_with("DEF-")) {
        Some("Rigify")
    } else if any(&|name| name.starts_with("handslot.")) {
        Some("KayKit")
    } else if any(&|name| name == "upperarm_l") && any(&|name| name == "spine_01") {
        Some("Unreal")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rigs_are_told_apart() {
        let rig = |names: &[&str]| rig_name(names.iter().copied());
        assert_eq!(rig(&["mixamorig:Hips"]), Some("Mixamo"));
        assert_eq!(rig(&["mixamorig1:Hips"]), Some("Mixamo"));
        assert_eq!(rig(&["hips", "leftUpperArm"]), Some("VRM"));
        assert_eq!(rig(&["root", "DEF-spine"]), Some("Rigify"));
        assert_eq!(rig(&["upperarm.l", "handslot.l"]), Some("KayKit"));
        assert_eq!(rig(&["pelvis", "spine_01", "upperarm_l"]), Some("Unreal"));
        assert_eq!(rig(&["b_Hip_01"]), None);
    }
}
