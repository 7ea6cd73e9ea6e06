//! Falls of all characters, as two tables: `cargo run --example falls [NAME...]`. The second is of naive ragdolls.
#[path = "../tests/all/fall.rs"]
mod fall;
#[path = "../tests/all/naive.rs"]
mod naive;

use fall::{Fall, Figure};
use naive::Naive;

fn main() {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |one: &Figure| only.is_empty() || only.iter().any(|name| one.name.contains(name.as_str()));
    let figures: Vec<Figure> = Figure::all().filter(is_wanted).collect();
    println!("With `ragdoll = true`:\n");
    heads();
    for figure in &figures {
        row(figure, (0..10).map(|seed| figure.fall(seed, 1.0)).collect(), figure.reach(figure.rig.bodies()));
    }
    println!("\nNaive:\n");
    heads();
    for figure in &figures {
        let naive = Naive::new(&figure.rig);
        row(figure, (0..10).map(|seed| figure.fall_naively(seed, &naive)).collect(), figure.reach(&naive.bodies));
    }
}

fn heads() {
    println!(
        "| character | bodies | at rest in 6 s | latest | joints apart | past limits at impacts | at rest | overlap | poses |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
}

fn row(figure: &Figure, falls: Vec<Fall>, reach: f32) {
    let most = |get: fn(&Fall) -> f32| falls.iter().map(get).fold(0.0, f32::max);
    let rested = falls.iter().filter(|fall| fall.rest.is_some_and(|seconds| seconds <= 6.0)).count();
    let latest = match falls.iter().all(|fall| fall.rest.is_some()) {
        true => format!("{:.1} s", most(|fall| fall.rest.unwrap_or_default())),
        false => "not in 10 s".to_owned(),
    };
    let poses = match figure.character.clips() {
        [] => "no clips".to_owned(),
        _ => format!("{:.1} %", 100.0 * reach),
    };
    println!(
        "| {} | {} | {rested} of 10 | {latest} | {:.2} % | {:.0}° | {:.1}° | {:.2} % | {poses} |",
        figure.name,
        figure.rig.bodies().len(),
        100.0 * most(|fall| fall.apart),
        most(|fall| fall.past_limit),
        most(|fall| fall.past_limit_at_rest),
        100.0 * most(|fall| fall.overlap),
    );
}
