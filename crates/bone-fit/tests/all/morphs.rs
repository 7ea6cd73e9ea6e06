//! The option `morphs`: hitboxes hold the shapes of morph targets, and the stored skin knows them.

use baked_format::{Skin, SkinMorphTarget, Source};
use bone_fit::{Bake, BakeOptions, bake};
use geometry_core::Ray;
use geometry_core::triangle::{RayFrame, closest_point};
use glam::{Affine3A, DAffine3, DVec3, Vec3};
use runtime::{Character, PosedCharacter};
use skinned_model::skinning::skin_positions;
use skinned_model::{MorphTargets, Morphed, NoExternalFiles, SkinnedMesh, SkinnedModel, import};
use test_models::{Random, box_limb, painted_limb};

fn baked(model: &SkinnedModel, morphs: &str, more: &[(&str, &str)]) -> Bake {
    let words = [("preset", "cover"), ("morphs", morphs)];
    let options = BakeOptions::from_entries(words.into_iter().chain(more.iter().copied())).unwrap();
    let source = Source { file: "limb.glb".into(), blake3: [0; 32], generator: String::new() };
    bake(model, "limb", source, &options).unwrap()
}

/// The box limb with three targets, the last of which moves nothing, and these lists of weights.
fn limb(weights: Vec<Vec<f32>>) -> SkinnedModel {
    let mut model = import(&box_limb().to_glb(), &NoExternalFiles).unwrap();
    let vertices = 0..model.meshes[0].positions.len() as u32;
    let position = |vertex: u32| model.meshes[0].positions[vertex as usize];
    let thick = vertices.clone().map(|vertex| (vertex, position(vertex) * Vec3::new(0.0, 1.5, 0.5))).collect();
    let long = vertices.filter(|&vertex| position(vertex).x > 1.0).map(|vertex| (vertex, 0.7 * Vec3::X)).collect();
    model.morph_targets = vec![MorphTargets {
        of: Morphed::Mesh(0),
        names: ["thick", "long", "none"].map(String::from).into(),
        offsets: vec![thick, long, Vec::new()],
        weights,
    }];
    model.validate().unwrap();
    model
}

/// The largest distance of a vertex with this shape outside of all hitboxes, along an axis of the nearest, at 40 times of the clip.
fn escape(model: &SkinnedModel, bake: &Bake, weights: &[f32]) -> f64 {
    let mut mesh = model.meshes[0].clone();
    move_positions(&mut mesh.positions, &model.morph_targets[0], weights);
    let clip = &model.clips[0];
    let mut farthest = 0.0_f64;
    for part in 0..40 {
        let mut local = model.skeleton.rest_pose();
        clip.sample(clip.start() + (clip.end() - clip.start()) * part as f32 / 39.0, &mut local);
        let mut joints = vec![Affine3A::IDENTITY; local.len()];
        model.skeleton.model_from_joints(&local, &mut joints);
        for point in skin_positions(&mesh, &joints).into_iter().flatten() {
            let outside = |hitbox: &baked_format::Hitbox| {
                let joint = joints[hitbox.joint.index()].inverse().transform_point3(point.as_vec3());
                let own = hitbox.orientation.inverse() * (joint - hitbox.center);
                (own.abs() - hitbox.half_extents).as_dvec3().max(DVec3::ZERO).max_element()
            };
            let nearest = bake.character.boxes.iter().map(outside).fold(f64::INFINITY, f64::min);
            farthest = farthest.max(nearest);
        }
    }
    farthest
}

#[test]
fn hitboxes_hold_every_shape_between_the_extremes_in_every_clip() {
    let animated = vec![vec![0.5, 0.0, 0.0], vec![0.5, 1.5, 0.0], vec![-0.2, 0.0, 1.0]];
    let model = limb(animated.clone());
    let ignored = baked(&model, "ignore", &[]);
    let extremes = baked(&model, "extremes", &[]);
    let clips = baked(&model, "clips", &[]);
    let mut random = Random::new(7);
    let mut between = |lists: &[Vec<f32>]| -> Vec<f32> {
        let shares: Vec<f32> = lists.iter().map(|_| random.between(0.01, 1.0)).collect();
        let sum: f32 = shares.iter().sum();
        (0..3).map(|target| lists.iter().zip(&shares).map(|(list, share)| list[target] * share / sum).sum()).collect()
    };
    // Hitboxes are convex, so they hold the points between those of two shapes.
    for _ in 0..100 {
        let weights = between(&animated);
        assert!(escape(&model, &clips, &weights) < 1e-5, "{weights:?}");
        assert!(escape(&model, &extremes, &weights) < 1e-5, "{weights:?}");
    }
    for target in 0..2 {
        let mut weights = vec![0.0; 3];
        weights[target] = 1.0;
        assert!(escape(&model, &extremes, &weights) < 1e-5);
        assert!(escape(&model, &ignored, &weights) > 0.05);
    }
    assert!(escape(&model, &clips, &[1.0, 0.0, 0.0]) > 0.01, "no clip has this weight");
    let volume = |bake: &Bake| bone_fit::Figures::of_bake(&bake.character).volume;
    assert!(volume(&ignored) < volume(&clips) && volume(&clips) < volume(&extremes));
}

