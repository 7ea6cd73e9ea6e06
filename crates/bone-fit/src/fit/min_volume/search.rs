//! The search through pairs of edges.

use super::candidate_edges::{CandidateEdges, ROUNDING, SupportTable, upper_bound};
use super::family::{Event, Family, Touched};
use super::graph::{Edge, Graph, Neighbor};
use crate::fit::extents::{extents, objective_of};
use crate::options::Objective;
use glam::{DMat3, DVec3};
use hull::ConvexHull;

/// With at most this many edges, looking at all pairs takes less time than leaving edges out.
const FEW_EDGES: usize = 20;

/// The number of times that the range of a family is halved for a lower bound before its boxes are looked at.
const HALVINGS: usize = 3;

/// Values that differ by a smaller share count as equal, because rounding may be the only difference.
const TIE: f64 = 1e-13;

/// The smallest box found so far and the edges that are left to look at.
#[derive(Clone)]
pub(super) struct Search {
    graph: Graph,
    edges: Vec<Edge>,
    objective: Objective,
    best: f64,
    best_axes: DMat3,
    /// An upper bound of the objective of the smallest box.
    limit: f64,
    /// The table of touched vertices; `None` for few edges or before [`Search::find_limit`].
    supports: Option<SupportTable>,
}

/// Returns `true` if `value` is below `bar`; `false` also if a number is NaN.
fn below(value: f64, bar: f64) -> bool {
    value < bar
}

impl Search {
    pub(super) fn new(hull: &ConvexHull, start: &DMat3, objective: Objective) -> Self {
        let (graph, edges) = Graph::new(hull);
        let mut search = Self {
            graph,
            edges,
            objective,
            best: f64::INFINITY,
            best_axes: *start,
            limit: f64::INFINITY,
            supports: None,
        };
        search.offer(start);
        search
    }

    /// Returns the axes of the smallest box.
    pub(super) fn run(mut self) -> DMat3 {
        self.find_limit();
        self.leave_out_edges();
        self.look_at_pairs();
        self.best_axes
    }

    /// Returns the axes of the smallest box, or `None` if its objective is above `most`. Call [`Search::find_limit`]
    /// first. A smaller `most` takes less time.
    pub(super) fn run_unless_above(mut self, most: f64) -> Option<DMat3> {
        // The search looks at boxes up to the limit with twice the share of rounding, and takes boxes up to once this
        // share. So it finds the smallest box together with all boxes that differ from it by rounding alone.
        self.limit = self.limit.min(most * (1.0 + 2.0 * ROUNDING));
        self.leave_out_edges();
        self.look_at_pairs();
        (self.best <= most * (1.0 + ROUNDING)).then_some(self.best_axes)
    }

    /// Finds a good box, if there are many edges, and returns its objective or a little more.
    pub(super) fn find_limit(&mut self) -> Option<f64> {
        if self.edges.len() > FEW_EDGES && self.supports.is_none() {
            let supports = SupportTable::new(&self.graph, self.edges.len());
            self.limit = upper_bound(&self.graph, &supports, &self.best_axes, self.objective);
            self.supports = Some(supports);
        }
        self.supports.is_some().then_some(self.limit)
    }

    /// Returns `true` if certainly no box has a smaller objective than this one. `false` is not certain. Call
    /// [`Search::find_limit`] first.
    pub(super) fn is_at_least(&self, objective: f64) -> bool {
        let Some(supports) = self.supports.as_ref().filter(|_| objective < self.limit) else { return false };
        let candidates = CandidateEdges::new(&self.graph, supports, objective, self.objective);
        !self.edges.iter().any(|edge| candidates.may_be_in_face(edge))
    }

    fn leave_out_edges(&mut self) {
        if let Some(supports) = &self.supports {
            let candidates = CandidateEdges::new(&self.graph, supports, self.limit, self.objective);
            self.edges.retain(|edge| candidates.may_be_in_face(edge));
        }
    }

    /// Returns the volume of one cubic unit of the hull's vertices, in the unit of the graph's vertices cubed. `powi` would not
    /// give the same bits on every machine.
    pub(super) fn unit_cubed(&self) -> f64 {
        let unit = self.graph.unit;
        unit * unit * unit
    }

