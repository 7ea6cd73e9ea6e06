//! A hound that is built by code alone: rig, flesh, collar and clips.

mod clips;
mod collar;
mod flesh;
mod gait;
mod puppet;

use crate::character::{Character, Joint, Rig, RigJoint};
use crate::turn;
use glam::{DMat3, DVec3};

/// Makes the whole hound.
#[must_use]
pub fn character() -> Character {
    let rig = rig();
    let surface = flesh::surface(&rig);
    let motions = clips::motions(&puppet::Puppet::new(&rig));
    Character {
        name: "hound".to_owned(),
        copyright: "CC0 1.0; built in code".to_owned(),
        colors: vec![[0.36, 0.27, 0.20], [0.05, 0.04, 0.04], [0.55, 0.06, 0.05]],
        attachments: vec![collar::mesh(&rig)],
        rig,
        surface,
        motions,
    }
}

/// Name, parent, head and tail of each bone. A name that ends in `_l` stands for both sides.
const BONES: [(&str, &str, [f64; 3], [f64; 3]); 24] = [
    ("root", "", [0.0, 0.0, 0.0], [0.0, 0.1, 0.0]),
    ("hips", "root", [0.0, 0.66, -0.36], [0.0, 0.68, -0.20]),
    ("spine_01", "hips", [0.0, 0.68, -0.20], [0.0, 0.69, 0.00]),
    ("spine_02", "spine_01", [0.0, 0.69, 0.00], [0.0, 0.68, 0.18]),
    ("chest", "spine_02", [0.0, 0.68, 0.18], [0.0, 0.70, 0.40]),
    ("neck_01", "chest", [0.0, 0.70, 0.40], [0.0, 0.80, 0.50]),
    ("neck_02", "neck_01", [0.0, 0.80, 0.50], [0.0, 0.90, 0.575]),
    ("head", "neck_02", [0.0, 0.90, 0.575], [0.0, 0.885, 0.80]),
    ("jaw", "head", [0.0, 0.855, 0.635], [0.0, 0.835, 0.79]),
    ("ear_l", "head", [0.052, 0.945, 0.575], [0.078, 1.035, 0.55]),
    ("tail_01", "hips", [0.0, 0.68, -0.46], [0.0, 0.64, -0.57]),
    ("tail_02", "tail_01", [0.0, 0.64, -0.57], [0.0, 0.58, -0.67]),
    ("tail_03", "tail_02", [0.0, 0.58, -0.67], [0.0, 0.54, -0.77]),
    ("tail_04", "tail_03", [0.0, 0.54, -0.77], [0.0, 0.53, -0.88]),
    ("shoulder_l", "chest", [0.085, 0.71, 0.24], [0.115, 0.54, 0.36]),
    ("upperarm_l", "shoulder_l", [0.115, 0.54, 0.36], [0.115, 0.42, 0.245]),
    ("forearm_l", "upperarm_l", [0.115, 0.42, 0.245], [0.11, 0.165, 0.285]),
    ("front_pastern_l", "forearm_l", [0.11, 0.165, 0.285], [0.11, 0.055, 0.305]),
    ("front_paw_l", "front_pastern_l", [0.11, 0.055, 0.305], [0.11, 0.03, 0.375]),
    ("thigh_l", "hips", [0.09, 0.62, -0.40], [0.11, 0.42, -0.28]),
    ("shin_l", "thigh_l", [0.11, 0.42, -0.28], [0.11, 0.235, -0.47]),
    ("hind_pastern_l", "shin_l", [0.11, 0.235, -0.47], [0.11, 0.055, -0.435]),
    ("hind_paw_l", "hind_pastern_l", [0.11, 0.055, -0.435], [0.11, 0.03, -0.36]),
    ("ear_tip_l", "ear_l", [0.078, 1.035, 0.55], [0.092, 1.065, 0.565]),
];

fn rig() -> Rig {
    let mut rig = Rig::default();
    for (name, parent, head, tail) in BONES {
        let (head, tail) = (DVec3::from_array(head), DVec3::from_array(tail));
        let sides: &[(&str, f64)] = if name.ends_with("_l") { &[("_l", 1.0), ("_r", -1.0)] } else { &[("", 1.0)] };
        for &(suffix, side) in sides {
            let renamed =
                |name: &str| name.strip_suffix("_l").map_or(name.to_owned(), |stem| format!("{stem}{suffix}"));
            let mirror = |p: DVec3| DVec3::new(p.x * side, p.y, p.z);
            let frame = if parent.is_empty() { DMat3::IDENTITY } else { frame(mirror(tail - head)) };
            let parent = (!parent.is_empty()).then(|| rig.find(&renamed(parent)));
            rig.joints.push(RigJoint { name: renamed(name), parent, head: mirror(head), frame });
        }
    }
    rig
}

/// Axes with y along the bone. z points up for bones along the body, and forward for bones that stand.
fn frame(along: DVec3) -> DMat3 {
    let level = along.normalize().y.abs() < 0.7;
    turn::frame(along, if level { DVec3::Y } else { DVec3::Z })
}

/// The position of a bone's end at rest.
fn tail(rig: &Rig, joint: Joint) -> DVec3 {
    let name = &rig.joints[joint].name;
    let (stem, side) = match name.strip_suffix("_r") {
        Some(stem) => (format!("{stem}_l"), -1.0),
        None => (name.clone(), 1.0),
    };
    let bone = BONES.iter().find(|bone| bone.0 == stem).expect("joints come from the table");
    DVec3::new(bone.3[0] * side, bone.3[1], bone.3[2])
}
