//! What the benches share: a random stream of our own, and boxes in both libraries' forms.
#![allow(dead_code, reason = "each bench uses a part")]

use geometry_core::Obb;
use glam::{Quat, Vec3};
use parry3d::math::Pose;
use parry3d::query::details::intersection_test_cuboid_cuboid;
use parry3d::shape::Cuboid;

/// SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From `low` to `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    pub(crate) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    pub(crate) fn rotation(&mut self) -> Quat {
        loop {
            let (v, w) = (self.vector(), self.between(-1.0, 1.0));
            let q = Quat::from_xyzw(v.x, v.y, v.z, w);
            if (0.1..1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }

    pub(crate) fn box_at(&mut self, center: Vec3) -> Placed {
        let half = Vec3::new(self.between(0.1, 1.0), self.between(0.1, 1.0), self.between(0.1, 1.0));
        Placed::new(center, half, self.rotation())
    }
}

/// A box as both libraries want it.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) obb: Obb,
    pub(crate) pose: Pose,
    pub(crate) cuboid: Cuboid,
}

impl Placed {
    pub(crate) fn new(center: Vec3, half: Vec3, rotation: Quat) -> Self {
        let obb = Obb::from_orientation(center, half, rotation);
        Self { obb, pose: Pose::from_parts(center, rotation), cuboid: Cuboid::new(half) }
    }

    pub(crate) fn radius(&self) -> f32 {
        self.obb.half_extents().length()
    }

    pub(crate) fn touches_in_parry(&self, other: &Self) -> bool {
        intersection_test_cuboid_cuboid(&self.pose.inv_mul(&other.pose), &self.cuboid, &other.cuboid)
    }
}

/// Times alternatives in turn, so that whatever else the machine does hits all alike, and prints the least time of
/// each with its ratio to the peer's. On a busy machine minima of many short runs move far less than means.
pub(crate) struct Table {
    items: f64,
}

pub(crate) struct Row<'a> {
    name: String,
    items: f64,
    runs: Vec<Run<'a>>,
}

/// Name, whether it is the peer, and what to time.
type Run<'a> = (String, bool, Box<dyn FnMut() + 'a>);

impl Table {
    /// `items`: what one run handles; times are printed per item.
    pub(crate) fn new(title: &str, items: f64) -> Self {
        println!("\n{title}");
        Self { items }
    }

    pub(crate) fn row<'a>(&self, name: String) -> Row<'a> {
        Row { name, items: self.items, runs: Vec::new() }
    }
}

impl<'a> Row<'a> {
    pub(crate) fn peer(&mut self, name: &str, run: impl FnMut() + 'a) {
        self.runs.push((name.into(), true, Box::new(run)));
    }

    pub(crate) fn ours(&mut self, name: &str, run: impl FnMut() + 'a) {
        self.runs.push((name.into(), false, Box::new(run)));
    }

    /// Ns per item of each, in order.
    pub(crate) fn measure(&mut self) -> Vec<f64> {
        use std::time::{Duration, Instant};
        let mut least = vec![Duration::MAX; self.runs.len()];
        let budget = Duration::from_millis(1500);
        let start = Instant::now();
        let mut rounds = 0;
        // `--once`: for counting instructions under callgrind.
        let least_rounds = if std::env::args().any(|argument| argument == "--once") { 1 } else { 5 };
        let more = |rounds: i32| least_rounds > 1 && start.elapsed() < budget && rounds < 2000;
        while rounds < least_rounds || more(rounds) {
            for ((_, _, run), least) in self.runs.iter_mut().zip(&mut least) {
                let start = Instant::now();
                run();
                *least = start.elapsed().min(*least);
            }
            rounds += 1;
        }
        let nanoseconds: Vec<f64> = least.iter().map(|time| time.as_nanos() as f64 / self.items).collect();
        let peer = self.runs.iter().zip(&nanoseconds).filter(|((_, peer, _), _)| *peer).map(|(_, &time)| time);
        let peer = peer.fold(f64::INFINITY, f64::min);
        println!("{}", self.name);
        for ((name, is_peer, _), time) in self.runs.iter().zip(&nanoseconds) {
            let has_ratio = !is_peer && peer.is_finite();
            let ratio = if has_ratio { format!("{:6.1} x", peer / time) } else { String::new() };
            println!("    {name:<24}{time:12.2} ns {ratio}");
        }
        nanoseconds
    }
}
