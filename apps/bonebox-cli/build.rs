//! Fails with instructions if the program should contain the viewer's page and the page is not built.

fn main() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../viewer/dist/viewer.html");
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_VIEWER").is_some() {
        println!("cargo::rerun-if-changed={page}");
        if !std::path::Path::new(page).exists() {
            println!(
                "cargo::error=the viewer's page is not built; run `cargo xtask viewer` first (it needs Node 20.19 and npm)"
            );
        }
    }
}
