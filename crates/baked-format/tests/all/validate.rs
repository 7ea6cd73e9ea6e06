//! Everything a character promises, broken once: refused by the writer and, in bytes, by the reader in the same words.
use crate::support;
use baked_format::{
    BakedCharacter, CharacterError, Constraint, ConstraintKind, HitboxHull, HitboxShape, Ragdoll, ReadError,
    ReadErrorKind, Skin, SkinCut, SkinEncoding, Window, WriteError, fuzz, limits, read, write,
};
use glam::{Quat, Vec2, Vec3};
use skeleton::{Clip, ClipIndex, Joint, JointIndex, LocalTransform, Skeleton, Trs};
use std::fmt::Write as _;

type Break = (&'static str, fn(&mut BakedCharacter));

const BREAKS: &[Break] = &[
    ("no name", |c| c.name.clear()),
    ("name leaves the folder", |c| c.name = "../../etc/passwd".into()),
    ("name is a folder", |c| c.name = "..".into()),
    ("source file in a folder", |c| c.source.file = "C:\\models\\Scout.glb".into()),
    ("generator too long", |c| c.source.generator = "x".repeat(limits::MAX_STRING_BYTES + 1)),
    ("option without key", |c| c.options[0].0.clear()),
    ("options unsorted", |c| c.options.swap(0, 1)),
    ("option twice", |c| c.options.insert(1, c.options[0].clone())),
    ("too many options", |c| {
        c.options = (0..=limits::MAX_OPTIONS).map(|index| (format!("{index:05}"), String::new())).collect();
    }),
    ("joint name too long", |c| rename_joint(c, &"x".repeat(limits::MAX_STRING_BYTES + 1))),
    ("joint rotation not unit", |c| rotate_joint(c, Quat::from_xyzw(0.0, 0.0, 0.0, 1.001))),
    ("joint rotation zero", |c| rotate_joint(c, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))),
    ("box without joint", |c| c.boxes[2].joint = JointIndex(5)),
    ("boxes unsorted", |c| c.boxes.swap(0, 1)),
    ("tag empty", |c| c.boxes[0].tags = vec![String::new()]),
    ("tags unsorted", |c| c.boxes[1].tags.reverse()),
    ("tag twice", |c| c.boxes[1].tags = vec!["head".into(), "head".into()]),
    ("too many tags", |c| c.boxes[0].tags = (0..=limits::MAX_TAGS).map(|tag| format!("{tag:03}")).collect()),
    ("center NaN", |c| c.boxes[0].center.y = f32::NAN),
    ("center too far", |c| c.boxes[0].center.z = -1.1e12),
    ("half extent negative", |c| c.boxes[0].half_extents.x = -0.1),
    ("half extent infinite", |c| c.boxes[0].half_extents.x = f32::INFINITY),
    ("half extent NaN", |c| c.boxes[0].half_extents = Vec3::NAN),
    ("capsule without one radius", |c| shape(c, HitboxShape::Capsule, Vec3::new(0.1, 0.3, 0.2))),
    ("capsule shorter than its caps", |c| shape(c, HitboxShape::Capsule, Vec3::new(0.1, 0.05, 0.1))),
    ("sphere without one radius", |c| shape(c, HitboxShape::Sphere, Vec3::new(0.1, 0.1, 0.2))),
    ("orientation not unit", |c| c.boxes[1].orientation = Quat::from_xyzw(0.5, 0.5, 0.5, 0.6)),
    ("orientation NaN", |c| c.boxes[1].orientation = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)),
    ("hull volume negative", |c| c.boxes[0].hull_volume = -1.0),
    ("hull volume NaN", |c| c.boxes[0].hull_volume = f32::NAN),
    ("least volume infinite", |c| c.boxes[0].min_volume = Some(f32::INFINITY)),
    ("clip without name", |c| c.clips[0].name.clear()),
    ("clip name twice", |c| c.clips[1].name = "Wave".into()),
    ("key times not increasing", |c| c.clips[0].timelines[0][1] = 0.0),
    ("key time NaN", |c| c.clips[0].timelines[0][1] = f32::NAN),
    ("timeline empty", |c| c.clips[0].timelines[1].clear()),
    ("key time too late", |c| c.clips[0].timelines[0][2] = 2e9),
    ("key time too early", |c| c.clips[0].timelines[0][0] = -2e9),
    ("channel without joint", |c| c.clips[0].channels[2].joint = JointIndex(5)),
    ("channel moves a matrix joint", |c| c.clips[0].channels[2].joint = JointIndex(4)),
    ("channel without timeline", |c| c.clips[0].channels[0].timeline = 2),
    ("channels unsorted", |c| c.clips[0].channels.swap(1, 2)),
    ("channel twice", |c| c.clips[0].channels[2] = c.clips[0].channels[1].clone()),
    ("key value missing", |c| c.clips[0].channels[0].values.truncate(8)),
    ("key value infinite", |c| c.clips[0].channels[0].values[4] = f32::NEG_INFINITY),
    ("coverage above one", |c| c.coverage.as_mut().unwrap().surface_rest = 1.5),
    ("coverage NaN", |c| c.coverage.as_mut().unwrap().surface_clips = f32::NAN),
    ("escape negative", |c| c.coverage.as_mut().unwrap().max_escape = -0.1),
    ("worst without joint", |c| worst(c).joint = JointIndex(9)),
    ("worst without clip", |c| worst(c).clip = Some(ClipIndex(2))),
    ("worst time NaN", |c| worst(c).time = f32::NAN),
    ("humanoid of another skeleton", |c| c.humanoid = support::human().humanoid),
    ("warning code empty", |c| c.warnings[0].code.clear()),
    ("warning code in capitals", |c| c.warnings[0].code = "FlatGroup".into()),
    ("warning too long", |c| c.warnings[1].text = "x".repeat(limits::MAX_STRING_BYTES + 1)),
];

