//! The marks by which boxes of an export are known again: `extras` with the key `bonebox`.

use serde::Deserialize;
use serde_json::{Value, json};

/// Returns the `extras` of a box's node or collider.
pub(crate) fn box_extras(joint: &str, tags: &[String], index: usize) -> Value {
    json!({ "bonebox": { "joint": joint, "tags": tags, "box": index } })
}

/// Returns whether the `extras` of a node, as JSON text, are those of a box that an export wrote:
/// `{ "bonebox": { "box": NUMBER, .. }, .. }`. An importer of characters ignores the meshes of such nodes.
#[must_use]
pub fn is_exported_box(extras: &str) -> bool {
    #[derive(Deserialize)]
    struct Extras {
        #[serde(rename = "bonebox")]
        _bonebox: Bonebox,
    }
    #[derive(Deserialize)]
    struct Bonebox {
        #[serde(rename = "box")]
        _number: u32,
    }
    extras.contains("\"bonebox\"") && serde_json::from_str::<Extras>(extras).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_extras_mark_a_box() {
        let ours = box_extras("head", &["head".into()], 3).to_string();
        assert!(is_exported_box(&ours));
        assert!(is_exported_box(r#"{"other": [], "bonebox": {"box": 0}}"#));
        for text in ["", "{}", "null", r#"{"bonebox": 1}"#, r#"{"bonebox": {"box": "0"}}"#, r#"{"a": "\"bonebox\""}"#] {
            assert!(!is_exported_box(text), "{text}");
        }
    }
}
