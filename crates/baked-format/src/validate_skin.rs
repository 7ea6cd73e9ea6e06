//! Checks everything that readers of a skin may rely on.

use crate::character::BakedCharacter;
use crate::check::{Check, at_most, joint_index, named, shown, text, value, within};
use crate::error::CharacterError;
use crate::limits::{
    CHUNK_TRIANGLES, MAX_MORPH_TARGETS, MAX_SKIN_BINDINGS, MAX_SKIN_MESHES, MAX_TEXTURE_COORDINATE, UNIT_TOLERANCE,
    WEIGHT_TOLERANCE,
};
use crate::skin::{
    Skin, SkinBinding, SkinCut, SkinEncoding, SkinOffset, SkinPiece, SkinPieceOffsets, VertexAttributes,
};
use crate::skin_codec::CutCorners;
use glam::{Vec2, Vec3};
use std::collections::HashSet;

/// The origin of a skin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SkinOrigin {
    /// The decoder, which makes the list of cut triangles from the triangles, so that the list needs no check.
    Decoded,
    /// Anything.
    Unknown,
}

/// Checks all rules that FORMAT.md has for a skin.
pub(crate) fn validate_skin(skin: &Skin, character: &BakedCharacter, origin: SkinOrigin) -> Check {
    within(skin.max_error, 0.0, f32::MAX, "a finite number from 0 up", || "skin.max_error".into())?;
    if let SkinEncoding::Compact { step_exponent } = skin.encoding {
        let (least, most) = (SkinEncoding::LEAST_STEP_EXPONENT, SkinEncoding::MOST_STEP_EXPONENT);
        if !(least..=most).contains(&step_exponent) {
            return Err(value("skin.step_exponent".into(), step_exponent, "a whole number from -100 to 100"));
        }
    }
    let source_triangles = meshes(skin)?;
    bindings(skin, character)?;
    let mut last = None;
    for (index, piece) in skin.pieces.iter().enumerate() {
        joint_index(piece.joint.index(), character, || format!("joint of skin.pieces[{index}]"))?;
        let name = &character.skeleton.joint(piece.joint).name;
        if last.is_some_and(|last| last >= piece.joint) {
            let place = format!("skin.pieces[{index}]");
            return Err(CharacterError::Order { place, found: name.clone(), rule: "sort pieces by joint, none twice" });
        }
        last = Some(piece.joint);
        let place = |field: &str| format!("{field} of skin.pieces[{index}] (joint {name:?})");
        Checker { skin, piece, place: &place, source_triangles, origin }.check()?;
    }
    morph_targets(skin)
}

fn morph_targets(skin: &Skin) -> Check {
    at_most(skin.morph_targets.len(), MAX_MORPH_TARGETS, "morph targets", || "skin".into())?;
    for (index, target) in skin.morph_targets.iter().enumerate() {
        let place = |field: &str| format!("{field} of skin.morph_targets[{index}] ({})", shown(&target.name));
        named(&target.name, || place("name"))?;
        let count = skin.meshes.len();
        if target.mesh as usize >= count {
            return Err(CharacterError::Index {
                place: place("mesh"),
                index: target.mesh.into(),
                what: "meshes",
                count,
            });
        }
        within(target.max_error, 0.0, f32::MAX, "a finite number from 0 up", || place("max_error"))?;
        let before = index.checked_sub(1).map(|before| &skin.morph_targets[before]);
        if before.is_some_and(|before| (before.mesh, before.number) >= (target.mesh, target.number)) {
            let (place, rule) = (place("mesh and number"), "sort morph targets by mesh and number, none twice");
            return Err(CharacterError::Order { place, found: format!("{}, {}", target.mesh, target.number), rule });
        }
        let mut last = None;
        for SkinPieceOffsets { piece, offsets } in &target.pieces {
            let Some(of_piece) = skin.pieces.get(*piece as usize) else {
                let (place, count) = (place("a piece"), skin.pieces.len());
                return Err(CharacterError::Index { place, index: (*piece).into(), what: "pieces", count });
            };
            if last.is_some_and(|last| last >= *piece) {
                let rule = "sort the pieces of a morph target, none twice";
                return Err(CharacterError::Order { place: place("a piece"), found: piece.to_string(), rule });
            }
            last = Some(*piece);
            if offsets.is_empty() {
                return Err(value(place("offsets of a piece"), "empty", "pieces that the target moves only"));
            }
            offsets_of_piece(skin.encoding, of_piece, offsets, &place)?;
        }
    }
    Ok(())
}