/// The same for hulls, broken in [`support::hulls`].
const HULL_BREAKS: &[Break] = &[
    ("hull missing", |c| c.boxes[0].hull = None),
    ("hull of a box", |c| c.boxes[0].shape = HitboxShape::Box),
    ("hull of a sphere", |c| shape(c, HitboxShape::Sphere, Vec3::ONE)),
    ("too many vertices", |c| {
        hull(c).vertices = vec![Vec3::ZERO; limits::MAX_HULL_VERTICES + 1];
    }),
    ("too few vertices", |c| hull(c).vertices.truncate(3)),
    ("too few triangles", |c| hull(c).triangles.truncate(7)),
    ("hull vertex NaN", |c| hull(c).vertices[2].y = f32::NAN),
    ("hull vertex too far", |c| hull(c).vertices[2].y = 2e12),
    ("triangle without vertex", |c| hull(c).triangles[4][1] = 6),
    ("triangle twice", |c| hull(c).triangles[1] = [0, 2, 4]),
    ("triangle turned", |c| hull(c).triangles[1].swap(0, 1)),
    ("hull inside out", |c| hull(c).triangles.iter_mut().for_each(|triangle| triangle.reverse())),
    ("hull dented", |c| hull(c).vertices[4].z = -0.05),
    ("hull flat", |c| hull(c).vertices.iter_mut().for_each(|vertex| vertex.z = 0.0)),
    ("hull outside of its box", |c| c.boxes[0].half_extents.x = 0.19),
];

