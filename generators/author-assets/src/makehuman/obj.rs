//! Reads the base mesh: vertices and named groups of faces in a Wavefront OBJ file.

use anyhow::{Context, Result, ensure};
use glam::DVec3;

/// The content of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct BaseMesh {
    /// The vertices, in decimeters.
    pub(super) positions: Vec<DVec3>,
    faces: Vec<(String, Vec<u32>)>,
}

impl BaseMesh {
    /// The faces of some groups in file order, each split into triangles at its first corner.
    pub(super) fn triangles(&self, groups: &[&str]) -> Vec<[u32; 3]> {
        let faces = self.faces.iter().filter(|(group, _)| groups.contains(&group.as_str()));
        faces.flat_map(|(_, corners)| (2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]])).collect()
    }
}

/// Reads `v`, `g` and `f` lines, and ignores all other lines.
pub(super) fn parse(text: &str) -> Result<BaseMesh> {
    let (mut mesh, mut group) = (BaseMesh::default(), String::new());
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        let place = || format!("line {}", number + 1);
        match words.next() {
            Some("v") => {
                let mut number = || -> Result<f64> { Ok(words.next().context("three numbers after v")?.parse()?) };
                let position = DVec3::new(
                    number().with_context(place)?,
                    number().with_context(place)?,
                    number().with_context(place)?,
                );
                mesh.positions.push(position);
            }
            Some("g") => group = words.next().unwrap_or_default().to_owned(),
            Some("f") => {
                let corner = |word: &str| -> Result<u32> {
                    let index: u32 = word.split('/').next().unwrap_or_default().parse()?;
                    ensure!(index >= 1 && index as usize <= mesh.positions.len(), "vertex {index} does not exist");
                    Ok(index - 1)
                };
                let corners = words.map(corner).collect::<Result<Vec<_>>>().with_context(place)?;
                mesh.faces.push((group.clone(), corners));
            }
            _ => {}
        }
    }
    ensure!(!mesh.faces.is_empty(), "no faces");
    Ok(mesh)
}
