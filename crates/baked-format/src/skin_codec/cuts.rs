//! The cuts of a piece: new cuts, and cuts of earlier pieces.

use crate::byte_stream::{ByteStream, Decoded, StreamError, in_range, push_difference, push_near};
use crate::skin::{SkinCut, SkinEncoding, SkinPiece};
use crate::skin_codec::vertices::KnownVertices;
use std::collections::HashMap;

/// The kinds of cuts, in the lowest bits of the first number of a cut.
const ON_EDGE: i64 = 0;
const INSIDE: i64 = 1;
const KNOWN: i64 = 2;

/// The cuts that were written: the numbers of the corners and the bits of the weights of each, with the number of new cuts
/// before it in the file.
#[derive(Default)]
pub(crate) struct WrittenCuts {
    numbers: HashMap<([u32; 3], [u32; 3]), usize>,
    /// The number after that of the last cut that was named.
    after_named: usize,
}

impl WrittenCuts {
    /// Writes the cuts of a piece. `vertices` has the number of each vertex of the piece.
    pub(crate) fn write(&mut self, bytes: &mut Vec<u8>, piece: &SkinPiece, vertices: &[u32], encoding: SkinEncoding) {
        let push_weight = |bytes: &mut Vec<u8>, weight: f32| match encoding {
            SkinEncoding::Lossless => bytes.extend_from_slice(&weight.to_le_bytes()),
            SkinEncoding::Compact { .. } => {
                bytes.extend_from_slice(&((f64::from(weight) * SkinEncoding::WEIGHT_UNITS) as u16).to_le_bytes());
            }
        };
        let mut last = 0;
        for cut in &piece.cuts {
            // An invalid piece may have cuts between vertices that do not exist.
            let number = |corner: u32| vertices.get(corner as usize).copied().unwrap_or(u32::MAX);
            let content = (cut.corners.map(number), cut.weights.map(f32::to_bits));
            let next = self.numbers.len();
            let number = *self.numbers.entry(content).or_insert(next);
            if number < next {
                push_difference(bytes, 4 * (number as i64 - self.after_named as i64) + KNOWN);
                self.after_named = number + 1;
                continue;
            }
            let [a, b, c] = cut.corners.map(|corner| corner as usize);
            let kind = if cut.is_on_edge() { ON_EDGE } else { INSIDE };
            push_difference(bytes, 4 * (a as i64 - last as i64) + kind);
            push_near(bytes, a, b);
            push_weight(bytes, cut.weights[1]);
            if !cut.is_on_edge() {
                push_near(bytes, b, c);
                push_weight(bytes, cut.weights[2]);
            }
            last = a;
        }
    }
}

/// The cuts that were read, by number. Their corners are numbers of vertices.
#[derive(Default)]
pub(crate) struct KnownCuts {
    cuts: Vec<SkinCut>,
    after_named: usize,
}

impl KnownCuts {
    /// Reads `count` cuts of the piece whose vertices were read last.
    pub(crate) fn read(
        &mut self,
        stream: &mut ByteStream<'_>,
        count: usize,
        vertices: &KnownVertices,
        encoding: SkinEncoding,
    ) -> Decoded<Vec<SkinCut>> {
        stream.expect_entries(count, 1)?;
        let mut cuts = Vec::with_capacity(count);
        let weight = |stream: &mut ByteStream<'_>| match encoding {
            SkinEncoding::Lossless => stream.f32(),
            SkinEncoding::Compact { .. } => Ok(f32::from(stream.u16()?) / SkinEncoding::WEIGHT_UNITS as f32),
        };
        let mut last = 0;
        for _ in 0..count {
            let first = stream.difference()?;
            let near = |other: usize, end: usize| {
                in_range((other as i64).checked_add(first >> 2).and_then(|number| number.try_into().ok()), end)
            };
            let kind = first & 3;
            if kind == KNOWN {
                let number = near(self.after_named, self.cuts.len())?;
                self.after_named = number + 1;
                cuts.push(in_piece(&self.cuts[number], vertices)?);
                continue;
            }
            if kind != ON_EDGE && kind != INSIDE {
                return Err(StreamError("a cut is of an unknown kind"));
            }
            let end = vertices.count();
            let a = near(last, end)?;
            let b = stream.near(a, end)?;
            let second = weight(stream)?;
            let (c, third) = if kind == INSIDE { (stream.near(b, end)?, weight(stream)?) } else { (b, 0.0) };
            let corners = [a, b, c].map(|corner| corner as u32);
            let cut = SkinCut::new(corners, [second, third]);
            self.cuts.push(SkinCut { corners: corners.map(|corner| vertices.number(corner)), ..cut });
            cuts.push(cut);
            last = a;
        }
        Ok(cuts)
    }
}

/// Returns a cut of an earlier piece with its corners as vertices of the current piece.
fn in_piece(cut: &SkinCut, vertices: &KnownVertices) -> Decoded<SkinCut> {
    let mut corners = [0; 3];
    for (corner, number) in corners.iter_mut().zip(cut.corners) {
        *corner = vertices.place(number).ok_or(StreamError("a cut's corner is no vertex of its piece"))?;
    }
    Ok(SkinCut { corners, ..*cut })
}
