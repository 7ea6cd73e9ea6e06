//! Characters with known boxes.

use crate::Gltf;
use serde_json::json;

/// A joint of a made-up character. Its rest transform has no rotation and no scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The name; it may be empty.
    pub name: String,
    /// The parent, an index smaller than the joint's own; `None` for a root.
    pub parent: Option<usize>,
    /// The rest translation, in the parent's space.
    pub translation: [f32; 3],
}

/// A skinned mesh as plain arrays, with one mesh and one skin. At rest, mesh space is model space.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Character {
    /// The name of the mesh and of the file.
    pub name: String,
    /// The joints, parents before children.
    pub joints: Vec<Joint>,
    /// The vertices in mesh space.
    pub positions: Vec<[f32; 3]>,
    /// Per vertex: up to 4 pairs of joint and weight.
    pub influences: Vec<Vec<(u16, f32)>>,
    /// The corners of each triangle, as indices into `positions`.
    pub triangles: Vec<[u32; 3]>,
    /// The normal of each vertex, as long as `positions`; empty if the file has no `NORMAL`.
    pub normals: Vec<[f32; 3]>,
    /// The texture coordinate of each vertex, as long as `positions`; empty if the file has no `TEXCOORD_0`.
    pub texture_coordinates: Vec<[f32; 2]>,
    /// The clips.
    pub clips: Vec<Clip>,
}

/// An animation of some joints' rotations.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The name of the clip.
    pub name: String,
    /// The animated joints, at most one track per joint.
    pub tracks: Vec<Track>,
}

/// The rotations of one joint over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The joint, an index into [`Character::joints`].
    pub joint: usize,
    /// The keys: increasing times in seconds, and quaternions x, y, z, w.
    pub keys: Vec<(f32, [f32; 4])>,
}

impl Character {
    /// Makes a character without joints and vertices.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Adds a joint at `translation` from its parent, and returns its index.
    pub fn joint(&mut self, name: &str, parent: Option<usize>, translation: [f32; 3]) -> usize {
        self.joints.push(Joint { name: name.to_owned(), parent, translation });
        self.joints.len() - 1
    }

    /// The position of a joint in model space at rest.
    #[must_use]
    pub fn origin(&self, joint: usize) -> [f32; 3] {
        let mut sum = [0.0; 3];
        let mut at = Some(joint);
        while let Some(index) = at {
            let joint = &self.joints[index];
            (0..3).for_each(|i| sum[i] += joint.translation[i]);
            at = joint.parent;
        }
        sum
    }

    /// Adds an axis-aligned box of 8 vertices and 12 triangles with weight 1 for `joint`. `center` is in the joint's
    /// space.
    pub fn add_box(&mut self, joint: usize, center: [f32; 3], half_extents: [f32; 3]) {
        let (origin, base) = (self.origin(joint), self.positions.len() as u32);
        for corner in 0..8 {
            let sign = |axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
            self.positions.push(std::array::from_fn(|i| origin[i] + center[i] + sign(i) * half_extents[i]));
            self.influences.push(vec![(joint as u16, 1.0)]);
        }
        const FACES: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        for [a, b, c, d] in FACES {
            self.triangles.extend([[a, b, c], [a, c, d]].map(|triangle| triangle.map(|corner| base + corner)));
        }
    }

    /// The character as a glTF document. The nodes `0..joints` are the joints, and the next node has the mesh.
    ///
    /// # Panics
    /// If a vertex has more than 4 influences.
    #[must_use]
    pub fn to_gltf(&self) -> Gltf {
        self.to_gltf_in([1.0; 3])
    }

