//! Compares every test of the crate with slow references in `f64` and with parry, on random shapes.
//!
//! By default the number of cases is small. `BONEBOX_LONG=1` runs a million cases of each kind, and `BONEBOX_LONG=N`
//! runs `N` (use a release build). `docs/reliability.md` records the results. The generator always starts from the
//! same seed.

mod boxes;
mod capsules;
mod cases;
mod hulls;
mod moving;
mod naive;
mod plane;
mod polyhedron;
mod round;
mod solids;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Debug;

/// The number of random cases of each kind.
fn cases(default: u32) -> u32 {
    match std::env::var("BONEBOX_LONG").ok().and_then(|text| text.parse().ok()) {
        None | Some(0) => default,
        Some(1) => 1_000_000,
        Some(count) => count,
    }
}

/// Runs a check on random cases. A failing case is shrunk and printed.
fn for_all<S: Strategy>(default: u32, strategy: S, check: impl Fn(S::Value))
where
    S::Value: Debug,
{
    let config =
        Config { cases: cases(default), failure_persistence: None, max_shrink_iters: 4096, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&strategy, |case| {
        check(case);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
