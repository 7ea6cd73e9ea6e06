//! The weight of a box: how much a box of a given size adds to the number of contacts that a character reports.

use glam::DVec3;

/// The mean size of the boxes of a character.
///
/// Let a box of this size stand anywhere beside a box of the character, at any orientation, all equally likely. The larger
/// the character's box, the more of these places make the two overlap: the volume of these places is
/// [`Neighbors::measure`], apart from a constant. So the measure of a box weighs the contacts that it reports, and boxes of
/// different sizes and shapes can be compared by it.
///
/// Source: the mean volume of the Minkowski sum of two convex bodies over all rotations, Schneider, *Convex Bodies: The
/// Brunn-Minkowski Theory*, section 4.4. A box with the edges a, b and c has the surface 2 (ab + bc + ca) and the mean
/// width (a + b + c) / 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbors {
    /// The mean sum of the three edges, in model units.
    edges: f64,
    /// The mean sum of the areas of three faces, in square model units.
    faces: f64,
}

impl Neighbors {
    /// Returns the mean of boxes with these sizes, in model units.
    pub(crate) fn new(sizes: impl IntoIterator<Item = DVec3>) -> Self {
        let (mut edges, mut faces, mut count) = (0.0, 0.0, 0.0_f64);
        for size in sizes {
            edges += size.element_sum();
            faces += sum_of_faces(size);
            count += 1.0;
        }
        Self { edges: edges / count.max(1.0), faces: faces / count.max(1.0) }
    }

    /// Returns the volume of the places of a neighbor at which it overlaps a box with this size, without the neighbor's own
    /// volume; in cubic model units.
    pub(crate) fn measure(&self, size: DVec3) -> f64 {
        size.element_product() + 0.5 * (sum_of_faces(size) * self.edges + size.element_sum() * self.faces)
    }
}

fn sum_of_faces(size: DVec3) -> f64 {
    size.x * size.y + size.y * size.z + size.z * size.x
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use test_models::Random;

    /// The volume of the Minkowski sum of two boxes: of all parallelepipeds that three of the six edges span.
    fn sum_of_boxes(edges: &[DVec3; 6]) -> f64 {
        let mut volume = 0.0;
        for a in 0..6 {
            for b in a + 1..6 {
                for c in b + 1..6 {
                    volume += edges[a].dot(edges[b].cross(edges[c])).abs();
                }
            }
        }
        volume
    }

    #[test]
    fn the_measure_is_the_mean_volume_of_places_that_overlap() {
        let (one, other) = (DVec3::new(0.3, 0.5, 1.1), DVec3::new(0.2, 0.9, 0.4));
        let mut random = Random::new(5);
        let mut number = || random.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0;
        let (mut sum, mut count) = (0.0, 0.0);
        while count < 20_000.0 {
            let turn = DQuat::from_array([number(), number(), number(), number()]);
            // Points of a ball are turned evenly to all sides.
            if turn.length_squared() > 1.0 || turn.length_squared() < 1e-3 {
                continue;
            }
            let turn = turn.normalize();
            let axes = [DVec3::X, DVec3::Y, DVec3::Z];
            let edges = std::array::from_fn(|edge| match edge {
                0..3 => one * axes[edge],
                _ => turn * (other * axes[edge - 3]),
            });
            sum += sum_of_boxes(&edges);
            count += 1.0;
        }
        let found = Neighbors::new([other]).measure(one) + other.element_product();
        let mean = sum / count;
        assert!((found / mean - 1.0).abs() < 0.005, "{found}, but on average {mean}");
    }
}
