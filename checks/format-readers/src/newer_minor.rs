//! Writes files as a later minor version may write them: with more fields in most tables, and with an unknown table and
//! an unknown shape.
//!
//! The schema is the present schema with additions, far enough after its last fields that later versions will not use
//! the same fields. `flatc` writes the payload from JSON, so these files also come from another writer.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The minor version in the header of the files.
pub const MINOR: u16 = 999;

/// The folder of the checked-in files.
#[must_use]
pub fn folder() -> PathBuf {
    crate::root().join("crates/baked-format/tests/data")
}

/// Writes `minor-999.bonebox`, and `minor-999-shape.bonebox` with a shape that cannot be ignored.
///
/// # Errors
/// Returns an error if `flatc` is missing or refuses the schema, or a file cannot be written.
pub fn write(work: &Path, folder: &Path) -> Result<()> {
    ensure!(crate::tools::has_flatc(), "flatc is missing (Debian: apt-get install flatbuffers-compiler)");
    fs::create_dir_all(work)?;
    let schema = fs::read_to_string(crate::root().join("crates/baked-format/schema/bonebox.fbs"))?;
    let later = work.join("later.fbs");
    fs::write(&later, later_schema(&schema)?)?;
    for (name, shape) in [("minor-999", "Box"), ("minor-999-shape", "Torus")] {
        let json = work.join(format!("{name}.json"));
        fs::write(&json, CHARACTER.replace("SHAPE", shape))?;
        crate::tools::run(Command::new("flatc").args(["--binary", "-o"]).arg(work).arg(&later).arg(json))?;
        let payload = fs::read(work.join(format!("{name}.bin")))?;
        let file = crate::compare::with_version(&baked_format::fuzz::sealed(&payload), 1, MINOR);
        fs::write(folder.join(format!("{name}.bonebox")), file)?;
    }
    Ok(())
}

fn later_schema(schema: &str) -> Result<String> {
    let gap: String = (0..40).map(|index| format!("  later_{index}:int (deprecated);\n")).collect();
    let mut later = schema.replace("struct Quat {", "table Note { text:string; time:float; }\n\nstruct Quat {");
    for (last, added) in [
        ("  Hull = 3\n", "  , Torus = 200\n".into()),
        ("  hull:Hull;\n", format!("{gap}  outline:[Vec3];\n  priority:int = 5;\n")),
        ("  matrix:Affine;\n", format!("{gap}  mirror:ushort = null;\n  note:Note;\n")),
        ("  channel_data:[ubyte];\n", format!("{gap}  events:[Note];\n")),
        ("  warnings:[BakeWarning];\n", format!("{gap}  notes:[Note];\n")),
    ] {
        let (before, after) = later.split_once(last).with_context(|| format!("the schema has no {last:?}"))?;
        later = format!("{before}{last}{added}{after}");
    }
    Ok(later)
}

const CHARACTER: &str = r#"{
  "name": "Later",
  "source": { "file": "Later.glb", "blake3": [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32
  ], "generator": "bonebox 9.9.9" },
  "joints": [
    { "name": "root", "node": 7, "skinned": true, "mirror": 0, "note": { "text": "nobody reads this", "time": 1.5 },
      "trs": { "translation": { "x": 0, "y": 1, "z": 0 }, "rotation": { "x": 0, "y": 0, "z": 0, "w": 1 },
               "scale": { "x": 1, "y": 1, "z": 1 } } }
  ],
  "boxes": [
    { "joint": 0, "shape": "SHAPE", "tags": ["body"], "priority": 9, "outline": [{ "x": 1, "y": 2, "z": 3 }],
      "center": { "x": 0.5, "y": 0, "z": 0 }, "half_extents": { "x": 1, "y": 2, "z": 0.25 },
      "orientation": { "x": 0.5, "y": 0.5, "z": 0.5, "w": 0.5 }, "vertices": 12, "min_volume": 3.5 }
  ],
  "clips": [
    { "name": "Bob", "events": [{ "text": "step", "time": 0.25 }], "timelines": [{ "times": [0, 0.5] }],
      "channels": 1, "channel_data": [
        0, 6, 0, 0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0, 64
      ] }
  ],
  "notes": [{ "text": "nor this" }]
}
"#;
