//! The body that holds each body.

use super::bodies::Body;
use super::body_poses::BodyPoses;
use super::character::Character;
use super::pairs::touch;
use baked_format::BakeWarning;
use skeleton::JointIndex;

/// A body may hang at another that is no ancestor of it if its joint drifts no farther than this in the space of that body,
/// as a share of the height.
const DRIFT: f64 = 0.05;

/// Nor farther away than this from the shapes of that body, as a share of the height.
const AWAY: f64 = 0.1;

/// The parents of the bodies.
pub(super) struct Tree {
    /// For each body, its parent. Parents come before children.
    pub(super) parents: Vec<Option<usize>>,
    /// For each body, its index before parents came first.
    order: Vec<usize>,
}

/// Connects the bodies to one tree: each to its nearest ancestor, as the joints are. Where that gives several trees, such as
/// feet below a root of their own, the humanoid's bones connect them, and otherwise the place where a tree stays in all poses.
pub(super) fn connect(character: &Character<'_>, bodies: &[Body], poses: &BodyPoses) -> Tree {
    let mut body_of_joint = vec![None; character.skeleton.len()];
    for (index, body) in bodies.iter().enumerate() {
        body_of_joint[body.joint.index()] = Some(index);
    }
    let mut parents: Vec<Option<usize>> =
        bodies.iter().map(|body| above(character, &body_of_joint, body.joint)).collect();
    let Some(main) = heaviest_root(bodies, &parents) else { return in_order(&parents) };
    let mut open: Vec<usize> = (0..bodies.len()).filter(|&body| parents[body].is_none() && body != main).collect();
    // A tree may hang at one that is connected later.
    while let Some((at, parent)) = open.iter().enumerate().find_map(|(at, &root)| {
        let held = by_humanoid(character, &body_of_joint, &parents, main, bodies[root].joint)
            .or_else(|| by_place(character, bodies, poses, &parents, main, root));
        held.map(|parent| (at, parent))
    }) {
        parents[open.remove(at)] = Some(parent);
    }
    in_order(&parents)
}

/// The nearest ancestor of a joint that has a body.
fn above(character: &Character<'_>, body_of_joint: &[Option<usize>], joint: JointIndex) -> Option<usize> {
    let joints = character.skeleton.joints();
    let mut ancestors = std::iter::successors(joints[joint.index()].parent, |at| joints[at.index()].parent);
    ancestors.find_map(|ancestor| body_of_joint[ancestor.index()])
}

fn root_of(parents: &[Option<usize>], body: usize) -> usize {
    std::iter::successors(Some(body), |&at| parents[at]).last().unwrap_or(body)
}

/// The root of the tree with the largest mass, the first of several; `None` without bodies.
fn heaviest_root(bodies: &[Body], parents: &[Option<usize>]) -> Option<usize> {
    let mut masses = vec![0.0; bodies.len()];
    for (index, body) in bodies.iter().enumerate() {
        masses[root_of(parents, index)] += body.mass.mass;
    }
    (0..bodies.len()).reduce(|most, one| if masses[one] > masses[most] { one } else { most })
}

/// The body of the next bone above, in the main tree, if the joint is a bone of the humanoid.
fn by_humanoid(
    character: &Character<'_>,
    body_of_joint: &[Option<usize>],
    parents: &[Option<usize>],
    main: usize,
    joint: JointIndex,
) -> Option<usize> {
    let humanoid = character.humanoid?;
    let mut bones = std::iter::successors(humanoid.bone(joint)?.parent(), |bone| bone.parent());
    let body = bones.find_map(|bone| body_of_joint[humanoid.joint(bone)?.index()])?;
    (root_of(parents, body) == main).then_some(body)
}

/// The body of the main tree in whose space the joint stays nearest to one place. A body that it touches at rest comes first.
fn by_place(
    character: &Character<'_>,
    bodies: &[Body],
    poses: &BodyPoses,
    parents: &[Option<usize>],
    main: usize,
    root: usize,
) -> Option<usize> {
    let rest = poses.pose(0);
    let candidate = |body: usize| {
        let drift = poses.drift(body, root);
        let away = distance(&bodies[body], rest[body].point_back(rest[root].translation));
        let is_near = drift <= DRIFT * character.height && away <= AWAY * character.height;
        let touches = touch(&bodies[body], &rest[body], &bodies[root], &rest[root]);
        (is_near || touches).then_some((!touches, drift + away, body))
    };
    let candidates = (0..bodies.len()).filter(|&body| root_of(parents, body) == main).filter_map(candidate);
    candidates.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|(_, _, body)| body)
}

/// The distance from a point in the space of a body to the boxes around its shapes.
fn distance(body: &Body, point: glam::DVec3) -> f64 {
    let boxes = body.shapes.iter().filter_map(|shape| shape.bounding_box().ok());
    boxes.map(|one| f64::from(one.distance(point.as_vec3()))).fold(f64::INFINITY, f64::min)
}

/// Puts every body after its parent, and otherwise keeps the order.
fn in_order(parents: &[Option<usize>]) -> Tree {
    let mut order: Vec<usize> = Vec::with_capacity(parents.len());
    let mut new_of_old = vec![None; parents.len()];
    while order.len() < parents.len() {
        for old in 0..parents.len() {
            let is_ready = parents[old].is_none_or(|parent| new_of_old[parent].is_some());
            if is_ready && new_of_old[old].is_none() {
                new_of_old[old] = Some(order.len());
                order.push(old);
            }
        }
    }
    let parents = order.iter().map(|&old| parents[old].and_then(|parent| new_of_old[parent])).collect();
    Tree { parents, order }
}

impl Tree {
    /// Puts bodies and poses into the order of the tree.
    pub(super) fn in_order(&self, bodies: Vec<Body>, poses: BodyPoses) -> (Vec<Body>, BodyPoses) {
        let poses = poses.reordered(&self.order);
        let mut bodies: Vec<Option<Body>> = bodies.into_iter().map(Some).collect();
        (self.order.iter().filter_map(|&old| bodies[old].take()).collect(), poses)
    }

    /// The warning about bodies that nothing holds, beside the root of the tree.
    pub(super) fn loose(&self, bodies: &[Body], character: &Character<'_>) -> Option<BakeWarning> {
        let main = heaviest_root(bodies, &self.parents)?;
        let loose = (0..bodies.len()).filter(|&body| self.parents[body].is_none() && body != main);
        let name = |body: usize| format!("{:?}", character.skeleton.joint(bodies[body].joint).name);
        let names: Vec<String> = loose.map(name).collect();
        (!names.is_empty()).then(|| BakeWarning {
            code: "loose-bodies".into(),
            joint: None,
            text: format!(
                "the ragdoll falls apart: nothing holds the body of {}; give a joint between it and {:?} a hitbox, or take its body \
                 away with `body = false`",
                names.join(", "),
                character.skeleton.joint(bodies[main].joint).name
            ),
        })
    }
}
