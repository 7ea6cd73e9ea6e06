//! Reads `$hbox` lines of Source model scripts: boxes along the bone's axes, turned boxes, and capsules.
//!
//! `$hbox GROUP "BONE" MINX MINY MINZ MAXX MAXY MAXZ [PITCH YAW ROLL [RADIUS]]`. The lines belong to the set that the
//! last `$hboxset "NAME"` opened. Source: Valve Developer Community, "$hbox" and "$hboxset". The order of rotations is
//! that of QAngle: roll about x, then pitch about y, then yaw about z.

use super::Import;
use bone_fit::{HitboxRole, HitboxShape, LengthUnit, ManualBox};
use glam::{DQuat, DVec3, Vec3};

/// Reads the boxes of a script. `unit` is the length of its unit in meters of the character as it stands.
pub(super) fn read(text: &str, unit: f64) -> Import {
    let mut import = Import::default();
    let mut set = String::new();
    for (index, line) in text.lines().enumerate() {
        let words = words(line);
        match words.first().map(|word| word.to_ascii_lowercase()).as_deref() {
            Some("$hboxset") => set = words.get(1).cloned().unwrap_or_default(),
            Some("$hbox") => match hand_box(&words, &set, unit) {
                Ok((bone, one)) => import.boxes.push((bone, one)),
                Err(problem) => import.notes.push(format!("line {} is left out: {problem}", index + 1)),
            },
            _ => {}
        }
    }
    if !import.boxes.is_empty() {
        import.notes.push(format!(
            "a unit of the file is taken for {unit} m (--unit), and the boxes are placed along the axes of the bones in the asset; compare \
             one box with the game before you use the others"
        ));
    }
    import
}

/// Splits a line into words and quoted texts, up to a comment.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted, mut before) = (Vec::new(), false, ' ');
    let mut word: Option<String> = None;
    for letter in line.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '/' if !quoted && before == '/' => {
                word = word.map(|word| word.trim_end_matches('/').to_owned()).filter(|word| !word.is_empty());
                break;
            }
            blank if blank.is_whitespace() && !quoted => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
        before = letter;
    }
    words.extend(word);
    words
}

/// The bone and its hitbox.
fn hand_box(words: &[String], set: &str, unit: f64) -> Result<(String, ManualBox), String> {
    let [_, group, bone, numbers @ ..] = words else { return Err("expected a group and a bone".into()) };
    let numbers: Vec<f64> = numbers.iter().map_while(|word| word.parse().ok()).collect();
    if ![6, 9, 10].contains(&numbers.len()) || numbers.iter().any(|number| !number.is_finite()) {
        return Err(format!("found {} numbers after the bone, expected 6, 9 or 10", numbers.len()));
    }
    let corner = |at: usize| unit * DVec3::from_slice(&numbers[at..at + 3]);
    let (a, b) = (corner(0), corner(3));
    let turn = numbers.get(6..9).map_or(DQuat::IDENTITY, |angles| turned(angles[0], angles[1], angles[2]));
    let radius = numbers.get(9).map_or(0.0, |radius| unit * radius);
    let middle = turn * (0.5 * (a + b));
    let (shape, half_extents, orientation) = if radius > 0.0 {
        let way = b - a;
        let along = way.try_normalize().map_or(DQuat::IDENTITY, |way| DQuat::from_rotation_arc(DVec3::Y, way));
        let (radius, length) = (radius as f32, (radius + 0.5 * way.length()) as f32);
        (HitboxShape::Capsule, Vec3::new(radius, length, radius), turn * along)
    } else {
        (HitboxShape::Box, (0.5 * (b - a).abs()).as_vec3(), turn)
    };
    let mut tags: Vec<String> = part(group).into_iter().map(str::to_owned).collect();
    if !set.is_empty() && !set.eq_ignore_ascii_case("default") {
        tags.push(set.to_owned());
    }
    let (center, orientation) = (middle.as_vec3(), orientation.as_quat());
    Ok((
        bone.clone(),
        ManualBox { shape, center, half_extents, orientation, tags, role: HitboxRole::Hurt, unit: LengthUnit::Meters },
    ))
}

/// The part of the body that the number of a hit group means.
fn part(group: &str) -> Option<&'static str> {
    Some(match group {
        "1" => "head",
        "2" => "chest",
        "3" => "stomach",
        "4" => "arm.left",
        "5" => "arm.right",
        "6" => "leg.left",
        "7" => "leg.right",
        "8" => "neck",
        "10" => "gear",
        _ => return None,
    })
}

/// The rotation by angles in degrees.
fn turned(pitch: f64, yaw: f64, roll: f64) -> DQuat {
    let about = |axis: DVec3, degrees: f64| {
        let half = 0.5 * degrees.to_radians();
        let axis = libm::sin(half) * axis;
        DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(half))
    };
    about(DVec3::Z, yaw) * about(DVec3::Y, pitch) * about(DVec3::X, roll)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_rotations_capsules_and_sets_are_read() {
        let text = r#"
$modelname "player.mdl" // $hbox 1 "not" 0 0 0 1 1 1
$hboxset "default"
$hbox 1 "Bip01 Head" 0 -1 -2   4 1 2
$HBOX 5 Bip01_R_Hand 1 1 1 -1 -1 -1 0 90 0 // turned
$hboxset "knife"
$hbox 0 "Bip01_Spine"  0 0 0  0 0 10  0 0 0  3 "named"
$hbox 2 "short" 0 0 0 1
"#;
        let import = read(text, 0.5);
        let told: Vec<String> = import
            .boxes
            .iter()
            .map(|(bone, one)| {
                let (c, h, q) = (one.center, one.half_extents, one.orientation);
                format!("{bone}: {} {c:.3} {h:.3} {:.3} {:.3} {:?}", one.shape.keyword(), q.z, q.w, one.tags)
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        Bip01 Head: box [1.000, 0.000, 0.000] [1.000, 0.500, 1.000] 0.000 1.000 ["head"]
        Bip01_R_Hand: box [0.000, 0.000, 0.000] [0.500, 0.500, 0.500] 0.707 0.707 ["arm.right"]
        Bip01_Spine: capsule [0.000, 0.000, 2.500] [1.500, 4.000, 1.500] 0.000 0.707 ["knife"]
        "#);
        insta::assert_snapshot!(import.notes.join("\n"), @r"
        line 8 is left out: found 4 numbers after the bone, expected 6, 9 or 10
        a unit of the file is taken for 0.5 m (--unit), and the boxes are placed along the axes of the bones in the asset; compare one box with the game before you use the others
        ");
        assert!(read("model\n", 1.0).boxes.is_empty());
    }

    #[test]
    fn angles_turn_as_in_source() {
        // A quarter turn of yaw takes x to y, of pitch x to -z, and of roll y to z.
        for (angles, from, to) in [
            ([0.0, 90.0, 0.0], DVec3::X, DVec3::Y),
            ([90.0, 0.0, 0.0], DVec3::X, DVec3::NEG_Z),
            ([0.0, 0.0, 90.0], DVec3::Y, DVec3::Z),
            ([0.0, 90.0, 90.0], DVec3::Y, DVec3::Z),
        ] {
            let [pitch, yaw, roll] = angles;
            assert!((turned(pitch, yaw, roll) * from).distance(to) < 1e-12, "{angles:?}");
        }
    }
}
