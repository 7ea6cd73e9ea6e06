//! Writes characters as FBX files, in many forms.

use crate::fbx_tree::{Element, Value, to_binary, to_text};
use crate::{Character, Clip};

/// Ticks of FBX per second.
const TICKS: f64 = 46_186_158_000.0;

/// One of the forms of an FBX file that can hold the same character.
#[derive(Clone, Debug, PartialEq)]
pub struct Fbx {
    /// The length of the file's unit in centimeters.
    pub unit: f64,
    /// A scale of the topmost nodes. Bones and vertices are divided by it, as Blender divides them by 100.
    pub scale: f64,
    /// `true` if z is up and -y is to the front; otherwise y is up and z to the front.
    pub is_z_up: bool,
    /// The axis of glTF (0 is x) that points the other way in the file. Its space is left-handed then.
    pub mirrored: Option<usize>,
    /// Joints whose rest pose differs from the bind pose: the joint, and its rotation about the axes of glTF in degrees.
    pub turned: Vec<(usize, [f64; 3])>,
    /// The part of its parent's scale that a joint inherits: the joint, and the number that FBX has for it (1 is everything). The
    /// numbers of `sockets` follow those of the joints.
    pub inherits: Vec<(usize, i64)>,
    /// Joints whose scale moves in the first clip: the joint, and its keys of seconds and scales. The rest pose has the first scale.
    pub scaled: Vec<(usize, ScaleKeys)>,
    /// A blend shape with the weight 0.5.
    pub shape: Option<FbxShape>,
    /// The number of meshes, each with a skin of its own, among which the triangles are divided.
    pub meshes: usize,
    /// `true` if each pair of triangles is one face with four corners. The triangles must be those of boxes.
    pub has_quads: bool,
    /// Bones that no skin names, such as a hand's place for a sword: the name, the parent and the place there in meters.
    pub sockets: Vec<(&'static str, usize, [f32; 3])>,
}

/// Times in seconds, and the scales along the axes of glTF at these times.
pub type ScaleKeys = Vec<(f32, [f32; 3])>;

/// A blend shape of an FBX file. It moves the first vertices, by offsets in meters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FbxShape {
    /// The name.
    pub name: String,
    /// The offsets at weight 1.
    pub offsets: Vec<[f32; 3]>,
    /// Shapes on the way to it, in ascending order: their weights from 0 to 1, and their offsets.
    pub between: Vec<(f64, Vec<[f32; 3]>)>,
    /// The keys of the weight in the first clip: seconds and weights.
    pub keys: Vec<(f32, f64)>,
}

impl Default for Fbx {
    /// Meters, with y up.
    fn default() -> Self {
        Self {
            unit: 100.0,
            scale: 1.0,
            is_z_up: false,
            mirrored: None,
            turned: Vec::new(),
            inherits: Vec::new(),
            scaled: Vec::new(),
            shape: None,
            meshes: 1,
            has_quads: false,
            sockets: Vec::new(),
        }
    }
}

/// The numbers of objects, which connections name.
const MODEL: usize = 1_000;
const ATTRIBUTE: usize = 2_000;
const SOCKET: usize = 3_000;
const MESH: usize = 10_000;
const ANIMATION: usize = 1_000_000;
/// The distance between the numbers of two meshes or clips.
const STEP: usize = 10_000;

impl Fbx {
    /// The text of a file with the character.
    ///
    /// # Panics
    /// If the character has 1000 joints or more.
    #[must_use]
    pub fn text(&self, character: &Character) -> String {
        to_text(&self.elements(character))
    }

    /// The binary form of a file with the character.
    ///
    /// # Panics
    /// If the character has 1000 joints or more.
    #[must_use]
    pub fn binary(&self, character: &Character) -> Vec<u8> {
        to_binary(&self.elements(character))
    }

