//! The stream of vertices: runs with the same bindings.

use crate::byte_stream::{ByteStream, Decoded, StreamError, push_after, push_difference};
use crate::limits::MAX_SKIN_BINDINGS;
use crate::skin::{SkinEncoding, SkinPiece};
use glam::Vec3;

/// The contents of the stream.
#[derive(Default)]
pub(crate) struct Vertices {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) influence_counts: Vec<u32>,
    pub(crate) influences: Vec<u16>,
    pub(crate) weights: Vec<f32>,
}

pub(crate) fn encode(piece: &SkinPiece, encoding: SkinEncoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    // An invalid piece may have fewer influences than it says.
    let mut next = 0;
    let mut rows = Vec::with_capacity(piece.positions.len());
    for (&position, count) in piece.positions.iter().zip(piece.influences_per_vertex()) {
        let influences = piece.influences.get(next..next + count).unwrap_or_default();
        let weights = piece.weights.get(next..next + count).unwrap_or_default();
        rows.push((position, influences, weights));
        next += count;
    }
    let mut last = [0; 3];
    for run in rows.chunk_by(|(_, a, _), (_, b, _)| a == b) {
        let bindings = run[0].1;
        push_after(&mut bytes, Some(0), run.len());
        push_after(&mut bytes, Some(0), bindings.len());
        let mut before = None;
        for &binding in bindings {
            push_after(&mut bytes, before, binding.into());
            before = Some(binding.into());
        }
        for &(position, _, weights) in run {
            match encoding.step() {
                None => {
                    position.to_array().iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
                    if weights.len() > 1 {
                        weights.iter().for_each(|weight| bytes.extend_from_slice(&weight.to_le_bytes()));
                    }
                }
                Some(step) => {
                    let steps = position.to_array().map(|coordinate| (f64::from(coordinate) / step) as i64);
                    (0..3).for_each(|axis| push_difference(&mut bytes, steps[axis].wrapping_sub(last[axis])));
                    last = steps;
                    for weight in &weights[..weights.len().saturating_sub(1)] {
                        let units = f64::from(*weight) * SkinEncoding::WEIGHT_UNITS;
                        bytes.extend_from_slice(&(units as u16).to_le_bytes());
                    }
                }
            }
        }
    }
    bytes
}

pub(crate) fn decode(bytes: &[u8], count: usize, encoding: SkinEncoding) -> Decoded<Vertices> {
    let least = if encoding == SkinEncoding::Lossless { 12 } else { 3 };
    let mut stream = ByteStream::of_entries(bytes, count, least)?;
    let mut vertices = Vertices { positions: Vec::with_capacity(count), ..Vertices::default() };
    let mut bindings = Vec::new();
    let mut last = [0; 3];
    while vertices.positions.len() < count {
        let run = stream.after(Some(0), count - vertices.positions.len() + 1)?;
        read_bindings(&mut stream, &mut bindings)?;
        let counts = &mut vertices.influence_counts;
        if bindings.len() < counts.len() {
            return Err(StreamError("vertices are not sorted by their number of influences"));
        }
        counts.resize(bindings.len(), 0);
        counts[bindings.len() - 1] += run as u32;
        for _ in 0..run {
            vertices.influences.extend_from_slice(&bindings);
            match encoding.step() {
                None => {
                    vertices.positions.push(Vec3::new(stream.f32()?, stream.f32()?, stream.f32()?));
                    if bindings.len() == 1 {
                        vertices.weights.push(1.0);
                    } else {
                        for _ in 0..bindings.len() {
                            vertices.weights.push(stream.f32()?);
                        }
                    }
                }
                Some(step) => {
                    for coordinate in &mut last {
                        *coordinate = next_coordinate(*coordinate, stream.difference()?)?;
                    }
                    vertices.positions.push(Vec3::from_array(last.map(|steps| (steps as f64 * step) as f32)));
                    let mut left = SkinEncoding::WEIGHT_UNITS as u32;
                    for _ in 1..bindings.len() {
                        let units = u32::from(stream.u16()?);
                        left = left.checked_sub(units).ok_or(StreamError("weights sum to more than 1"))?;
                        vertices.weights.push(units as f32 / SkinEncoding::WEIGHT_UNITS as f32);
                    }
                    vertices.weights.push(left as f32 / SkinEncoding::WEIGHT_UNITS as f32);
                }
            }
        }
    }
    stream.end()?;
    Ok(vertices)
}

fn read_bindings(stream: &mut ByteStream<'_>, bindings: &mut Vec<u16>) -> Decoded<()> {
    bindings.clear();
    let count = stream.after(Some(0), MAX_SKIN_BINDINGS + 1)?;
    let mut last = None;
    for _ in 0..count {
        let binding = stream.after(last, MAX_SKIN_BINDINGS)?;
        bindings.push(binding as u16);
        last = Some(binding);
    }
    Ok(())
}

fn next_coordinate(last: i64, difference: i64) -> Decoded<i64> {
    let steps = last.checked_add(difference);
    steps.filter(|steps| steps.abs() <= SkinEncoding::MOST_STEPS).ok_or(StreamError("a coordinate is too large"))
}
