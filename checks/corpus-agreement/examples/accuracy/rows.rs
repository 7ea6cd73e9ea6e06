//! The rows of the tables: bakes, and what answers whether joints touch.

/// One row of a table.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// The bake options.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) answers: Answers,
    /// True if a table has this row character by character.
    pub(crate) by_character: bool,
}

/// What answers whether joints touch.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Answers {
    /// The hitboxes.
    Hitboxes,
    /// The skin of the pairs of joints whose hitboxes overlap.
    Skin,
}

/// The rows of all tables.
pub(crate) struct Rows {
    pub(crate) over_clips: Vec<Row>,
    pub(crate) in_other_poses: Vec<Row>,
    pub(crate) of_shapes: Vec<Row>,
}

impl Rows {
    /// The rows of `docs/accuracy.md`.
    pub(crate) fn of_the_tables() -> Self {
        let over_clips = vec![
            boxes("`recipe`", &[]).by_character(),
            boxes("`fit = min-volume`", &[("fit", "min-volume")]),
            boxes("and `bridge = surface`", &[("fit", "min-volume"), ("bridge", "surface")]),
            boxes("`tight`, but `poses = bind`", &[("preset", "tight"), ("poses", "bind")]),
            boxes("`tight`", &[("preset", "tight")]).by_character(),
            boxes("`cover`", &[("preset", "cover")]).by_character(),
            boxes("`cover`, `budget = 2`", &[("preset", "cover"), ("budget", "2")]),
            boxes("`always`", &[("preset", "always")]).by_character(),
            boxes("`always`, `budget = 2`", &[("preset", "always"), ("budget", "2")]),
            skin("`tight`, then skin", &[("preset", "tight")]),
            skin("`cover`, then skin", &[("preset", "cover")]),
        ];
        let always = |bytes: &'static str| {
            let name = format!("`always`, `envelope_bytes = {bytes}`");
            boxes(&name, &[("preset", "always"), ("envelope_bytes", bytes)])
        };
        let in_other_poses = vec![
            boxes("`tight`", &[("preset", "tight")]),
            boxes("`cover`", &[("preset", "cover")]).by_character(),
            boxes("`cover`, `budget = 2`", &[("preset", "cover"), ("budget", "2")]),
            always("0"),
            always("12000"),
            boxes("`always`", &[("preset", "always")]).by_character(),
            always("100000"),
            boxes("`always`, `budget = 2`", &[("preset", "always"), ("budget", "2")]),
            skin("`cover`, then skin", &[("preset", "cover")]),
            skin("`always`, then skin", &[("preset", "always")]).by_character(),
        ];
        let shapes = ["box", "capsule", "sphere", "hull", "auto"];
        let of_preset = |preset: &'static str| {
            shapes.map(|shape| boxes(&format!("`{preset}` | `{shape}`"), &[("preset", preset), ("shape", shape)]))
        };
        let of_shapes = ["recipe", "tight", "cover"].into_iter().flat_map(of_preset).collect();
        Self { over_clips, in_other_poses, of_shapes }
    }

    /// A row for each list of options. In a value, `;` stands for a comma.
    pub(crate) fn asked_for(lists: &[String]) -> Result<Self, String> {
        let row = |list: &String| {
            let option = |one: &str| {
                let (key, value) = one.split_once('=').ok_or_else(|| format!("{one:?} is not KEY=VALUE"))?;
                Ok((key.to_owned(), value.replace(';', ",")))
            };
            let options = list.split(',').map(option).collect::<Result<_, String>>()?;
            Ok(Row { name: format!("`{list}`"), options, answers: Answers::Hitboxes, by_character: true })
        };
        let rows = lists.iter().map(row).collect::<Result<Vec<Row>, String>>()?;
        Ok(Self { over_clips: rows.clone(), in_other_poses: rows, of_shapes: Vec::new() })
    }
}

impl Row {
    fn by_character(self) -> Self {
        Self { by_character: true, ..self }
    }
}

fn boxes(name: &str, options: &[(&str, &str)]) -> Row {
    let options = options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Row { name: name.to_owned(), options, answers: Answers::Hitboxes, by_character: false }
}

fn skin(name: &str, options: &[(&str, &str)]) -> Row {
    Row { answers: Answers::Skin, ..boxes(name, options) }
}
