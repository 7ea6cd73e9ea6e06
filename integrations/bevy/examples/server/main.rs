//! A server's four seconds with 200 characters: `cargo run --release --example server`.

#[path = "../common/mod.rs"]
mod common;
mod game;

use game::{Report, ServerPlugin, Tick};
use std::time::Instant;

fn main() {
    let mut app = common::headless();
    app.add_plugins(ServerPlugin);
    app.finish();
    app.cleanup();
    let mut since = Instant::now();
    while app.world().resource::<Tick>().0 != Some(119) {
        app.update();
        match app.world().resource::<Tick>().0 {
            // Files are read by other threads.
            None => std::thread::sleep(std::time::Duration::from_millis(1)),
            Some(0) => since = Instant::now(),
            Some(tick) if tick.is_multiple_of(30) => {
                let Report { started, ended, touching } = *app.world().resource::<Report>();
                println!("tick {tick:>3}  {touching} touch, {started} began, {ended} ended");
            }
            Some(_) => {}
        }
    }
    println!("{:.2} ms a tick", since.elapsed().as_secs_f64() * 1000.0 / 119.0);
}