/// The same for envelopes, broken in [`support::bender`].
const ENVELOPE_BREAKS: &[Break] = &[
    ("an envelope missing", |c| c.envelopes.truncate(2)),
    ("envelope of a sphere", |c| shape(c, HitboxShape::Sphere, Vec3::ONE)),
    ("envelope slack negative", |c| c.envelopes[1].slack = -1.0),
    ("too many movers", |c| c.envelopes[1].movers = vec![c.envelopes[1].movers[0].clone(); limits::MAX_MOVERS + 1]),
    ("an envelope of a sphere", |c| c.boxes[1].shape = HitboxShape::Sphere),
    ("mover without joint", |c| c.envelopes[1].movers[1].joint = JointIndex(5)),
    ("mover is the box's own joint", |c| c.envelopes[1].movers[0].joint = JointIndex(2)),
    ("movers unsorted", |c| c.envelopes[1].movers.swap(0, 1)),
    ("mover twice", |c| c.envelopes[1].movers[1].joint = JointIndex(3)),
    ("place step negative", |c| c.envelopes[1].place_step = -1.0),
    ("rest step too large", |c| c.envelopes[1].rest_step = 1e9),
    ("mover orientation NaN", |c| c.envelopes[1].movers[0].orientation.y = f32::NAN),
    ("mover orientation not unit", |c| c.envelopes[1].movers[0].orientation.w = 2.0),
    ("mover scale infinite", |c| c.envelopes[1].movers[0].scale = f32::INFINITY),
    ("mover center too far", |c| c.envelopes[1].movers[0].center.x = 2e12),
    ("mover slack NaN", |c| c.envelopes[1].movers[0].slack = f32::NAN),
    ("too many clusters", |c| {
        c.envelopes[1].clusters = vec![c.envelopes[1].clusters[1].clone(); limits::MAX_CLUSTERS + 1];
    }),
    ("cluster inside out", |c| c.envelopes[1].clusters[0].low[2] = 30_000),
    ("motion without mover", |c| c.envelopes[1].clusters[0].motions[1].mover = 2),
    ("motions unsorted", |c| c.envelopes[1].clusters[0].motions.swap(0, 1)),
    ("mover twice in a cluster", |c| c.envelopes[1].clusters[0].motions[1].mover = 0),
    ("motion inside out", |c| c.envelopes[1].clusters[0].motions[0].high[0] = -128),
    ("weights inside out", |c| c.envelopes[1].clusters[0].motions[0].low_weight = 60_000),
];

/// The same for attacks and states, broken in [`support::boxer`].
const ATTACK_BREAKS: &[Break] = &[
    ("attack without name", |c| c.attacks[0].name.clear()),
    ("two attacks of a clip with one name", |c| c.attacks[1].name = "jab".into()),
    ("attack without clip", |c| c.attacks[2].clip = ClipIndex(2)),
    ("attacks unsorted", |c| c.attacks.swap(1, 2)),
    ("attack without boxes", |c| c.attacks[0].boxes.clear()),
    ("box of an attack that is not there", |c| c.attacks[0].boxes[1] = 3),
    ("boxes of an attack unsorted", |c| c.attacks[0].boxes.reverse()),
    ("box twice", |c| c.attacks[0].boxes[1] = 0),
    ("attack without windows", |c| c.attacks[0].active.clear()),
    ("window ends before it begins", |c| c.attacks[0].active[0].to = -0.0625),
    ("window before the clip", |c| c.attacks[0].active[0].from = -0.5),
    ("window NaN", |c| c.attacks[0].active[1].from = f32::NAN),
    ("window too late", |c| c.attacks[2].active[0].to = 2e9),
    ("windows that touch", |c| c.attacks[0].active[1].from = 0.25),
    ("windows unsorted", |c| c.attacks[0].active.swap(0, 1)),
    ("too many windows", |c| {
        let window = |at| Window { from: at as f32, to: at as f32 + 0.5 };
        c.attacks[0].active = (0..=limits::MAX_WINDOWS).map(window).collect();
    }),
    ("attack without group", |c| c.attacks[0].group.clear()),
    ("rehit of no time", |c| c.attacks[0].rehit = Some(0.0)),
    ("rehit NaN", |c| c.attacks[0].rehit = Some(f32::NAN)),
    ("against an empty tag", |c| c.attacks[0].against[0].clear()),
    ("against unsorted tags", |c| c.attacks[0].against.reverse()),
    ("against too many tags", |c| {
        c.attacks[0].against = (0..=limits::MAX_TAGS).map(|tag| format!("{tag:03}")).collect();
    }),
    ("strength negative", |c| c.attacks[0].strength = -1.0),
    ("strength infinite", |c| c.attacks[0].strength = f32::INFINITY),
    ("data too long", |c| c.attacks[0].data = Some("x".repeat(limits::MAX_STRING_BYTES + 1))),
    ("too many attacks", |c| c.attacks = vec![c.attacks[2].clone(); limits::MAX_ATTACKS + 1]),
    ("state without clip", |c| c.states[3].clip = ClipIndex(7)),
    ("states unsorted", |c| c.states.swap(0, 3)),
    ("state without boxes", |c| c.states[0].boxes.clear()),
    ("window of a state infinite", |c| c.states[0].active[0].to = f32::INFINITY),
    ("too many states", |c| c.states = vec![c.states[3].clone(); limits::MAX_ATTACKS + 1]),
];

