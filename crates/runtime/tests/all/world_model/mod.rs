//! Random operations on a [`HitboxWorld`] and on a slow plain model of it; all answers are compared.
//!
//! Three worlds do the same operations: one on the best kernel, one on the scalar kernel, and one that is replaced by
//! clones and restored copies of the first at random moments. [`model::Model`] keeps no broad phase, no lists of pairs
//! and no caches: it tests every pair of bodies with the functions for two characters, which have twins of their own.
//!
//! `BONEBOX_LONG=1` runs ten million operations. A failure prints its seed and the fewest operations that still fail.

mod model;
mod operation;
mod questions;

use crate::characters::{arm, figure, tube};
use baked_characters::{baked_figure, baked_figure_for_any_pose, with_hulls};
use baked_format::{BakedCharacter, HitboxRole};
use model::Model;
use operation::Operation;
use runtime::kernels::Kernel;
use runtime::{BodyId, Character, HitboxWorld};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use test_models::Random;

/// The operations of one world, before the next seed begins with an empty one.
const OPERATIONS: usize = 400;

/// The characters of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cast {
    /// Boxes, shapes of all kinds, and boxes for any pose; no skin. Few hitboxes each, so that operations are fast.
    Small,
    /// The same characters with all their hitboxes.
    Whole,
    /// Characters with a skin, which all bodies track.
    Skins,
}

impl Cast {
    fn of(seed: u64) -> Self {
        match seed % 16 {
            0 => Self::Whole,
            1..4 => Self::Skins,
            _ => Self::Small,
        }
    }

    fn characters(self) -> Vec<Arc<Character>> {
        let whole = || {
            [
                arm("arm"),
                figure("figure"),
                Character::from_baked(with_roles(with_hulls(baked_figure("shapes")))),
                Character::from_baked(with_roles(baked_figure_for_any_pose("any pose"))),
            ]
        };
        let characters = match self {
            Self::Small => whole().into_iter().map(|one| few_hitboxes(&one)).collect(),
            Self::Whole => whole().into(),
            Self::Skins => vec![tube("tube"), tube("another tube")],
        };
        characters.into_iter().map(Arc::new).collect()
    }
}

/// The character with a random role for each hitbox; every other one can be hit.
fn with_roles(mut baked: BakedCharacter) -> BakedCharacter {
    let mut random = Random::new(11);
    for one in &mut baked.boxes {
        one.role = if random.below(2) == 0 { HitboxRole::Hurt } else { *random.pick(&HitboxRole::ALL) };
    }
    baked
}

/// The character with hitboxes of five tags; all kinds of shapes are among them.
fn few_hitboxes(character: &Character) -> Character {
    let tags = ["arm", "hand", "head", "chest", "neck"];
    let sets = tags.iter().filter_map(|tag| character.boxes_with_tag(tag).ok());
    let boxes = sets.reduce(|all, one| all.union(&one).unwrap()).unwrap();
    character.with_only_boxes(&format!("few of {}", character.name()), &boxes).unwrap()
}

/// The worlds under test and their model.
struct Trial {
    cast: Cast,
    characters: Vec<Arc<Character>>,
    worlds: [HitboxWorld; 3],
    /// A world that was cloned from the first earlier, so that `clone_from` finds old content.
    old: HitboxWorld,
    model: Model,
}

/// An operation, and the seed of the questions that are asked after it.
type Step = (Operation, u64);

impl Trial {
    fn new(cast: Cast, characters: &[Arc<Character>]) -> Self {
        let kernels = [Kernel::best(), Kernel::Scalar, Kernel::best()];
        Self {
            cast,
            characters: characters.to_vec(),
            worlds: kernels.map(HitboxWorld::with_kernel),
            old: HitboxWorld::new(),
            model: Model::default(),
        }
    }

    fn step(&mut self, (operation, questions): &Step) {
        self.apply(operation);
        self.compare(&mut Random::new(*questions));
    }

    /// Mostly the id of a body that exists.
    fn any_id(&self, random: &mut Random) -> BodyId {
        let count = self.model.bodies.len();
        match self.model.bodies.keys().nth(random.below(count + 1)) {
            Some(&id) if random.below(8) > 0 => id,
            _ => BodyId(random.below(7) as u64 * 3),
        }
    }
}

/// Runs random operations; writes them to `steps`.
fn run(seed: u64, cast: Cast, characters: &[Arc<Character>], steps: &mut Vec<Step>) {
    let (mut random, mut trial) = (Random::new(seed), Trial::new(cast, characters));
    steps.clear();
    for _ in 0..OPERATIONS {
        steps.push((Operation::random(&mut random, &trial), random.next_u64()));
        trial.step(&steps[steps.len() - 1]);
    }
}

fn repeat(cast: Cast, characters: &[Arc<Character>], steps: &[Step]) {
    let mut trial = Trial::new(cast, characters);
    steps.iter().for_each(|step| trial.step(step));
}

/// Leaves out steps as long as the others still fail.
fn shrink(cast: Cast, characters: &[Arc<Character>], steps: &mut Vec<Step>) {
    let fails = |steps: &[Step]| catch_unwind(AssertUnwindSafe(|| repeat(cast, characters, steps))).is_err();
    let mut size = steps.len() / 2;
    while size > 0 {
        let mut end = steps.len();
        while end > 0 {
            let start = end.saturating_sub(size);
            let fewer: Vec<Step> = steps[..start].iter().chain(&steps[end..]).cloned().collect();
            if fails(&fewer) {
                *steps = fewer;
            }
            end = start;
        }
        size /= 2;
    }
}

fn run_seeds(seeds: std::ops::Range<u64>) {
    let casts = [Cast::Small, Cast::Whole, Cast::Skins].map(|cast| (cast, cast.characters()));
    let mut steps = Vec::new();
    for seed in seeds {
        let (cast, characters) = casts.iter().find(|(cast, _)| *cast == Cast::of(seed)).unwrap();
        if catch_unwind(AssertUnwindSafe(|| run(seed, *cast, characters, &mut steps))).is_ok() {
            continue;
        }
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        shrink(*cast, characters, &mut steps);
        std::panic::set_hook(hook);
        eprintln!("seed {seed}: the fewest steps that fail, with the seeds of their questions");
        steps.iter().for_each(|step| eprintln!("{step:?}"));
        repeat(*cast, characters, &steps);
    }
}

/// Ten million operations with `BONEBOX_LONG`.
#[test]
fn a_world_answers_as_its_plain_model() {
    let seeds = if std::env::var_os("BONEBOX_LONG").is_some() { 25_000 } else { 150 };
    run_seeds(0..seeds);
}
