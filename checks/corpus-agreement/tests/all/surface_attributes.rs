//! Compares the normals and texture coordinates in the answers of rays with those of the source, posed in `f64`.

use corpus_agreement::skins::with_skin;
use geometry_core::Ray;
use glam::{Affine3A, DMat3, DVec2, DVec3, Mat3, Vec3};
use runtime::{PosedCharacter, SkinRayHit};
use skinned_model::skinning::skin_positions;
use skinned_model::{NoExternalFiles, SkinnedMesh, SkinnedModel, import};
use test_models::Random;

/// The numbers of rays that hit anything, that found a texture coordinate, and that found a normal other than the triangle's.
pub(crate) type Counts = [usize; 3];

/// Casts rays at random vertices of a posed character, which is scaled unevenly and mirrored.
pub(crate) fn check(model: &SkinnedModel, rays: usize) -> Counts {
    let character = with_skin(model, "character", &[("skin_attributes", "all")]);
    let skin = character.baked().skin.as_ref().unwrap();
    let mut local = model.skeleton.rest_pose();
    if let Some(clip) = model.clips.first() {
        clip.sample(0.4 * clip.seconds(), &mut local);
    }
    let mut matrices = vec![Affine3A::IDENTITY; model.skeleton.len()];
    model.skeleton.model_from_joints(&local, &mut matrices);
    let world = Affine3A::from_mat3_translation(
        Mat3::from_cols(Vec3::new(0.5, 0.0, 0.25), Vec3::new(0.0, 1.5, 0.0), Vec3::new(0.5, 0.0, -1.0)),
        Vec3::new(0.25, 0.5, -0.75),
    );
    let mut posed = PosedCharacter::new();
    posed.track_skin(true);
    posed.pose_from_model(&character, &world, &matrices).unwrap();
    let place = |point: DVec3| linear(&world) * point + world.translation.as_dvec3();
    let points: Vec<Vec<Option<DVec3>>> = model.meshes.iter().map(|mesh| skin_positions(mesh, &matrices)).collect();
    let all: Vec<DVec3> = points.iter().flatten().flatten().map(|&point| place(point)).collect();
    let size = all.iter().fold(0.0, |size, point| point.length().max(size));
    let mut random = Random::new(1);
    let mut counts = [0; 3];
    for _ in 0..rays {
        let target = all[random.below(all.len())].as_vec3();
        let from = Vec3::from_array([0, 1, 2].map(|_| random.below(2001) as f32 - 1000.0)) * (0.003 * size as f32);
        let Ok(ray) = Ray::try_new(from, target - from) else { continue };
        let Some(hit) = posed.exact_ray(&ray, None).unwrap() else { continue };
        counts[0] += 1;
        let (mesh, triangle) = skin.source_of(hit.source_triangle).unwrap();
        let (mesh, points) = (&model.meshes[mesh], &points[mesh]);
        let corners = mesh.triangles[triangle as usize].map(|corner| corner as usize);
        let shares = hit.barycentric.map(f64::from);
        let at: DVec3 = (0..3).map(|corner| place(points[corners[corner]].unwrap()) * shares[corner]).sum();
        assert!((at - hit.point.as_dvec3()).length() < 1e-5 * size, "{at} is not {hit:?}");
        counts[1] += usize::from(check_texture_coordinate(mesh, corners, &hit));
        counts[2] += usize::from(check_normal(mesh, corners, &hit, &matrices, &linear(&world)));
    }
    counts
}

fn linear(matrix: &Affine3A) -> DMat3 {
    DMat3::from_cols_array(&Mat3::from(matrix.matrix3).to_cols_array().map(f64::from))
}

fn check_texture_coordinate(mesh: &SkinnedMesh, corners: [usize; 3], hit: &SkinRayHit) -> bool {
    let of_corner = |corner: usize| mesh.texture_coordinates.get(corner).copied().flatten();
    let [Some(a), Some(b), Some(c)] = corners.map(of_corner) else {
        assert_eq!(hit.texture_coordinate, None);
        return false;
    };
    let all = [a, b, c].map(|coordinate| coordinate.as_dvec2());
    let expected: DVec2 = all.iter().zip(hit.barycentric).map(|(corner, share)| corner * f64::from(share)).sum();
    let largest = all.iter().map(|corner| corner.abs().max_element()).fold(0.0, f64::max);
    let found = hit.texture_coordinate.expect("a texture coordinate").as_dvec2();
    assert!((found - expected).abs().max_element() <= 1e-6 * largest, "{found} is not {expected}: {hit:?}");
    true
}

/// The normals are transformed by inverse transposed matrices here.
fn check_normal(
    mesh: &SkinnedMesh,
    corners: [usize; 3],
    hit: &SkinRayHit,
    matrices: &[Affine3A],
    world: &DMat3,
) -> bool {
    let of_corner = |corner: usize| mesh.normals.get(corner).copied().flatten();
    let [Some(a), Some(b), Some(c)] = corners.map(of_corner) else {
        assert_eq!(hit.shading_normal, hit.normal);
        return false;
    };
    let mut sum = DVec3::ZERO;
    for ((corner, normal), share) in corners.into_iter().zip([a, b, c]).zip(hit.barycentric) {
        let (slots, weights) = mesh.influences.of(corner);
        let mut blend = DMat3::ZERO;
        for (&slot, &weight) in slots.iter().zip(weights) {
            let slot = usize::from(slot);
            let matrix = linear(&matrices[mesh.joints[slot].index()]) * linear(&mesh.joint_from_mesh[slot]);
            blend += *world * matrix * f64::from(weight);
        }
        let moved = blend.inverse().transpose() * normal.as_dvec3() * blend.determinant().signum();
        sum += moved.normalize() * f64::from(share);
    }
    // Opposite normals leave no direction to compare.
    if sum.length() > 0.01 {
        let turn = sum.normalize().cross(hit.shading_normal.as_dvec3()).length();
        assert!(turn < 1e-4 && sum.dot(hit.shading_normal.as_dvec3()) > 0.0, "{sum} is not {hit:?}");
    }
    hit.shading_normal != hit.normal
}

#[test]
fn rays_find_the_attributes_of_the_source() {
    let mut limb = test_models::painted_limb();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let keys = vec![(0.0, [0.0, 0.0, 0.0, 1.0]), (1.0, [0.0, 0.0, half, half])];
    let track = test_models::Track { joint: 1, keys };
    limb.clips = vec![test_models::Clip { name: "bend".to_owned(), tracks: vec![track] }];
    let model = import(&limb.to_glb(), &NoExternalFiles).unwrap();
    let [hits, with_coordinates, with_normals] = check(&model, 2000);
    assert!(hits > 1200 && with_coordinates == hits && with_normals > hits / 2, "{hits} {with_normals}");
    (limb.normals, limb.texture_coordinates) = (vec![], vec![]);
    let bare = import(&limb.to_glb(), &NoExternalFiles).unwrap();
    assert_eq!(check(&bare, 200)[1..], [0, 0]);
}
