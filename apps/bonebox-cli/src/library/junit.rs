//! Writes findings as JUnit's XML, which build systems show as tests: one test case for each character.

use crate::library::findings::{Checked, Finding};
use asset_bake::BakeTarget;
use std::fmt::Write as _;

/// The findings as one test suite. A broken limit is a failure, a character that cannot be baked is an error, and warnings are the
/// output of the test. Characters that were not started are skipped tests.
pub(crate) fn document(checked: &[Checked], not_started: &[BakeTarget]) -> String {
    let count = |is: fn(&Checked) -> bool| checked.iter().filter(|one| is(one)).count();
    let seconds: f64 = checked.iter().map(|one| one.seconds).sum();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"bonebox\" tests=\"{}\" \
         failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{seconds:.3}\">\n",
        checked.len() + not_started.len(),
        count(|one| result(one) == Some("failure")),
        count(|one| result(one) == Some("error")),
        not_started.len(),
    );
    for character in checked {
        let (class, name) = (escaped(&character.target.shown()), escaped(&character.target.name));
        let _ = write!(xml, "    <testcase classname=\"{class}\" name=\"{name}\" time=\"{:.3}\"", character.seconds);
        if character.findings.is_empty() {
            xml.push_str("/>\n");
            continue;
        }
        xml.push_str(">\n");
        let (errors, warnings): (Vec<&Finding>, Vec<&Finding>) =
            character.findings.iter().partition(|finding| finding.kind.is_error());
        // Some programs accept one failure in a test case, so all sentences are in one.
        if let (Some(element), Some(first)) = (result(character), errors.first()) {
            let (rule, message) = (escaped(&first.kind.rule()), escaped(&first.text));
            let _ =
                writeln!(xml, "      <{element} type=\"{rule}\" message=\"{message}\">{}</{element}>", lines(&errors));
        }
        if !warnings.is_empty() {
            let _ = writeln!(xml, "      <system-out>{}</system-out>", lines(&warnings));
        }
        xml.push_str("    </testcase>\n");
    }
    for target in not_started {
        let (class, name) = (escaped(&target.shown()), escaped(&target.name));
        let message = "not started, because another character failed before";
        let _ = writeln!(
            xml,
            "    <testcase classname=\"{class}\" name=\"{name}\"><skipped message=\"{message}\"/></testcase>"
        );
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

/// The element of a test case that did not pass.
fn result(checked: &Checked) -> Option<&'static str> {
    let first = checked.findings.iter().find(|finding| finding.kind.is_error())?;
    Some(if first.kind.rule() == "failed" { "error" } else { "failure" })
}

fn lines(findings: &[&Finding]) -> String {
    let line = |finding: &&Finding| escaped(&format!("[{}] {}", finding.kind.rule(), finding.text));
    findings.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The text for XML 1.0, which has no control characters and no U+FFFE and U+FFFF, not even as references.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&apos;"),
            '\n' => xml.push_str("&#10;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                xml.extend(letter.escape_default());
            }
            letter => xml.push(letter),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_for_xml() {
        assert_eq!(
            escaped("<a b='\"'>&\n\u{1b}\u{ffff}少"),
            "&lt;a b=&apos;&quot;&apos;&gt;&amp;&#10;\\u{1b}\\u{ffff}少"
        );
    }
}