    /// The character as a glTF document whose roots have the scale `unit`, so that a unit of each joint's space is this many
    /// meters long along x, y and z. The skin at rest is that of [`Character::to_gltf`].
    ///
    /// # Panics
    /// If a vertex has more than 4 influences.
    #[must_use]
    pub fn to_gltf_in(&self, unit: [f32; 3]) -> Gltf {
        let mut gltf = Gltf::new();
        let in_units = |meters: [f32; 3]| -> [f32; 3] { std::array::from_fn(|i| meters[i] / unit[i]) };
        let inverse_bind = (0..self.joints.len()).flat_map(|joint| {
            let [a, b, c] = in_units([1.0; 3]);
            let [x, y, z] = in_units(self.origin(joint));
            [a, 0., 0., 0., 0., b, 0., 0., 0., 0., c, 0., -x, -y, -z, 1.]
        });
        let inverse_bind = gltf.floats("MAT4", inverse_bind);
        let positions = gltf.floats("VEC3", self.positions.iter().flatten().copied());
        let slot = |row: &Vec<(u16, f32)>, i: usize| row.get(i).copied().unwrap_or((0, 0.0));
        assert!(self.influences.iter().all(|row| row.len() <= 4), "a vertex may have at most 4 influences");
        let joints = self.influences.iter().flat_map(|row| (0..4).map(move |i| slot(row, i).0));
        let joints = gltf.shorts("VEC4", joints);
        let weights = self.influences.iter().flat_map(|row| (0..4).map(move |i| slot(row, i).1));
        let weights = gltf.floats("VEC4", weights);
        let indices: Vec<f64> = self.triangles.iter().flatten().map(|&corner| f64::from(corner)).collect();
        let indices = gltf.accessor("SCALAR", crate::Component::U32, false, &indices);
        for (index, joint) in self.joints.iter().enumerate() {
            let children: Vec<usize> =
                (0..self.joints.len()).filter(|&child| self.joints[child].parent == Some(index)).collect();
            let mut node = json!({ "name": joint.name, "translation": joint.translation });
            if joint.parent.is_some() {
                node["translation"] = json!(in_units(joint.translation));
            } else if unit != [1.0; 3] {
                node["scale"] = json!(unit);
            }
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            gltf.push("nodes", node);
        }
        let mut attributes = json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights });
        if !self.normals.is_empty() {
            attributes["NORMAL"] = json!(gltf.floats("VEC3", self.normals.iter().flatten().copied()));
        }
        if !self.texture_coordinates.is_empty() {
            let coordinates = self.texture_coordinates.iter().flatten().copied();
            attributes["TEXCOORD_0"] = json!(gltf.floats("VEC2", coordinates));
        }
        let primitive = json!({ "attributes": attributes, "indices": indices });
        gltf.push("meshes", json!({ "name": self.name, "primitives": [primitive] }));
        let slots: Vec<usize> = (0..self.joints.len()).collect();
        gltf.push("skins", json!({ "joints": slots, "inverseBindMatrices": inverse_bind }));
        let shown = gltf.push("nodes", json!({ "name": self.name, "mesh": 0, "skin": 0 }));
        let roots = (0..self.joints.len()).filter(|&joint| self.joints[joint].parent.is_none());
        let roots: Vec<usize> = roots.chain([shown]).collect();
        gltf.push("scenes", json!({ "nodes": roots }));
        self.clips.iter().for_each(|clip| push_clip(&mut gltf, clip));
        gltf
    }

    /// The character as the bytes of a GLB file.
    #[must_use]
    pub fn to_glb(&self) -> Vec<u8> {
        self.to_gltf().to_glb()
    }
}

fn push_clip(gltf: &mut Gltf, clip: &Clip) {
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for Track { joint, keys } in &clip.tracks {
        let input = gltf.floats("SCALAR", keys.iter().map(|&(time, _)| time));
        let output = gltf.floats("VEC4", keys.iter().flat_map(|&(_, rotation)| rotation));
        channels.push(json!({ "sampler": samplers.len(), "target": { "node": joint, "path": "rotation" } }));
        samplers.push(json!({ "input": input, "output": output }));
    }
    gltf.push("animations", json!({ "name": clip.name, "samplers": samplers, "channels": channels }));
}

/// A square tube from x = 0 to 2, in rings that are 0.25 apart, with the skeleton and the clip of [`box_limb`]. The weights change
/// from the joint `upper` to the joint `lower` between x = 0.5 and x = 1.5.
#[must_use]
pub fn soft_limb() -> Character {
    let mut limb = box_limb();
    (limb.positions, limb.influences, limb.triangles) = Default::default();
    for ring in 0..=8u16 {
        let x = 0.25 * f32::from(ring);
        let lower = (x - 0.5).clamp(0.0, 1.0);
        for [y, z] in [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]] {
            limb.positions.push([x, y, z]);
            limb.influences.push(vec![(0, 1.0 - lower), (1, lower)]);
        }
    }
    for ring in 0..8 {
        for side in 0..4 {
            let [a, b] = [4 * ring + side, 4 * ring + (side + 1) % 4];
            limb.triangles.extend([[a, b, b + 4], [a, b + 4, a + 4]]);
        }
    }
    limb
}

