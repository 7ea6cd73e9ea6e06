//! `bonebox inspect`: prints the content of a bake.

use crate::commands::skin_size::SkinSize;
use crate::commands::table;
use asset_bake::{RequestedSettings, load_or_bake};
use baked_format::{
    BakedCharacter, HitboxRole, HitboxShape, Ragdoll, RagdollBody, Skin, SkinEncoding, SkinPiece, Window,
};
use bone_fit::{Figures, hitboxes_in_meters, skin_givers};
use skeleton::humanoid::{Certainty, Humanoid, HumanoidSource};
use skeleton::{ClipIndex, JointIndex, NamePattern, Quadruped, printable};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// A .bonebox file, or an asset to bake in memory
    file: PathBuf,
    /// Print the same JSON as NAME.bonebox.json
    #[arg(long)]
    json: bool,
}

/// Prints the content of a baked file, as a table or as JSON.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let character = load_or_bake(&arguments.file, &RequestedSettings::default())?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        out.write_all(baked_format::to_json(&character).as_bytes())?;
        return Ok(());
    }
    print(&mut out, &character)
}

fn print(out: &mut impl std::io::Write, character: &BakedCharacter) -> anyhow::Result<()> {
    let options: Vec<String> = character.options.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let source = &character.source;
    let [name, file, generator] = [&character.name, &source.file, &source.generator].map(|text| printable(text));
    let revision = character.algorithm_revision;
    writeln!(out, "{name}, from {file} by {generator}, revision {revision} of the algorithms")?;
    writeln!(out, "{}", printable(&options.join(", ")))?;
    let figures = Figures::of_bake(character);
    writeln!(out, "{} joints, {} boxes, {} clips", figures.joints, figures.boxes, figures.clips)?;
    if let Some(fitted) = table::fitted_poses(&figures) {
        writeln!(out, "{fitted}")?;
    }
    print_coverage(out, character, &figures)?;

    writeln!(
        out,
        "half extents and centers are meters of the character at rest, centers from the joint along its axes; \
         hull: the vertices that span the convex hull of the box's vertices"
    )?;
    // The column "shape" is shown where a hitbox is not a box, and "role" where one is no part of the figure.
    let with_shapes = character.boxes.iter().any(|one| one.shape != HitboxShape::Box);
    let with_roles = character.boxes.iter().any(|one| one.role != HitboxRole::Hurt);
    let headings = ["joint", "shape", "role", "half extents", "center", "vertices", "hull", "fill", "tags"];
    let is_shown = |column: usize| (column != 1 || with_shapes) && (column != 2 || with_roles);
    let shown = headings.into_iter().enumerate().filter(|(column, _)| is_shown(*column)).map(|(_, heading)| heading);
    let mut boxes = table::table(shown, 1 + usize::from(with_shapes) + usize::from(with_roles));
    for (baked, [center, half_extents]) in character.boxes.iter().zip(hitboxes_in_meters(character)) {
        let fill = Some(f64::from(baked.hull_volume) / f64::from(baked.volume()));
        let cells = [
            character.skeleton.joint(baked.joint).name.clone(),
            baked.shape.keyword().to_owned(),
            baked.role.keyword().to_owned(),
            triple(half_extents),
            triple(center),
            baked.vertices.to_string(),
            baked.hull_vertices.to_string(),
            table::percent(fill),
            baked.tags.join(" "),
        ];
        let cells = cells.into_iter().enumerate().filter(|(column, _)| is_shown(*column)).map(|(_, cell)| cell);
        table::add_row(&mut boxes, cells);
    }
    writeln!(out, "{}", table::trimmed(&boxes))?;
    print_skin_givers(out, character)?;
    if !character.clips.is_empty() {
        let mut clips = table::table(["clip", "seconds", "channels"], 1);
        for clip in &character.clips {
            let cells = [clip.name.clone(), format!("{:.3}", clip.seconds()), clip.channels.len().to_string()];
            table::add_row(&mut clips, cells);
        }
        writeln!(out, "\n{}", table::trimmed(&clips))?;
    }
    print_attacks(out, character)?;
    print_ragdoll(out, character)?;
    match &character.humanoid {
        Some(humanoid) => print_humanoid(out, character, humanoid)?,
        None => match Humanoid::guess(&character.skeleton) {
            Ok(_) => writeln!(out, "\nno humanoid, because the settings say so")?,
            Err(error) => {
                writeln!(out, "\nno humanoid: {}", printable(&error.to_string()))?;
                match Quadruped::guess(&character.skeleton) {
                    Ok(_) => {
                        writeln!(out, "a four-legged animal: with parts = N, its hitboxes have the tags of its parts")?
                    }
                    Err(error) => writeln!(out, "no four-legged animal: {}", printable(&error.to_string()))?,
                }
            }
        },
    }
    print_skin(out, character)?;
    if !character.warnings.is_empty() {
        writeln!(out)?;
        table::print_warnings(out, &character.warnings)?;
    }
    Ok(())
}

