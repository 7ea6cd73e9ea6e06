//! A gun fires at six walking targets for two seconds: `cargo run --example shooter`.

#[path = "../common/mod.rs"]
mod common;
mod game;

use game::{Match, ShooterPlugin, Target};

fn main() {
    let mut app = common::headless();
    app.add_plugins(ShooterPlugin);
    app.finish();
    app.cleanup();
    while app.world().resource::<Match>().tick != Some(119) {
        app.update();
        // Files are read by other threads.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    for shot in &app.world().resource::<Match>().shots {
        match &shot.hit {
            Some((target, joint, distance)) => {
                println!("tick {:>3}  target {target}  {joint}  {distance:.2} m  -{}", shot.tick, shot.damage);
            }
            None => println!("tick {:>3}  missed", shot.tick),
        }
    }
    let mut targets = app.world_mut().query::<&Target>();
    for target in targets.iter(app.world()) {
        println!("target {} has {} left", target.number, target.health);
    }
}