/// The same for ragdolls, broken in [`support::faller`].
const RAGDOLL_BREAKS: &[Break] = &[
    ("no bodies", |c| fall(c).bodies.clear()),
    ("too many bodies", |c| fall(c).bodies = vec![fall(c).bodies[0].clone(); limits::MAX_BODIES + 1]),
    ("body without joint", |c| fall(c).bodies[1].joint = JointIndex(5)),
    ("two bodies of a joint", |c| fall(c).bodies[1].joint = JointIndex(1)),
    ("body without boxes", |c| fall(c).bodies[1].boxes.clear()),
    ("box of a body that is not there", |c| fall(c).bodies[1].boxes[0] = 3),
    ("boxes of a body unsorted", |c| fall(c).bodies[1].boxes = vec![2, 1]),
    ("box in two bodies", |c| fall(c).bodies[1].boxes[0] = 0),
    ("position NaN", |c| fall(c).bodies[0].position.x = f32::NAN),
    ("rotation of a body not unit", |c| fall(c).bodies[0].rotation.w = 0.9),
    ("mass zero", |c| fall(c).bodies[0].mass = 0.0),
    ("mass infinite", |c| fall(c).bodies[0].mass = f32::INFINITY),
    ("center of mass too far", |c| fall(c).bodies[0].center_of_mass.z = 2e12),
    ("inertia NaN", |c| fall(c).bodies[0].inertia[3] = f32::NAN),
    ("inertia negative", |c| fall(c).bodies[0].inertia[2] = -1.0),
    ("inertia not positive definite", |c| fall(c).bodies[0].inertia[3] = 1.9),
    ("inertia of no body", |c| fall(c).bodies[0].inertia[0] = 2.75),
    ("parent not before", |c| held(c).parent = 1),
    ("anchor infinite", |c| held(c).anchor.y = f32::INFINITY),
    ("frame of the parent not unit", |c| held(c).parent_from_frame.z = 0.0),
    ("frame of the body not unit", |c| held(c).body_from_frame.y = 1.0),
    ("limit negative", |c| held(c).limits.y = -0.5),
    ("limit above half a turn", |c| held(c).limits.z = 3.2),
    ("hinge that swings", |c| held(c).kind = ConstraintKind::Hinge),
    ("stiffness negative", |c| held(c).stiffness = -1.0),
    ("damping NaN", |c| held(c).damping = f32::NAN),
    ("pair of one body", |c| fall(c).no_collision[0] = [1, 1]),
    ("pair of a body that is not there", |c| fall(c).no_collision[2] = [1, 3]),
    ("pairs unsorted", |c| fall(c).no_collision.swap(0, 1)),
    ("pair twice", |c| fall(c).no_collision[1] = [0, 1]),
    ("too many pairs", |c| fall(c).no_collision = vec![[0, 1]; limits::MAX_BODY_PAIRS + 1]),
];

