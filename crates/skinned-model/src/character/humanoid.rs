//! Reads the map from standard bones to joints in VRM files.

use crate::character::hierarchy::Hierarchy;
use crate::document::Document;
use crate::model::HumanoidBone;
use crate::quote::{quoted, short};
use crate::warnings::Warnings;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

/// VRM has 55 bones. A list with more entries than this is not a humanoid.
const MOST_BONES: usize = 256;

/// Reads bones and their joints from the extension `VRMC_vrm`, or otherwise from `VRM`. The list is empty if the file
/// has neither. All problems are warnings, because skinning needs no humanoid.
pub(crate) fn read(document: &Document, hierarchy: &Hierarchy, warnings: &mut Warnings) -> Vec<HumanoidBone> {
    let Some(extensions) = &document.extensions else { return Vec::new() };
    let listed = match serde_json::from_str::<Extensions<'_>>(extensions.get()) {
        Ok(Extensions { vrm_1: Some(vrm), .. }) => {
            serde_json::from_str(vrm.get()).map(|Vrm1 { humanoid }| humanoid.bones.0)
        }
        Ok(Extensions { vrm_0: Some(vrm), .. }) => {
            let renamed = |Listed { bone, node }| Listed { bone: to_vrm_1(bone), node };
            serde_json::from_str(vrm.get()).map(|Vrm0 { humanoid }| humanoid.bones.0.into_iter().map(renamed).collect())
        }
        _ => return Vec::new(),
    };
    let listed: Vec<Listed> = match listed {
        Ok(listed) => listed,
        Err(error) => {
            let text =
                format!("the VRM extension's humanoid cannot be read ({}) and is left out", short(&error.to_string()));
            warnings.add("bad-humanoid", None, text);
            return Vec::new();
        }
    };
    let (mut bones, mut names, mut joints) = (Vec::new(), HashSet::new(), HashSet::new());
    for Listed { bone, node } in listed {
        let place = || format!("the VRM extension's bone {}", quoted(&bone));
        let Some(joint) = hierarchy.joint.get(node as usize) else {
            warnings.add(
                "bad-humanoid",
                None,
                format!("{} names node {node}, which does not exist; it is left out", place()),
            );
            continue;
        };
        let Some(joint) = *joint else {
            let text =
                format!("{} is {}, which moves no vertex; it is left out", place(), document.node_place(node as usize));
            warnings.add("humanoid-without-joint", None, text);
            continue;
        };
        if !names.insert(bone.clone()) || !joints.insert(joint) {
            warnings.add(
                "bad-humanoid",
                None,
                format!("{} or its node is listed twice; the later entry is left out", place()),
            );
            continue;
        }
        bones.push(HumanoidBone { name: bone, joint });
    }
    bones
}

/// Renames the thumb bones, which have other names in VRM 1.0.
fn to_vrm_1(bone: String) -> String {
    match bone.as_str() {
        "leftThumbProximal" => "leftThumbMetacarpal".to_owned(),
        "leftThumbIntermediate" => "leftThumbProximal".to_owned(),
        "rightThumbProximal" => "rightThumbMetacarpal".to_owned(),
        "rightThumbIntermediate" => "rightThumbProximal".to_owned(),
        _ => bone,
    }
}

#[derive(Deserialize)]
struct Extensions<'a> {
    #[serde(borrow, default, rename = "VRMC_vrm")]
    vrm_1: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "VRM")]
    vrm_0: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Vrm1 {
    #[serde(default)]
    humanoid: Humanoid<ByName>,
}

#[derive(Deserialize)]
struct Vrm0 {
    #[serde(default)]
    humanoid: Humanoid<InList>,
}

#[derive(Default, Deserialize)]
struct Humanoid<B: Default> {
    #[serde(default, rename = "humanBones")]
    bones: B,
}

#[derive(Deserialize)]
struct Listed {
    bone: String,
    node: u32,
}

/// The list of VRM 1.0: `{ "hips": { "node": 3 } }`.
#[derive(Default)]
struct ByName(Vec<Listed>);

/// The list of VRM 0.x: `[{ "bone": "hips", "node": 3 }]`.
#[derive(Default)]
struct InList(Vec<Listed>);

fn too_many<E: serde::de::Error>() -> E {
    E::custom(format!("it lists more than {MOST_BONES} bones"))
}

impl<'de> Deserialize<'de> for ByName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bones;
        impl<'de> Visitor<'de> for Bones {
            type Value = ByName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of bones")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByName, A::Error> {
                #[derive(Deserialize)]
                struct Bone {
                    node: u32,
                }
                let mut bones = Vec::new();
                while let Some((bone, Bone { node })) = map.next_entry::<String, Bone>()? {
                    if bones.len() == MOST_BONES {
                        return Err(too_many());
                    }
                    bones.push(Listed { bone, node });
                }
                Ok(ByName(bones))
            }
        }
        deserializer.deserialize_map(Bones)
    }
}

impl<'de> Deserialize<'de> for InList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bones;
        impl<'de> Visitor<'de> for Bones {
            type Value = InList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of bones")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<InList, A::Error> {
                let mut bones = Vec::new();
                while let Some(bone) = list.next_element()? {
                    if bones.len() == MOST_BONES {
                        return Err(too_many());
                    }
                    bones.push(bone);
                }
                Ok(InList(bones))
            }
        }
        deserializer.deserialize_seq(Bones)
    }
}