/// [`soft_limb`] with normals and texture coordinates. The texture goes around once, so its seam doubles the vertices along
/// one edge: u is 0 and 1 there.
#[must_use]
pub fn painted_limb() -> Character {
    let mut limb = soft_limb();
    let rings = limb.positions.len() / 4;
    let (positions, influences) = (std::mem::take(&mut limb.positions), std::mem::take(&mut limb.influences));
    for ring in 0..rings {
        for side in 0..5 {
            let vertex = 4 * ring + side % 4;
            let [x, y, z] = positions[vertex];
            let half = std::f32::consts::FRAC_1_SQRT_2;
            limb.positions.push([x, y, z]);
            limb.influences.push(influences[vertex].clone());
            limb.normals.push([0.0, half.copysign(y), half.copysign(z)]);
            limb.texture_coordinates.push([side as f32 / 4.0, ring as f32 / rings as f32]);
        }
    }
    let at = |corner: u32, next: bool| corner / 4 * 5 + if next && corner.is_multiple_of(4) { 4 } else { corner % 4 };
    for triangle in &mut limb.triangles {
        let is_last = triangle.iter().any(|corner| corner % 4 == 3);
        *triangle = triangle.map(|corner| at(corner, is_last));
    }
    limb
}

/// An upper and a lower arm, each a box along x. In joint space, `(center, half_extents)` is `([0.5, 0, 0], [0.5, 0.1,
/// 0.2])` for the joint `upper`, and `([0.4, 0, 0], [0.4, 0.08, 0.12])` for the joint `lower`, which is at x = 1. The
/// clip `bend` turns `lower` by a quarter turn about z in one second.
#[must_use]
pub fn box_limb() -> Character {
    let mut limb = Character::new("limb");
    let upper = limb.joint("upper", None, [0.0; 3]);
    let lower = limb.joint("lower", Some(upper), [1.0, 0.0, 0.0]);
    limb.add_box(upper, [0.5, 0.0, 0.0], [0.5, 0.1, 0.2]);
    limb.add_box(lower, [0.4, 0.0, 0.0], [0.4, 0.08, 0.12]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let keys = vec![(0.0, [0.0, 0.0, 0.0, 1.0]), (1.0, [0.0, 0.0, half, half])];
    limb.clips.push(Clip { name: "bend".to_owned(), tracks: vec![Track { joint: lower, keys }] });
    limb
}

/// A man of boxes, 1.8 high, facing +z, with the arms to the sides. He has 11 joints, each with one box that begins at
/// the joint (`center` is the middle of the box). The clip `jab` swings the right arm forward in half a second.
#[must_use]
pub fn box_man() -> Character {
    let mut man = Character::new("box man");
    let hips = man.joint("hips", None, [0.0, 1.0, 0.0]);
    let chest = man.joint("chest", Some(hips), [0.0, 0.2, 0.0]);
    let head = man.joint("head", Some(chest), [0.0, 0.35, 0.0]);
    man.add_box(hips, [0.0, 0.05, 0.0], [0.16, 0.15, 0.1]);
    man.add_box(chest, [0.0, 0.175, 0.0], [0.2, 0.175, 0.12]);
    man.add_box(head, [0.0, 0.125, 0.0], [0.08, 0.125, 0.1]);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        let upper = man.joint(&format!("upper_arm.{side}"), Some(chest), [sign * 0.22, 0.3, 0.0]);
        let lower = man.joint(&format!("lower_arm.{side}"), Some(upper), [sign * 0.3, 0.0, 0.0]);
        let thigh = man.joint(&format!("thigh.{side}"), Some(hips), [sign * 0.1, -0.05, 0.0]);
        let shin = man.joint(&format!("shin.{side}"), Some(thigh), [0.0, -0.45, 0.0]);
        man.add_box(upper, [sign * 0.15, 0.0, 0.0], [0.15, 0.05, 0.06]);
        man.add_box(lower, [sign * 0.2, 0.0, 0.0], [0.2, 0.04, 0.05]);
        man.add_box(thigh, [0.0, -0.225, 0.0], [0.08, 0.225, 0.09]);
        man.add_box(shin, [0.0, -0.25, 0.02], [0.06, 0.25, 0.08]);
    }
    let (half, arm) = (std::f32::consts::FRAC_1_SQRT_2, 7);
    debug_assert_eq!(man.joints[arm].name, "upper_arm.right");
    let rest = [0.0, 0.0, 0.0, 1.0];
    // A quarter turn about y moves the arm from -x to +z.
    let keys = vec![(0.0, rest), (0.25, [0.0, half, 0.0, half]), (0.5, rest)];
    man.clips.push(Clip { name: "jab".to_owned(), tracks: vec![Track { joint: arm, keys }] });
    man
}