/// Prints which joints gave their skin to which joints, and what each pattern of `merge` caught. Prints nothing for a
/// character whose joints all kept their skin.
fn print_skin_givers(out: &mut impl std::io::Write, character: &BakedCharacter) -> anyhow::Result<()> {
    let givers = skin_givers(character);
    let name = |joint: &JointIndex| character.skeleton.joint(*joint).name.as_str();
    let listed = |joints: &[JointIndex]| printable(&joints.iter().map(name).collect::<Vec<_>>().join(" ")).into_owned();
    if !givers.is_empty() {
        let mut table = table::table(["joint", "has the skin of"], 2);
        for (to, from) in &givers {
            table::add_row(&mut table, [name(to).to_owned(), listed(from)]);
        }
        writeln!(out, "\n{}", table::trimmed(&table))?;
    }
    let merge = character.options.iter().find(|(key, _)| key == "merge").map_or("", |(_, patterns)| patterns);
    let patterns = NamePattern::list(merge);
    if !patterns.is_empty() {
        let all: Vec<JointIndex> = givers.into_iter().flat_map(|(_, from)| from).collect();
        let mut table = table::table(["merge", "joints", "caught"], 3);
        for pattern in patterns {
            let caught: Vec<JointIndex> = all.iter().copied().filter(|joint| pattern.matches(name(joint))).collect();
            table::add_row(&mut table, [pattern.as_str().to_owned(), caught.len().to_string(), listed(&caught)]);
        }
        writeln!(out, "\n{}", table::trimmed(&table))?;
    }
    Ok(())
}

/// Prints the attacks and the states of all clips. Prints nothing for a character without any.
fn print_attacks(out: &mut impl std::io::Write, character: &BakedCharacter) -> anyhow::Result<()> {
    let clip = |clip: ClipIndex| character.clips.get(clip.index()).map(|clip| clip.name.clone()).unwrap_or_default();
    let seconds = |active: &[Window]| {
        let text = |window: &Window| format!("{} to {}", window.from, window.to);
        active.iter().map(text).collect::<Vec<_>>().join(", ")
    };
    let joints = |boxes: &[u16]| {
        let joint = |index: &u16| character.skeleton.joint(character.boxes[usize::from(*index)].joint).name.clone();
        let mut joints: Vec<_> = boxes.iter().map(joint).collect();
        joints.dedup();
        match joints.as_slice() {
            [first, second, third, more @ ..] if !more.is_empty() => {
                format!("{first} {second} {third} and {} more", more.len())
            }
            few => few.join(" "),
        }
    };
    if !character.attacks.is_empty() {
        let headings = ["clip", "attack", "kind", "active seconds", "group", "rank", "against", "joints"];
        let mut table = table::table(headings, headings.len());
        for attack in &character.attacks {
            let (kind, rank) = (attack.kind.keyword().to_owned(), attack.rank.to_string());
            let (active, against) = (seconds(&attack.active), attack.against.join(" "));
            let [name, group] = [&attack.name, &attack.group].map(Clone::clone);
            let cells = [clip(attack.clip), name, kind, active, group, rank, against, joints(&attack.boxes)];
            table::add_row(&mut table, cells);
        }
        writeln!(out, "\n{}", table::trimmed(&table))?;
    }
    if !character.states.is_empty() {
        let mut table = table::table(["clip", "state", "active seconds", "joints"], 4);
        for state in &character.states {
            let kind = state.kind.keyword().to_owned();
            table::add_row(&mut table, [clip(state.clip), kind, seconds(&state.active), joints(&state.boxes)]);
        }
        writeln!(out, "\n{}", table::trimmed(&table))?;
    }
    Ok(())
}

