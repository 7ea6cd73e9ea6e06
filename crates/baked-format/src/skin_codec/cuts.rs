//! The stream of cuts.

use crate::byte_stream::{ByteStream, Decoded, push_difference, push_near};
use crate::skin::{SkinCut, SkinEncoding, SkinPiece};

pub(crate) fn encode(piece: &SkinPiece, encoding: SkinEncoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    let push_weight = |bytes: &mut Vec<u8>, weight: f32| match encoding {
        SkinEncoding::Lossless => bytes.extend_from_slice(&weight.to_le_bytes()),
        SkinEncoding::Compact { .. } => {
            bytes.extend_from_slice(&((f64::from(weight) * SkinEncoding::WEIGHT_UNITS) as u16).to_le_bytes());
        }
    };
    let mut last = 0;
    for cut in &piece.cuts {
        let [a, b, c] = cut.corners.map(|corner| corner as usize);
        // The lowest bit says whether a third corner follows.
        let step = a as i64 - last as i64;
        push_difference(&mut bytes, 2 * step + i64::from(!cut.is_on_edge()));
        push_near(&mut bytes, a, b);
        push_weight(&mut bytes, cut.weights[1]);
        if !cut.is_on_edge() {
            push_near(&mut bytes, b, c);
            push_weight(&mut bytes, cut.weights[2]);
        }
        last = a;
    }
    bytes
}

pub(crate) fn decode(bytes: &[u8], count: usize, vertices: usize, encoding: SkinEncoding) -> Decoded<Vec<SkinCut>> {
    let mut stream = ByteStream::of_entries(bytes, count, 4)?;
    let mut cuts = Vec::with_capacity(count);
    let weight = |stream: &mut ByteStream<'_>| match encoding {
        SkinEncoding::Lossless => stream.f32(),
        SkinEncoding::Compact { .. } => Ok(f32::from(stream.u16()?) / SkinEncoding::WEIGHT_UNITS as f32),
    };
    let mut last = 0;
    for _ in 0..count {
        let (a, is_inside) = stream.near_with_bit(last, vertices)?;
        let b = stream.near(a, vertices)?;
        let second = weight(&mut stream)?;
        let (c, third) = if is_inside { (stream.near(b, vertices)?, weight(&mut stream)?) } else { (b, 0.0) };
        cuts.push(SkinCut::new([a, b, c].map(|corner| corner as u32), [second, third]));
        last = a;
    }
    stream.end()?;
    Ok(cuts)
}
