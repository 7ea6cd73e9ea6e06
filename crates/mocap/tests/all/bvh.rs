//! BVH text: accepted texts, refused texts with the place of the error, and round trips.

use crate::figure::Figure;
use glam::{Quat, Vec3};
use mocap::bvh::{BvhError, Channel, Motion};
use mocap::{HumanBone, Humanoid};
use skeleton::LocalTransform;

const SMALL: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0.0 0.0 0.0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Arm
  {
    OFFSET 10 20.5 -3e-1
    CHANNELS 3 Yrotation Zrotation Xrotation
    End Site
    {
      OFFSET 5 0 0
    }
    End Site
    {
      OFFSET 5 1 0
    }
  }
  JOINT Head
  {
    OFFSET 0 30 0
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
1 2 3 10 20 30 40 50 60
-1 -2 -3 0 0 0 90 0 0
";

fn parsed(text: &str) -> Motion {
    Motion::parse(text.as_bytes()).unwrap()
}

fn refused(text: &str) -> BvhError {
    Motion::parse(text.as_bytes()).unwrap_err()
}

#[test]
fn a_small_file() {
    let motion = parsed(SMALL);
    let names: Vec<&str> = motion.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["Hips", "Left Arm", "Head"]);
    assert_eq!(motion.joints()[1].ends, [Vec3::new(5.0, 0.0, 0.0), Vec3::new(5.0, 1.0, 0.0)]);
    assert_eq!(motion.joints()[1].offset, Vec3::new(10.0, 20.5, -0.3));
    assert_eq!(motion.joints()[2].parent, Some(0));
    assert_eq!((motion.frame_count(), motion.declared_frame_count(), motion.seconds_per_frame()), (2, 2, 0.0333333));
    let skeleton = motion.skeleton();
    let mut local = skeleton.rest_pose();
    motion.pose(0, &mut local);
    let expected = |a: Quat, b: Quat, c: Quat| a * b * c;
    let degrees = f32::to_radians;
    let (x, y, z) = (Quat::from_rotation_x, Quat::from_rotation_y, Quat::from_rotation_z);
    let rotations = [
        expected(z(degrees(10.0)), x(degrees(20.0)), y(degrees(30.0))),
        expected(y(degrees(40.0)), z(degrees(50.0)), x(degrees(60.0))),
        Quat::IDENTITY,
    ];
    let places = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(10.0, 20.5, -0.3), Vec3::new(0.0, 30.0, 0.0)];
    for ((local, rotation), place) in local.iter().zip(rotations).zip(places) {
        let LocalTransform::Trs(trs) = local else { panic!("no matrices") };
        assert!(trs.rotation.angle_between(rotation) < 1e-3 && trs.rotation.dot(rotation).abs() > 1.0 - 1e-6);
        assert_eq!(trs.translation, place);
    }
    let clip = motion.clip("arm").unwrap();
    clip.validate(&skeleton).unwrap();
    let mut sampled = skeleton.rest_pose();
    clip.sample(motion.seconds_per_frame(), &mut sampled);
    motion.pose(1, &mut local);
    assert_eq!(sampled, local);
}

#[test]
fn line_ends_capitals_and_spaces_do_not_matter() {
    let motion = parsed(SMALL);
    let variants = [
        SMALL.replace('\n', "\r\n"),
        SMALL.replace('\n', "\r"),
        SMALL.replace("\n}", "}").replace("{\n", "{ "),
        SMALL.replace("Xposition", "XPOSITION").replace("ROOT", "root").replace("MOTION", "motion"),
        format!("\u{feff}{SMALL}\0\0"),
        SMALL.trim_end().to_owned(),
    ];
    for text in variants {
        assert_eq!(parsed(&text), motion, "{text:?}");
    }
    let tabs = SMALL.replace("30 40", "30\t\t40\n");
    assert_eq!(parsed(&tabs), motion, "a frame may take several lines");
}

#[test]
fn missing_or_additional_frames_are_no_error() {
    let fewer = parsed(&SMALL.replace("Frames: 2", "Frames: 1000000000000"));
    assert_eq!((fewer.frame_count(), fewer.declared_frame_count()), (2, 1_000_000_000_000));
    let more = parsed(&SMALL.replace("Frames: 2", "Frames: 1"));
    assert_eq!((more.frame_count(), more.declared_frame_count()), (2, 1));
    let none = SMALL.split("1 2 3").next().unwrap();
    let none = parsed(none);
    assert_eq!((none.frame_count(), none.clip("none")), (0, None));
}

