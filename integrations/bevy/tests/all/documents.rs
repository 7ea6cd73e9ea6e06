//! Every block of Rust in the guide `docs/engines/bevy.md` is a part of a program that is compiled: this crate's README, whose
//! blocks are tests, or an example. So are the blocks for Bevy in `docs/ragdolls.md`.

use std::path::Path;

const PROGRAMS: [&str; 5] = [
    "README.md",
    "examples/duel/game.rs",
    "examples/ragdoll/game.rs",
    "examples/server/game.rs",
    "examples/shooter/game.rs",
];

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Without what depends on where a line stands.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn blocks_of_code_are_parts_of_programs() {
    // `checks/guides` tests the other blocks of the guide for ragdolls.
    for (guide, opening, least) in
        [("../../docs/engines/bevy.md", "rust\n", 3), ("../../docs/ragdolls.md", "rust,ignore\n", 2)]
    {
        let text = read(guide);
        let mut found = 0;
        for block in text.split("\n```").collect::<Vec<_>>().chunks(2).filter_map(|pair| pair.get(1)) {
            let Some(code) = block.strip_prefix(opening) else { continue };
            let code = lines(code);
            let is_part = |program: &&str| lines(&read(program)).windows(code.len()).any(|part| part == code);
            assert!(PROGRAMS.iter().any(is_part), "{guide}: no program has these lines:\n{}", code.join("\n"));
            found += 1;
        }
        assert!(found >= least, "{guide}: only {found} blocks were found");
    }
}
