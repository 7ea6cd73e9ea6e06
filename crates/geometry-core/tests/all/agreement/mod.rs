//! Every test of the crate against slow twins in `f64` and against parry, on random shapes.
//!
//! A bounded number of cases by default. `BONEBOX_LONG=1` runs a million of each kind, `BONEBOX_LONG=N` runs `N`
//! (use a release build): `docs/geometry-checks.md` has the record. The generator starts from the same seed each time.

mod boxes;
mod cases;
mod moving;
mod naive;
mod plane;
mod round;
mod solids;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Debug;

/// How many random cases of each kind.
fn cases(default: u32) -> u32 {
    match std::env::var("BONEBOX_LONG").ok().and_then(|text| text.parse().ok()) {
        None | Some(0) => default,
        Some(1) => 1_000_000,
        Some(count) => count,
    }
}

/// Runs a check on random cases; a failing one is shrunk and printed.
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