    fn look_at_pairs(&mut self) {
        let mut hint = [0, 0];
        for i in 0..self.edges.len() {
            for j in 0..i {
                let (a, b) = (self.edges[i], self.edges[j]);
                let corners = [
                    a.from.dot(b.from),
                    (a.from + a.by).dot(b.from),
                    a.from.dot(b.from + b.by),
                    (a.from + a.by).dot(b.from + b.by),
                ];
                let lowest = corners[0].min(corners[1]).min(corners[2]).min(corners[3]);
                let highest = corners[0].max(corners[1]).max(corners[2]).max(corners[3]);
                if lowest <= 0.0 && highest >= 0.0 {
                    self.pair(&a, &b, &corners, &mut hint);
                }
            }
        }
    }

    /// Looks at all boxes with a face on each of two edges. `corners` are the dot products of the ends of both arcs of
    /// normals.
    fn pair(&mut self, a: &Edge, b: &Edge, corners: &[f64; 4], hint: &mut [usize; 2]) {
        // The range is divided at the parameters where the second normal is at an end of its arc.
        let root = |from: f64, to: f64| if from == to { 0.0 } else { (from / (from - to)).clamp(0.0, 1.0) };
        let (mut low, mut high) = (root(corners[0], corners[1]), root(corners[2], corners[3]));
        if low > high {
            std::mem::swap(&mut low, &mut high);
        }
        for (begin, end) in [(0.0, low), (low, high), (high, 1.0)] {
            let middle = 0.5 * (begin + end);
            let at = |from: f64, to: f64| from + middle * (to - from);
            let inside = at(corners[0], corners[1]) * at(corners[2], corners[3]) <= 0.0;
            if inside && (end > begin || begin == 0.0) {
                let family = Family::new(a, b);
                // The second normal must point to the same side as its arc.
                let arc_middle = b.from + 0.5 * b.by;
                let outward = family.second(middle).dot(arc_middle) >= 0.0;
                let family = if outward { family } else { family.flipped() };
                self.walk(&family, a, b, begin, end, hint);
            }
        }
    }

    /// Looks at the boxes of a family from the parameter `begin` to the parameter `end`.
    fn walk(&mut self, family: &Family, a: &Edge, b: &Edge, begin: f64, end: f64, hint: &mut [usize; 2]) {
        let last = match &self.supports {
            Some(supports) => self.last_that_may_win(supports, family, [begin, end], HALVINGS),
            None => Some(end),
        };
        let Some(last) = last else { return };
        let mut touched = Touched {
            first: [a.ends[0], self.graph.climb(a.opposite, -family.first(begin))],
            second: [b.ends[0], self.graph.climb(b.opposite, -family.second(begin))],
            third: [self.graph.climb(hint[0], family.third(begin)), self.graph.climb(hint[1], -family.third(begin))],
        };
        *hint = touched.third;
        let mut value = self.value(family, &touched, begin);
        self.offer_at(family, value, begin);
        // With the touched vertices fixed, the computed boxes are no larger than the true boxes. Between the ends the
        // value has no minimum (see the module documentation), except near the middle, which is looked at.
        let middle = 0.5 * (begin + end);
        let from_begin = value.min(self.value(family, &touched, middle)).min(self.value(family, &touched, end));
        if !below(from_begin, self.best * (1.0 + TIE)) {
            return;
        }
        // The same test with the vertices that are touched at the other end.
        let touched_last = Touched {
            first: [a.ends[0], self.graph.climb(touched.first[1], -family.first(end))],
            second: [b.ends[0], self.graph.climb(touched.second[1], -family.second(end))],
            third: [
                self.graph.climb(touched.third[0], family.third(end)),
                self.graph.climb(touched.third[1], -family.third(end)),
            ],
        };
        let [at_begin, at_middle, at_end] = [begin, middle, end].map(|t| self.value(family, &touched_last, t));
        if !below(at_begin.min(at_middle).min(at_end), self.bar()) {
            return;
        }
        let mut t = begin;
        for _ in 0..4 * self.graph.vertices.len() {
            let next = self.next_event(family, &touched, t, end);
            let until = next.map_or(end, |event| event.t);
            let value_until = self.value(family, &touched, until);
            self.offer_at(family, value_until, until);
            self.between(family, &touched, [t, until], [value, value_until]);
            let Some(event) = next.filter(|event| event.t <= last) else { break };
            *event.slot(&mut touched) = event.vertex;
            (t, value) = (until, value_until);
        }
    }

