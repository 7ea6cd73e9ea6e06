//! A shot makes Runa's arm go limp, a second one lets her fall, and then she gets up:
//! `cargo run --example ragdoll --features ragdoll,avian,bake`.

#[path = "../common/mod.rs"]
mod common;
mod game;

use bevy_bonebox::Ragdoll;
use game::{Match, RagdollGame, Runa};

fn main() {
    let mut app = common::headless();
    app.add_plugins(RagdollGame);
    app.finish();
    app.cleanup();
    let mut printed = None;
    while app.world().resource::<Match>().tick != Some(game::TICKS) {
        app.update();
        let tick = app.world().resource::<Match>().tick;
        if tick.is_none() {
            // The character is baked by other threads.
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let Some(tick) = tick.filter(|tick| tick.is_multiple_of(30) && printed != Some(*tick)) else { continue };
        printed = Some(tick);
        let [head, hand] = app.world().resource::<Match>().heights;
        let mut runa = app.world_mut().query_filtered::<&Ragdoll, bevy_ecs::prelude::With<Runa>>();
        let state = runa.single(app.world()).map(|ragdoll| format!("{ragdoll:?}")).unwrap_or_default();
        println!("tick {tick:>3}  head at {head:.2} m, left hand at {hand:.2} m  {state}");
    }
}
