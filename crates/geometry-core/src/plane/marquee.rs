//! Marquee selection: finds the rotated rectangles that a rectangle dragged on the screen touches or contains.

use crate::error::{ShapeError, check_coordinates};
use crate::plane::aabb2::Aabb2;
use crate::plane::obb2::Obb2;
use crate::plane::sat_obb2::{ExactRectangle, gaps};
use glam::Vec2;

/// The rule by which a marquee selects rectangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum MarqueeMode {
    /// Rectangles that are partly or wholly inside ("crossing" selection).
    Touch,
    /// Rectangles that are wholly inside ("window" selection).
    Contain,
}

/// The rule that decides whether a marquee's border belongs to the marquee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum MarqueeEdges {
    /// The border is included: rectangles that share a border point touch, and a rectangle that reaches the border from
    /// inside is contained.
    Closed,
    /// The border is not included: rectangles touch only if they share an inner point, and a contained rectangle has a
    /// distance from the border. A rectangle without area has no inner points; it is touched if it passes through the
    /// inside of the marquee. A marquee without area selects nothing.
    Strict,
}

/// A rectangle that is dragged from one corner to the opposite corner, in any direction.
///
/// Close calls are decided in `f64`, to 2⁻⁴⁹ of the coordinates. Within that tolerance, closed edges select and strict
/// edges do not.
///
/// ```
/// use geometry_core::plane::{Marquee, MarqueeEdges, MarqueeMode, Obb2};
/// use glam::Vec2;
///
/// let cards = [0.0, 3.0, 6.0].map(|x| Obb2::new(Vec2::new(x, 0.0), Vec2::splat(1.0), 0.785));
/// let drag = Marquee::try_drag(Vec2::new(5.0, -2.0), Vec2::new(1.0, 2.0))?;
/// let selected: Vec<_> = drag.select(&cards, MarqueeMode::Touch, MarqueeEdges::Closed).collect();
/// assert_eq!(selected, [0, 1, 2]);
/// let selected: Vec<_> = drag.select(&cards, MarqueeMode::Contain, MarqueeEdges::Closed).collect();
/// assert_eq!(selected, [1]);
/// # Ok::<(), geometry_core::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Marquee {
    area: Aabb2,
}

impl Marquee {
    /// Makes the marquee from the point where the drag started and the current point, in any direction.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or too large.
    pub fn try_drag(start: Vec2, end: Vec2) -> Result<Self, ShapeError> {
        check_coordinates("start", &start.to_array())?;
        check_coordinates("end", &end.to_array())?;
        Ok(Self { area: Aabb2 { min: start.min(end), max: start.max(end) } })
    }

    /// The dragged rectangle.
    pub fn area(&self) -> Aabb2 {
        self.area
    }

    /// Returns true if the marquee selects a rectangle.
    #[must_use]
    pub fn selects(&self, rectangle: &Obb2, mode: MarqueeMode, edges: MarqueeEdges) -> bool {
        match mode {
            MarqueeMode::Touch => self.touches(rectangle, edges),
            MarqueeMode::Contain => self.holds(rectangle, edges),
        }
    }

    /// The indices of the selected rectangles, in ascending order.
    pub fn select<'a>(
        &'a self,
        rectangles: &'a [Obb2],
        mode: MarqueeMode,
        edges: MarqueeEdges,
    ) -> impl Iterator<Item = usize> + 'a {
        let selected = move |(_, rectangle): &(usize, &Obb2)| self.selects(rectangle, mode, edges);
        rectangles.iter().enumerate().filter(selected).map(|(index, _)| index)
    }

    fn touches(&self, rectangle: &Obb2, edges: MarqueeEdges) -> bool {
        let (area, rectangle) = (ExactRectangle::from_aabb(&self.area), ExactRectangle::from_obb(rectangle));
        match edges {
            MarqueeEdges::Closed => !gaps(&area, &rectangle).any(|gap| gap.gap > gap.slack),
            MarqueeEdges::Strict => {
                let has_inside = area.half.x > 0.0 && area.half.y > 0.0;
                has_inside && gaps(&area, &rectangle).all(|gap| gap.gap < -gap.slack)
            }
        }
    }

    fn holds(&self, rectangle: &Obb2, edges: MarqueeEdges) -> bool {
        let (min, max) = (self.area.min.as_dvec2(), self.area.max.as_dvec2());
        let largest = min.abs().max(max.abs()).max_element() + f64::from(rectangle.center().abs().max_element());
        let slack = (largest + f64::from(rectangle.extent_sum())) * crate::sat_obb_obb::EXACT_TOLERANCE;
        let (min, max) = match edges {
            MarqueeEdges::Closed => (min - slack, max + slack),
            MarqueeEdges::Strict => (min + slack, max - slack),
        };
        rectangle.exact_corners().into_iter().all(|corner| match edges {
            MarqueeEdges::Closed => corner.cmpge(min).all() && corner.cmple(max).all(),
            MarqueeEdges::Strict => corner.cmpgt(min).all() && corner.cmplt(max).all(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MarqueeEdges::{Closed, Strict};
    use MarqueeMode::{Contain, Touch};

    #[test]
    fn every_drag_direction_is_the_same() {
        let (a, b) = (Vec2::new(1.0, 2.0), Vec2::new(4.0, 7.0));
        let (c, d) = (Vec2::new(a.x, b.y), Vec2::new(b.x, a.y));
        let area = Aabb2::new(a, b);
        for (from, to) in [(a, b), (b, a), (c, d), (d, c)] {
            assert_eq!(Marquee::try_drag(from, to).expect("finite").area(), area);
        }
        assert!(Marquee::try_drag(Vec2::NAN, a).is_err());
    }

    #[test]
    fn closed_edges_select_at_the_border_and_strict_edges_do_not() {
        let drag = Marquee::try_drag(Vec2::splat(2.0), Vec2::ZERO).expect("finite");
        let beside = Obb2::new(Vec2::new(3.0, 1.0), Vec2::ONE, 0.0);
        assert!(drag.selects(&beside, Touch, Closed) && !drag.selects(&beside, Touch, Strict));
        let filling = Obb2::new(Vec2::ONE, Vec2::ONE, 0.0);
        assert!(drag.selects(&filling, Contain, Closed) && !drag.selects(&filling, Contain, Strict));
        assert!(drag.selects(&filling, Touch, Strict));
        let inside = Obb2::new(Vec2::ONE, Vec2::splat(0.7), 0.785);
        assert!(drag.selects(&inside, Contain, Strict) && drag.selects(&inside, Touch, Strict));
        // A corner of this rectangle reaches into the marquee. The next rectangle lies beside the corner, although its
        // bounds overlap.
        let near_corner = Obb2::new(Vec2::splat(3.0), Vec2::splat(1.0), core::f32::consts::FRAC_PI_4);
        assert!(near_corner.aabb().overlaps(&drag.area()) && !drag.selects(&near_corner, Touch, Closed));
        let point = Obb2::new(Vec2::ONE, Vec2::ZERO, 0.3);
        assert!(drag.selects(&point, Touch, Strict) && drag.selects(&point, Contain, Strict));
        let nothing = Marquee::try_drag(Vec2::ONE, Vec2::ONE).expect("finite");
        assert!(nothing.selects(&filling, Touch, Closed) && !nothing.selects(&filling, Touch, Strict));
    }
}