    /// Returns a parameter in the range, such that no box of the family with a larger parameter is as small as the best
    /// box; `None` if no box in the range is.
    fn last_that_may_win(
        &self,
        supports: &SupportTable,
        family: &Family,
        [begin, end]: [f64; 2],
        halvings: usize,
    ) -> Option<f64> {
        let middle = 0.5 * (begin + end);
        let axes = [family.first(middle), family.second(middle), family.third(middle)];
        let least = family.least(axes.map(|axis| supports.across(axis)), [begin, end], self.objective);
        if !below(least, self.bar()) {
            None
        } else if halvings == 0 {
            Some(end)
        } else {
            let in_half = |range: [f64; 2]| self.last_that_may_win(supports, family, range, halvings - 1);
            in_half([middle, end]).or_else(|| in_half([begin, middle]))
        }
    }

    /// Returns the threshold of lower bounds: a search goes on only below it. All boxes that differ by rounding alone
    /// are looked at, so that the result does not depend on the edges that were left out.
    fn bar(&self) -> f64 {
        (self.best * (1.0 + TIE)).min(self.limit)
    }

    /// Looks for a minimum between two events.
    fn between(&mut self, family: &Family, touched: &Touched, [begin, end]: [f64; 2], ends: [f64; 2]) {
        let middle = self.value(family, touched, 0.5 * (begin + end));
        // The minimum of a convex function is below the value in the middle by at most the rise from the middle to the
        // higher end.
        if !below(middle, ends[0].min(ends[1])) || !below(2.0 * middle - ends[0].max(ends[1]), self.bar()) {
            return;
        }
        // Golden section search: the value has one minimum in this range.
        let (mut low, mut high) = (begin, end);
        for _ in 0..48 {
            let (left, right) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
            if self.value(family, touched, left) < self.value(family, touched, right) {
                high = right;
            } else {
                low = left;
            }
        }
        let t = 0.5 * (low + high);
        let value = self.value(family, touched, t);
        self.offer_at(family, value, t);
    }

    /// Returns the event with the smallest parameter after `t`.
    fn next_event(&self, family: &Family, touched: &Touched, t: f64, end: f64) -> Option<Event> {
        let mut next: Option<Event> = None;
        let mut keep = |event: Event| {
            if event.t < end && next.as_ref().is_none_or(|first| (event.t, event.slope) < (first.t, first.slope)) {
                next = Some(event);
            }
        };
        let (first, second) = (family.first(t), family.second(t));
        for Neighbor { vertex, ahead, .. } in self.graph.neighbors(touched.first[1]) {
            keep(Event::of_line(0, *vertex, t, first.dot(*ahead), family.first[1].dot(*ahead)));
        }
        for Neighbor { vertex, ahead, .. } in self.graph.neighbors(touched.second[1]) {
            keep(Event::of_line(1, *vertex, t, second.dot(*ahead), family.second[1].dot(*ahead)));
        }
        let (third, slope) = (family.third(t), family.third[1] + 2.0 * t * family.third[2]);
        for (side, sign) in [(2, -1.0), (3, 1.0)] {
            for Neighbor { vertex, ahead, .. } in self.graph.neighbors(touched.third[side - 2]) {
                let ahead = sign * *ahead;
                let curve = [third.dot(ahead), slope.dot(ahead), family.third[2].dot(ahead)];
                keep(Event::of_curve(side, *vertex, t, curve));
            }
        }
        next
    }

    /// Returns the objective of the box that touches these vertices; a lower bound if the true box touches other
    /// vertices.
    fn value(&self, family: &Family, touched: &Touched, t: f64) -> f64 {
        let across = |[high, low]: [usize; 2]| self.graph.vertices[high] - self.graph.vertices[low];
        let (a, b, c) = (family.first(t), family.second(t), family.third(t));
        let widths =
            DVec3::new(a.dot(across(touched.first)), b.dot(across(touched.second)), c.dot(across(touched.third)));
        let squared = DVec3::new(a.length_squared(), b.length_squared(), c.length_squared());
        match self.objective {
            // The volume needs only one square root.
            Objective::Volume => widths.element_product().abs() / squared.element_product().sqrt(),
            Objective::SurfaceArea => {
                let widths = widths.abs();
                let lengths = DVec3::new(squared.x.sqrt(), squared.y.sqrt(), squared.z.sqrt());
                objective_of(self.objective, widths / lengths)
            }
        }
    }

