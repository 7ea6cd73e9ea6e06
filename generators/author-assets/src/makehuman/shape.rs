//! Shape targets: how far each vertex of the base mesh moves for a given body.
//!
//! A target file names an extreme ("universal-female-young-maxmuscle-minweight"). A body between the extremes is a sum
//! of targets. The weight of a target is the product of the body's shares of all words in the target's name. A name may
//! leave out a word that means the middle of a dial ("height" has only `minheight` and `maxheight`).

use super::Wheel;
use anyhow::{Context, Result};
use glam::DVec3;

/// The position of a body between the extremes. All dials run from 0 to 1, and 0.5 is the average.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// 0 female, 1 male.
    pub gender: f64,
    /// 0.5 young, 1 old. Values below 0.5 (children) have no targets here.
    pub age: f64,
    /// 0 slack, 1 athletic.
    pub muscle: f64,
    /// 0 thin, 1 heavy.
    pub weight: f64,
    /// 0 short, 1 tall.
    pub height: f64,
    /// 0 uncommon, 1 ideal.
    pub proportions: f64,
    /// The share of this set of features. The three shares sum to 1.
    pub african: f64,
    /// See [`Build::african`].
    pub asian: f64,
    /// See [`Build::african`].
    pub caucasian: f64,
}

type Words = Vec<(&'static str, f64)>;

/// The words of a dial with three positions, and their shares. `low`, `middle` and `high` are at 0, 0.5 and 1.
fn dial(value: f64, low: &'static str, middle: &'static str, high: &'static str) -> Words {
    let words = if value < 0.5 {
        [(low, 1.0 - 2.0 * value), (middle, 2.0 * value)]
    } else {
        [(middle, 2.0 - 2.0 * value), (high, 2.0 * value - 1.0)]
    };
    words.into_iter().filter(|&(_, share)| share > 0.0).collect()
}

/// All names with one word from each dial, each with the product of their shares.
fn names(folder: &str, dials: &[Words]) -> Vec<(String, f64)> {
    let mut names = vec![(String::new(), 1.0)];
    for words in dials {
        let longer = |(name, share): &(String, f64)| {
            let (name, share) = (name.clone(), *share);
            words.iter().map(move |&(word, part)| {
                let dash = if name.is_empty() { "" } else { "-" };
                (format!("{name}{dash}{word}"), share * part)
            })
        };
        names = names.iter().flat_map(longer).collect();
    }
    names.into_iter().map(|(name, share)| (format!("targets/{folder}{name}.target.gz"), share)).collect()
}

/// Adds every target that the build needs, in a fixed order.
pub(super) fn apply(wheel: &mut Wheel, build: &Build, points: &mut [DVec3]) -> Result<()> {
    let gender: Words = vec![("female", 1.0 - build.gender), ("male", build.gender)];
    let gender: Words = gender.into_iter().filter(|&(_, share)| share > 0.0).collect();
    let age = dial(build.age, "child", "young", "old");
    let muscle = dial(build.muscle, "minmuscle", "averagemuscle", "maxmuscle");
    let weight = dial(build.weight, "minweight", "averageweight", "maxweight");
    let side =
        |value: f64, low, high| dial(value, low, "", high).into_iter().filter(|&(word, _)| !word.is_empty()).collect();
    let height: Words = side(build.height, "minheight", "maxheight");
    let proportions: Words = side(build.proportions, "uncommonproportions", "idealproportions");
    let origins: Words = vec![("african", build.african), ("asian", build.asian), ("caucasian", build.caucasian)];
    let origins: Words = origins.into_iter().filter(|&(_, share)| share > 0.0).collect();

    let of = |tail: &Words| [gender.clone(), age.clone(), muscle.clone(), weight.clone(), tail.clone()];
    let mut wanted = names("macrodetails/", &[origins, gender.clone(), age.clone()]);
    let universal: Words = vec![("universal", 1.0)];
    wanted.extend(names("macrodetails/", &[universal, gender.clone(), age.clone(), muscle.clone(), weight.clone()]));
    wanted.extend(names("macrodetails/height/", &of(&height)));
    wanted.extend(names("macrodetails/proportions/", &of(&proportions)));
    for (name, share) in wanted {
        add(wheel, &name, share, points)?;
    }
    Ok(())
}

fn add(wheel: &mut Wheel, name: &str, share: f64, points: &mut [DVec3]) -> Result<()> {
    for (number, line) in wheel.text(name)?.lines().enumerate() {
        let place = || format!("{name}, line {}", number + 1);
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [index, x, y, z] = words[..] else { continue };
        if index.starts_with('#') {
            continue;
        }
        let index: usize = index.parse().with_context(place)?;
        let number = |word: &str| word.parse::<f64>().with_context(place);
        let point = points.get_mut(index).with_context(place)?;
        *point += DVec3::new(number(x)?, number(y)?, number(z)?) * share;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_dial_sum_to_one() {
        for value in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let sum: f64 = dial(value, "a", "b", "c").iter().map(|word| word.1).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{value}");
        }
        let all = names("x/", &[dial(0.25, "a", "b", "c"), dial(0.5, "d", "e", "f")]);
        assert_eq!(all, [("targets/x/a-e.target.gz".to_owned(), 0.5), ("targets/x/b-e.target.gz".to_owned(), 0.5)]);
    }
}
