//! The codecs for triangle lists and for other sequences of indices.

use super::{Stream, parts, unzigzag};

/// Checks that an index has the size of u16 or u32.
fn check_stride(stride: usize) -> Result<(), String> {
    match stride {
        2 | 4 => Ok(()),
        _ => Err(format!("an index has {stride} bytes, expected 2 or 4")),
    }
}

/// Appends an index. If indices have two bytes, the upper half is dropped, as the specification says.
fn push(data: &mut Vec<u8>, index: u32, stride: usize) {
    data.extend(&index.to_le_bytes()[..stride]);
}

/// Mode INDICES: each index is a difference to one of two running values.
pub(super) fn decode_sequence(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    check_stride(stride)?;
    let (header, mut stream, _) = parts(bytes, 4)?;
    if header != 0xd1 {
        return Err(format!("the header is {header:02x}, expected d1"));
    }
    let mut data = Vec::with_capacity(count * stride);
    let mut last = [0u32; 2];
    for _ in 0..count {
        let value = stream.varint()?;
        let last = &mut last[(value & 1) as usize];
        *last = last.wrapping_add(unzigzag(value >> 1));
        push(&mut data, *last, stride);
    }
    stream.end()?;
    Ok(data)
}

/// The last sixteen items, the newest at 0.
struct Recent<T> {
    ring: [T; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new(nothing: T) -> Self {
        Self { ring: [nothing; 16], next: 0 }
    }

    fn push(&mut self, item: T) {
        self.ring[self.next & 15] = item;
        self.next = self.next.wrapping_add(1);
    }

    fn get(&self, age: u8) -> T {
        self.ring[self.next.wrapping_sub(1).wrapping_sub(usize::from(age)) & 15]
    }
}

/// The state of the triangle decoder.
struct Triangles<'a> {
    /// The stream of indices that are neither new nor recent.
    stream: Stream<'a>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The first index that has not occurred yet.
    next: u32,
    /// The last index from the stream.
    last: u32,
}

/// Mode TRIANGLES: one code per triangle says which edge it shares and where its third corner comes from. All codes
/// come first, then the indices, then a table of sixteen frequent pairs of corner codes.
pub(super) fn decode_triangles(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    check_stride(stride)?;
    if !count.is_multiple_of(3) {
        return Err(format!("{count} indices are not a multiple of three, expected triangles"));
    }
    let (header, mut stream, pairs) = parts(bytes, 16)?;
    if header != 0xe1 {
        return Err(format!("the header is {header:02x}, expected e1"));
    }
    let codes = stream.take(count / 3)?;
    let (edges, vertices) = (Recent::new([u32::MAX; 2]), Recent::new(u32::MAX));
    let mut triangles = Triangles { stream, edges, vertices, next: 0, last: 0 };
    let mut data = Vec::with_capacity(count * stride);
    for &code in codes {
        let corners = match code {
            0..0xf0 => triangles.on_edge(code >> 4, code & 15)?,
            0xf0..0xfe => triangles.of_pair(pairs[usize::from(code & 15)]),
            0xfe.. => triangles.free(code == 0xff)?,
        };
        corners.iter().for_each(|&corner| push(&mut data, corner, stride));
    }
    triangles.stream.end()?;
    Ok(data)
}

impl Triangles<'_> {
    fn new_vertex(&mut self) -> u32 {
        let vertex = self.next;
        self.next = self.next.wrapping_add(1);
        vertex
    }

    fn stream_index(&mut self) -> Result<u32, String> {
        self.last = self.last.wrapping_add(unzigzag(self.stream.varint()?));
        Ok(self.last)
    }

    /// A triangle at a recent edge; `third` says where its third corner comes from.
    fn on_edge(&mut self, edge: u8, third: u8) -> Result<[u32; 3], String> {
        let [a, b] = self.edges.get(edge);
        let c = match third {
            0 => self.new_vertex(),
            1..13 => self.vertices.get(third),
            13 | 14 => {
                self.last = if third == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                self.last
            }
            _ => self.stream_index()?,
        };
        if !(1..13).contains(&third) {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// A triangle without a shared edge. Its first corner is new; each other corner is new (0) or recent (its age plus
    /// 1).
    fn of_pair(&mut self, pair: u8) -> [u32; 3] {
        let a = self.new_vertex();
        let [b, c] = [pair >> 4, pair & 15].map(|code| match code {
            0 => self.new_vertex(),
            _ => self.vertices.get(code - 1),
        });
        self.remember([a, b, c], [true, pair >> 4 == 0, pair & 15 == 0]);
        [a, b, c]
    }

    /// A triangle without a shared edge whose codes are in the stream. Code 15 reads the corner from the stream too.
    fn free(&mut self, first_from_stream: bool) -> Result<[u32; 3], String> {
        let pair = self.stream.byte()?;
        if pair == 0 {
            self.next = 0;
        }
        let codes = [if first_from_stream { 15 } else { 0 }, pair >> 4, pair & 15];
        let mut corners = codes.map(|code| match code {
            0 => self.new_vertex(),
            15 => 0,
            _ => self.vertices.get(code - 1),
        });
        for (corner, _) in corners.iter_mut().zip(codes).filter(|(_, code)| *code == 15) {
            *corner = self.stream_index()?;
        }
        self.remember(corners, codes.map(|code| code == 0 || code == 15));
        Ok(corners)
    }

    fn remember(&mut self, [a, b, c]: [u32; 3], not_recent: [bool; 3]) {
        for (vertex, _) in [a, b, c].into_iter().zip(not_recent).filter(|&(_, push)| push) {
            self.vertices.push(vertex);
        }
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
    }
}
