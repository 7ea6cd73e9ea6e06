//! Checks that files have the same bytes in every checkout, even if git converts line ends to those of Windows.

/// Files that tests compare byte for byte.
const EXACT: [&str; 6] = [".bonebox", ".bonebox.json", ".glb", ".packets", ".png", ".snap"];

/// Adds a breach for each file whose line ends git may change. `listed` is what `git ls-files --eol` prints.
pub(super) fn check(listed: &str, breaches: &mut Vec<String>) {
    for line in listed.lines() {
        let Some((facts, file)) = line.split_once('\t') else { continue };
        let (is_exact, is_lf) = (facts.contains("attr/-text"), facts.contains("eol=lf"));
        if !is_exact && !is_lf {
            breaches.push(format!("{file}: .gitattributes lets git change its line ends"));
        }
        if !is_exact && (EXACT.iter().any(|ending| file.ends_with(ending)) || file.contains("/golden/")) {
            breaches.push(format!("{file}: tests compare its bytes, so .gitattributes must set -text for it"));
        }
        if !is_exact && (facts.starts_with("i/crlf") || facts.starts_with("i/mixed")) {
            breaches.push(format!(
                "{file}: it has the line ends of Windows; convert them, or set -text in .gitattributes if a test needs them"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    fn breaches(line: &str) -> usize {
        let mut breaches = Vec::new();
        check(line, &mut breaches);
        breaches.len()
    }

    #[test]
    fn line_ends_that_git_may_change_are_found() {
        assert_eq!(breaches("i/lf    w/lf    attr/text=auto eol=lf \ta.rs\ni/-text w/-text attr/-text \ta.glb\n"), 0);
        assert_eq!(breaches("i/crlf  w/crlf  attr/-text \tfuzz/seeds/bvh/small_crlf.bvh"), 0);
        assert_eq!(breaches("i/lf    w/crlf  attr/text=auto \ta.rs"), 1);
        assert_eq!(breaches("i/lf    w/lf    attr/text=auto eol=lf \ta.snap"), 1);
        assert_eq!(breaches("i/lf    w/lf    attr/text=auto eol=lf \tcrates/a/tests/golden/b.txt"), 1);
        assert_eq!(breaches("i/crlf  w/crlf  attr/text=auto eol=lf \ta.md"), 1);
    }
}