/// Prints the bodies of the ragdoll with their constraints, and the pairs that never collide. Prints nothing for a character
/// without a ragdoll.
fn print_ragdoll(out: &mut impl std::io::Write, character: &BakedCharacter) -> anyhow::Result<()> {
    /// At most so many pairs are named.
    const NAMED_PAIRS: usize = 8;
    let Some(Ragdoll { bodies, no_collision }) = &character.ragdoll else { return Ok(()) };
    let name = |joint: JointIndex| character.skeleton.joint(joint).name.as_str();
    let body_name = |body: u16| name(bodies[usize::from(body)].joint);
    let boxes = |body: &RagdollBody| {
        let joints: Vec<JointIndex> =
            body.boxes.iter().map(|index| character.boxes[usize::from(*index)].joint).collect();
        let same = joints.chunk_by(PartialEq::eq).map(|same| match same.len() {
            1 => name(same[0]).to_owned(),
            count => format!("{} ({count})", name(same[0])),
        });
        same.collect::<Vec<_>>().join(" ")
    };
    let headings =
        ["body", "hitboxes of", "held by", "kind", "limits from", "kg", "twist", "swing y", "swing z", "damping"];
    let mut table = table::table(headings, 5);
    for body in bodies {
        let none = || "-".to_owned();
        let (words, numbers) = match &body.constraint {
            Some(one) => {
                let [twist, y, z] = one.limits.to_array().map(|limit| format!("{:.1}", limit.to_degrees()));
                let words = [body_name(one.parent), one.kind.keyword(), one.limits_from.keyword()];
                (words.map(str::to_owned), [twist, y, z, format!("{:.4}", one.damping)])
            }
            None => ([none(), none(), none()], [none(), none(), none(), none()]),
        };
        let cells = [name(body.joint).to_owned(), boxes(body)].into_iter().chain(words);
        table::add_row(&mut table, cells.chain([format!("{:.2}", body.mass)]).chain(numbers));
    }
    writeln!(
        out,
        "\nragdoll; limits are degrees to both sides of the middle, damping is N m for each radian per second"
    )?;
    writeln!(out, "{}", table::trimmed(&table))?;
    let mass: f64 = bodies.iter().map(|body| f64::from(body.mass)).sum();
    let loose = bodies.iter().filter(|body| body.constraint.is_none()).count();
    let count = table::plural(bodies.len(), "body", "bodies");
    writeln!(out, "{count}, {mass:.2} kg, {loose} without a body that holds it")?;
    let is_held = |&&[first, second]: &&[u16; 2]| {
        bodies[usize::from(second)].constraint.as_ref().is_some_and(|constraint| constraint.parent == first)
    };
    let (held, others): (Vec<&[u16; 2]>, Vec<&[u16; 2]>) = no_collision.iter().partition(is_held);
    let pairs = table::plural(no_collision.len(), "pair never collides", "pairs never collide");
    write!(out, "{pairs}: {} of a body and the body that holds it, {} others", held.len(), others.len())?;
    if (1..=NAMED_PAIRS).contains(&others.len()) {
        let named = others.iter().map(|pair| pair.map(|body| printable(body_name(body))).join(" with "));
        write!(out, " ({})", named.collect::<Vec<_>>().join(", "))?;
    }
    Ok(writeln!(out)?)
}

/// Prints the share of the surface inside the boxes, and the place of the largest escape.
pub(crate) fn print_coverage(
    out: &mut impl std::io::Write,
    character: &BakedCharacter,
    figures: &Figures,
) -> anyhow::Result<()> {
    let Some(coverage) = &character.coverage else {
        return Ok(writeln!(out, "coverage was not measured (measure = none)\n")?);
    };
    let [rest, clips, own_rest, own_clips] =
        [figures.coverage_rest, figures.coverage_clips, figures.own_coverage_rest, figures.own_coverage_clips]
            .map(table::share);
    if character.clips.is_empty() {
        writeln!(out, "skin inside the boxes: {rest} at rest (the character has no clips)")?;
        writeln!(out, "skin inside boxes of its own joint: {own_rest} at rest")?;
    } else {
        writeln!(out, "skin inside the boxes: {rest} at rest, {clips} moving (the average over the clips)")?;
        writeln!(out, "skin inside boxes of its own joint: {own_rest} at rest, {own_clips} moving")?;
    }
    let escape = table::escape(figures);
    write!(out, "largest escape at any sample time: {escape} of the height")?;
    if let Some(worst) = &coverage.worst {
        let joint = printable(&character.skeleton.joint(worst.joint).name);
        let clip = worst.clip.and_then(|clip| character.clips.get(clip.index()));
        let pose = clip
            .map_or_else(|| "at rest".into(), |clip| format!("in {} at {:.3} s", printable(&clip.name), worst.time));
        write!(out, ", at {joint} {pose}")?;
    }
    Ok(writeln!(out, "\n")?)
}

