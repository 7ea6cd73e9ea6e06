//! Pieces of XML: texts and numbers.

use glam::{DQuat, DVec3};

/// Replaces characters that XML cannot hold by U+FFFD.
pub(super) fn writable(text: &str) -> String {
    let is_writable = |letter: char| match letter {
        '\t' | '\n' | '\r' => true,
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => false,
        _ => true,
    };
    text.chars().map(|letter| if is_writable(letter) { letter } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Returns a text for an attribute in double quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in writable(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // A reader turns these into blanks if they are written as they are.
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", letter as u32)),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Returns numbers with blanks between them: the shortest decimals that read back to the same `f32`.
pub(super) fn numbers(numbers: &[f64]) -> String {
    let text = |number: &f64| {
        // Adding 0 makes -0 a 0.
        let text = format!("{:?}", *number as f32 + 0.0);
        text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
    };
    numbers.iter().map(text).collect::<Vec<_>>().join(" ")
}

pub(super) fn vector(vector: DVec3) -> String {
    numbers(&vector.to_array())
}

/// Returns a unit vector or a part of a quaternion without the noise of rounding.
fn clean(number: f64) -> f64 {
    if number.abs() < 1e-9 { 0.0 } else { number }
}

pub(super) fn direction(direction: DVec3) -> String {
    numbers(&direction.normalize().to_array().map(clean))
}

/// Returns a quaternion with w first.
pub(super) fn w_first(rotation: DQuat) -> String {
    let DQuat { x, y, z, w } = rotation.normalize();
    numbers(&[w, x, y, z].map(clean))
}

/// Returns the angles about x, y and z of a rotation that turns about the fixed axes x, y and z, in this order.
pub(super) fn roll_pitch_yaw(rotation: DQuat) -> String {
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| rotation.normalize() * axis);
    let flat = (x.x * x.x + x.y * x.y).sqrt();
    let pitch = libm::atan2(-x.z, flat);
    let (roll, yaw) = match flat > 1e-9 {
        true => (libm::atan2(y.z, z.z), libm::atan2(x.y, x.x)),
        // Roll and yaw turn about the same axis.
        false => (0.0, libm::atan2(-y.x, y.y)),
    };
    numbers(&[roll, pitch, yaw].map(clean))
}

/// Returns the inertia so that no moment exceeds the sum of the two others. Rounding to 32 bits can break this rule for a flat
/// body, and programs refuse such a body.
pub(super) fn clean_inertia(inertia: [f32; 6]) -> [f64; 6] {
    let [xx, yy, zz, xy, xz, yz] = inertia.map(f64::from);
    let [x, y, z] = [yy + zz - xx, zz + xx - yy, xx + yy - zz].map(|twice| 0.5 * twice);
    // Twice the tensor of a body's points, which Sylvester's criterion tests.
    let least = 1e-6 * (xx + yy + zz);
    let minors = [
        x - least,
        (x - least) * (y - least) - xy * xy,
        (x - least) * ((y - least) * (z - least) - yz * yz)
            - xy * (xy * (z - least) + yz * xz)
            - xz * (xy * yz + (y - least) * xz),
    ];
    let more = if minors.iter().all(|minor| *minor > 0.0) { 0.0 } else { 1e-5 * (xx + yy + zz) };
    [xx + more, yy + more, zz + more, xy, xz, yz]
}
