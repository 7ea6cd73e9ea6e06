//! The vertices of a piece: runs of new vertices with the same bindings, and runs of vertices of earlier pieces.

use crate::byte_stream::{ByteStream, Decoded, StreamError, push_after, push_difference, push_near, push_number};
use crate::limits::{MAX_SHARED_INFLUENCES, MAX_SKIN_BINDINGS};
use crate::skin::{SkinEncoding, SkinPiece};
use glam::Vec3;
use std::collections::{HashMap, HashSet};

/// The vertices of one piece.
#[derive(Default)]
pub(crate) struct Vertices {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) influence_counts: Vec<u32>,
    pub(crate) influences: Vec<u16>,
    pub(crate) weights: Vec<f32>,
}

/// A vertex of a piece that is written.
#[derive(Clone, Copy)]
struct Row<'a> {
    position: Vec3,
    bindings: &'a [u16],
    weights: &'a [f32],
    /// The number of the same vertex of an earlier piece.
    known: Option<u32>,
}

/// The bits of a position, the bindings, and the bits of the weights.
type Content<'a> = ([u32; 3], &'a [u16], Vec<u32>);

/// The vertices that were written. Each new vertex has a number: the number of new vertices before it in the file.
#[derive(Default)]
pub(crate) struct WrittenVertices<'a> {
    numbers: HashMap<Content<'a>, u32>,
    /// The number of vertices that have a number.
    count: u32,
    last: Last,
}

/// The vertices that differences and bindings refer to, of any piece.
#[derive(Default)]
struct Last {
    /// The coordinates of the last new vertex of a compact skin, in steps.
    steps: [i64; 3],
    /// The bindings of the last run of new vertices; none before the first run.
    bindings: Vec<u16>,
    /// The number after that of the last vertex that was named.
    after_named: usize,
}

impl<'a> WrittenVertices<'a> {
    /// Writes the vertices of a piece. Returns the number of each.
    pub(crate) fn write(&mut self, bytes: &mut Vec<u8>, piece: &'a SkinPiece, encoding: SkinEncoding) -> Vec<u32> {
        let (rows, numbers) = self.number(piece);
        let is_same_run = |a: &Row<'_>, b: &Row<'_>| match (a.known, b.known) {
            (None, None) => a.bindings == b.bindings,
            (a, b) => a.is_some() && b.is_some(),
        };
        for run in rows.chunk_by(is_same_run) {
            let is_known = run[0].known.is_some();
            push_number(bytes, 2 * (run.len() as u64 - 1) + u64::from(is_known));
            if !is_known {
                self.last.push_bindings(bytes, run[0].bindings);
            }
            for row in run {
                match row.known {
                    Some(number) => {
                        push_near(bytes, self.last.after_named, number as usize);
                        self.last.after_named = number as usize + 1;
                    }
                    None => self.last.push_vertex(bytes, row, encoding),
                }
            }
        }
        numbers
    }

    /// Returns the vertices of a piece and their numbers. A piece names a vertex of an earlier piece once at most.
    fn number(&mut self, piece: &'a SkinPiece) -> (Vec<Row<'a>>, Vec<u32>) {
        let first_of_piece = self.count;
        let mut named = HashSet::new();
        let mut rows = Vec::with_capacity(piece.positions.len());
        let mut numbers = Vec::with_capacity(piece.positions.len());
        // An invalid piece may have fewer influences than it says.
        let mut next = 0;
        for (&position, count) in piece.positions.iter().zip(piece.influences_per_vertex()) {
            let bindings = piece.influences.get(next..next + count).unwrap_or_default();
            let weights = piece.weights.get(next..next + count).unwrap_or_default();
            next += count;
            let bits = |number: &f32| number.to_bits();
            let content = (position.to_array().map(f32::to_bits), bindings, weights.iter().map(bits).collect());
            let number = *self.numbers.entry(content).or_insert(self.count);
            let is_known = number < first_of_piece && bindings.len() <= MAX_SHARED_INFLUENCES && named.insert(number);
            let known = is_known.then_some(number);
            numbers.push(known.unwrap_or(self.count));
            self.count += u32::from(!is_known);
            rows.push(Row { position, bindings, weights, known });
        }
        (rows, numbers)
    }
}

