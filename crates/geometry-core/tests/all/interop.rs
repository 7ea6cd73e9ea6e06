//! The features `serde` and `mint`: shapes are written and read back, and invalid shapes are refused.
#![cfg(all(feature = "serde", feature = "mint"))]

use geometry_core::plane::{Aabb2, Marquee, Obb2};
use geometry_core::{Aabb, Capsule, Frustum, Obb, PackedObb, Plane, Ray, SatCache, Segment, Sphere, Triangle};
use glam::{Mat3, Quat, Vec2, Vec3};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) -> String {
    let text = serde_json::to_string(&value).expect("JSON");
    assert_eq!(serde_json::from_str::<T>(&text).expect("the same shape"), value);
    text
}

#[test]
fn shapes_survive_json() {
    let obb = Obb::from_orientation(Vec3::X, Vec3::ONE, Quat::from_rotation_y(0.3));
    let text = there_and_back(obb);
    assert!(text.starts_with(r#"{"center":[1.0,0.0,0.0],"half_extents":[1.0,1.0,1.0],"axes":["#), "{text}");
    there_and_back(PackedObb::pack(&obb));
    there_and_back(obb.aabb());
    there_and_back(obb.separation(&obb));
    there_and_back(SatCache::NEW);
    there_and_back(Aabb2::new(Vec2::ZERO, Vec2::ONE));
    assert_eq!(
        there_and_back(Obb2::new(Vec2::ONE, Vec2::new(2.0, 1.0), 0.5)),
        r#"{"center":[1.0,1.0],"half_extents":[2.0,1.0],"angle":0.5}"#
    );
    there_and_back(Sphere::try_new(Vec3::X, 2.0).expect("a ball"));
    there_and_back(Capsule::try_new(Vec3::X, Vec3::Y, 2.0).expect("a capsule"));
    there_and_back(Plane::try_new(Vec3::Y, 2.0).expect("a plane"));
    there_and_back(Triangle::try_new(Vec3::X, Vec3::Y, Vec3::Z).expect("a triangle"));
    there_and_back(Segment::try_new(Vec3::X, Vec3::Y).expect("a segment"));
    there_and_back(Ray::try_new(Vec3::X, Vec3::Y).expect("a ray"));
    there_and_back(Frustum::try_from_corners(obb.corners()).expect("a frustum"));
    assert!(Marquee::try_drag(Vec2::ZERO, Vec2::ONE).is_ok());
}

#[test]
fn invalid_shapes_are_refused_with_their_reason() {
    let negative = r#"{"center":[0,0,0],"half_extents":[1,-1,1],"axes":[1,0,0,0,1,0,0,0,1]}"#;
    let error = serde_json::from_str::<Obb>(negative).expect_err("the half extent is negative").to_string();
    assert!(error.contains("half extents: -1 is negative"), "{error}");
    let scaled = r#"{"center":[0,0,0],"half_extents":[1,1,1],"axes":[2,0,0,0,1,0,0,0,1]}"#;
    assert!(serde_json::from_str::<Obb>(scaled).is_err());
    assert!(serde_json::from_str::<Sphere>(r#"{"center":[0,0,0],"radius":-1}"#).is_err());
    assert!(serde_json::from_str::<Ray>(r#"{"origin":[0,0,0],"direction":[0,0,0]}"#).is_err());
    assert!(serde_json::from_str::<Obb2>(r#"{"center":[0,0],"half_extents":[1,1],"angle":1e300}"#).is_err());
}

#[test]
fn boxes_go_to_mint_and_back() {
    let obb = Obb::from_orientation(Vec3::new(1.0, 2.0, 3.0), Vec3::ONE, Quat::from_rotation_z(0.4));
    let parts: (mint::Point3<f32>, mint::Vector3<f32>, mint::Quaternion<f32>) = obb.into();
    let back = Obb::try_from(parts).expect("a valid box");
    assert!(back.axes().abs_diff_eq(obb.axes(), 1e-6) && back.center() == obb.center());
    let aabb = obb.aabb();
    let corners: [mint::Point3<f32>; 2] = aabb.into();
    assert_eq!(Aabb::try_from(corners), Ok(aabb));
    let axes: mint::ColumnMatrix3<f32> = obb.axes().into();
    assert_eq!(Mat3::from(axes), obb.axes());
    assert!(Aabb::try_from([corners[1], corners[0]]).is_err());
}
