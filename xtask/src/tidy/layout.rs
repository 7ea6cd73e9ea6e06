//! Checks the layout of a crate's files, as ARCHITECTURE.md describes it.

/// Adds a breach for each wrong part of a Rust file.
pub(super) fn check_file(file: &str, text: &str, breaches: &mut Vec<String>) {
    if let Some(number) = second_block_of_uses(text) {
        breaches.push(format!("{file}:{number}: the `use` lines of a file must form one block without blank lines"));
    }
    if let Some(number) = module_out_of_place(text) {
        breaches.push(format!("{file}:{number}: `mod` lines must come before all other items, and those of tests must be the last `mod` lines"));
    }
    let in_tests = file.contains("/tests/") || file.contains("/tests.rs");
    if in_tests && text.contains(concat!("println!(\"", "skipped")) {
        breaches.push(format!("{file}: a test passes by returning early; ignore it with a reason (CONTRIBUTING.md)"));
    }
    let in_a_library = file.starts_with("crates/") && file.contains("/src/") && !file.ends_with("/tests.rs");
    if in_a_library && text.contains("env::var") {
        breaches
            .push(format!("{file}: a library must not read environment variables; read them in programs and tests"));
    }
    if file.ends_with("/fuzzing.rs") || file.contains("/fuzzing/") {
        breaches.push(format!("{file}: the bodies of fuzz targets must be in src/fuzz.rs"));
    }
    if file.starts_with("fuzz/targets/")
        && text.matches(';').count() > 1 + usize::from(text.contains("|bytes: &[u8]| {"))
    {
        breaches.push(format!("{file}: a fuzz target must be a single call of a body in a crate's src/fuzz.rs"));
    }
}

/// Adds a breach for each wrong part of the front page of a crate in `crates/`.
pub(super) fn check_front_page(name: &str, library: &str, has_readme: bool, breaches: &mut Vec<String>) {
    let shows_readme = has_readme && library.contains("include_str!(\"../README.md\")");
    if !shows_readme {
        breaches.push(format!("crates/{name}: no README.md that src/lib.rs includes in its documentation"));
    }
    let lines: Vec<&str> = library.lines().collect();
    let shipped = lines.windows(2).filter(|two| is_module(two[1]) && two[0] != "#[cfg(test)]");
    let modules: Vec<&str> = shipped.map(|two| two[1]).collect();
    let has_fuzz = modules.iter().any(|line| line.ends_with("mod fuzz;"));
    let is_last_and_hidden =
        modules.last() == Some(&"pub mod fuzz;") && library.contains("#[doc(hidden)]\npub mod fuzz;");
    if has_fuzz && !is_last_and_hidden {
        breaches
            .push(format!("crates/{name}/src/lib.rs: `pub mod fuzz;` must be the last module, with `#[doc(hidden)]`"));
    }
}

/// Returns true if the line declares a module in a file of its own.
fn is_module(line: &str) -> bool {
    let line = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub ")).unwrap_or(line);
    line.starts_with("mod ") && line.ends_with(';')
}

/// The line of a `mod` that comes after another item, or after a module of tests if it is not a module of tests itself.
fn module_out_of_place(text: &str) -> Option<usize> {
    let (mut after_items, mut after_tests, mut is_test) = (false, false, false);
    for (number, line) in (1..).zip(text.lines()) {
        if is_module(line) {
            if after_items || (after_tests && !is_test && line != "pub mod fuzz;") {
                return Some(number);
            }
            after_tests |= is_test;
        } else if line.starts_with(char::is_alphabetic)
            && !line.starts_with("mod ")
            && !line.starts_with("extern crate ")
        {
            after_items = true;
        }
        is_test = line == "#[cfg(test)]";
    }
    None
}

/// The line of a private `use` that follows another private `use` after a blank line. Re-exports may form a block
/// before them.
fn second_block_of_uses(text: &str) -> Option<usize> {
    let (mut open, mut closed, mut closed_before_blank) = (false, false, false);
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("use ") {
            if closed_before_blank {
                return Some(number);
            }
            (open, closed, closed_before_blank) = (!line.ends_with(';'), line.ends_with(';'), false);
        } else if open {
            (open, closed) = (line != "};", line == "};");
        } else {
            (closed, closed_before_blank) = (false, closed && line.is_empty());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{check_file, check_front_page};

    fn breaches(file: &str, text: &str) -> usize {
        let mut breaches = Vec::new();
        check_file(file, text, &mut breaches);
        breaches.len()
    }

    #[test]
    fn one_block_of_uses() {
        assert_eq!(breaches("a.rs", "use a;\nuse b::{\n    c,\n};\nuse d;\n\nfn e() {}\n"), 0);
        assert_eq!(breaches("a.rs", "use a;\n\nuse b;\n"), 1);
        assert_eq!(breaches("a.rs", "use a::{\n    b,\n};\n\nuse c;\n"), 1);
    }

    #[test]
    fn modules_stand_first_and_those_of_tests_last() {
        assert_eq!(breaches("a.rs", "//! A.\n\nmod b;\npub(crate) mod c;\n#[cfg(test)]\nmod d;\n\nuse e;\n"), 0);
        assert_eq!(breaches("a.rs", "#[cfg(test)]\nmod b;\n#[doc(hidden)]\npub mod fuzz;\n"), 0);
        assert_eq!(breaches("a.rs", "#[cfg(test)]\nmod b;\nmod c;\n"), 1);
        assert_eq!(breaches("a.rs", "use a;\n\nmod b;\n"), 1);
        assert_eq!(breaches("a.rs", "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    mod b;\n}\n"), 0);
    }

    #[test]
    fn tests_do_not_pass_by_returning_and_libraries_read_no_environment() {
        assert_eq!(breaches("crates/a/tests/all/b.rs", concat!("println!(\"", "skipped: no c\");")), 1);
        assert_eq!(breaches("crates/a/src/b.rs", "std::env::var(\"C\")"), 1);
        assert_eq!(breaches("crates/a/tests/all/b.rs", "std::env::var(\"C\")"), 0);
    }

    #[test]
    fn fuzz_bodies_have_one_place() {
        assert_eq!(breaches("crates/a/src/fuzzing.rs", ""), 1);
        assert_eq!(breaches("fuzz/targets/a.rs", "fuzz_target!(|bytes: &[u8]| a::fuzz::file(bytes));"), 0);
        assert_eq!(breaches("fuzz/targets/a.rs", "fuzz_target!(|bytes: &[u8]| {\n let b = 1;\n f(b);\n});"), 1);
        let mut breaches = Vec::new();
        let readme = "#![doc = include_str!(\"../README.md\")]\n";
        check_front_page("a", &format!("{readme}mod b;\n#[doc(hidden)]\npub mod fuzz;\n"), true, &mut breaches);
        assert!(breaches.is_empty(), "{breaches:?}");
        check_front_page("a", &format!("{readme}pub mod fuzz;\nmod b;\n"), true, &mut breaches);
        check_front_page("a", "mod b;\n", false, &mut breaches);
        assert_eq!(breaches.len(), 2, "{breaches:?}");
    }
}