impl Last {
    fn push_bindings(&mut self, bytes: &mut Vec<u8>, bindings: &[u16]) {
        if self.bindings == bindings {
            push_number(bytes, 0);
            return;
        }
        push_number(bytes, bindings.len() as u64);
        let mut before = None;
        for &binding in bindings {
            push_after(bytes, before, binding.into());
            before = Some(binding.into());
        }
        self.bindings = bindings.to_vec();
    }

    fn push_vertex(&mut self, bytes: &mut Vec<u8>, row: &Row<'_>, encoding: SkinEncoding) {
        match encoding.step() {
            None => {
                row.position.to_array().iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
                if row.weights.len() > 1 {
                    row.weights.iter().for_each(|weight| bytes.extend_from_slice(&weight.to_le_bytes()));
                }
            }
            Some(step) => {
                let steps = row.position.to_array().map(|coordinate| (f64::from(coordinate) / step) as i64);
                (0..3).for_each(|axis| push_difference(bytes, steps[axis].wrapping_sub(self.steps[axis])));
                self.steps = steps;
                for weight in &row.weights[..row.weights.len().saturating_sub(1)] {
                    let units = f64::from(*weight) * SkinEncoding::WEIGHT_UNITS;
                    bytes.extend_from_slice(&(units as u16).to_le_bytes());
                }
            }
        }
    }
}

/// The place of a vertex that was read, with its influences.
#[derive(Clone, Copy)]
struct KnownVertex {
    /// The piece, an index into the pieces that were read.
    piece: u32,
    /// The vertex, an index into the piece's positions.
    vertex: u32,
    /// The first of the influences, an index into the piece's influences.
    first_influence: u32,
    influences: u32,
}

/// The vertices that were read, by number.
#[derive(Default)]
pub(crate) struct KnownVertices {
    vertices: Vec<KnownVertex>,
    /// The last place of each vertex in a piece. It belongs to the current piece if [`KnownVertices::numbers`] has the vertex
    /// there.
    places: Vec<u32>,
    /// The number of each vertex of the current piece.
    numbers: Vec<u32>,
    last: Last,
}

impl KnownVertices {
    /// Returns the place in the current piece of the vertex with this number; `None` if the piece does not have the vertex.
    pub(crate) fn place(&self, number: u32) -> Option<u32> {
        let place = *self.places.get(number as usize)?;
        (self.numbers.get(place as usize) == Some(&number)).then_some(place)
    }

