//! Every block of code in the guides is a part of a program that is compiled and run.

use std::path::Path;

/// Guides, and the programs that their blocks come from; `cargo xtask engines` builds and runs these.
const GUIDES: [&str; 3] = ["docs/engines/c.md", "integrations/c/README.md", "integrations/csharp/README.md"];
const PROGRAMS: [(&str, &[&str]); 4] = [
    ("c", &["integrations/c/examples/touching.c"]),
    ("cpp", &["integrations/c/examples/arena.cpp"]),
    ("cmake", &["integrations/c/tests/c/CMakeLists.txt"]),
    ("csharp", &["integrations/csharp/Example.cs"]),
];

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Without what depends on where a line stands.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn blocks_of_code_are_parts_of_programs() {
    let mut found = 0;
    for guide in GUIDES {
        let text = read(guide);
        for block in text.split("\n```").collect::<Vec<_>>().chunks(2).filter_map(|pair| pair.get(1)) {
            let (language, code) = block.split_once('\n').unwrap();
            let Some((_, programs)) = PROGRAMS.iter().find(|(known, _)| *known == language) else { continue };
            let code = lines(code);
            let is_part = |program: &&str| lines(&read(program)).windows(code.len()).any(|part| part == code);
            assert!(
                programs.iter().any(is_part),
                "{guide}: no program in {programs:?} has these lines:\n{}",
                code.join("\n")
            );
            found += 1;
        }
    }
    assert!(found >= 10, "only {found} blocks were found");
}