/// Prints the counts of the skin's parts and its size in bytes. Prints nothing for a file without a skin.
fn print_skin(out: &mut impl std::io::Write, character: &BakedCharacter) -> anyhow::Result<()> {
    let (Some(skin), Some(size)) = (&character.skin, SkinSize::measure(character)?) else { return Ok(()) };
    let SkinSize { bytes, vertices } = size;
    let sum = |count: fn(&SkinPiece) -> usize| skin.pieces.iter().map(count).sum::<usize>();
    let [cuts, triangles, influences] =
        [sum(|piece| piece.cuts.len()), sum(|piece| piece.triangles.len()), sum(|piece| piece.influences.len())];
    let mut cut: Vec<u32> =
        skin.pieces.iter().flat_map(|piece| &piece.cut_triangles).map(|cut| cut.source_triangle).collect();
    cut.sort_unstable();
    cut.dedup();
    let encoding = match skin.encoding {
        SkinEncoding::Lossless => "lossless",
        SkinEncoding::Compact { .. } => "compact",
    };
    writeln!(
        out,
        "\nskin, {encoding}: {} pieces, {vertices} vertices ({:.2} influences each), {cuts} cuts, {triangles} triangles",
        skin.pieces.len(),
        influences as f64 / vertices.max(1) as f64,
    )?;
    let source: u64 = skin.meshes.iter().map(|mesh| u64::from(mesh.triangles)).sum();
    writeln!(out, "{} of {source} source triangles are cut at the borders of joints", cut.len())?;
    let error = 100.0 * skin.max_error;
    writeln!(
        out,
        "{bytes} bytes, {:.1} a vertex; at most {error:.5} % of the height from the exact surface",
        size.bytes_per_vertex()
    )?;
    print_morph_targets(out, skin)
}

/// Prints the names of the skin's morph targets, in the order of their weights. Prints nothing for a skin without any.
fn print_morph_targets(out: &mut impl std::io::Write, skin: &Skin) -> anyhow::Result<()> {
    let targets = &skin.morph_targets;
    if targets.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
    let offsets: usize = targets.iter().flat_map(|target| &target.pieces).map(|piece| piece.offsets.len()).sum();
    let error = 100.0 * targets.iter().map(|target| target.max_error).fold(0.0, f32::max);
    writeln!(out, "morph targets: {} with {offsets} offsets: {}", targets.len(), names.join(", "))?;
    Ok(writeln!(out, "a morph target adds at most {error:.5} % of the height to the distance, times its weight")?)
}

/// Prints the joint of each standard bone, several bones per line.
fn print_humanoid(
    out: &mut impl std::io::Write,
    character: &BakedCharacter,
    humanoid: &Humanoid,
) -> anyhow::Result<()> {
    const COLUMNS: usize = 100;
    let source = match humanoid.source() {
        HumanoidSource::Vrm => "from the VRM extension",
        HumanoidSource::Guessed => "guessed from joint names",
        HumanoidSource::Settings => "given in bonebox.toml",
    };
    writeln!(out, "\nhumanoid, {source}: {} bones", humanoid.iter().count())?;
    let mut line = String::new();
    for (bone, joint) in humanoid.iter() {
        let pair = format!("{bone} = {}", printable(&character.skeleton.joint(joint).name));
        if !line.is_empty() && line.len() + pair.len() + 4 > COLUMNS {
            writeln!(out, "  {line},")?;
            line.clear();
        }
        line += if line.is_empty() { "" } else { ", " };
        line += &pair;
    }
    writeln!(out, "  {line}")?;
    if humanoid.source() == HumanoidSource::Guessed {
        print_doubts(out, character)?;
    }
    Ok(())
}

/// Prints the bones of a guess that are not sure, with the reasons.
fn print_doubts(out: &mut impl std::io::Write, character: &BakedCharacter) -> anyhow::Result<()> {
    for guess in Humanoid::explain_guess(&character.skeleton) {
        let what = match guess.certainty {
            Certainty::Sure | Certainty::Missing => continue,
            Certainty::Likely => "is likely",
            Certainty::Refused => "has no joint",
        };
        writeln!(out, "  {} {what}: {}", guess.bone, printable(&guess.why))?;
    }
    Ok(())
}

fn triple(v: glam::DVec3) -> String {
    format!("{:.4} {:.4} {:.4}", v.x, v.y, v.z)
}
