//! Two characters fight for two seconds, and the program prints which joints light up: `cargo run --example duel`.

#[path = "../common/mod.rs"]
mod common;
mod game;

use game::{DuelPlugin, Lights, Round};

fn main() {
    let mut app = common::headless();
    #[cfg(feature = "debug")]
    app.add_plugins(bevy_gizmos::GizmoPlugin);
    app.add_plugins(DuelPlugin);
    app.finish();
    app.cleanup();
    let mut lit = Vec::new();
    while app.world().resource::<Round>().0 != Some(119) {
        app.update();
        let (round, lights) = (app.world().resource::<Round>().0, app.world().resource::<Lights>());
        let now: Vec<_> = lights.0.keys().cloned().collect();
        if let Some(tick) = round
            && now != lit
        {
            let pairs: Vec<String> = now.iter().map(|(runa, bruno)| format!("{runa} > {bruno}")).collect();
            println!("tick {tick:>3}  {}", if pairs.is_empty() { "nothing touches".into() } else { pairs.join(", ") });
            lit = now;
        }
        // Files are read by other threads.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}
