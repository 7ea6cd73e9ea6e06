//! The gain from threads: posing and updating a crowd of 10,000 at 1 per m² by one thread and by all of rayon's pool.

mod common;
mod figure {
    include!("../tests/common/figure.rs");
}
#[path = "common/scene.rs"]
mod scene;

use paired_timing::Turns;
use runtime::{PoseJob, PosedCharacter, pose_batch, pose_batch_parallel};
use scene::{Ours, Scene};

const COUNT: usize = 10_000;

fn main() {
    let scene = Scene::new("1 per m2", COUNT);
    let all = format!("{} threads", rayon::current_num_threads());

    let jobs: Vec<PoseJob<'_>> = scene
        .inputs(0)
        .map(|(world_from_model, model_from_joint)| PoseJob {
            character: &scene.character,
            world_from_model,
            model_from_joint,
        })
        .collect();
    let (mut one, mut many) = (vec![PosedCharacter::new(); COUNT], vec![PosedCharacter::new(); COUNT]);
    let mut turns = Turns::new("threads", "pose_batch").items(COUNT as f64, "character");
    turns.ours("1 thread", || assert!(pose_batch(&jobs, &mut one).is_ok()));
    turns.ours(&*all, || assert!(pose_batch_parallel(&jobs, &mut many).is_ok()));
    turns.run();

    let (mut one, mut many) = (Ours::new(&scene), Ours::new(&scene));
    let touches = one.step();
    assert_eq!(many.step(), touches);
    let mut turns = Turns::new("threads", "update").items(COUNT as f64, "character");
    turns.ours("1 thread", || {
        one.world.update();
        assert_eq!(one.world.touches().len(), touches);
    });
    turns.ours(&*all, || {
        many.world.update_parallel();
        assert_eq!(many.world.touches().len(), touches);
    });
    turns.run();
}
