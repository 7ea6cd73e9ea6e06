//! Boxes as RON, for engines that read Rust data.

use baked_format::{BakedCharacter, HitboxHull, HitboxRole};
use std::fmt::Write as _;

/// The first characters of every export as RON.
pub(crate) const OPENING: &str = "(\n    name: ";

/// Returns `(name: "...", boxes: [(joint: "...", ...)])`, one box a line.
pub(crate) fn text(character: &BakedCharacter) -> String {
    let mut text = String::new();
    let name = string(&character.name);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{OPENING}{name},\n    source: {},\n    boxes: [", string(&character.source.file));
    for baked in &character.boxes {
        let joint = character.skeleton.joint(baked.joint);
        let tags: Vec<String> = baked.tags.iter().map(|tag| string(tag)).collect();
        let role = match baked.role {
            HitboxRole::Hurt => String::new(),
            role => format!(", role: {}", string(role.keyword())),
        };
        let hull = baked.hull.as_ref().map_or_else(String::new, hull);
        let _ = writeln!(
            text,
            "        (joint: {}, joint_index: {}, node: {}, shape: {}, tags: [{}], center: {}, half_extents: {}, orientation: {}{role}{hull}),",
            string(&joint.name),
            baked.joint,
            joint.node.0,
            string(baked.shape.keyword()),
            tags.join(", "),
            tuple(&baked.center.to_array()),
            tuple(&baked.half_extents.to_array()),
            tuple(&baked.orientation.to_array()),
        );
    }
    text.push_str("    ],\n)\n");
    text
}

/// The last field of a box that is a hull.
fn hull(hull: &HitboxHull) -> String {
    let vertices: Vec<String> = hull.vertices.iter().map(|vertex| tuple(&vertex.to_array())).collect();
    let triangles: Vec<String> = hull.triangles.iter().map(|[a, b, c]| format!("({a}, {b}, {c})")).collect();
    format!(", hull: (vertices: [{}], triangles: [{}])", vertices.join(", "), triangles.join(", "))
}

/// The shortest decimals that read back to the same numbers.
fn tuple(numbers: &[f32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    format!("({})", numbers.join(", "))
}

/// Returns a string in the syntax of RON and Rust. Characters that are not printable ASCII become escapes such as
/// `\u{...}`.
fn string(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

/// Reads the text between the quotes of a string with escapes of RON (`\u{41}`) or USDA (`\x41`).
pub(crate) fn unescaped(text: &str) -> Option<String> {
    let (mut plain, mut letters) = (String::new(), text.chars());
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'x' => {
                    let code = letters.as_str().get(..2)?;
                    letters = letters.as_str()[2..].chars();
                    char::from(u8::from_str_radix(code, 16).ok()?)
                }
                'u' => {
                    let (code, rest) = letters.as_str().strip_prefix('{')?.split_once('}')?;
                    letters = rest.chars();
                    char::from_u32(u32::from_str_radix(code, 16).ok()?)?
                }
                escaped => escaped,
            },
            letter => letter,
        });
    }
    Some(plain)
}