    /// Returns how many vertices the current piece has.
    pub(crate) fn count(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the number of a vertex of the current piece.
    pub(crate) fn number(&self, vertex: u32) -> u32 {
        self.numbers[vertex as usize]
    }

    /// Reads `count` vertices of the piece after `pieces`.
    pub(crate) fn read(
        &mut self,
        stream: &mut ByteStream<'_>,
        count: usize,
        pieces: &[SkinPiece],
        encoding: SkinEncoding,
    ) -> Decoded<Vertices> {
        stream.expect_entries(count, 1)?;
        let mut found = Vertices {
            positions: Vec::with_capacity(count),
            influence_counts: Vec::new(),
            influences: Vec::with_capacity(count),
            weights: Vec::with_capacity(count),
        };
        self.numbers.clear();
        let of_earlier_pieces = self.vertices.len();
        while found.positions.len() < count {
            let number = stream.below(2 * (count - found.positions.len()))?;
            let run = number / 2 + 1;
            if number % 2 == 0 {
                self.last.read_bindings(stream)?;
                found.add_to_counts(self.last.bindings.len(), run)?;
                for _ in 0..run {
                    self.vertices.push(KnownVertex {
                        piece: pieces.len() as u32,
                        vertex: found.positions.len() as u32,
                        first_influence: found.influences.len() as u32,
                        influences: self.last.bindings.len() as u32,
                    });
                    self.places.push(found.positions.len() as u32);
                    self.numbers.push(self.vertices.len() as u32 - 1);
                    self.last.read_vertex(stream, encoding, &mut found)?;
                }
            } else {
                for _ in 0..run {
                    self.read_named(stream, of_earlier_pieces, pieces, &mut found)?;
                }
            }
        }
        Ok(found)
    }

    /// Reads the number of a vertex of an earlier piece, and copies the vertex.
    fn read_named(
        &mut self,
        stream: &mut ByteStream<'_>,
        of_earlier_pieces: usize,
        pieces: &[SkinPiece],
        found: &mut Vertices,
    ) -> Decoded<()> {
        let number = stream.near(self.last.after_named, of_earlier_pieces)?;
        self.last.after_named = number + 1;
        let KnownVertex { piece, vertex, first_influence, influences } = self.vertices[number];
        if influences as usize > MAX_SHARED_INFLUENCES {
            return Err(StreamError("a vertex of an earlier piece has too many influences"));
        }
        if self.place(number as u32).is_some() {
            return Err(StreamError("a piece names a vertex twice"));
        }
        let piece = &pieces[piece as usize];
        let range = first_influence as usize..(first_influence + influences) as usize;
        found.add_to_counts(influences as usize, 1)?;
        self.places[number] = found.positions.len() as u32;
        self.numbers.push(number as u32);
        found.positions.push(piece.positions[vertex as usize]);
        found.influences.extend_from_slice(&piece.influences[range.clone()]);
        found.weights.extend_from_slice(&piece.weights[range]);
        Ok(())
    }
}

impl Vertices {
    fn add_to_counts(&mut self, influences: usize, vertices: usize) -> Decoded<()> {
        let counts = &mut self.influence_counts;
        if influences < counts.len() {
            return Err(StreamError("vertices are not sorted by their number of influences"));
        }
        counts.resize(influences, 0);
        counts[influences - 1] += vertices as u32;
        Ok(())
    }
}

impl Last {
    fn read_bindings(&mut self, stream: &mut ByteStream<'_>) -> Decoded<()> {
        let count = stream.below(MAX_SKIN_BINDINGS + 1)?;
        if count == 0 {
            let is_first = self.bindings.is_empty();
            return if is_first { Err(StreamError("the first vertices have no bindings")) } else { Ok(()) };
        }
        self.bindings.clear();
        let mut last = None;
        for _ in 0..count {
            let binding = stream.after(last, MAX_SKIN_BINDINGS)?;
            self.bindings.push(binding as u16);
            last = Some(binding);
        }
        Ok(())
    }

    fn read_vertex(
        &mut self,
        stream: &mut ByteStream<'_>,
        encoding: SkinEncoding,
        found: &mut Vertices,
    ) -> Decoded<()> {
        found.influences.extend_from_slice(&self.bindings);
        match encoding.step() {
            None => {
                found.positions.push(Vec3::new(stream.f32()?, stream.f32()?, stream.f32()?));
                if self.bindings.len() == 1 {
                    found.weights.push(1.0);
                } else {
                    for _ in 0..self.bindings.len() {
                        found.weights.push(stream.f32()?);
                    }
                }
            }
            Some(step) => {
                for coordinate in &mut self.steps {
                    *coordinate = next_coordinate(*coordinate, stream.difference()?)?;
                }
                found.positions.push(Vec3::from_array(self.steps.map(|steps| (steps as f64 * step) as f32)));
                let mut left = SkinEncoding::WEIGHT_UNITS as u32;
                for _ in 1..self.bindings.len() {
                    let units = u32::from(stream.u16()?);
                    left = left.checked_sub(units).ok_or(StreamError("weights sum to more than 1"))?;
                    found.weights.push(units as f32 / SkinEncoding::WEIGHT_UNITS as f32);
                }
                found.weights.push(left as f32 / SkinEncoding::WEIGHT_UNITS as f32);
            }
        }
        Ok(())
    }
}

fn next_coordinate(last: i64, difference: i64) -> Decoded<i64> {
    let steps = last.checked_add(difference);
    steps.filter(|steps| steps.abs() <= SkinEncoding::MOST_STEPS).ok_or(StreamError("a coordinate is too large"))
}
