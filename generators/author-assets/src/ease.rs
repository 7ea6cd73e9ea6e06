//! Key poses, and interpolation between them.

use glam::DVec3;

/// A type whose values can be added and scaled: numbers, vectors, and structs of these.
pub trait Mix: Copy {
    /// `self * a + other * b`.
    #[must_use]
    fn mix(&self, a: f64, other: &Self, b: f64) -> Self;
}

impl Mix for f64 {
    fn mix(&self, a: f64, other: &Self, b: f64) -> Self {
        self * a + other * b
    }
}

impl Mix for DVec3 {
    fn mix(&self, a: f64, other: &Self, b: f64) -> Self {
        *self * a + *other * b
    }
}

/// Declares a struct of [`Mix`] fields that implements [`Mix`].
macro_rules! mixable {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $type,)* }
        impl crate::ease::Mix for $name {
            fn mix(&self, a: f64, other: &Self, b: f64) -> Self {
                Self { $($field: crate::ease::Mix::mix(&self.$field, a, &other.$field, b),)* }
            }
        }
    };
}
pub(crate) use mixable;

/// Values at increasing times. The time of the last key is the length of the clip, in seconds.
#[derive(Clone, Debug)]
pub struct Keys<T> {
    keys: Vec<(f64, T)>,
    cyclic: bool,
}

impl<T: Mix> Keys<T> {
    /// Makes a motion that rests at every key: it is eased in and out between two keys.
    #[must_use]
    pub fn posed(keys: Vec<(f64, T)>) -> Self {
        Self { keys, cyclic: false }
    }

    /// Makes a cyclic motion that does not rest at its keys. The last key must repeat the first.
    #[must_use]
    pub fn cycle(keys: Vec<(f64, T)>) -> Self {
        Self { keys, cyclic: true }
    }

    /// The length in seconds.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.keys.last().map_or(0.0, |key| key.0)
    }

    /// The value at a time in seconds. Times before the first key and after the last key are clamped; in a cycle they
    /// wrap around.
    #[must_use]
    pub fn at(&self, time: f64) -> T {
        let time = if self.cyclic { time - (time / self.length()).floor() * self.length() } else { time };
        let next = self.keys.partition_point(|key| key.0 <= time);
        if next == 0 {
            return self.keys[0].1;
        }
        if next == self.keys.len() {
            return self.keys[next - 1].1;
        }
        let ((start, from), (end, to)) = (self.keys[next - 1], self.keys[next]);
        let share = (time - start) / (end - start);
        if self.cyclic { self.flow(next, share) } else { from.mix(1.0 - smooth(share), &to, smooth(share)) }
    }

    /// A cubic Hermite spline between the keys `next - 1` and `next`. The tangents come from the neighboring keys
    /// (Catmull-Rom for uneven keys).
    fn flow(&self, next: usize, share: f64) -> T {
        let (length, last) = (self.length(), self.keys.len() - 1);
        let ((t0, p0), (t1, p1)) = (self.keys[next - 1], self.keys[next]);
        let (before, q0) =
            if next == 1 { (self.keys[last - 1].0 - length, self.keys[last - 1].1) } else { self.keys[next - 2] };
        let (after, q1) = if next == last { (self.keys[1].0 + length, self.keys[1].1) } else { self.keys[next + 1] };
        let span = t1 - t0;
        let slope = |a: &T, b: &T, seconds: f64| b.mix(span / seconds, a, -span / seconds);
        let (m0, m1) = (slope(&q0, &p1, t1 - before), slope(&p0, &q1, after - t0));
        let (s, s2, s3) = (share, share * share, share * share * share);
        let ends = p0.mix(2.0 * s3 - 3.0 * s2 + 1.0, &p1, 3.0 * s2 - 2.0 * s3);
        let tangents = m0.mix(s3 - 2.0 * s2 + s, &m1, s3 - s2);
        ends.mix(1.0, &tangents, 1.0)
    }
}

/// A smooth step from 0 to 1, with zero slope at both ends.
#[must_use]
pub fn smooth(share: f64) -> f64 {
    share * share * (3.0 - 2.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_passes_through_its_keys() {
        let keys = vec![(0.0, 1.0), (0.5, 3.0), (0.75, -1.0), (1.0, 1.0)];
        for curve in [Keys::posed(keys.clone()), Keys::cycle(keys.clone())] {
            for &(time, value) in &keys {
                assert!((curve.at(time) - value).abs() < 1e-12, "{time}");
            }
        }
        let cycle = Keys::cycle(keys);
        let slope = |time: f64| (cycle.at(time + 1e-6) - cycle.at(time)) / 1e-6;
        assert!((slope(0.0) - slope(1.0 - 2e-6)).abs() < 1e-3, "the slope is continuous where the cycle starts again");
    }
}
