//! Writes the types of the answers for the page, and checks that the page has them.

use crate::answers::EditedTextAnswer;
use crate::{Bake, Duel, Escape, Kept, Listing, MeasureQuery, Measured, Model, RayAnswer};
use std::collections::BTreeMap;
use std::path::Path;
use ts_rs::{Config, TS, TypeVisitor};

/// The file of the page with the types.
const FILE: &str = "../../apps/viewer/src/data/types.ts";

/// The beginning of the file. `baked.ts` has the types of baked files, whose JSON `baked_format` writes without types.
const HEAD: &str = "\
// The data that the server sends and that a report contains. Generated from the Rust types of crates/page-answers:
// `BONEBOX_TYPES=write cargo test -p bonebox-page-answers` writes this file again.

import type { Baked, Quat, Shape, Vec3 } from './baked';
";

/// The longest line of a comment or a union, in characters.
const MOST_CHARACTERS: usize = 120;

/// Declarations of types by name, because the order in which `ts_rs` visits the fields of a type varies.
struct Declarations {
    config: Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only derived types have a place of their own.
        let Some(name) = T::output_path().map(|_| T::ident(&self.config)) else { return };
        if self.found.contains_key(&name) {
            return;
        }
        let comment = T::docs().map(|docs| comment(&docs, "", "null")).unwrap_or_default();
        let declaration = declaration(&T::decl(&self.config));
        self.found.insert(name, format!("\n{comment}export {declaration}\n"));
        T::visit_dependencies(self);
    }
}

/// The content of the file.
fn types() -> String {
    // Longer arrays are matrices, and the page reads them as arrays.
    let config = Config::new().with_array_tuple_limit(4).with_large_int("number");
    let mut all = Declarations { config, found: BTreeMap::new() };
    all.visit::<Listing>();
    all.visit::<Bake>();
    all.visit::<Escape>();
    all.visit::<Model>();
    all.visit::<RayAnswer>();
    all.visit::<Duel>();
    all.visit::<Kept>();
    all.visit::<MeasureQuery>();
    all.visit::<Measured>();
    all.visit::<EditedTextAnswer>();
    all.found.into_values().fold(HEAD.to_owned(), |text, declaration| text + &declaration)
}

/// A declaration with a line for each field of the outermost object, and the page's names of vectors.
fn declaration(compact: &str) -> String {
    let compact =
        compact.replace("[number, number, number, number]", "Quat").replace("[number, number, number]", "Vec3");
    let (mut out, mut depth, mut comments) = (String::new(), 0, Vec::new());
    let is_map = compact.contains("= { [key in ");
    let is_one_object = compact.contains("= {") && !is_map && !compact.contains("} | {");
    let mut rest = compact.as_str();
    while let Some(next) = rest.chars().next() {
        if let Some(from) = rest.strip_prefix("/**") {
            let (inside, after) = from.split_once("*/").unwrap();
            comments.push(inside.to_owned());
            rest = after.trim_start();
            continue;
        }
        let is_line = depth == 1 && is_one_object && (out.ends_with('{') || out.ends_with(';'));
        if is_line && next.is_whitespace() {
            rest = rest.trim_start();
            continue;
        }
        if is_line && next == '}' {
            out.push('\n');
        } else if is_line {
            // A field that may be missing has a question mark.
            let is_optional = rest.split_once(':').is_some_and(|(name, _)| name.ends_with('?'));
            let none = if is_optional { "undefined" } else { "null" };
            out.push('\n');
            out.extend(comments.drain(..).map(|docs| comment(&docs, "  ", none)));
            out.push_str("  ");
        }
        match next {
            '{' | '[' | '<' | '(' => depth += 1,
            '}' | ']' | '>' | ')' => depth -= 1,
            _ => {}
        }
        out.push(match next {
            ',' if depth == 1 && is_one_object => ';',
            '"' => '\'',
            _ => next,
        });
        rest = &rest[next.len_utf8()..];
    }
    assert!(comments.is_empty(), "a comment has no field: {compact}");
    let out = out.replace(", }", " }");
    if is_one_object || out.chars().count() <= MOST_CHARACTERS { out } else { out.replace(" | {", "\n  | {") }
}

/// A comment of TypeScript. Links become names, and `None` becomes what the page sees.
fn comment(docs: &str, indent: &str, none: &str) -> String {
    let docs = docs.replace("[`", "`").replace("`]", "`").replace("`None`", &format!("`{none}`"));
    let stripped =
        |line: &str| line.trim().trim_start_matches("/**").trim_end_matches("*/").trim_matches(['*', ' ']).to_owned();
    let lines: Vec<String> = docs.lines().map(stripped).filter(|line| !line.is_empty()).collect();
    let joined = format!("{indent}/** {} */\n", lines.join(" "));
    if joined.chars().count() <= MOST_CHARACTERS + 1 {
        return joined;
    }
    let lines: String = lines.iter().map(|line| format!("{indent} * {line}\n")).collect();
    format!("{indent}/**\n{lines}{indent} */\n")
}

#[test]
fn the_page_has_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let types = types();
    if std::env::var_os("BONEBOX_TYPES").is_some() {
        std::fs::write(&path, &types).unwrap();
    }
    let there = std::fs::read_to_string(path).unwrap();
    assert!(there == types, "`BONEBOX_TYPES=write cargo test -p bonebox-page-answers` writes {FILE} again");
}
