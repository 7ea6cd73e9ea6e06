//! The marks by which exports and their boxes are recognized: `extras` with the key `bonebox`.

use crate::ExportForm;
use baked_format::{BakedCharacter, Hitbox, HitboxRole};
use gltf_container::Container;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The value of `format` in the JSON of a ragdoll.
pub(crate) const RAGDOLL_FORMAT: &str = "bonebox-ragdoll";

/// The start of the comment that holds the mark of an export as XML.
const COMMENT: &str = "<!-- bonebox: ";

/// Returns the `extras` of a box's node or collider.
pub(crate) fn box_extras(joint: &str, baked: &Hitbox, index: usize) -> Value {
    let mut extras = json!({ "bonebox": { "joint": joint, "tags": baked.tags, "box": index } });
    if baked.role != HitboxRole::Hurt {
        extras["bonebox"]["role"] = baked.role.keyword().into();
    }
    extras
}

/// Returns true if the `extras` of a node, as JSON text, are those of a box that an export wrote:
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

/// Returns the mark of a whole export, a member of the document's `asset.extras`.
pub(crate) fn export_mark(character: &BakedCharacter, form: ExportForm) -> (&'static str, Value) {
    ("bonebox", json!({ "export": form.keyword(), "source": character.source.file }))
}

/// Returns the mark of an export as XML: a comment on a line of its own.
pub(crate) fn export_comment(character: &BakedCharacter, form: ExportForm) -> String {
    let mut comment = COMMENT.to_owned();
    for letter in export_mark(character, form).1.to_string().chars() {
        match letter {
            // A comment must not hold two hyphens, and these two characters are not allowed in XML. JSON has them in texts only.
            '-' | '\u{fffe}' | '\u{ffff}' => comment.push_str(&format!("\\u{:04x}", letter as u32)),
            letter => comment.push(letter),
        }
    }
    comment + " -->"
}

/// The form and the source in the comment that [`export_comment`] writes.
fn commented(file: &[u8]) -> Option<(ExportForm, String)> {
    let text = std::str::from_utf8(file).ok().filter(|text| text.starts_with('<'))?;
    let mark = text.lines().take(8).find_map(|line| line.trim().strip_prefix(COMMENT)?.strip_suffix("-->"))?;
    let mark: Value = serde_json::from_str(mark).ok()?;
    let form = ExportForm::ALL.into_iter().find(|form| mark["export"] == form.keyword())?;
    Some((form, mark["source"].as_str()?.to_owned()))
}

/// The origin of an export: its form and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOrigin {
    /// The form in which the export was written.
    pub form: ExportForm,
    /// File name of the asset that was baked, without folders.
    pub source: String,
}

/// Returns the origin of a file that [`export`](crate::export()) wrote, and `None` for every other file. If another
/// tool loads an export and saves it again, the saved file does not have the mark, and the function returns `None`.
#[must_use]
pub fn export_origin(file: &[u8]) -> Option<ExportOrigin> {
    #[derive(Deserialize)]
    struct Text {
        format: String,
        source: Source,
    }
    #[derive(Deserialize)]
    struct Source {
        file: String,
    }
    if file.starts_with(crate::ron::OPENING.as_bytes()) {
        let line = std::str::from_utf8(file).ok()?.lines().find_map(|line| line.trim().strip_prefix("source: "))?;
        let source = crate::ron::unescaped(line.trim_end_matches(',').strip_prefix('"')?.strip_suffix('"')?)?;
        return Some(ExportOrigin { form: ExportForm::Ron, source });
    }
    if let Some((form, source)) = commented(file) {
        return Some(ExportOrigin { form, source });
    }
    if let Some(source) = crate::usda_text::source(file) {
        return Some(ExportOrigin { form: ExportForm::Usda, source });
    }
    let json = String::from_utf8_lossy(Container::open(file).ok()?.json);
    if let Some((form, source)) = marked(&json) {
        return Some(ExportOrigin { form, source });
    }
    let is_text = json.starts_with('{') && json.contains("\"format_version\"");
    let text: Text = is_text.then(|| serde_json::from_str(&json).ok())??;
    let form = if text.format == RAGDOLL_FORMAT { ExportForm::Ragdoll } else { ExportForm::Json };
    Some(ExportOrigin { form, source: text.source.file })
}

/// The form and the source that a document's mark names.
fn marked(json: &str) -> Option<(ExportForm, String)> {
    #[derive(Deserialize)]
    struct Document {
        asset: Asset,
    }
    #[derive(Deserialize)]
    struct Asset {
        extras: Extras,
    }
    #[derive(Deserialize)]
    struct Extras {
        bonebox: Mark,
    }
    #[derive(Deserialize)]
    struct Mark {
        export: String,
        source: String,
    }
    if !json.contains("\"bonebox\"") {
        return None;
    }
    let Mark { export, source } = serde_json::from_str::<Document>(json).ok()?.asset.extras.bonebox;
    Some((ExportForm::ALL.into_iter().find(|form| form.keyword() == export)?, source))
}

/// Returns true if a node of a glTF file is a box that an export wrote.
#[must_use]
pub fn has_exported_boxes(file: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Document<'a> {
        #[serde(borrow, default)]
        nodes: Vec<Node<'a>>,
    }
    #[derive(Deserialize)]
    struct Node<'a> {
        #[serde(borrow)]
        extras: Option<&'a RawValue>,
    }
    let json = Container::open(file).map(|container| String::from_utf8_lossy(container.json)).unwrap_or_default();
    let document = json.contains("\"bonebox\"").then(|| serde_json::from_str::<Document<'_>>(&json).ok()).flatten();
    let mut extras = document.into_iter().flat_map(|document| document.nodes).filter_map(|node| node.extras);
    extras.any(|extras| is_exported_box(extras.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_with_boxes_are_found() {
        assert!(has_exported_boxes(br#"{"nodes": [{}, {"extras": {"bonebox": {"box": 0}}}]}"#));
        assert!(!has_exported_boxes(br#"{"nodes": [{}, {"extras": {"bonebox": 0}}], "x": {"bonebox": {"box": 0}}}"#));
    }

    #[test]
    fn only_our_own_extras_mark_a_box() {
        let ours = json!({ "bonebox": { "joint": "head", "tags": ["head"], "box": 3 } }).to_string();
        assert!(is_exported_box(&ours));
        assert!(is_exported_box(r#"{"other": [], "bonebox": {"box": 0}}"#));
        for text in ["", "{}", "null", r#"{"bonebox": 1}"#, r#"{"bonebox": {"box": "0"}}"#, r#"{"a": "\"bonebox\""}"#] {
            assert!(!is_exported_box(text), "{text}");
        }
    }
}