fn offsets_of_piece(
    encoding: SkinEncoding,
    piece: &SkinPiece,
    offsets: &[SkinOffset],
    place: &dyn Fn(&str) -> String,
) -> Check {
    for (index, SkinOffset { vertex, offset }) in offsets.iter().enumerate() {
        let count = piece.positions.len();
        if *vertex as usize >= count {
            let place = place("the vertex of an offset");
            return Err(CharacterError::Index { place, index: (*vertex).into(), what: "vertices", count });
        }
        if index > 0 && offsets[index - 1].vertex >= *vertex {
            let (place, found) = (place("the vertex of an offset"), vertex.to_string());
            return Err(CharacterError::Order { place, found, rule: "sort offsets by vertex, no vertex twice" });
        }
        if *offset == Vec3::ZERO || !offset.to_array().iter().all(|&coordinate| is_stored(encoding, coordinate)) {
            let expected = "three finite numbers, not all 0; in a compact skin, multiples of the skin's step";
            return Err(value(place("an offset"), offset, expected));
        }
    }
    Ok(())
}

/// Returns `true` if the encoding can store this coordinate of a position or an offset.
fn is_stored(encoding: SkinEncoding, coordinate: f32) -> bool {
    match encoding.step() {
        None => coordinate.is_finite(),
        // The comparison must be false for NaN, which is not a whole number of steps.
        Some(step) => {
            let steps = f64::from(coordinate) / step;
            steps.fract() == 0.0 && steps.abs() <= SkinEncoding::MOST_STEPS as f64
        }
    }
}

/// Checks the meshes and returns the number of their triangles.
fn meshes(skin: &Skin) -> Result<u32, CharacterError> {
    at_most(skin.meshes.len(), MAX_SKIN_MESHES, "meshes", || "skin".into())?;
    let mut triangles = 0u32;
    for (index, mesh) in skin.meshes.iter().enumerate() {
        text(&mesh.name, || format!("name of skin.meshes[{index}]"))?;
        let sum = triangles.checked_add(mesh.triangles).filter(|sum| *sum < u32::MAX);
        triangles = sum.ok_or_else(|| {
            let found = u64::from(triangles) + u64::from(mesh.triangles);
            value("the number of triangles of skin.meshes".into(), found, "less than 4294967295")
        })?;
    }
    Ok(triangles)
}

fn bindings(skin: &Skin, character: &BakedCharacter) -> Check {
    at_most(skin.bindings.len(), MAX_SKIN_BINDINGS, "bindings", || "skin".into())?;
    let mut known = HashSet::with_capacity(skin.bindings.len());
    for (index, SkinBinding { joint, joint_from_mesh }) in skin.bindings.iter().enumerate() {
        joint_index(joint.index(), character, || format!("joint of skin.bindings[{index}]"))?;
        let numbers = joint_from_mesh.to_cols_array();
        if !numbers.iter().all(|number| number.is_finite()) {
            let place = format!("joint_from_mesh of skin.bindings[{index}]");
            return Err(value(place, format!("{numbers:?}"), "twelve finite numbers"));
        }
        if !known.insert((joint.0, numbers.map(f32::to_bits))) {
            let place = format!("skin.bindings[{index}]");
            return Err(value(place, "the same as an earlier one", "each pair of joint and matrix once"));
        }
    }
    Ok(())
}

/// Checks one piece.
struct Checker<'a> {
    skin: &'a Skin,
    piece: &'a SkinPiece,
    place: &'a dyn Fn(&str) -> String,
    source_triangles: u32,
    origin: SkinOrigin,
}