/// The same for skins, broken in [`support::tailor`].
const SKIN_BREAKS: &[Break] = &[
    ("skin error negative", |c| skin(c).max_error = -1.0),
    ("skin error NaN", |c| skin(c).max_error = f32::NAN),
    ("step too large", |c| skin(c).encoding = SkinEncoding::Compact { step_exponent: 101 }),
    ("mesh name too long", |c| skin(c).meshes[1].name = "x".repeat(limits::MAX_STRING_BYTES + 1)),
    ("too many meshes", |c| skin(c).meshes = vec![skin(c).meshes[0].clone(); limits::MAX_SKIN_MESHES + 1]),
    ("too many source triangles", |c| skin(c).meshes[1].triangles = u32::MAX - 3),
    ("binding without joint", |c| skin(c).bindings[1].joint = JointIndex(5)),
    ("binding infinite", |c| skin(c).bindings[1].joint_from_mesh.translation.x = f32::INFINITY),
    ("binding twice", |c| skin(c).bindings[2] = skin(c).bindings[1]),
    ("piece without joint", |c| skin(c).pieces[1].joint = JointIndex(5)),
    ("position NaN", |c| skin(c).pieces[0].positions[1].y = f32::NAN),
    ("influence without binding", |c| skin(c).pieces[0].influences[8] = 3),
    ("weight zero", |c| skin(c).pieces[0].weights[2..4].copy_from_slice(&[0.0, 1.0])),
    ("weight negative", |c| skin(c).pieces[0].weights[2..4].copy_from_slice(&[-0.5, 1.5])),
    ("weights too light", |c| skin(c).pieces[0].weights[2] = 0.5),
    ("cut's weight above one", |c| skin(c).pieces[0].cuts[0] = SkinCut::new([1, 3, 3], [1.5, 0.0])),
    ("cut's weights too heavy", |c| skin(c).pieces[0].cuts[2] = SkinCut::new([1, 2, 3], [0.75, 0.75])),
    ("source triangle missing", |c| skin(c).pieces[0].source_triangles[4] = 5),
];

/// What the streams of a file cannot even say: the writer refuses it.
const UNSPEAKABLE_BREAKS: &[Break] = &[
    ("pieces unsorted", |c| skin(c).pieces.swap(0, 1)),
    ("two pieces of a joint", |c| skin(c).pieces[1].joint = JointIndex(1)),
    ("influences of a vertex unsorted", |c| skin(c).pieces[0].influences[2..4].reverse()),
    ("influence twice", |c| skin(c).pieces[0].influences[3] = 0),
    ("vertices without influences", |c| skin(c).pieces[0].influence_counts[0] = 1),
    ("no vertices at the end", |c| skin(c).pieces[0].influence_counts.push(0)),
    ("influence missing", |c| skin(c).pieces[0].influences.truncate(8)),
    ("weight missing", |c| skin(c).pieces[0].weights.truncate(8)),
    ("single influence not whole", |c| skin(c).pieces[0].weights[0] = 0.5),
    ("cut without corner", |c| skin(c).pieces[0].cuts[0].corners[0] = 5),
    ("cut's first weight not the rest", |c| skin(c).pieces[0].cuts[0].weights[0] = 0.25),
    ("cut on an edge with a third weight", |c| {
        skin(c).pieces[0].cuts[0] = SkinCut::new([1, 3, 3], [0.5, 0.25]);
    }),
    ("no triangles", |c| skin(c).pieces[1].triangles.clear()),
    ("corner missing", |c| skin(c).pieces[0].triangles[1][1] = 8),
    ("source triangles too few", |c| skin(c).pieces[0].source_triangles.truncate(4)),
    ("chunk empty", |c| skin(c).pieces[0].chunk_ends = vec![3, 3, 5]),
    ("chunk too long", |c| {
        let piece = &mut skin(c).pieces[1];
        piece.triangles = vec![[1, 2, 3]; 65];
        piece.source_triangles = vec![3; 65];
        piece.chunk_ends = vec![65];
    }),
    ("chunks too short", |c| skin(c).pieces[0].chunk_ends = vec![3, 4]),
    ("chunk unsorted", |c| skin(c).pieces[0].source_triangles[0] = 2),
    ("cut triangle missing", |c| skin(c).pieces[0].cut_triangles.clear()),
    ("another cut triangle", |c| skin(c).pieces[0].cut_triangles[0].source_triangle = 2),
    ("cut triangle elsewhere", |c| skin(c).pieces[0].cut_triangles[0].corners[0] = 0),
    ("parts between four vertices", |c| skin(c).pieces[0].triangles[1][0] = 0),
    ("compact position between steps", |c| {
        skin(c).pieces[0].positions[0].x = 1.0 / 2048.0;
        skin(c).encoding = SkinEncoding::Compact { step_exponent: -10 };
    }),
    ("compact position too far", |c| {
        skin(c).pieces[0].positions[0].x = 1e15;
        skin(c).encoding = SkinEncoding::Compact { step_exponent: 0 };
    }),
    ("compact weight between units", |c| {
        skin(c).pieces[0].weights[2..4].copy_from_slice(&[0.7, 0.3]);
        skin(c).encoding = SkinEncoding::Compact { step_exponent: -10 };
    }),
    ("compact cut's weight too large", |c| {
        skin(c).pieces[0].cuts[0] = SkinCut::new([1, 3, 3], [1.0, 0.0]);
        skin(c).encoding = SkinEncoding::Compact { step_exponent: -10 };
    }),
];

