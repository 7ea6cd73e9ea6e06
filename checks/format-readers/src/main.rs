//! `format-readers [FILE.bonebox…]` compares the readers in other languages, by default over all bakes in `assets/`.
//! `format-readers --newer-minor` writes the test files of baked-format from a later minor version.

use std::path::PathBuf;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let work = format_readers::work_folder();
    if arguments == ["--newer-minor"] {
        return format_readers::newer_minor::write(&work, &format_readers::newer_minor::folder());
    }
    let files =
        if arguments.is_empty() { format_readers::bakes()? } else { arguments.iter().map(PathBuf::from).collect() };
    let report = format_readers::run(&files, &work)?;
    print!("{report}");
    anyhow::ensure!(report.missing.is_empty(), "some readers could not be compared, because tools are missing");
    Ok(())
}