impl Checker<'_> {
    fn check(&self) -> Check {
        self.positions()?;
        self.influences()?;
        self.cuts()?;
        self.triangles()?;
        if self.origin == SkinOrigin::Unknown {
            self.cut_triangles()?;
        }
        self.attributes()?;
        self.attribute_corners()
    }

    fn positions(&self) -> Check {
        let encoding = self.skin.encoding;
        for position in &self.piece.positions {
            if !position.to_array().iter().all(|&coordinate| is_stored(encoding, coordinate)) {
                let expected = if encoding.step().is_none() {
                    "three finite numbers"
                } else {
                    "three multiples of the skin's step"
                };
                return Err(value((self.place)("a position"), position, expected));
            }
        }
        Ok(())
    }

    fn influences(&self) -> Check {
        let SkinPiece { positions, influence_counts, influences, weights, .. } = self.piece;
        let vertices: u64 = influence_counts.iter().map(|&vertices| u64::from(vertices)).sum();
        if vertices != positions.len() as u64 || influence_counts.last() == Some(&0) {
            let expected = "as many vertices as there are positions, and no 0 at the end";
            return Err(value((self.place)("influence_counts"), format!("{influence_counts:?}"), expected));
        }
        let products = influence_counts.iter().zip(1u64..).map(|(&vertices, count)| u64::from(vertices) * count);
        let all: u64 = products.sum();
        for (field, found) in [("the length of influences", influences.len()), ("the length of weights", weights.len())]
        {
            if found as u64 != all {
                return Err(value((self.place)(field), found, "one entry for each influence of each vertex"));
            }
        }
        let mut next = 0;
        for count in self.piece.influences_per_vertex() {
            let row = next..next + count;
            self.vertex(&influences[row.clone()], &weights[row])?;
            next += count;
        }
        Ok(())
    }

    fn vertex(&self, bindings: &[u16], weights: &[f32]) -> Check {
        let count = self.skin.bindings.len();
        for (index, &binding) in bindings.iter().enumerate() {
            if usize::from(binding) >= count {
                let place = (self.place)("an influence");
                return Err(CharacterError::Index { place, index: binding.into(), what: "bindings", count });
            }
            if index > 0 && bindings[index - 1] >= binding {
                let (place, found) = ((self.place)("an influence"), binding.to_string());
                let rule = "sort the influences of a vertex by binding, none twice";
                return Err(CharacterError::Order { place, found, rule });
            }
        }
        let is_share = |weight: &f32| *weight > 0.0 && *weight <= 1.0;
        let is_stored = |weight: &f32| self.is_stored_weight(*weight);
        let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
        let tolerance = match self.skin.encoding {
            SkinEncoding::Lossless if weights.len() > 1 => f64::from(WEIGHT_TOLERANCE),
            _ => 0.0,
        };
        let is_whole = (sum - 1.0).abs() <= tolerance;
        if weights.iter().all(is_share) && weights.iter().all(is_stored) && is_whole {
            return Ok(());
        }
        let expected = "shares above 0 that sum to 1; in a compact skin, multiples of 1/65536";
        Err(value((self.place)("the weights of a vertex"), format!("{weights:?}"), expected))
    }

    fn is_stored_weight(&self, weight: f32) -> bool {
        let units = f64::from(weight) * SkinEncoding::WEIGHT_UNITS;
        self.skin.encoding == SkinEncoding::Lossless || units.fract() == 0.0
    }

    fn cuts(&self) -> Check {
        let count = self.piece.positions.len();
        for cut in &self.piece.cuts {
            if let Some(&corner) = cut.corners.iter().find(|&&corner| corner as usize >= count) {
                let place = (self.place)("a corner of a cut");
                return Err(CharacterError::Index { place, index: corner.into(), what: "vertices", count });
            }
            let [first, second, third] = cut.weights;
            let is_share = |weight: f32| (0.0..=1.0).contains(&weight) && self.is_stored_weight(weight);
            // A compact cut has 16 bits for the second and the third weight: at most 65,535 units.
            let fits = |weight: f32| self.skin.encoding == SkinEncoding::Lossless || weight < 1.0;
            let is_sound = [first, second, third].into_iter().all(is_share)
                && fits(second)
                && fits(third)
                && *cut == SkinCut::new(cut.corners, [second, third])
                && (third == 0.0 || !cut.is_on_edge());
            if !is_sound {
                let expected = "shares from 0 to 1, where the first is 1 minus the second and the third; on an edge the third is 0";
                return Err(value((self.place)("the weights of a cut"), format!("{:?}", cut.weights), expected));
            }
        }
        Ok(())
    }

    fn triangles(&self) -> Check {
        let SkinPiece { positions, cuts, triangles, chunk_ends, source_triangles, .. } = self.piece;
        let count = positions.len() + cuts.len();
        if triangles.is_empty() {
            return Err(value((self.place)("triangles"), "empty", "a piece for joints with surface only"));
        }
        if let Some(&corner) = triangles.iter().flatten().find(|&&corner| corner as usize >= count) {
            let place = (self.place)("a corner");
            return Err(CharacterError::Index { place, index: corner.into(), what: "vertices and cuts", count });
        }
        if source_triangles.len() != triangles.len() {
            let expected = "one entry for each triangle";
            return Err(value((self.place)("the length of source_triangles"), source_triangles.len(), expected));
        }
        if let Some(&source) = source_triangles.iter().find(|&&source| source >= self.source_triangles) {
            let (place, count) = ((self.place)("a source triangle"), self.source_triangles as usize);
            return Err(CharacterError::Index { place, index: source.into(), what: "triangles of skin.meshes", count });
        }
        let mut start = 0;
        for &end in chunk_ends {
            let is_sound = (end as usize) > start && end as usize <= (start + CHUNK_TRIANGLES).min(triangles.len());
            if !is_sound {
                return Err(value((self.place)("a chunk's end"), end, "1 to 64 triangles more than the one before"));
            }
            if !source_triangles[start..end as usize].is_sorted() {
                let (place, found) = ((self.place)("source_triangles"), format!("chunk before triangle {end}"));
                return Err(CharacterError::Order {
                    place,
                    found,
                    rule: "sort the triangles of a chunk by source triangle",
                });
            }
            start = end as usize;
        }
        if start != triangles.len() {
            return Err(value((self.place)("the last chunk's end"), start, "the number of triangles"));
        }
        Ok(())
    }

    fn cut_triangles(&self) -> Check {
        let SkinPiece { positions, cuts, triangles, source_triangles, cut_triangles, .. } = self.piece;
        let found = CutCorners::of_triangles(triangles, source_triangles, positions.len(), cuts);
        let expected = "each source triangle that was cut, with the vertices that its parts lie between";
        let Some(found) = found.filter(|found| found.len() == cut_triangles.len()) else {
            return Err(value((self.place)("the length of cut_triangles"), cut_triangles.len(), expected));
        };
        for ((source_triangle, vertices), cut) in found.iter().zip(cut_triangles) {
            let is_sound =
                cut.source_triangle == source_triangle && cut.corners.iter().all(|corner| vertices.contains(corner));
            if !is_sound {
                return Err(value((self.place)("cut_triangles"), format!("{cut:?}"), expected));
            }
        }
        Ok(())
    }

    fn attributes(&self) -> Check {
        let (attributes, count) = (&self.piece.attributes, self.piece.positions.len());
        for VertexAttributes { vertex, normal, texture_coordinate } in attributes {
            if *vertex as usize >= count {
                let place = (self.place)("the vertex of an attribute");
                return Err(CharacterError::Index { place, index: (*vertex).into(), what: "vertices", count });
            }
            if let Some(normal) = normal.filter(|normal| !self.is_stored_normal(*normal)) {
                let expected = "a unit vector; in a compact skin, one that the encoding can store";
                return Err(value((self.place)("a normal"), normal, expected));
            }
            if let Some(found) = texture_coordinate.filter(|coordinate| !self.is_stored_texture_coordinate(*coordinate))
            {
                let expected = "two numbers from -65536 to 65536; in a compact skin, multiples of 1/16384";
                return Err(value((self.place)("a texture coordinate"), found, expected));
            }
        }
        if let Some(pair) = attributes.windows(2).find(|pair| pair[0].vertex > pair[1].vertex) {
            let (place, found) = ((self.place)("the vertex of an attribute"), pair[1].vertex.to_string());
            return Err(CharacterError::Order { place, found, rule: "sort attributes by vertex" });
        }
        Ok(())
    }

    fn is_stored_normal(&self, normal: Vec3) -> bool {
        let square: f64 = normal.to_array().into_iter().map(|number| f64::from(number) * f64::from(number)).sum();
        let is_unit = (square - 1.0).abs() <= f64::from(UNIT_TOLERANCE);
        is_unit && self.skin.encoding.round_normal(normal) == normal
    }

    fn is_stored_texture_coordinate(&self, coordinate: Vec2) -> bool {
        let is_in_range = coordinate.to_array().iter().all(|number| number.abs() <= MAX_TEXTURE_COORDINATE);
        is_in_range && self.skin.encoding.round_texture_coordinate(coordinate) == coordinate
    }

    fn attribute_corners(&self) -> Check {
        let SkinPiece { triangles, cut_triangles, attributes, attribute_corners, .. } = self.piece;
        let expected_len = if attributes.is_empty() { 0 } else { triangles.len() };
        if attribute_corners.len() != expected_len {
            let expected = "one entry for each triangle, or none without attributes";
            return Err(value((self.place)("the length of attribute_corners"), attribute_corners.len(), expected));
        }
        let mut of_cut = vec![None; cut_triangles.len()];
        for (triangle, entries) in attribute_corners.iter().enumerate() {
            let corners = self.piece.source_corners(triangle).unwrap_or_default();
            let is_of_corner = |(entry, corner): (&u32, u32)| {
                attributes.get(*entry as usize).is_some_and(|attribute| attribute.vertex == corner)
            };
            let is_equal_to_part = |cut: usize| *of_cut[cut].get_or_insert(*entries) == *entries;
            let is_sound = entries.iter().zip(corners).all(is_of_corner)
                && self.piece.cut_triangle(triangle).is_none_or(is_equal_to_part);
            if !is_sound {
                let expected = "attributes of the source triangle's corners, the same for all its parts";
                return Err(value((self.place)("attribute_corners"), format!("{entries:?}"), expected));
            }
        }
        Ok(())
    }
}