/// Breaks of attributes, broken in [`support::painter`].
const ATTRIBUTE_BREAKS: &[Break] = &[
    ("normal not unit", |c| skin(c).pieces[0].attributes[0].normal = Some(Vec3::new(0.0, 1.1, 0.0))),
    ("normal NaN", |c| skin(c).pieces[0].attributes[0].normal = Some(Vec3::NAN)),
    ("texture coordinate too large", |c| {
        skin(c).pieces[0].attributes[0].texture_coordinate = Some(Vec2::new(0.5, 65_537.0));
    }),
    ("texture coordinate NaN", |c| skin(c).pieces[0].attributes[0].texture_coordinate = Some(Vec2::NAN)),
];

/// What the stream of attributes cannot say, broken in [`support::painter`].
const UNSPEAKABLE_ATTRIBUTE_BREAKS: &[Break] = &[
    ("attribute without vertex", |c| skin(c).pieces[0].attributes[5].vertex = 5),
    ("attributes unsorted", |c| skin(c).pieces[0].attributes.swap(0, 1)),
    ("vertex without attributes", |c| skin(c).pieces[0].attributes[5].vertex = 3),
    ("attribute missing", |c| skin(c).pieces[0].attributes.truncate(5)),
    ("attributes of another vertex", |c| skin(c).pieces[0].attribute_corners[0][0] = 1),
    ("parts with different attributes", |c| skin(c).pieces[0].attribute_corners[2][0] = 1),
    ("attributes of too few corners", |c| skin(c).pieces[0].attribute_corners.truncate(4)),
    ("corners without attributes", |c| skin(c).pieces[0].attributes.clear()),
    ("compact normal between numbers", |c| {
        *c = support::compact_painter();
        skin(c).pieces[0].attributes[1].normal = Some(Vec3::new(0.6, 0.0, -0.8));
    }),
    ("compact texture coordinate between steps", |c| {
        *c = support::compact_painter();
        skin(c).pieces[0].attributes[0].texture_coordinate = Some(Vec2::splat(0.1));
    }),
];

/// Breaks of morph targets, broken in [`support::mime`].
const MORPH_BREAKS: &[Break] = &[
    ("morph target without name", |c| skin(c).morph_targets[0].name.clear()),
    ("morph target without mesh", |c| skin(c).morph_targets[2].mesh = 2),
    ("morph targets unsorted", |c| skin(c).morph_targets.swap(0, 2)),
    ("morph target twice", |c| skin(c).morph_targets[1].number = 0),
    ("morph error negative", |c| skin(c).morph_targets[0].max_error = -1.0),
    ("morph error NaN", |c| skin(c).morph_targets[0].max_error = f32::NAN),
    ("too many morph targets", |c| {
        skin(c).morph_targets = vec![skin(c).morph_targets[1].clone(); limits::MAX_MORPH_TARGETS + 1];
    }),
    ("offset NaN", |c| skin(c).morph_targets[0].pieces[0].offsets[1].offset.z = f32::NAN),
    ("offset infinite", |c| skin(c).morph_targets[0].pieces[0].offsets[1].offset.z = f32::INFINITY),
    ("offset of nothing", |c| skin(c).morph_targets[0].pieces[0].offsets[1].offset = Vec3::ZERO),
];

