//! The game-engine rig. Small cubes of vertices in the shaped body give the positions of its joints.

use crate::character::{Rig, RigJoint};
use crate::turn;
use anyhow::{Context, Result, bail, ensure};
use glam::{DMat3, DVec3};
use serde_json::Value;

/// Places the rig's joints in a shaped body. `points` are all vertices of the base mesh, including the helper vertices.
///
/// Bones keep the rig's heads and hierarchy. Their axes are ours: y along the bone, and z as near as possible to the
/// model's front, so that a limb bends about x. Feet point forward, so their z points up. `Root` is at the origin
/// without rotation.
pub(super) fn place(layout: &Value, groups: &Value, points: &[DVec3]) -> Result<Rig> {
    let layout = layout.as_object().context("the rig is an object of bones")?;
    let mut rig = Rig::default();
    // Parents come first, and siblings are sorted by name.
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
    // The rig's hand bones end just after the wrist, so they are turned toward the middle knuckle.
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
        other => bail!("the strategy is {other:?}, expected CUBE or MEAN"),
    };
    ensure!(!indices.is_empty(), "no vertices");
    let mut sum = DVec3::ZERO;
    for &index in &indices {
        sum += *points.get(index).with_context(|| format!("vertex {index}"))?;
    }
    Ok(sum / indices.len() as f64)
}

/// Per vertex of the base mesh: pairs of joint and weight, in ascending order of joints.
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
