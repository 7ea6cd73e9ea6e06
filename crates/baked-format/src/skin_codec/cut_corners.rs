//! The corners of the source triangles of which a piece has parts, gathered from the parts.

use crate::skin::SkinCut;

/// A source triangle of which a part has a cut as a corner.
#[derive(Clone, Copy)]
struct Parted {
    source_triangle: u32,
    /// Vertices of the piece, ascending, none twice.
    corners: [u32; 3],
    count: usize,
}

/// Source triangles that were cut, sorted by number, each with the vertices that its parts lie between.
pub(crate) struct CutCorners(Vec<Parted>);

impl CutCorners {
    /// Gathers the corners from all triangles of a piece. Returns `None` if parts lie between more than three vertices,
    /// or name a cut that does not exist.
    pub(crate) fn of_triangles(
        triangles: &[[u32; 3]],
        source_triangles: &[u32],
        vertices: usize,
        cuts: &[SkinCut],
    ) -> Option<Self> {
        let is_cut = |corners: &[u32; 3]| corners.iter().any(|&corner| corner as usize >= vertices);
        let all = || triangles.iter().zip(source_triangles);
        let mut numbers: Vec<u32> = all().filter(|(corners, _)| is_cut(corners)).map(|(_, &number)| number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let parted = |source_triangle| Parted { source_triangle, corners: [0; 3], count: 0 };
        let mut found = Self(numbers.into_iter().map(parted).collect());
        for (corners, number) in all() {
            let Ok(index) = found.0.binary_search_by_key(number, |parted| parted.source_triangle) else { continue };
            for &corner in corners {
                match (corner as usize).checked_sub(vertices) {
                    None => found.0[index].add(corner)?,
                    Some(cut) => {
                        cuts.get(cut)?.corners.into_iter().try_for_each(|vertex| found.0[index].add(vertex))?;
                    }
                }
            }
        }
        Some(found)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The number of each source triangle and its vertices.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.0.iter().map(|parted| (parted.source_triangle, &parted.corners[..parted.count]))
    }
}

impl Parted {
    fn add(&mut self, vertex: u32) -> Option<()> {
        let known = &self.corners[..self.count];
        let place = known.partition_point(|&other| other < vertex);
        if known.get(place) != Some(&vertex) {
            if self.count == 3 {
                return None;
            }
            self.corners.copy_within(place..self.count, place + 1);
            self.corners[place] = vertex;
            self.count += 1;
        }
        Some(())
    }
}
