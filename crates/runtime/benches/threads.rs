//! The gain from threads: posing and updating a crowd of 10,000 at 1 per m² by one thread and by all of rayon's pool.
//! Each case prints how many times as fast all threads are. The bytes of a character follow, which bound the gain where
//! the memory bus is the limit.

mod common;
#[path = "common/scene.rs"]
mod scene;

use paired_timing::Turns;
use runtime::PosedCharacter;
use scene::{Ours, Scene};
use std::cell::Cell;
use std::time::Instant;

const COUNT: usize = 10_000;

/// Runs a case by one thread and by all threads in turns, and prints the ratio of the least times.
fn compare(case: &str, mut by_one: impl FnMut(), mut by_all: impl FnMut()) {
    let least = [const { Cell::new(f64::INFINITY) }; 2];
    let timed = |work: &mut dyn FnMut(), of: usize| {
        let start = Instant::now();
        work();
        least[of].set(least[of].get().min(start.elapsed().as_secs_f64()));
    };
    let all = format!("{} threads", rayon::current_num_threads());
    let mut turns = Turns::new("threads", case).items(COUNT as f64, "character");
    turns.ours("1 thread", || timed(&mut by_one, 0));
    turns.ours(&*all, || timed(&mut by_all, 1));
    turns.run();
    let [one, many] = least.map(|least| least.get());
    if many.is_finite() {
        println!("    {all} are {:.2} times as fast as one", one / many);
    }
}

fn main() {
    let scene = Scene::new("1 per m2", COUNT);
    let mut posed = vec![PosedCharacter::new(); COUNT];
    let (_, boxes) = allocation_counter::of(|| {
        for (posed, (place, pose)) in posed.iter_mut().zip(scene.inputs(0)) {
            assert!(posed.pose_from_model(&scene.character, place, pose).is_ok());
        }
    });

    let ((mut one, mut many), made) = allocation_counter::of(|| (Ours::new(&scene), Ours::new(&scene)));
    let (touches, grown) = allocation_counter::of(|| {
        let touches = one.step();
        assert_eq!(many.step(), touches);
        touches
    });
    let inputs: Vec<_> = scene.inputs(0).collect();
    compare(
        "pose_each and pose_all",
        || {
            let pose = |id: runtime::BodyId, body: &mut runtime::BodyPoser<'_>| {
                let (place, pose) = inputs[id.0 as usize];
                body.pose_from_model(place, pose)
            };
            assert!(one.world.pose_each(pose).is_ok());
        },
        || {
            let pose = |id: runtime::BodyId, body: &mut runtime::BodyPoser<'_>| {
                let (place, pose) = inputs[id.0 as usize];
                body.pose_from_model(place, pose)
            };
            assert!(many.world.pose_all(pose).is_ok());
        },
    );
    compare(
        "update",
        || {
            one.world.update();
            assert_eq!(one.world.touches().len(), touches);
        },
        || {
            many.world.update_parallel();
            assert_eq!(many.world.touches().len(), touches);
        },
    );
    println!(
        "\nbytes a character: boxes and their bounds {}, in a world with {:.1} touches each {}",
        boxes.kept as usize / COUNT,
        touches as f64 / COUNT as f64,
        (made.kept + grown.kept) as usize / (2 * COUNT)
    );
}