/// What the stream of offsets cannot say, broken in [`support::mime`].
const UNSPEAKABLE_MORPH_BREAKS: &[Break] = &[
    ("offsets of no piece", |c| skin(c).morph_targets[0].pieces[1].piece = 2),
    ("pieces of a target unsorted", |c| skin(c).morph_targets[0].pieces.swap(0, 1)),
    ("piece of a target twice", |c| skin(c).morph_targets[0].pieces[1].piece = 0),
    ("piece without offsets", |c| skin(c).morph_targets[0].pieces[1].offsets.clear()),
    ("offset of no vertex", |c| skin(c).morph_targets[0].pieces[0].offsets[2].vertex = 5),
    ("offsets unsorted", |c| skin(c).morph_targets[0].pieces[0].offsets.swap(0, 1)),
    ("vertex with two offsets", |c| skin(c).morph_targets[0].pieces[0].offsets[1].vertex = 1),
    ("compact offset between steps", |c| {
        *c = support::compact_mime();
        skin(c).morph_targets[0].pieces[0].offsets[0].offset.x = 1.0 / 2048.0;
    }),
    ("compact offset too far", |c| {
        *c = support::compact_mime();
        skin(c).morph_targets[0].pieces[0].offsets[0].offset.x = 1e15;
    }),
];

fn skin(character: &mut BakedCharacter) -> &mut Skin {
    character.skin.as_mut().unwrap()
}

#[test]
fn a_skin_that_no_file_can_say_is_refused_by_the_writer() {
    let mut texts = String::new();
    let of_tailor = UNSPEAKABLE_BREAKS.iter().map(|broken| (broken, support::tailor()));
    let of_painter = UNSPEAKABLE_ATTRIBUTE_BREAKS.iter().map(|broken| (broken, support::painter()));
    let of_mime = UNSPEAKABLE_MORPH_BREAKS.iter().map(|broken| (broken, support::mime()));
    for ((what, break_it), mut character) in of_tailor.chain(of_painter).chain(of_mime) {
        break_it(&mut character);
        let error = character.validate().expect_err(what);
        assert_eq!(format!("{:?}", write(&character)), format!("{:?}", Err::<(), _>(WriteError::from(error.clone()))));
        // Whatever bytes come of it, the reader takes them or refuses them, and does not panic.
        fuzz::file(&fuzz::write_unchecked(&character));
        let _ = writeln!(texts, "{what}\n    {error}");
    }
    insta::assert_snapshot!(texts);
}

fn fall(character: &mut BakedCharacter) -> &mut Ragdoll {
    character.ragdoll.as_mut().unwrap()
}

fn held(character: &mut BakedCharacter) -> &mut Constraint {
    fall(character).bodies[1].constraint.as_mut().unwrap()
}

fn worst(character: &mut BakedCharacter) -> &mut baked_format::WorstEscape {
    character.coverage.as_mut().unwrap().worst.as_mut().unwrap()
}

fn shape(character: &mut BakedCharacter, shape: HitboxShape, half_extents: Vec3) {
    let one = &mut character.boxes[0];
    (one.shape, one.half_extents) = (shape, half_extents);
}

fn hull(character: &mut BakedCharacter) -> &mut HitboxHull {
    character.boxes[0].hull.as_mut().unwrap()
}

fn change_joint(character: &mut BakedCharacter, change: impl Fn(&mut Joint)) {
    let mut joints = character.skeleton.joints().to_vec();
    change(&mut joints[1]);
    character.skeleton = Skeleton::new(joints).unwrap();
}

fn rename_joint(character: &mut BakedCharacter, name: &str) {
    change_joint(character, |joint| joint.name = name.into());
}

fn rotate_joint(character: &mut BakedCharacter, rotation: Quat) {
    change_joint(character, |joint| joint.rest = LocalTransform::Trs(Trs { rotation, ..Trs::IDENTITY }));
}

/// Breaks that leave a stream of channels that cannot be taken apart.
const UNREADABLE: [&str; 3] = ["timeline empty", "channel without timeline", "key value missing"];