    fn elements(&self, character: &Character) -> Vec<Element> {
        assert!(character.joints.len() < ATTRIBUTE - MODEL, "too many joints");
        let header = Element::new("FBXHeaderExtension", []).with([Element::new("FBXVersion", [Value::Integer(7400)])]);
        let (up, front, sign) = if self.is_z_up { (2, 1, -1) } else { (1, 2, 1) };
        let integer = |(name, value)| property(name, "int", "Integer", [Value::Integer(value)]);
        let [right_sign, up_sign, front_sign] = self.signs().map(|sign| sign as i64);
        let settings = [
            ("UpAxis", up),
            ("UpAxisSign", up_sign),
            ("FrontAxis", front),
            ("FrontAxisSign", sign * front_sign),
            ("CoordAxis", 0),
            ("CoordAxisSign", right_sign),
            // 30 frames per second.
            ("TimeMode", 6),
        ];
        let unit = property("UnitScaleFactor", "double", "Number", [Value::Real(self.unit)]);
        let settings =
            Element::new("GlobalSettings", []).with([properties(settings.map(integer).into_iter().chain([unit]))]);
        let (mut objects, mut links) = (Vec::new(), Vec::new());
        self.add_joints(character, &mut objects, &mut links);
        for part in 0..self.meshes {
            self.add_mesh(character, part, &mut objects, &mut links);
            self.add_skin(character, part, &mut objects, &mut links);
            self.add_shape(part, &mut objects, &mut links);
        }
        for (index, clip) in character.clips.iter().enumerate() {
            self.add_clip(character, clip, ANIMATION + STEP * index, &mut objects, &mut links);
        }
        vec![header, settings, Element::new("Objects", []).with(objects), Element::new("Connections", []).with(links)]
    }