/// A tank with skinned tracks, and with rigid meshes in every place where a file may have them. The boxes are `(center,
/// half_extents)` in the space of their own node.
///
/// | node | name | parent | content |
/// |---|---|---|---|
/// | 0 | `hull` | 6 | a skin's joint, box `([0, 0.5, 0], [1, 0.5, 2])` |
/// | 1 | `track` | 0 | a skin's joint, box `([0, 0.2, 0], [0.3, 0.2, 2])` |
/// | 2 | `tank` | 6 | the skinned mesh |
/// | 3 | `turret` | 6 | rigid, 1 above the tank's origin, box `([0, 0.3, 0], [0.7, 0.3, 0.9])` |
/// | 4 | `gun` | 3 | rigid, box `([0, 0, 1], [0.1, 0.1, 1])` |
/// | 5 | `antenna` | 0 | rigid, box `([0, 1, 0], [0.05, 1, 0.05])` |
/// | 6 | `chassis` | 8 | rigid, box `([0, 0.1, 0], [0.9, 0.1, 1.9])` |
/// | 7 | `crate` | 8 | scenery, box `([0, 0.5, 0], [0.5, 0.5, 0.5])` |
/// | 8 | `scene` | | nothing |
///
/// The clip `aim` turns `turret` by a quarter turn about y in one second. Nothing moves `antenna`, `chassis` and
/// `crate`.
///
/// # Panics
/// If the indices of the nodes differ from this table, which is a bug in this function.
#[must_use]
pub fn tank() -> Gltf {
    let mut tracked = Character::new("tank");
    let hull = tracked.joint("hull", None, [0.0; 3]);
    let track = tracked.joint("track", Some(hull), [1.0, 0.0, 0.0]);
    tracked.add_box(hull, [0.0, 0.5, 0.0], [1.0, 0.5, 2.0]);
    tracked.add_box(track, [0.0, 0.2, 0.0], [0.3, 0.2, 2.0]);
    let mut gltf = tracked.to_gltf();
    let mut rigid = |name: &str, center, half_extents, children: &[usize]| {
        let mesh = push_rigid_box(&mut gltf, name, center, half_extents);
        let mut node = json!({ "name": name, "mesh": mesh });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        gltf.push("nodes", node)
    };
    let turret = rigid("turret", [0.0, 0.3, 0.0], [0.7, 0.3, 0.9], &[4]);
    let gun = rigid("gun", [0.0, 0.0, 1.0], [0.1, 0.1, 1.0], &[]);
    let antenna = rigid("antenna", [0.0, 1.0, 0.0], [0.05, 1.0, 0.05], &[]);
    let chassis = rigid("chassis", [0.0, 0.1, 0.0], [0.9, 0.1, 1.9], &[hull, 2, turret]);
    let scenery = rigid("crate", [0.0, 0.5, 0.0], [0.5; 3], &[]);
    assert_eq!([turret, gun, antenna, chassis, scenery], [3, 4, 5, 6, 7]);
    gltf.json["nodes"][turret]["translation"] = json!([0.0, 1.0, 0.0]);
    gltf.json["nodes"][hull]["children"] = json!([track, antenna]);
    let scene = gltf.push("nodes", json!({ "name": "scene", "children": [chassis, scenery] }));
    gltf.json["scenes"][0]["nodes"] = json!([scene]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let keys = vec![(0.0, [0.0, 0.0, 0.0, 1.0]), (1.0, [0.0, half, 0.0, half])];
    push_clip(&mut gltf, &Clip { name: "aim".to_owned(), tracks: vec![Track { joint: turret, keys }] });
    gltf
}

/// Adds a mesh without a skin, an axis-aligned box of 8 vertices and 12 triangles, and returns its index.
fn push_rigid_box(gltf: &mut Gltf, name: &str, center: [f32; 3], half_extents: [f32; 3]) -> usize {
    let mut solid = Character::new(name);
    solid.joint(name, None, [0.0; 3]);
    solid.add_box(0, center, half_extents);
    let positions = gltf.floats("VEC3", solid.positions.iter().flatten().copied());
    let corners: Vec<f64> = solid.triangles.iter().flatten().map(|&corner| f64::from(corner)).collect();
    let indices = gltf.accessor("SCALAR", crate::Component::U32, false, &corners);
    let primitive = json!({ "attributes": { "POSITION": positions }, "indices": indices });
    gltf.push("meshes", json!({ "name": name, "primitives": [primitive] }))
}