    fn offer_at(&mut self, family: &Family, value: f64, t: f64) {
        if value < self.best
            && let (Some(x), Some(y)) = (family.first(t).try_normalize(), family.second(t).try_normalize())
        {
            // The normals are perpendicular to rounding already; this step makes them exactly perpendicular.
            let Some(y) = (y - x.dot(y) * x).try_normalize() else { return };
            self.offer(&DMat3::from_cols(x, y, x.cross(y)));
        }
    }

    /// Keeps the axes if the box around *all* vertices is better than the best box.
    fn offer(&mut self, axes: &DMat3) {
        let value = objective_of(self.objective, extents(axes, &self.graph.vertices));
        if value < self.best {
            (self.best, self.best_axes) = (value, *axes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::orientation::principal_axes_of_surface;
    use glam::DQuat;

    /// A number from -1 to 1. The numbers of successive indices are evenly spread.
    fn wave(index: usize, factor: f64) -> f64 {
        2.0 * (index as f64 * factor).fract() - 1.0
    }

    /// Returns by how much the smallest box is larger than without edges left out, as a share; and the number of edges
    /// that stayed, with the number of all edges.
    fn larger(points: &[DVec3], objective: Objective) -> (f64, [usize; 2]) {
        let hull = ConvexHull::from_points(points).unwrap();
        let start = principal_axes_of_surface(&hull);
        let mut all = Search::new(&hull, &start, objective);
        let edges = all.edges.len();
        all.look_at_pairs();
        let mut some = Search::new(&hull, &start, objective);
        some.find_limit();
        some.leave_out_edges();
        let stayed = some.edges.len();
        some.look_at_pairs();
        ((some.best / all.best - 1.0).abs(), [stayed, edges])
    }

    fn shapes() -> Vec<Vec<DVec3>> {
        let mut shapes = Vec::new();
        for seed in 0..40 {
            let turn = DQuat::from_scaled_axis(DVec3::new(wave(seed, 0.618), wave(seed, 0.755), wave(seed, 0.569)));
            let long = DVec3::new(1.0, 0.6 + 0.4 * wave(seed, 0.381), 0.5 + 0.45 * wave(seed, 0.271));
            let count = 6 + 3 * seed;
            let place = |at: DVec3| (turn * (at * long)).as_vec3().as_dvec3();
            let at = |k: usize| DVec3::new(wave(7 * seed + k, 0.618), wave(k, 0.755), wave(k, 0.569));
            shapes.push((0..count).map(|k| place(at(k))).collect());
            shapes.push((0..count).map(|k| place(at(k).normalize_or_zero())).collect());
            // Prisms have many boxes that differ by rounding alone.
            let sides = 3 + seed;
            let ring = |k: usize| {
                let (sine, cosine) = libm::sincos((k % sides) as f64 * std::f64::consts::TAU / sides as f64);
                DVec3::new(if k < sides { -1.0 } else { 1.0 }, cosine, sine)
            };
            shapes.push((0..2 * sides).map(|k| place(ring(k))).collect());
        }
        shapes
    }

    #[test]
    fn edges_are_left_out_only_where_the_smallest_box_has_no_use_for_them() {
        for objective in [Objective::Volume, Objective::SurfaceArea] {
            let mut counts = [0; 2];
            for points in shapes() {
                let (larger, [stayed, edges]) = larger(&points, objective);
                assert!(larger <= 1e-12, "{objective:?}: by {larger:e}, around {points:?}");
                counts = [counts[0] + stayed, counts[1] + edges];
            }
            assert!(2 * counts[0] < counts[1], "{objective:?}: {counts:?} edges stayed");
        }
    }

    /// A lower bound that is too large could go unnoticed if the other boxes are much larger. So this test tries many
    /// turns of the boxes on each edge that was left out.
    #[test]
    fn boxes_on_edges_left_out_are_larger_than_the_limit() {
        let mut tried = 0;
        for points in shapes().iter().step_by(4) {
            let hull = ConvexHull::from_points(points).unwrap();
            let mut search = Search::new(&hull, &principal_axes_of_surface(&hull), Objective::Volume);
            let all = search.edges.clone();
            search.find_limit();
            search.leave_out_edges();
            let stayed = |edge: &Edge| search.edges.iter().any(|other| other.ends == edge.ends);
            for edge in all.iter().filter(|edge| !stayed(edge)) {
                for index in 0..200 {
                    let normal = (edge.from + (0.5 + 0.5 * wave(index, 0.618)) * edge.by).normalize();
                    let (x, y) = normal.any_orthonormal_pair();
                    let (sine, cosine) = libm::sincos(std::f64::consts::PI * wave(index, 0.755));
                    let axes = DMat3::from_cols(normal, cosine * x + sine * y, cosine * y - sine * x);
                    let volume = extents(&axes, &search.graph.vertices).element_product();
                    assert!(volume >= search.limit * (1.0 - 1e-9), "{volume} on {:?}", edge.ends);
                    tried += 1;
                }
            }
        }
        assert!(tried > 100_000, "{tried}");
    }

    /// Compares the bound with the smallest box, for several shares of its objective.
    #[test]
    fn no_box_is_said_to_be_larger_than_the_smallest() {
        let (mut certain, mut tried) = (0, 0);
        for (index, points) in shapes().iter().enumerate() {
            for objective in [Objective::Volume, Objective::SurfaceArea] {
                let hull = ConvexHull::from_points(points).unwrap();
                let mut search = Search::new(&hull, &principal_axes_of_surface(&hull), objective);
                if search.find_limit().is_none() {
                    assert!(!search.is_at_least(0.0), "where nothing is known");
                    continue;
                }
                let axes = search.clone().run();
                let smallest = objective_of(objective, extents(&axes, &search.graph.vertices));
                for share in [1.0 + 1e-6, 1.0 + 1e-3 * (1.0 + wave(index, 0.618)), 1.5] {
                    assert!(!search.is_at_least(share * smallest), "{objective:?}: {share} around {points:?}");
                }
                certain += usize::from(search.is_at_least(0.9 * smallest));
                tried += 1;
            }
        }
        assert!(3 * certain > 2 * tried && tried > 100, "{certain} of {tried}");
    }

    /// Compares the result with the whole search: the same axes to the last bit, or `None` if the smallest box is above
    /// `most`.
    #[test]
    fn a_search_with_a_bar_finds_the_same_box_or_none() {
        let mut tried = 0;
        for (index, points) in shapes().iter().enumerate() {
            for objective in [Objective::Volume, Objective::SurfaceArea] {
                let hull = ConvexHull::from_points(points).unwrap();
                let mut search = Search::new(&hull, &principal_axes_of_surface(&hull), objective);
                if search.find_limit().is_none() {
                    continue;
                }
                let axes = search.clone().run();
                let smallest = objective_of(objective, extents(&axes, &search.graph.vertices));
                for share in [1.0, 1.0 + 1e-9, 1.0 + 1e-3 * (1.0 + wave(index, 0.618)), 1.5] {
                    let found = search.clone().run_unless_above(share * smallest);
                    assert_eq!(found, Some(axes), "{objective:?}: {share} around {points:?}");
                }
                for share in [1.0 - 1e-5, 0.99 + 0.009 * wave(index, 0.618), 0.9, 0.5] {
                    let found = search.clone().run_unless_above(share * smallest);
                    assert_eq!(found, None, "{objective:?}: {share} around {points:?}");
                }
                tried += 1;
            }
        }
        assert!(tried > 100, "{tried}");
    }

    mod corpus {
        use super::*;
        use crate::assign::groups::Groups;
        use crate::options::{Attachments, BakeOptions};
        use crate::skin::bound_mesh::BoundMesh;
        use skinned_model::{ResolveError, ResolveUri, import};
        use std::path::Path;

        /// Resolves files in the folder of a character.
        struct Beside<'a>(&'a Path);

        impl ResolveUri for Beside<'_> {
            fn resolve(&self, uri: &str, _: u64) -> Result<Vec<u8>, ResolveError> {
                std::fs::read(self.0.with_file_name(uri)).map_err(|_| ResolveError::NotFound { uri: uri.into() })
            }
        }

        #[test]
        #[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
        fn boxes_of_bones_are_as_small_as_with_all_edges() {
            let mut groups = 0;
            for path in ::corpus::characters() {
                let model = import(&std::fs::read(&path).unwrap(), &Beside(&path)).unwrap();
                let mesh = BoundMesh::new(&model, Attachments::Include);
                for group in Groups::of_character(&mesh, &BakeOptions::default()).groups {
                    let points = group.patch.bind_points();
                    if ConvexHull::from_points(&points).is_ok_and(|hull| hull.shape() == hull::HullShape::Solid) {
                        let (larger, _) = larger(&points, Objective::Volume);
                        assert!(larger <= 1e-12, "{}, {:?}: by {larger:e}", path.display(), group.joint);
                        groups += 1;
                    }
                }
            }
            assert!(groups > 200, "{groups}");
        }
    }
}
