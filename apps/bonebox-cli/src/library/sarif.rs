//! Writes findings as SARIF 2.1.0, which GitHub and editors show beside the files.

use crate::library::findings::{Checked, Finding, FindingKind};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The findings as one SARIF document. Paths are relative to the root of the checkout, or to the working folder.
///
/// A broken limit is at its line of the settings file, and the asset is a related place. Everything else is at the asset. GitHub
/// shows only results with a line, so the place in an asset, which has no lines, is line 1.
pub(crate) fn document(checked: &[Checked]) -> String {
    let root = checkout();
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    let mut results = Vec::new();
    for character in checked {
        for finding in &character.findings {
            let rule = finding.kind.rule();
            rules.entry(rule.clone()).or_insert_with(|| rule_of(&rule, finding));
            results.push(result(&rule, character, finding, &root));
        }
    }
    let driver = json!({
        "name": "bonebox",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": rules.into_values().collect::<Vec<_>>(),
    });
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    });
    format!("{document:#}\n")
}

fn rule_of(rule: &str, finding: &Finding) -> Value {
    let (text, help) = match &finding.kind {
        FindingKind::Limit { limit, .. } => (
            format!("{}.", limit.help()),
            "Change the settings of the bake until the limit holds, or change the limit in bonebox.toml.",
        ),
        FindingKind::Failure => (
            "The character cannot be baked, or its outputs are out of date.".to_owned(),
            "Correct the asset or the settings, then run `bonebox bake` and commit the outputs.",
        ),
        FindingKind::Warning { .. } => (
            format!("A warning of the bake: {}.", rule.trim_start_matches("warning/")),
            "Look at the character with `bonebox view`.",
        ),
    };
    json!({
        "id": rule,
        "shortDescription": { "text": text },
        "fullDescription": { "text": text },
        "help": { "text": help },
        "defaultConfiguration": { "level": level(finding) },
    })
}

fn level(finding: &Finding) -> &'static str {
    if finding.kind.is_error() { "error" } else { "warning" }
}

fn result(rule: &str, character: &Checked, finding: &Finding, root: &Path) -> Value {
    let asset = place(&character.target.path, 1, root);
    let uri = &asset["artifactLocation"]["uri"];
    let joint = match &finding.kind {
        FindingKind::Warning { joint, .. } => joint.as_deref(),
        FindingKind::Limit { .. } | FindingKind::Failure => None,
    };
    // The same problem of the same character is the same result for GitHub, whatever its figures are.
    let stable = format!("{rule}\n{uri}\n{}\n{}", character.target.name, joint.unwrap_or_default());
    let mut result = json!({
        "ruleId": rule,
        "level": level(finding),
        "message": { "text": format!("{}: {}", character.target.shown(), finding.text) },
        "locations": [{ "physicalLocation": asset }],
        "partialFingerprints": { "bonebox/v1": blake3::hash(stable.as_bytes()).to_hex()[..32].to_owned() },
    });
    if let FindingKind::Limit { place: Some((file, line)), .. } = &finding.kind {
        let asset = result["locations"][0]["physicalLocation"].take();
        result["locations"] = json!([{ "physicalLocation": place(file, *line, root) }]);
        result["relatedLocations"] = json!([{ "physicalLocation": asset, "message": { "text": "the character" } }]);
    }
    result
}

fn place(file: &Path, line: usize, root: &Path) -> Value {
    let real = fs::canonicalize(file).or_else(|_| std::path::absolute(file)).unwrap_or_else(|_| file.to_owned());
    let artifact = match real.strip_prefix(root) {
        Ok(inside) => json!({ "uri": encoded(inside), "uriBaseId": "%SRCROOT%" }),
        Err(_) => json!({ "uri": format!("file:///{}", encoded(&real).trim_start_matches('/')) }),
    };
    json!({ "artifactLocation": artifact, "region": { "startLine": line } })
}

/// The root of the checkout of the working folder; the working folder itself if it is in none.
fn checkout() -> std::path::PathBuf {
    let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    here.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned).unwrap_or(here)
}

/// The path as a part of a URI (RFC 3986), with slashes.
fn encoded(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(encoded(Path::new("a b/<i>.glb")), "a%20b/%3Ci%3E.glb");
        assert_eq!(encoded(Path::new("少女.glb")), "%E5%B0%91%E5%A5%B3.glb");
    }
}
