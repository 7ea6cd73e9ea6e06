//! Fails with instructions if the program should contain the viewer's page and the page is not built.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_VIEWER").is_none() {
        return;
    }
    let files = ["viewer.html", "physics.js.gz"];
    let files = files.map(|name| format!("{}/../viewer/dist/{name}", env!("CARGO_MANIFEST_DIR")));
    files.iter().for_each(|file| println!("cargo::rerun-if-changed={file}"));
    if !files.iter().all(|file| std::path::Path::new(file).exists()) {
        println!(
            "cargo::error=the viewer's page is not built; run `cargo xtask viewer` first (it needs Node 20.19 and npm)"
        );
    }
}