    /// The directions of the file's axes for glTF's x, y and z: 1 or -1.
    fn signs(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| if self.mirrored == Some(axis) { -1.0 } else { 1.0 })
    }

    /// A vector of glTF's space in the file's axes.
    fn turn(&self, vector: [f64; 3]) -> [f64; 3] {
        let signs = self.signs();
        let [x, y, z] = [0, 1, 2].map(|axis| vector[axis] * signs[axis]);
        if self.is_z_up { [x, -z, y] } else { [x, y, z] }
    }

    /// The axis and angle of a rotation in the file's axes. A mirrored rotation turns the other way.
    fn turn_rotation(&self, vector: [f64; 3]) -> [f64; 3] {
        self.turn(vector).map(|part| if self.mirrored.is_some() { -part } else { part })
    }

    /// The scale of a joint along the axes of the file, from that along the axes of glTF.
    fn scale_of(&self, parent: Option<usize>, scale: [f32; 3]) -> [f64; 3] {
        let [x, y, z] = scale.map(|part| f64::from(part) * if parent.is_none() { self.scale } else { 1.0 });
        if self.is_z_up { [x, z, y] } else { [x, y, z] }
    }

    /// Meters of glTF's space in the file's axes and units.
    fn length(&self, meters: [f32; 3]) -> [f64; 3] {
        self.turn(meters.map(f64::from)).map(|part| part * 100.0 / self.unit)
    }

    /// A length below the topmost nodes.
    fn inner(&self, meters: [f32; 3]) -> [f64; 3] {
        self.length(meters).map(|part| part / self.scale)
    }

    fn inherit_type(&self, joint: usize) -> Option<Element> {
        let (_, number) = self.inherits.iter().find(|(inheriting, _)| *inheriting == joint)?;
        Some(property("InheritType", "enum", "", [Value::Integer(*number)]))
    }

    fn add_joints(&self, character: &Character, objects: &mut Vec<Element>, links: &mut Vec<Element>) {
        let mut add = |model: usize, name: &str, parent: Option<usize>, all: Vec<Element>| {
            let attribute = model + ATTRIBUTE - MODEL;
            let flags = Element::new("TypeFlags", [Value::Text("Skeleton".to_owned())]);
            objects.push(Element::object("NodeAttribute", attribute, "NodeAttribute", name, "LimbNode").with([flags]));
            objects.push(Element::object("Model", model, "Model", name, "LimbNode").with([properties(all)]));
            links.push(link(attribute, model));
            links.push(link(model, parent.map_or(0, |parent| MODEL + parent)));
        };
        for (index, joint) in character.joints.iter().enumerate() {
            let at = match joint.parent {
                Some(_) => self.inner(joint.translation),
                None => self.length(joint.translation),
            };
            let mut all = vec![vector("Lcl Translation", at)];
            if let Some((_, degrees)) = self.turned.iter().find(|(turned, _)| *turned == index) {
                all.push(vector("Lcl Rotation", self.turn_rotation(*degrees)));
            }
            let keys = self.scaled.iter().find(|(scaled, _)| *scaled == index).and_then(|(_, keys)| keys.first());
            if let Some((_, scale)) = keys {
                all.push(vector("Lcl Scaling", self.scale_of(joint.parent, *scale)));
            } else if joint.parent.is_none() {
                all.push(vector("Lcl Scaling", [self.scale; 3]));
            }
            all.extend(self.inherit_type(index));
            add(MODEL + index, &joint.name, joint.parent, all);
        }
        for (index, (name, parent, translation)) in self.sockets.iter().enumerate() {
            let mut all = vec![vector("Lcl Translation", self.inner(*translation))];
            all.extend(self.inherit_type(character.joints.len() + index));
            add(SOCKET + index, name, Some(*parent), all);
        }
    }

    fn add_mesh(&self, character: &Character, part: usize, objects: &mut Vec<Element>, links: &mut Vec<Element>) {
        let model = MESH + STEP * part;
        let named = Element::object("Model", model, "Model", &character.name, "Mesh");
        objects.push(named.with([properties([vector("Lcl Scaling", [self.scale; 3])])]));
        let triangles = character.triangles.chunks(character.triangles.len().div_ceil(self.meshes));
        let triangles = triangles.clone().nth(part).unwrap_or_default();
        let mut faces: Vec<Vec<u32>> = match self.has_quads {
            true => triangles.chunks(2).map(|two| vec![two[0][0], two[0][1], two[0][2], two[1][2]]).collect(),
            false => triangles.iter().map(|corners| corners.to_vec()).collect(),
        };
        // In the numbers of the file too, the corners are counterclockwise as seen from outside.
        if self.mirrored.is_some() {
            faces.iter_mut().for_each(|corners| corners.reverse());
        }
        // The last corner of a face is negative.
        let marked = |corners: &Vec<u32>| {
            let last = corners.len() - 1;
            corners
                .iter()
                .enumerate()
                .map(|(at, &corner)| if at == last { -1 - corner as i32 } else { corner as i32 })
                .collect::<Vec<_>>()
        };
        let points = character.positions.iter().flat_map(|&point| self.inner(point)).collect();
        let mut inside = vec![
            Element::new("Vertices", [Value::Reals(points)]),
            Element::new("PolygonVertexIndex", [Value::Integers(faces.iter().flat_map(marked).collect())]),
        ];
        let layer = |name, mapping: &str, reference: &str| {
            Element::new(name, [Value::Integer(0)]).with([
                Element::new("MappingInformationType", [Value::Text(mapping.to_owned())]),
                Element::new("ReferenceInformationType", [Value::Text(reference.to_owned())]),
            ])
        };
        if !character.normals.is_empty() {
            let all = character.normals.iter().flat_map(|normal| self.turn(normal.map(f64::from))).collect();
            let normals = Element::new("Normals", [Value::Reals(all)]);
            inside.push(layer("LayerElementNormal", "ByVertice", "Direct").with([normals]));
        }
        if !character.texture_coordinates.is_empty() {
            let all = character.texture_coordinates.iter().flat_map(|&[u, v]| [f64::from(u), 1.0 - f64::from(v)]);
            let indices = faces.iter().flatten().map(|&corner| corner as i32).collect();
            inside.push(layer("LayerElementUV", "ByPolygonVertex", "IndexToDirect").with([
                Element::new("UV", [Value::Reals(all.collect())]),
                Element::new("UVIndex", [Value::Integers(indices)]),
            ]));
        }
        objects.push(Element::object("Geometry", model + 1, "Geometry", &character.name, "Mesh").with(inside));
        links.extend([link(model, 0), link(model + 1, model)]);
    }

    fn add_skin(&self, character: &Character, part: usize, objects: &mut Vec<Element>, links: &mut Vec<Element>) {
        let geometry = MESH + STEP * part + 1;
        let skin = geometry + 1;
        let version = || Element::new("Version", [Value::Integer(101)]);
        objects.push(Element::object("Deformer", skin, "Deformer", "skin", "Skin").with([version()]));
        links.push(link(skin, geometry));
        for joint in 0..character.joints.len() {
            let of_joint = |(vertex, row): (usize, &Vec<(u16, f32)>)| {
                row.iter()
                    .find(|(slot, _)| usize::from(*slot) == joint)
                    .map(|(_, weight)| (vertex as i32, f64::from(*weight)))
            };
            let (indices, weights) = character.influences.iter().enumerate().filter_map(of_joint).unzip();
            let origin = character.origin(joint);
            let cluster = skin + 10 + joint;
            objects.push(Element::object("Deformer", cluster, "SubDeformer", "", "Cluster").with([
                version(),
                Element::new("Indexes", [Value::Integers(indices)]),
                Element::new("Weights", [Value::Reals(weights)]),
                // The bone's space from the mesh's space, and the world from the bone's space, in column order.
                Element::new("Transform", [Value::Reals(affine(1.0, self.inner(origin).map(|part| -part)))]),
                Element::new("TransformLink", [Value::Reals(affine(self.scale, self.length(origin)))]),
            ]));
            links.extend([link(cluster, skin), link(MODEL + joint, cluster)]);
        }
    }

    fn add_shape(&self, part: usize, objects: &mut Vec<Element>, links: &mut Vec<Element>) {
        let Some(FbxShape { name, offsets, between, .. }) = &self.shape else { return };
        let geometry = MESH + STEP * part + 1;
        let [shapes, channel, first] = [geometry + 2, geometry + 3, geometry + 4];
        let version = Element::new("Version", [Value::Integer(100)]);
        objects.push(Element::object("Deformer", shapes, "Deformer", "shapes", "BlendShape").with([version]));
        links.extend([link(shapes, geometry), link(channel, shapes)]);
        let mut weights = Vec::new();
        for (index, (weight, offsets)) in between.iter().chain([&(1.0, offsets.clone())]).enumerate() {
            let all = offsets.iter().flat_map(|&offset| self.inner(offset)).collect();
            objects.push(Element::object("Geometry", first + index, "Geometry", name, "Shape").with([
                Element::new("Indexes", [Value::Integers((0..offsets.len() as i32).collect())]),
                Element::new("Vertices", [Value::Reals(all)]),
            ]));
            links.push(link(first + index, channel));
            weights.push(100.0 * weight);
        }
        objects.push(Element::object("Deformer", channel, "SubDeformer", name, "BlendShapeChannel").with([
            Element::new("DeformPercent", [Value::Real(50.0)]),
            Element::new("FullWeights", [Value::Reals(weights)]),
        ]));
    }

    fn add_clip(
        &self,
        character: &Character,
        clip: &Clip,
        first: usize,
        objects: &mut Vec<Element>,
        links: &mut Vec<Element>,
    ) {
        let times = clip.tracks.iter().flat_map(|track| &track.keys).map(|(time, _)| f64::from(*time));
        let range = [("LocalStart", 0), ("LocalStop", ticks(times.fold(0.0, f64::max)))];
        let range = range.map(|(name, time)| property(name, "KTime", "Time", [Value::Integer(time)]));
        objects.push(Element::object("AnimationStack", first, "AnimStack", &clip.name, "").with([properties(range)]));
        let layer = Element::object("AnimationLayer", first + 1, "AnimLayer", "base", "");
        objects.push(layer.with([Element::new("Version", [Value::Integer(100)])]));
        links.push(link(first + 1, first));
        let mut curves = Curves { next: first + 2, layer: first + 1, objects, links };
        for track in &clip.tracks {
            let angles = |&(time, rotation): &(f32, [f32; 4])| {
                let [x, y, z, w] = rotation.map(f64::from);
                let [x, y, z] = self.turn_rotation([x, y, z]);
                (time, degrees([x, y, z, w]))
            };
            let keys: Vec<_> = track.keys.iter().map(angles).collect();
            curves.add(MODEL + track.joint, "Lcl Rotation", ["d|X", "d|Y", "d|Z"], &keys);
        }
        if first != ANIMATION {
            return;
        }
        for (joint, keys) in &self.scaled {
            let parent = character.joints[*joint].parent;
            let keys: Vec<_> = keys.iter().map(|&(time, scale)| (time, self.scale_of(parent, scale))).collect();
            curves.add(MODEL + joint, "Lcl Scaling", ["d|X", "d|Y", "d|Z"], &keys);
        }
        let keys = self.shape.iter().flat_map(|shape| &shape.keys);
        let keys: Vec<_> = keys.map(|&(time, weight)| (time, [100.0 * weight])).collect();
        for part in (0..self.meshes).filter(|_| !keys.is_empty()) {
            curves.add(MESH + STEP * part + 4, "DeformPercent", ["d|DeformPercent"], &keys);
        }
    }
}