#[test]
fn the_shapes_are_measured_and_the_warnings_say_what_is_not_held() {
    let model = limb(vec![vec![0.0, 1.0, 0.0]]);
    let share = |bake: &Bake| bake.report.measured.as_ref().unwrap().surface_clips;
    assert_eq!(share(&baked(&model, "clips", &[])), 1.0);
    // The longer lower limb has more surface, which no hitbox holds.
    let outside = |morphs| 1.0 - share(&baked(&model, morphs, &[("exclude", "lower")]));
    assert!(outside("clips") > outside("ignore") + 0.05, "{} {}", outside("clips"), outside("ignore"));
    let warnings = |bake: &Bake| {
        let of_morphs = bake.character.warnings.iter().filter(|warning| warning.code == "morph-targets");
        of_morphs.map(|warning| warning.text.clone()).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!("ignored", warnings(&baked(&model, "ignore", &[])));
    insta::assert_snapshot!("ignored_without_weights", warnings(&baked(&limb(Vec::new()), "ignore", &[])));
    assert_eq!(warnings(&baked(&model, "extremes", &[])), "");
    assert_eq!(warnings(&baked(&model, "extremes", &[("skin", "lossless")])), "");
    let many = (0..500).map(|list| vec![0.1 + list as f32, 1.0, 0.0]).collect();
    insta::assert_snapshot!("too_many", warnings(&baked(&limb(many), "clips", &[("measure", "none")])));
}

/// [`painted_limb`], whose seam doubles the vertices along one edge. `swell` moves both sides of the seam alike, `open` only one of
/// them, and `stay` nothing.
fn seamed_limb() -> SkinnedModel {
    let mut model = import(&painted_limb().to_glb(), &NoExternalFiles).unwrap();
    let positions = model.meshes[0].positions.clone();
    let all = || (0u32..).zip(&positions);
    let swell = all().map(|(vertex, at)| (vertex, *at * Vec3::new(0.0, 0.75, 0.25)));
    let open =
        all().filter(|(vertex, at)| vertex % 5 == 4 && (0.5..1.5).contains(&at.x)).map(|(vertex, _)| (vertex, Vec3::Y));
    let offsets = vec![swell.collect(), Vec::new(), open.collect()];
    let names = ["swell", "stay", "open"].map(String::from).into();
    model.morph_targets = vec![MorphTargets { of: Morphed::Mesh(0), names, offsets, weights: Vec::new() }];
    model.validate().unwrap();
    model
}

/// Moves the vertices of a mesh to a shape.
fn move_positions(positions: &mut [Vec3], targets: &MorphTargets, weights: &[f32]) {
    for (offsets, weight) in targets.offsets.iter().zip(weights) {
        offsets.iter().for_each(|(vertex, offset)| positions[*vertex as usize] += *weight * *offset);
    }
}

/// Checks a bake with its skin in one pose and shape, against the reference for skinning: the posed triangles of the skin make up
/// the source's triangles, and rays find the source's surface. Returns the number of rays that hit. `weights` has one for each target of each mesh of the model. All
/// distances may differ by `tolerance`, in model units.
pub(crate) fn check_exact_answers(
    model: &SkinnedModel,
    character: &Character,
    joints: &[Affine3A],
    weights: &[Vec<f32>],
    tolerance: f64,
    random: &mut Random,
) -> usize {
    let targets = character.morph_targets();
    let of_target = |target: &SkinMorphTarget| {
        let mesh = target.mesh as usize;
        let of = mesh.checked_sub(model.meshes.len()).map_or(Morphed::Mesh(mesh), Morphed::Attachment);
        let place = model.morph_targets.iter().position(|one| one.of == of).unwrap();
        let number = target.number as usize;
        assert_eq!(target.name, model.morph_targets[place].names[number]);
        weights[place][number]
    };
    let flat: Vec<f32> = targets.iter().map(of_target).collect();
    let mut source: Vec<Option<[DVec3; 3]>> = Vec::new();
    let mut add = |triangles: &[[u32; 3]], points: &[Option<DVec3>]| {
        let corner = |corner: u32| points[corner as usize];
        source.extend(triangles.iter().map(|&[a, b, c]| Some([corner(a)?, corner(b)?, corner(c)?])));
    };
    let moved = |of: Morphed, positions: &[Vec3]| {
        let mut positions = positions.to_vec();
        let own = model.morph_targets.iter().zip(weights).find(|(targets, _)| targets.of == of);
        own.iter().for_each(|(targets, weights)| move_positions(&mut positions, targets, weights));
        positions
    };
    for (index, mesh) in model.meshes.iter().enumerate() {
        let shape = SkinnedMesh { positions: moved(Morphed::Mesh(index), &mesh.positions), ..mesh.clone() };
        add(&mesh.triangles, &skin_positions(&shape, joints));
    }
    for (index, mesh) in model.attachments.iter().enumerate() {
        let model_from_mesh = (joints[mesh.joint.index()] * mesh.joint_from_mesh).to_cols_array().map(f64::from);
        let model_from_mesh = DAffine3::from_cols_array(&model_from_mesh);
        let positions = moved(Morphed::Attachment(index), &mesh.positions);
        let points: Vec<_> = positions.iter().map(|at| Some(model_from_mesh.transform_point3(at.as_dvec3()))).collect();
        add(&mesh.triangles, &points);
    }
    let mut posed = PosedCharacter::new();
    posed.track_skin(true);
    posed.set_morph_weights(character, &flat).unwrap();
    posed.pose_from_model(character, &Affine3A::IDENTITY, joints).unwrap();
    let mut triangles = Vec::new();
    posed.skin_triangles(&mut triangles).unwrap();
    let area = |[a, b, c]: [DVec3; 3]| 0.5 * (b - a).cross(c - a).length();
    let mut areas = vec![0.0; source.len()];
    for triangle in &triangles {
        let Some(exact) = source.get(triangle.source_triangle as usize).copied().flatten() else { continue };
        areas[triangle.source_triangle as usize] += area(triangle.corners.map(|corner| corner.as_dvec3()));
        for corner in triangle.corners {
            let nearest = closest_point(&exact.map(|corner| corner.as_vec3()), corner.as_dvec3());
            let off = (nearest - corner.as_dvec3()).length();
            assert!(off <= tolerance, "{corner} is {off} from source triangle {}", triangle.source_triangle);
        }
    }
    // Rays at points of the source's triangles: nothing is missed, and every hit is on the surface.
    let exact: Vec<[Vec3; 3]> =
        source.iter().flatten().map(|triangle| triangle.map(|corner| corner.as_vec3())).collect();
    let mut hits = 0;
    for (triangle, found) in source.iter().zip(&areas) {
        // Triangles that the bake leaves out have no part in any piece.
        let Some(corners) = triangle.filter(|_| *found > 0.0) else { continue };
        let around = (corners[0] - corners[1]).length()
            + (corners[1] - corners[2]).length()
            + (corners[2] - corners[0]).length();
        let off = (area(corners) - found).abs();
        assert!(off <= 4.0 * tolerance * around, "the parts have {found} of the area {}", area(corners));
        if random.below(8) > 0 {
            continue;
        }
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let origin = middle.as_vec3() + 3.0 * random.direction();
        let Ok(ray) = Ray::try_new(origin, middle.as_vec3() - origin) else { continue };
        let frame = RayFrame::new(&ray);
        let first =
            exact.iter().filter_map(|one| frame.cast(one, f32::INFINITY)).map(|hit| hit.time).fold(1.0, f32::min);
        let hit = posed.exact_ray(&ray, None).unwrap();
        // A ray along the surface may hit or miss by rounding. Its time is then of no use.
        let [a, b, c] = corners;
        let slope = (b - a).cross(c - a).normalize_or_zero().dot(ray.direction().as_dvec3().normalize()).abs();
        if slope > 0.1 && area(corners) > 100.0 * tolerance * around {
            hits += 1;
            let time = hit.unwrap_or_else(|| panic!("{ray:?} misses {corners:?}")).time;
            assert!(f64::from(time) <= 1.0 + 20.0 * tolerance, "{ray:?}: {time} instead of {first}");
        }
        if let Some(hit) = hit {
            let distance = |one: &[Vec3; 3]| (closest_point(one, hit.point.as_dvec3()) - hit.point.as_dvec3()).length();
            let nearest = exact.iter().map(distance).fold(f64::INFINITY, f64::min);
            assert!(nearest <= tolerance, "{} is {nearest} from the surface", hit.point);
        }
    }
    hits
}

/// Poses of a clip, and joints that are turned and moved at random.
fn joints_of(model: &SkinnedModel, random: &mut Random) -> Vec<Affine3A> {
    let mut local = model.skeleton.rest_pose();
    if let Some(clip) = model.clips.get(random.below(2 * model.clips.len().max(1))) {
        clip.sample(random.between(clip.start(), clip.end()), &mut local);
    }
    let mut joints = vec![Affine3A::IDENTITY; local.len()];
    model.skeleton.model_from_joints(&local, &mut joints);
    if random.below(2) == 0 {
        for joint in &mut joints {
            *joint *= Affine3A::from_rotation_translation(random.rotation(), 0.2 * random.vector());
        }
    }
    joints
}

#[test]
fn exact_answers_know_the_shapes() {
    let mut random = Random::new(11);
    for model in [limb(Vec::new()), seamed_limb()] {
        let bake = baked(&model, "extremes", &[("skin", "lossless")]);
        let skin = bake.character.skin.as_ref().unwrap();
        assert_eq!(skin.morph_targets.len(), 2, "one target moves nothing");
        let character = Character::from_baked(bake.character.clone());
        let mut hits = 0;
        for _ in 0..40 {
            let joints = joints_of(&model, &mut random);
            let weights = [(0..3).map(|_| random.between(-1.0, 2.0)).collect()];
            hits += check_exact_answers(&model, &character, &joints, &weights, 2e-6, &mut random);
        }
        assert!(hits > 40, "{hits} rays hit");
    }
}

/// A compact skin rounds positions, offsets and weights. In the rest pose, which the bake measures, all triangles stay within the
/// error that the file states.
#[test]
fn a_compact_skin_states_the_error_of_its_shapes() {
    let mut random = Random::new(12);
    for model in [limb(Vec::new()), seamed_limb()] {
        let bake = baked(&model, "extremes", &[("skin", "compact")]);
        let skin = bake.character.skin.as_ref().unwrap();
        assert!(skin.morph_targets.iter().any(|target| target.max_error > 1e-6), "nothing was rounded");
        assert!(skin.morph_targets.iter().all(|target| target.max_error <= 1e-4));
        let character =
            Character::from_baked(baked_format::read(&baked_format::write(&bake.character).unwrap()).unwrap());
        for _ in 0..40 {
            let weights: Vec<f32> = (0..3).map(|_| random.between(-1.0, 2.0)).collect();
            let of_target = |target: &SkinMorphTarget| target.max_error * weights[target.number as usize].abs();
            let share: f32 = skin.max_error + skin.morph_targets.iter().map(of_target).sum::<f32>();
            let tolerance = f64::from(share) * bake.report.height + 1e-6;
            let joints = character.rest_matrices().to_vec();
            check_exact_answers(&model, &character, &joints, &[weights], tolerance, &mut random);
        }
    }
}

/// Vertices with equal offsets are one vertex, on the seam too. Where a target opens the seam, both sides have a vertex; with the
/// weights 0 the surface is the same to the last bit, and its cuts leave no gap.
#[test]
fn the_base_shape_is_that_of_a_skin_without_targets() {
    let model = seamed_limb();
    let mut alike = model.clone();
    alike.morph_targets[0].offsets[2].clear();
    let skin = |model, morphs| baked(model, morphs, &[("skin", "lossless")]).character.skin.unwrap();
    let without = skin(&model, "ignore");
    assert_eq!(without.morph_targets, []);
    let with = skin(&alike, "extremes");
    assert_eq!(with.pieces, without.pieces);
    assert_eq!(with.morph_targets.iter().map(|target| &*target.name).collect::<Vec<_>>(), ["swell"]);
    let opened = baked(&model, "extremes", &[("skin", "lossless")]).character;
    let count = |skin: &Skin| skin.pieces.iter().map(|piece| piece.positions.len()).sum::<usize>();
    assert!(count(opened.skin.as_ref().unwrap()) > count(&without));
    let mut plain = opened.clone();
    plain.skin = Some(without);
    let mut random = Random::new(13);
    let [opened, plain] = [opened, plain].map(Character::from_baked);
    for _ in 0..20 {
        let joints = joints_of(&model, &mut random);
        let triangles = [&opened, &plain].map(|character| {
            let (mut posed, mut triangles) = (PosedCharacter::new(), Vec::new());
            posed.track_skin(true);
            posed.pose_from_model(character, &Affine3A::IDENTITY, &joints).unwrap();
            posed.skin_triangles(&mut triangles).unwrap();
            triangles
        });
        assert!(triangles[0].iter().any(|one| one.joint != triangles[0][0].joint), "the limb is cut");
        assert_eq!(triangles[0], triangles[1]);
    }
}

/// A clip that moves one target there and back needs two copies of the surface, however many keys it has.
#[test]
fn a_target_that_moves_alone_adds_its_ends_only() {
    let fade = (1..=1000).map(|key| vec![0.0, key as f32 / 1000.0, 0.0]).collect();
    let (model, two) = (limb(fade), limb(vec![vec![0.0, 1.0, 0.0]]));
    let boxes = |model| baked(model, "clips", &[]).character.boxes;
    assert_eq!(boxes(&model), boxes(&two));
}