#[test]
fn errors_name_line_and_column() {
    for (from, to, line, column, message) in [
        ("HIERARCHY", "BVH", 1, 1, "expected HIERARCHY, found \"BVH\""),
        ("ROOT Hips", "JOINT Hips", 2, 1, "expected ROOT, found \"JOINT\""),
        ("ROOT Hips", "ROOT", 2, 5, "expected the joint's name"),
        ("20.5", "NaN", 8, 15, "found \"NaN\""),
        ("20.5", "inf", 8, 15, "finite number"),
        ("20.5", "1e99", 8, 15, "finite number"),
        ("20.5", "20,5", 8, 15, "decimal point"),
        ("CHANNELS 3 Y", "CHANNELS 9 Y", 9, 14, "at most 6 channels"),
        ("CHANNELS 3 Yrotation", "CHANNELS 3 Zrotation", 9, 26, "each at most once"),
        ("Xrotation\n    End", "Wrotation\n    End", 9, 36, "a channel such as"),
        ("End Site", "End Place", 10, 9, "expected Site"),
        ("OFFSET 5 0 0", "", 13, 5, "expected OFFSET, found \"}\""),
        ("MOTION", "}", 24, 1, "expected MOTION, found \"}\""),
        ("Frames: 2", "Frames: -2", 25, 9, "a whole number"),
        ("0.0333333", "0", 26, 13, "above 0"),
        ("0.0333333", "-1", 26, 13, "above 0"),
        ("90 0 0\n", "90 0\n", 29, 1, "expected 1 more values for frame 2, found the end of the text"),
        ("90 0 0\n", "90 0 x\n", 28, 21, "found \"x\""),
    ] {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL, "{from}");
        let error = refused(&text);
        assert_eq!((error.line, error.column), (line, column), "{from} to {to}: {error}");
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(refused(&text.replace('\n', "\r\n")).line, line, "{from} to {to} with \\r\\n");
    }
    assert!(refused("").to_string().contains("line 1, column 1: expected HIERARCHY, found the end of the text"));
    let no_channels = "HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 0 Frame Time: 1";
    assert!(refused(no_channels).to_string().contains("a joint with channels"));
}

#[test]
fn every_order_of_channels_is_read() {
    let mut orders = 0;
    let words = ["Xrotation", "Yrotation", "Zrotation"];
    for a in words {
        for b in words.into_iter().filter(|&b| b != a) {
            for c in words.into_iter().filter(|&c| c != a && c != b) {
                let text = SMALL.replace("Yrotation Zrotation Xrotation", &format!("{a} {b} {c}"));
                let motion = parsed(&text);
                let mut local = motion.skeleton().rest_pose();
                motion.pose(0, &mut local);
                let turn = |word: &str, degrees: f32| match word {
                    "Xrotation" => Quat::from_rotation_x(degrees.to_radians()),
                    "Yrotation" => Quat::from_rotation_y(degrees.to_radians()),
                    _ => Quat::from_rotation_z(degrees.to_radians()),
                };
                let LocalTransform::Trs(trs) = local[1] else { panic!("no matrices") };
                let expected = turn(a, 40.0) * turn(b, 50.0) * turn(c, 60.0);
                assert!(trs.rotation.dot(expected).abs() > 1.0 - 1e-6, "{a} {b} {c}");
                orders += 1;
            }
        }
    }
    assert_eq!(orders, 6);
    // Rotations come before positions here, and positions are in another order.
    let text = SMALL.replace("Xposition Yposition Zposition Zrotation", "Zrotation Zposition Xposition Yposition");
    let motion = parsed(&text);
    assert_eq!(motion.joints()[0].channels.iter().next(), Some(Channel::ZRotation));
    let mut local = motion.skeleton().rest_pose();
    motion.pose(0, &mut local);
    let LocalTransform::Trs(trs) = local[0] else { panic!("no matrices") };
    assert_eq!(trs.translation, Vec3::new(3.0, 10.0, 2.0));
}

#[test]
fn several_roots_and_shared_names_are_kept_apart() {
    let text =
        "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation JOINT a { OFFSET 1 0 0 JOINT a_2 { OFFSET 0 0 0 } } }
        ROOT a { OFFSET 0 0 0 CHANNELS 1 Yposition } MOTION Frames: 1 Frame Time: 1 5 7";
    let motion = parsed(text);
    let skeleton = motion.skeleton();
    let names: Vec<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["a", "a_3", "a_2", "a_4"]);
    assert_eq!(motion.joints()[3].parent, None);
    assert_eq!(parsed(&motion.to_text()), motion);
}

#[test]
fn a_written_motion_is_read_back() {
    let motion = parsed(SMALL);
    assert_eq!(parsed(&motion.to_text()), motion);
    let runa = Figure::new("runa");
    for name in ["walk", "roundhouse_kick"] {
        let motion = Motion::sample(&runa.skeleton, runa.clip(name), 60.0).unwrap();
        let seconds = runa.clip(name).seconds();
        assert!(
            (motion.frame_count() as f32 - 1.0 - 60.0 * seconds).abs() < 1.0,
            "{seconds} s, {} frames",
            motion.frame_count()
        );
        let text = motion.to_text();
        assert_eq!(parsed(&text), motion);
        assert_eq!(parsed(&text).to_text(), text);
        let humanoid = Humanoid::guess(&motion.skeleton()).unwrap();
        assert_eq!(humanoid.joint(HumanBone::LeftHand), motion.skeleton().find("hand_l"));
        // The root and the pelvis change position; the other joints only turn.
        let moving = motion.joints().iter().filter(|joint| joint.channels.has_position()).count();
        assert!(moving <= 2, "{moving}");
    }
}

#[test]
fn clips_that_cannot_be_sampled_are_refused() {
    let runa = Figure::new("runa");
    for rate in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e9] {
        assert!(Motion::sample(&runa.skeleton, runa.clip("walk"), rate).is_err(), "{rate}");
    }
    assert!(Motion::sample(&skeleton::Skeleton::default(), runa.clip("walk"), 30.0).is_err());
}