/// Writes the curves of a layer.
struct Curves<'c> {
    /// The number of the next object.
    next: usize,
    layer: usize,
    objects: &'c mut Vec<Element>,
    links: &'c mut Vec<Element>,
}

impl Curves<'_> {
    /// Adds a curve for each part of a property of an object.
    fn add<const N: usize>(
        &mut self,
        object: usize,
        name: &'static str,
        parts: [&'static str; N],
        keys: &[(f32, [f64; N])],
    ) {
        let node = self.next;
        self.next += 1 + N;
        let all = parts.map(|part| property(part, "Number", "", [Value::Real(0.0)]));
        self.objects.push(Element::object("AnimationCurveNode", node, "AnimCurveNode", "", "").with([properties(all)]));
        self.links.push(link(node, self.layer));
        self.links.push(link_property(node, object, name));
        for (part, part_name) in parts.into_iter().enumerate() {
            let curve = node + 1 + part;
            let times = keys.iter().map(|(time, _)| ticks(f64::from(*time))).collect();
            let values = keys.iter().map(|(_, values)| values[part]).collect();
            self.objects.push(Element::object("AnimationCurve", curve, "AnimCurve", "", "").with([
                Element::new("KeyTime", [Value::Longs(times)]),
                Element::new("KeyValueFloat", [Value::Reals(values)]),
                // 4 is linear interpolation.
                Element::new("KeyAttrFlags", [Value::Integers(vec![4])]),
                Element::new("KeyAttrDataFloat", [Value::Reals(vec![0.0; 4])]),
                Element::new("KeyAttrRefCount", [Value::Integers(vec![keys.len() as i32])]),
            ]));
            self.links.push(link_property(curve, node, part_name));
        }
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn link(child: usize, parent: usize) -> Element {
    Element::new("C", [text("OO"), Value::Integer(child as i64), Value::Integer(parent as i64)])
}

fn link_property(child: usize, parent: usize, name: &str) -> Element {
    Element::new("C", [text("OP"), Value::Integer(child as i64), Value::Integer(parent as i64), text(name)])
}

fn properties(all: impl IntoIterator<Item = Element>) -> Element {
    Element::new("Properties70", []).with(all)
}

fn property(name: &str, kind: &str, unit: &str, values: impl IntoIterator<Item = Value>) -> Element {
    Element::new("P", [text(name), text(kind), text(unit), text("")].into_iter().chain(values))
}

fn vector(name: &str, values: [f64; 3]) -> Element {
    property(name, name, "", values.map(Value::Real))
}

fn affine(scale: f64, [x, y, z]: [f64; 3]) -> Vec<f64> {
    vec![scale, 0.0, 0.0, 0.0, 0.0, scale, 0.0, 0.0, 0.0, 0.0, scale, 0.0, x, y, z, 1.0]
}

fn ticks(seconds: f64) -> i64 {
    (seconds * TICKS).round() as i64
}

/// The rotations about x, y and z, in this order, in degrees.
fn degrees(rotation: [f64; 4]) -> [f64; 3] {
    let length = rotation.iter().map(|part| part * part).sum::<f64>().sqrt();
    let [x, y, z, w] = rotation.map(|part| part / length);
    let sine = 2.0 * (w * y - z * x);
    let [along_x, along_y] = [1.0 - 2.0 * (y * y + z * z), 2.0 * (w * z + x * y)];
    // An arcsine would lose half of the digits near a quarter turn.
    let cosine = f64::hypot(along_x, along_y);
    let is_locked = cosine < 1e-6;
    let about_x = if is_locked { 0.0 } else { f64::atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)) };
    let about_z = match is_locked {
        true => f64::atan2(2.0 * (w * z - x * y), 1.0 - 2.0 * (x * x + z * z)),
        false => f64::atan2(along_y, along_x),
    };
    [about_x, f64::atan2(sine, cosine), about_z].map(f64::to_degrees)
}
