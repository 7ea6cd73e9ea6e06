//! The figures of the oracle, an independent program, for each joint.

use serde_json::Value;
use std::collections::BTreeMap;

pub(crate) struct Oracle {
    /// The figures of each joint, by the joint's glTF node. Joints without vertices are left out.
    pub(crate) joints: BTreeMap<u64, JointFigures>,
    pub(crate) height: f64,
}

#[derive(Debug)]
pub(crate) struct JointFigures {
    pub(crate) vertices: u64,
    pub(crate) rank: u64,
    pub(crate) hull_volume: f64,
    /// The volume of the best box that any of four methods found.
    pub(crate) least_volume: f64,
    /// The volume of the box along the principal axes of the hull's surface, and the variances along these axes.
    pub(crate) surface_pca: (f64, [f64; 3]),
    /// The longest side of the AABB in joint space.
    pub(crate) size: f64,
}

impl Oracle {
    /// Returns `None` if there is no file, or if the file has no figures for the skins of a joint together.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let text = std::fs::read_to_string(::corpus::folder().join("oracle").join(format!("{name}.json"))).ok()?;
        let all: Value = serde_json::from_str(&text).unwrap();
        let mut joints = BTreeMap::new();
        let lists: Vec<&Value> = match all.get("bones") {
            Some(bones) => vec![bones],
            None => all["skins"].as_array().unwrap().iter().map(|skin| &skin["joints"]).collect(),
        };
        for entry in lists.into_iter().flat_map(|list| list.as_array().unwrap()) {
            if entry["n"].as_u64() == Some(0) {
                continue;
            }
            let number = |value: &Value| value.as_f64().unwrap();
            let (low, high) = (&entry["aabb"][0], &entry["aabb"][1]);
            let figures = JointFigures {
                vertices: entry["n"].as_u64().unwrap(),
                rank: entry["rank"].as_u64().unwrap(),
                hull_volume: entry["hull_vol"].as_f64().unwrap_or(0.0),
                least_volume: number(&entry["min"]["v"]),
                surface_pca: (
                    entry["apca"]["v"].as_f64().unwrap_or(0.0),
                    std::array::from_fn(|axis| entry["apca"]["eig"][axis].as_f64().unwrap_or(0.0)),
                ),
                size: (0..3).map(|axis| number(&high[axis]) - number(&low[axis])).fold(0.0, f64::max),
            };
            if joints.insert(entry["node"].as_u64().unwrap(), figures).is_some() {
                return None;
            }
        }
        Some(Self { joints, height: number(&all["survey"]["height"]) })
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}
