//! Prints the tables of `docs/accuracy.md`: the sizes of boxes, their coverage, and the contacts that they find.
//!
//! `cargo xtask accuracy [--shapes | --clips] [NAME…] [--with KEY=VALUE,…]`; the names are characters of the corpus, or `runa` and `bruno`
//! of `assets/`. Without names it measures these two and the nine characters of the corpus that the tables are about. With
//! `--shapes` it prints the table of shapes alone. Each `--with` asks for a row with these bake options, in place of the rows of
//! the tables; in a value, `;` stands for a comma. With `--clips` it prints the table of contacts over clips alone.

mod character;
mod rows;
mod tables;

use character::{Character, OTHER_POSES};
use rows::Rows;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut names, mut rows) = (Vec::new(), Rows::of_the_tables());
    let (mut asked, mut only_shapes, mut only_clips) = (Vec::new(), false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--with" => asked.push(arguments.next().ok_or("--with needs options: KEY=VALUE,…")?),
            "--shapes" => only_shapes = true,
            "--clips" => only_clips = true,
            _ => names.push(argument),
        }
    }
    if !asked.is_empty() {
        rows = Rows::asked_for(&asked)?;
    }
    let characters = Character::all(&names, if only_shapes || only_clips { &[] } else { &OTHER_POSES })?;
    if only_shapes {
        println!("{}", tables::of_shapes(&characters, &rows.of_shapes)?);
        return Ok(());
    }
    println!("{}", tables::over_clips(&characters, &rows.over_clips)?);
    if only_clips {
        return Ok(());
    }
    println!("{}", tables::in_other_poses(&characters, &rows.in_other_poses)?);
    if !rows.of_shapes.is_empty() {
        println!("{}", tables::of_shapes(&characters, &rows.of_shapes)?);
    }
    Ok(())
}
