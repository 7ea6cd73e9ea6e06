//! A small reader of the USDA files that the exporter writes.

use super::found::{FoundBody, FoundJoint, check_points, corners};
use baked_format::BakedCharacter;
use glam::{DAffine3, DMat3, DQuat, DVec3};
use std::collections::BTreeMap;

/// A prim of a USDA file: its type, its attributes as texts, and the prims below it.
#[derive(Debug, Default)]
pub(super) struct Prim {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) attributes: BTreeMap<String, String>,
    pub(super) children: Vec<Prim>,
}

impl Prim {
    /// Reads what follows an opening brace. Every attribute is on one line, as the exporter writes it.
    fn fill<'a>(&mut self, lines: &mut impl Iterator<Item = &'a str>) {
        while let Some(line) = lines.next().map(str::trim).filter(|line| *line != "}") {
            if let Some(head) = line.strip_prefix("def ") {
                let (kind, name) = head.trim_end_matches(" (").split_once(' ').unwrap();
                let mut prim = Prim { kind: kind.into(), name: name.trim_matches('"').into(), ..Prim::default() };
                for line in lines.by_ref().map(str::trim).take_while(|line| *line != "{") {
                    if let Some((key, value)) = line.split_once(" = ") {
                        prim.attributes.insert(key.rsplit(' ').next().unwrap().into(), value.into());
                    }
                }
                prim.fill(lines);
                self.children.push(prim);
            } else if let Some((key, value)) = line.split_once(" = ") {
                self.attributes.insert(key.rsplit(' ').next().unwrap().into(), value.into());
            }
        }
    }

    pub(super) fn read(text: &str) -> Self {
        let (mut root, mut lines) = (Self::default(), text.lines());
        lines.by_ref().find(|line| *line == ")").unwrap();
        // No brace closes the file.
        root.fill(&mut lines);
        root
    }

    pub(super) fn child(&self, name: &str) -> &Prim {
        self.children.iter().find(|child| child.name == name).unwrap()
    }

    fn numbers(&self, key: &str) -> Vec<f64> {
        let text = self.attributes.get(key).unwrap_or_else(|| panic!("{} has {key}", self.name));
        let plain: String = text.chars().map(|one| if "()[],".contains(one) { ' ' } else { one }).collect();
        plain.split_whitespace().map(|number| number.parse().unwrap()).collect()
    }

    pub(super) fn number(&self, key: &str) -> f64 {
        self.numbers(key)[0]
    }

    fn vector(&self, key: &str) -> DVec3 {
        DVec3::from_slice(&self.numbers(key))
    }

    /// A quaternion; the real part comes first.
    fn rotation(&self, key: &str) -> DQuat {
        let numbers = self.numbers(key);
        let rotation = DQuat::from_xyzw(numbers[1], numbers[2], numbers[3], numbers[0]);
        assert!((rotation.length() - 1.0).abs() < 1e-6, "{}: {key}", self.name);
        if key == "xformOp:orient" {
            // OpenUSD computes the angle of this rotation so, which the real part must allow.
            let angle = 2.0 * libm::acos(rotation.w.abs().min(1.0));
            let sine = DVec3::new(rotation.x, rotation.y, rotation.z).length();
            assert!((libm::sin(0.5 * angle) - sine).abs() < 1e-6, "{}: {angle} and {sine}", self.name);
        }
        rotation
    }

    fn place(&self) -> DAffine3 {
        let expected = "[\"xformOp:translate\", \"xformOp:orient\"";
        assert!(self.attributes["xformOpOrder"].starts_with(expected), "the order of the matrices");
        DAffine3::from_rotation_translation(self.rotation("xformOp:orient"), self.vector("xformOp:translate"))
    }
}

/// Half of the size of a collider, in its own space with its own scale.
fn half_of_prim(prim: &Prim) -> DVec3 {
    match prim.kind.as_str() {
        "Cube" => prim.vector("xformOp:scale") * (0.5 * prim.number("size")),
        "Sphere" => DVec3::splat(prim.number("radius")),
        "Capsule" => {
            assert_eq!(prim.attributes["axis"], "\"Y\"");
            let radius = prim.number("radius");
            DVec3::new(radius, 0.5 * prim.number("height") + radius, radius)
        }
        other => panic!("{other}"),
    }
}

pub(super) fn read(character: &BakedCharacter, text: &str) -> (Vec<FoundBody>, Vec<FoundJoint>) {
    let file = Prim::read(text);
    let root = &file.children[1];
    let (mut bodies, mut places) = (Vec::new(), Vec::new());
    for prim in &root.child("bodies").children {
        let world = prim.place();
        let turn = world.matrix3 * DMat3::from_quat(prim.rotation("physics:principalAxes"));
        let moments = prim.vector("physics:diagonalInertia");
        assert!(moments.min_element() > 0.0);
        let mut found = BTreeMap::new();
        for shape in &prim.children {
            let hitbox = shape.number("bonebox:hitbox") as usize;
            if shape.kind == "Mesh" {
                check_points(character, hitbox, &(world * shape.place()), &shape.numbers("points"));
                found.insert(hitbox, Vec::new());
                continue;
            }
            found.insert(hitbox, corners(&(world * shape.place()), half_of_prim(shape)));
        }
        bodies.push(FoundBody {
            mass: prim.number("physics:mass"),
            center: world.transform_point3(prim.vector("physics:centerOfMass")),
            inertia: turn * DMat3::from_diagonal(moments) * turn.transpose(),
            corners: found,
        });
        places.push((format!("</{}/bodies/{}>", root.name, prim.name), world));
    }
    let joint = |prim: &Prim| {
        let bodies = [0, 1].map(|end| {
            let path = &prim.attributes[&format!("physics:body{end}")];
            places.iter().position(|(known, _)| known == path).unwrap()
        });
        let frames = [0, 1].map(|end| {
            let rotation = prim.rotation(&format!("physics:localRot{end}"));
            let position = prim.vector(&format!("physics:localPos{end}"));
            places[bodies[end]].1 * DAffine3::from_rotation_translation(rotation, position)
        });
        FoundJoint { bodies, frames }
    };
    (bodies, root.child("joints").children.iter().map(joint).collect())
}
