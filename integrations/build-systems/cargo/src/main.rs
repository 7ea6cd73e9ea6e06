//! Prints the hitboxes of a character that the build script baked.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runa = include_bytes!(concat!(env!("OUT_DIR"), "/hitboxes/heroes/runa.bonebox"));
    let runa = bonebox::Character::load(runa)?;
    println!("{} has {} hitboxes", runa.name(), runa.box_count());
    Ok(())
}
