//! The game-engine rig: joints placed in the shaped body by small cubes of vertices, and their weights.

use crate::character::{Rig, RigJoint};
use crate::turn;
use anyhow::{Context, Result, bail, ensure};
use glam::{DMat3, DVec3};
use serde_json::Value;

/// Places the rig's joints in a shaped body (all vertices of the base mesh, also the helpers).
///
/// Bones keep the rig's heads and hierarchy. Their frames are ours: y along the bone, z as near as possible to the
/// model's front, so that x is the axis a limb bends about; for the feet, which point forward, z is up. `Root` stands at
/// the origin without a turn.
pub(super) fn place(layout: &Value, groups: &Value, points: &[DVec3]) -> Result<Rig> {
    let layout = layout.as_object().context("the rig is an object of bones")?;
    let mut rig = Rig::default();
    // Parents first, siblings by name.
    let mut waiting: Vec<(&str, &str)> = Vec::new();
    for (name, bone) in layout {
        waiting.push((name, bone["parent"].as_str().with_context(|| format!("{name}: parent"))?));
    }
    waiting.sort_unstable();
    while !waiting.is_empty() {
        let known: Vec<String> = rig.joints.iter().map(|joint| joint.name.clone()).collect();
        let next = waiting.iter().position(|(_, parent)| parent.is_empty() || known.iter().any(|name| name == parent));
        let (name, parent) = waiting.remove(next.context("a bone's parent is missing")?);
        let bone = &layout[name];
        let place = || format!("bone {name}");
        let head = point(&bone["head"], groups, points).with_context(place)?;
        let tail = point(&bone["tail"], groups, points).with_context(place)?;
        let parent = known.iter().position(|known| known == parent);
        rig.joints.push(match parent {
            None => RigJoint { name: name.to_owned(), parent, head: DVec3::ZERO, frame: DMat3::IDENTITY },
            Some(_) => RigJoint { name: name.to_owned(), parent, head, frame: frame(tail - head) },
        });
    }
    // The hands' own bones end a thumb's breadth after the wrist; point them at the middle knuckle.
    for side in ["l", "r"] {
        let (hand, knuckle) = (rig.find(&format!("hand_{side}")), rig.find(&format!("middle_01_{side}")));
        rig.joints[hand].frame = frame(rig.head(knuckle) - rig.head(hand));
    }
    Ok(rig)
}

fn frame(along: DVec3) -> DMat3 {
    let forward = along.normalize().z.abs() > 0.8;
    turn::frame(along, if forward { DVec3::Y } else { DVec3::Z })
}

fn point(end: &Value, groups: &Value, points: &[DVec3]) -> Result<DVec3> {
    let indices: Vec<usize> = match end["strategy"].as_str() {
        Some("CUBE") => {
            let name = end["cube_name"].as_str().context("cube_name")?;
            let ranges = groups[name].as_array().with_context(|| format!("group {name}"))?;
            let bounds = |range: &Value| Some(range[0].as_u64()? as usize..=range[1].as_u64()? as usize);
            ranges.iter().filter_map(bounds).flatten().collect()
        }
        Some("MEAN") => {
            let list = end["vertex_indices"].as_array().context("vertex_indices")?;
            list.iter().filter_map(Value::as_u64).map(|index| index as usize).collect()
        }
        other => bail!("strategy {other:?} is none of CUBE and MEAN"),
    };
    ensure!(!indices.is_empty(), "no vertices");
    let mut sum = DVec3::ZERO;
    for &index in &indices {
        sum += *points.get(index).with_context(|| format!("vertex {index}"))?;
    }
    Ok(sum / indices.len() as f64)
}

/// `(joint, weight)` rows for all vertices of the base mesh, joints ascending.
pub(super) fn weights(file: &Value, rig: &Rig, vertices: usize) -> Result<Vec<Vec<(usize, f64)>>> {
    let table = file["weights"].as_object().context("weights")?;
    let mut rows = vec![Vec::new(); vertices];
    for (joint, RigJoint { name, .. }) in rig.joints.iter().enumerate() {
        let list = table.get(name).and_then(Value::as_array).with_context(|| format!("weights of {name}"))?;
        for entry in list {
            let (vertex, weight) = (entry[0].as_u64().context("vertex")?, entry[1].as_f64().context("weight")?);
            let row = rows.get_mut(vertex as usize).with_context(|| format!("{name}: vertex {vertex}"))?;
            if weight > 0.0 {
                row.push((joint, weight));
            }
        }
    }
    Ok(rows)
}
