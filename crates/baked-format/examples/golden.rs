//! Golden files of the format: `cargo run -p bonebox-baked-format --example golden [-- --check]`.
//!
//! Writes what is missing in `assets/golden/v1/`: made-up characters and their JSON. A golden file is never changed,
//! since every later version has to read it or to refuse it by version: where one is there and differs from what the
//! writer gives now, this stops. With `--check` it writes nothing and fails where something is missing.

#[path = "../tests/all/support/characters.rs"]
mod characters;

use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let is_check = std::env::args().any(|argument| argument == "--check");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/golden/v1");
    fs::create_dir_all(&folder)?;
    for (name, character) in characters::golden() {
        let files = [
            (format!("{name}.bonebox"), baked_format::write(&character)?),
            (format!("{name}.bonebox.json"), baked_format::to_json(&character).into_bytes()),
        ];
        for (file, bytes) in files {
            match fs::read(folder.join(&file)) {
                Ok(kept) if kept == bytes => println!("kept {file}"),
                Ok(_) => return Err(format!("{file} is there and differs: keep it, and add a new one").into()),
                Err(_) if is_check => return Err(format!("{file} is missing").into()),
                Err(_) => {
                    fs::write(folder.join(&file), &bytes)?;
                    println!("wrote {file}, {} bytes", bytes.len());
                }
            }
        }
    }
    Ok(())
}
