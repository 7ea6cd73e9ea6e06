//! The header, names, strings and numbers of USDA files.

use crate::ron::unescaped;
use std::collections::HashSet;
use std::fmt::Write as _;

/// The first line of every file.
const OPENING: &str = "#usda 1.0\n";

/// The text before the name of the source.
const MARK: &str = "            string export = \"usda\"\n            string source = ";

/// The text before the first prim. `root` is the name of the prim that others refer to.
pub(crate) fn header(source: &str, root: &str) -> String {
    let source = string(source);
    format!(
        "{OPENING}(\n    customLayerData = {{\n        dictionary bonebox = {{\n{MARK}{source}\n        }}\n    }}\n    \
         defaultPrim = \"{root}\"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n"
    )
}

/// Returns the source of a file that begins with a [`header`]; `None` for every other file.
pub(crate) fn source(file: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(file).ok()?.strip_prefix(OPENING)?;
    let line = text.split_once(MARK)?.1.lines().next()?;
    unescaped(line.strip_prefix('"')?.strip_suffix('"')?)
}

/// Makes names of prims: ASCII letters, digits and `_`, no digit first, and none twice. USD has allowed other letters since
/// version 24.03 only.
#[derive(Default)]
pub(crate) struct PrimNames(HashSet<String>);

impl PrimNames {
    pub(crate) fn unique(&mut self, name: &str) -> String {
        let plain = identifier(name);
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let mut all = std::iter::once(plain.clone()).chain(numbered);
        all.find(|one| self.0.insert(one.clone())).unwrap_or(plain)
    }
}

/// The name with `_` in place of every character that a prim's name cannot have.
pub(crate) fn identifier(name: &str) -> String {
    let mut plain: String = name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
    if plain.chars().next().is_none_or(|first| first.is_ascii_digit()) {
        plain.insert(0, '_');
    }
    plain
}

/// A string with its quotes. Control characters become escapes.
pub(crate) fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if u32::from(control) < 0x20 || control == '\x7f' => {
                let _ = write!(quoted, "\\x{:02x}", u32::from(control));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// The shortest decimal that reads back to the same number.
pub(crate) fn number(value: f32) -> String {
    // The sum turns -0 into 0.
    (value + 0.0).to_string()
}

/// Numbers as a tuple: `(1, 2, 3)`.
pub(crate) fn tuple(numbers: impl IntoIterator<Item = f32>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(number).collect();
    format!("({})", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut names = PrimNames::default();
        let given = ["hand.L", "hand_L", "hand-L", "hand_L_2", "1st", "", "Größe", "\"\n"];
        let found: Vec<String> = given.into_iter().map(|name| names.unique(name)).collect();
        assert_eq!(found, ["hand_L", "hand_L_2", "hand_L_3", "hand_L_2_2", "_1st", "_", "Gr__e", "__"]);
    }

    #[test]
    fn strings_read_back() {
        for text in ["", "a\"b\\", "line\n\r\t\u{1}\u{7f}x41", "\\x41", "M\u{e4}dchen \u{1f5e1}"] {
            let quoted = string(text);
            let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap();
            assert_eq!(unescaped(inside).as_deref(), Some(text));
            assert!(!quoted.contains('\n'), "{quoted}");
        }
        assert_eq!(unescaped("\\x4"), None);
        assert_eq!(unescaped("\\"), None);
    }
}
