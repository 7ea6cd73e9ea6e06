fn main() -> Result<(), bonebox::bake::BuildError> {
    let out_dir = std::env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR for build scripts");
    println!("{}", bonebox::bake::build_folder("assets", out_dir)?);
    Ok(())
}
