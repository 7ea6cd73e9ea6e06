//! The rule of `--depfile`: the outputs, and the files that they depend on, in the form that Make and Ninja read.

use anyhow::Context as _;
use asset_bake::{BakeInputs, BakeRequest, bake_inputs, printable_path};
use std::path::Path;

/// The characters of ASCII beside letters and digits that a name may have. Others have a meaning in Make or Ninja which no escape
/// takes away in both: Ninja 1.11 ends a name before `&` and `'`, and Make reads `%` and `=` as rules of its own.
const ALLOWED: &str = "+,/_.~(){}@!- #:$";

/// The rule for the bakes of a request. `target` replaces the outputs. An empty rule for each file lets Make go on if the file is
/// removed.
///
/// # Errors
/// Returns an error if the settings are wrong, or if a path cannot be written in both forms.
pub(super) fn rule(request: &BakeRequest, target: Option<String>) -> anyhow::Result<String> {
    let BakeInputs { outputs, files, .. } = bake_inputs(request)?;
    let targets: Vec<String> = match &target {
        Some(target) => vec![escaped(target)?],
        None => outputs.iter().map(|file| escaped(path_text(file)?)).collect::<anyhow::Result<_>>()?,
    };
    anyhow::ensure!(!targets.is_empty(), "a depfile needs a target, but there is nothing to bake");
    let here = std::env::current_dir().and_then(|folder| folder.canonicalize()).unwrap_or_default();
    // Settings files have absolute paths. Below the working folder, relative ones hold for other clones too.
    let relative = |file: &Path| file.strip_prefix(&here).unwrap_or(file).to_owned();
    let files: Vec<String> =
        files.iter().map(|file| escaped(path_text(&relative(file))?)).collect::<anyhow::Result<_>>()?;
    let mut text = format!("{}:", targets.join(" "));
    for file in &files {
        text += &format!(" \\\n  {file}");
    }
    text.push('\n');
    for file in &files {
        text += &format!("\n{file}:\n");
    }
    Ok(text)
}

fn path_text(path: &Path) -> anyhow::Result<&str> {
    path.to_str()
        .with_context(|| format!("{} is not UTF-8, so a depfile cannot name it; rename it", printable_path(path)))
}

/// A path as Make and Ninja read it. On Windows, it has slashes.
fn escaped(path: &str) -> anyhow::Result<String> {
    let path =
        if cfg!(windows) { path.strip_prefix(r"\\?\").unwrap_or(path).replace('\\', "/") } else { path.to_owned() };
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || !letter.is_ascii() || ALLOWED.contains(letter);
    if let Some(letter) = path.chars().find(|letter| !is_allowed(*letter)) {
        anyhow::bail!(
            "{path:?} contains {letter:?}, which has a meaning in Make or Ninja that cannot be escaped; rename the file"
        );
    }
    // The colon of a drive stands alone.
    let drive = if cfg!(windows) && path.as_bytes().get(1) == Some(&b':') { 2 } else { 0 };
    let (drive, rest) = path.split_at(drive);
    let mut text = drive.to_owned();
    for letter in rest.chars() {
        match letter {
            ' ' | '#' | ':' => text.extend(['\\', letter]),
            '$' => text += "$$",
            _ => text.push(letter),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A small parser of the rules that are written: the targets and the files of the first rule.
    fn parsed(rule: &str) -> (Vec<String>, Vec<String>) {
        let (mut all, mut word, mut targets) = (Vec::new(), String::new(), None);
        let mut letters = rule.chars().peekable();
        while let Some(letter) = letters.next() {
            match (letter, letters.peek().copied()) {
                ('\\', Some('\n')) => {
                    letters.next();
                }
                ('\\', Some(next)) if " #:".contains(next) => word.extend(letters.next()),
                ('$', Some('$')) => word.extend(letters.next()),
                (':', Some(next)) if next.is_whitespace() => {
                    all.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                    targets = Some(std::mem::take(&mut all));
                }
                ('\n', _) => break,
                (' ', _) => all.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
                _ => word.push(letter),
            }
        }
        all.extend((!word.is_empty()).then_some(word));
        (targets.unwrap_or_default(), all)
    }

    proptest! {
        #[test]
        fn paths_read_back(target in "[a-zé $#:()~!@,{}+-]{0,6}[a-z]", files in prop::collection::vec("[a-zé/ $#:()~!@,{}+-]{0,6}[a-z]", 1..4)) {
            let files: Vec<String> = files;
            let escaped_files: Vec<String> = files.iter().map(|file| escaped(file).unwrap()).collect();
            let rule = format!("{}: \\\n  {}\n\nmore:\n", escaped(&target).unwrap(), escaped_files.join(" \\\n  "));
            prop_assert_eq!(parsed(&rule), (vec![target], files));
        }
    }

    #[test]
    fn a_path_that_no_rule_can_have_is_an_error() {
        for path in ["a\nb", "a;b", "a=b", "a%", "*.glb", "a&b", "it's"] {
            let told = escaped(path).unwrap_err().to_string();
            assert!(told.contains("cannot be escaped; rename the file"), "{told}");
        }
        assert_eq!(escaped("a b#c$d:e").unwrap(), r"a\ b\#c$$d\:e");
    }
}
