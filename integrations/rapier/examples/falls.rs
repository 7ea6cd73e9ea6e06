//! Falls of all characters, as a table: `cargo run --example falls [NAME...]`.
#[path = "../tests/all/fall.rs"]
mod fall;

use fall::{Fall, Figure};

fn main() {
    let only: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "| character | bodies | at rest in 6 s | latest | joints apart | past limits at impacts | at rest | overlap |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for figure in
        Figure::all().filter(|one| only.is_empty() || only.iter().any(|name| one.name.contains(name.as_str())))
    {
        let falls: Vec<Fall> = (0..10).map(|seed| figure.fall(seed, 1.0)).collect();
        let most = |get: fn(&Fall) -> f32| falls.iter().map(get).fold(0.0, f32::max);
        let rested = falls.iter().filter(|fall| fall.rest.is_some_and(|seconds| seconds <= 6.0)).count();
        let latest = match falls.iter().all(|fall| fall.rest.is_some()) {
            true => format!("{:.1} s", most(|fall| fall.rest.unwrap_or_default())),
            false => "not in 10 s".to_owned(),
        };
        println!(
            "| {} | {} | {rested} of 10 | {latest} | {:.2} % | {:.0}° | {:.1}° | {:.2} % |",
            figure.name,
            figure.rig.bodies().len(),
            100.0 * most(|fall| fall.apart),
            most(|fall| fall.past_limit),
            most(|fall| fall.past_limit_at_rest),
            100.0 * most(|fall| fall.overlap),
        );
    }
}