#[test]
fn every_broken_promise_is_refused_at_both_doors() {
    let mut texts = String::new();
    let of_scout = BREAKS.iter().map(|broken| (broken, support::scout()));
    let of_hulls = HULL_BREAKS.iter().map(|broken| (broken, support::hulls()));
    let of_bender = ENVELOPE_BREAKS.iter().map(|broken| (broken, support::bender()));
    let of_boxer = ATTACK_BREAKS.iter().map(|broken| (broken, support::boxer()));
    let of_faller = RAGDOLL_BREAKS.iter().map(|broken| (broken, support::faller()));
    let of_tailor = SKIN_BREAKS.iter().map(|broken| (broken, support::tailor()));
    let of_painter = ATTRIBUTE_BREAKS.iter().map(|broken| (broken, support::painter()));
    let of_mime = MORPH_BREAKS.iter().map(|broken| (broken, support::mime()));
    let with_skin = of_faller.chain(of_tailor).chain(of_painter).chain(of_mime);
    for ((what, break_it), mut character) in of_scout.chain(of_hulls).chain(of_bender).chain(of_boxer).chain(with_skin)
    {
        break_it(&mut character);
        let error = character.validate().expect_err(what);
        let is_limit = matches!(error, CharacterError::Limit(_));
        let refused = write(&character).expect_err(what);
        assert_eq!(refused, WriteError::from(error.clone()), "{what}");
        let read_error = read(&fuzz::write_unchecked(&character)).expect_err(what);
        if is_limit {
            assert_eq!(read_error.kind(), ReadErrorKind::Limit, "{what}: {read_error}");
        } else if UNREADABLE.contains(what) {
            assert!(matches!(read_error, ReadError::Malformed { .. }), "{what}: {read_error}");
        } else {
            // As text: NaN is not equal to itself.
            assert_eq!(format!("{read_error:?}"), format!("{:?}", ReadError::Invalid(error.clone())), "{what}");
            assert_eq!(read_error.kind(), ReadErrorKind::BadInput, "{what}");
        }
        let _ = writeln!(texts, "{what}\n    {error}");
    }
    insta::assert_snapshot!(texts);
}

#[test]
fn limits_hold_to_the_last_one() {
    let mut character = support::scout();
    rename_joint(&mut character, &"é".repeat(limits::MAX_STRING_BYTES / 2));
    character.boxes[0].tags = (0..limits::MAX_TAGS).map(|tag| format!("{tag:03}")).collect();
    character.boxes[0].half_extents = Vec3::splat(limits::MAX_COORDINATE);
    character.clips[0].timelines[0][2] = limits::MAX_SECONDS;
    for shape in [HitboxShape::Box, HitboxShape::Capsule, HitboxShape::Sphere] {
        character.boxes[0].shape = shape;
        assert!(character.boxes[0].volume().is_finite(), "{shape:?}");
    }
    assert_eq!(read(&write(&character).unwrap()).unwrap(), character);
}

#[test]
fn counts_hold_to_the_last_one() {
    let mut character = support::nobody();
    let joint = |index: usize| Joint { name: index.to_string(), ..Joint::default() };
    character.skeleton = Skeleton::new((0..limits::MAX_JOINTS).map(joint).collect()).unwrap();
    character.boxes = vec![support::scout().boxes[2].clone(); limits::MAX_BOXES];
    let clip = |index: usize| Clip { name: index.to_string(), timelines: vec![], channels: vec![] };
    character.clips = (0..limits::MAX_CLIPS).map(clip).collect();
    assert_eq!(read(&write(&character).unwrap()).unwrap(), character);
    for grow in [(|c: &mut BakedCharacter| c.boxes.push(c.boxes[0].clone())) as fn(&mut BakedCharacter), |c| {
        c.clips.push(Clip { name: "more".into(), timelines: vec![], channels: vec![] })
    }] {
        let mut more = character.clone();
        grow(&mut more);
        assert!(matches!(write(&more), Err(WriteError::Limit(_))));
        assert!(matches!(read(&fuzz::write_unchecked(&more)), Err(ReadError::Limit(_))));
    }
}
