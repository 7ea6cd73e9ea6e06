//! Bodies of the fuzz targets. Each takes any bytes and panics if a promise of this crate is broken.

use crate::character::BakedCharacter;
use crate::read::read;
use crate::version::{FORMAT_MINOR_VERSION, HEADER_BYTES};
use crate::write::write;

/// Tests a whole file: every character that [`read`] accepts is valid and can be written and read again.
///
/// # Panics
/// If a promise of this crate is broken.
pub fn file(bytes: &[u8]) {
    if let Ok(character) = read(bytes) {
        accepted(&character);
    }
}

/// Tests a payload with a correct header, so that mutated payloads pass the checksum.
///
/// # Panics
/// If a promise of this crate is broken.
pub fn payload(payload: &[u8]) {
    file(&sealed(payload));
}

/// Returns the file of a payload, with a correct header.
#[must_use]
pub fn sealed(payload: &[u8]) -> Vec<u8> {
    crate::write::seal(FORMAT_MINOR_VERSION, payload)
}

/// Returns the payload of a file, for tests that change it.
#[must_use]
pub fn payload_of(file: &[u8]) -> &[u8] {
    file.get(HEADER_BYTES..).unwrap_or_default()
}

fn accepted(character: &BakedCharacter) {
    assert_eq!(character.validate(), Ok(()), "read returned what validate refuses");
    let bytes = write(character).expect("what read accepts can be written");
    let again = read(&bytes).expect("what was written can be read");
    assert_eq!(&again, character);
    assert_eq!(write(&again).as_ref(), Ok(&bytes), "the same character gave other bytes");
    #[cfg(feature = "json")]
    assert!(!crate::to_json(character).contains("NaN"));
}

/// Returns the bytes of a character without checking it. With these bytes, tests show that [`read`] refuses characters
/// that [`write()`] refuses.
#[must_use]
pub fn write_unchecked(character: &BakedCharacter) -> Vec<u8> {
    crate::write::unchecked(character)
}

/// Returns small files that would need as much memory as the format allows: long lists in which all entries are the
/// same table or string.
#[must_use]
pub fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    use crate::generated::bonebox as wire;
    use planus::{Builder, Offset};
    let finish = |builder: &mut Builder, joints, clips, warnings, envelopes: Vec<Offset<wire::Envelope>>, skin| {
        let source = wire::Source::create(builder, "a.glb", [0; 32], "bomb");
        let none = (None::<Offset<[_]>>, None::<Offset<[_]>>, None::<Offset<wire::Coverage>>);
        let humanoid = None::<Offset<wire::Humanoid>>;
        let skin: Option<Offset<wire::Skin>> = skin;
        let root = wire::Character::create(
            builder,
            "a",
            source,
            none.0,
            joints,
            none.1,
            clips,
            none.2,
            warnings,
            humanoid,
            envelopes,
            skin,
            0,
            None::<Offset<[_]>>,
            None::<Offset<[_]>>,
            None::<Offset<wire::Ragdoll>>,
        );
        crate::write::seal(FORMAT_MINOR_VERSION, builder.finish(root, None))
    };
    let origin = wire::Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    let rotation = wire::Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
    let rest = wire::Trs { translation: origin, rotation, scale: origin };
    let joints = {
        let builder = &mut Builder::new();
        let joint = wire::Joint::create(builder, "a", 0, None::<u16>, true, Some(rest), None::<wire::Affine>);
        finish(builder, vec![joint; crate::limits::MAX_JOINTS], vec![], vec![], vec![], None)
    };
    let warnings = {
        let builder = &mut Builder::new();
        let warning = wire::BakeWarning::create(builder, "", None::<Offset<str>>, "");
        finish(builder, vec![], vec![], vec![warning; crate::limits::MAX_WARNINGS], vec![], None)
    };
    let clips = {
        let builder = &mut Builder::new();
        // The same channel of one key many times, each in the fewest possible bytes.
        let timeline = wire::Timeline::create(builder, [0.0f32].as_slice());
        let timelines = builder.create_vector(vec![timeline]);
        let count = crate::limits::MAX_CHANNELS;
        let channels = [0u8, 0x10, 0, 0, 0, 0, 0, 0, 0, 0].repeat(count);
        let clip = wire::Clip::create(builder, "a", timelines, count as u32, channels.as_slice());
        finish(builder, vec![], vec![clip; crate::limits::MAX_CLIPS], vec![], vec![], None)
    };
    let clip_keys = {
        let builder = &mut Builder::new();
        // Rotations of one byte each.
        let times: Vec<f32> = (0..1 << 20).map(|time| time as f32).collect();
        let mut channels = vec![0u8, 0x11, 0, 0, 1, 0, 0, 0, 0, 0];
        channels.resize(channels.len() + times.len(), 0);
        let timeline = wire::Timeline::create(builder, times.as_slice());
        let timelines = builder.create_vector(vec![timeline]);
        let clip = wire::Clip::create(builder, "a", timelines, 1, channels.as_slice());
        finish(builder, vec![], vec![clip], vec![], vec![], None)
    };
    let envelopes = {
        let builder = &mut Builder::new();
        let (low_x, low_y, low_z, high_x, high_y, high_z) = (0, 0, 0, 0, 0, 0);
        let cluster = wire::Cluster { low_x, low_y, low_z, high_x, high_y, high_z, motions: 0 };
        let clusters = builder.create_vector(vec![cluster; crate::limits::MAX_CLUSTERS]);
        let envelope =
            wire::Envelope::create(builder, 0.0, 0.0, 0.0, None::<Offset<[_]>>, clusters, None::<Offset<[_]>>);
        finish(builder, vec![], vec![], vec![], vec![envelope; crate::limits::MAX_BOXES], None)
    };
    let skin_meshes = {
        let builder = &mut Builder::new();
        let mesh = wire::SkinMesh::create(builder, "", 0, 0);
        let meshes = builder.create_vector(vec![mesh; crate::limits::MAX_SKIN_MESHES]);
        let (encoding, none) = (wire::SkinEncoding::Lossless, None::<Offset<[u8]>>);
        let lists = (None::<Offset<[_]>>, None::<Offset<[_]>>);
        let skin =
            wire::Skin::create(builder, encoding, 0, 0.0, meshes, lists.0, lists.1, 0, none, None::<Offset<[_]>>, none);
        finish(builder, vec![], vec![], vec![], vec![], Some(skin))
    };
    let morphing_skin = |pieces: u32, data: Vec<u8>, targets: usize, offsets: Vec<u8>| {
        let builder = &mut Builder::new();
        let (encoding, meshes) = (wire::SkinEncoding::Compact, None::<Offset<[_]>>);
        let lists = (None::<Offset<[_]>>, None::<Offset<[_]>>);
        let target = (targets > 0).then(|| wire::MorphTarget::create(builder, "a", 0, 0, 0.0));
        let targets = target.map(|target| vec![target; targets]);
        let offsets = targets.is_some().then_some(offsets.as_slice());
        let data = data.as_slice();
        let skin =
            wire::Skin::create(builder, encoding, 0, 0.0, meshes, lists.0, lists.1, pieces, data, targets, offsets);
        finish(builder, vec![], vec![], vec![], vec![], Some(skin))
    };
    let skin = |pieces: u32, data: Vec<u8>| morphing_skin(pieces, data, 0, vec![]);
    // One triangle: 0, 0, 0 of source triangle 0.
    let triangle = [0u8, 0x10, 0x01];
    let skin_pieces = {
        // One vertex and one triangle, in the fewest possible bytes: the second piece and all later ones name the vertex of
        // the first piece.
        let first = [[0u8, 1, 0, 1, 0].as_slice(), &[0, 1, 0, 0, 0, 0], &triangle].concat();
        let other = [[0u8, 1, 0, 1, 0].as_slice(), &[1, 1], &triangle].concat();
        let count = crate::limits::MAX_JOINTS;
        let mut data = first;
        data.extend([[0u8, 1, 0, 1, 0].as_slice(), &[1, 0], &triangle].concat());
        (2..count).for_each(|_| data.extend_from_slice(&other));
        skin(count as u32, data)
    };
    let skin_vertices = {
        // One run of 2^20 vertices without a difference to the one before, and one triangle.
        let mut data = vec![0, 0x80, 0x80, 0x40, 0, 1, 0, 0xfe, 0xff, 0x7f, 1, 0];
        data.extend(vec![0; 3 << 20]);
        data.extend(triangle);
        skin(1, data)
    };
    let shared_skin_vertices = {
        // 2^16 vertices with as many influences as a shared vertex may have, which 64 pieces have.
        let mut data = vec![0, 0x80, 0x80, 4, 0, 1, 0, 0xfe, 0xff, 7, 4, 0, 0, 0, 0];
        data.extend(vec![0; 9 << 16]);
        data.extend(triangle);
        for piece in 1..64 {
            data.extend([0, 0x80, 0x80, 4, 0, 1, 0, 0xff, 0xff, 7]);
            // The first is named by its difference from the number after the last one.
            let back_to_first = if piece == 1 { vec![0] } else { vec![0xff, 0xff, 7] };
            data.extend(back_to_first);
            data.extend(vec![0; (1 << 16) - 1]);
            data.extend(triangle);
        }
        skin(64, data)
    };
    let skin_attributes = {
        // One vertex and one triangle, and 2^20 attributes of one byte each, without a normal and a texture coordinate.
        let mut data = vec![0, 1, 0, 1, 0x80, 0x80, 0x40, 0, 1, 0, 0, 0, 0];
        data.extend(triangle);
        data.extend(vec![0; (1 << 20) + 3]);
        skin(1, data)
    };
    // One vertex and one triangle.
    let one_triangle = || [[0u8, 1, 0, 1, 0].as_slice(), &[0, 1, 0, 0, 0, 0], &triangle].concat();
    let morph_targets = {
        // The same target many times, which moves nothing.
        let count = crate::limits::MAX_MORPH_TARGETS;
        morphing_skin(1, one_triangle(), count, vec![0; count])
    };
    let morph_offsets = {
        // 2^16 vertices, and as many targets as fit that move all of them, each by four bytes.
        let mut data = vec![0, 0x80, 0x80, 4, 0, 1, 0, 0xfe, 0xff, 7, 1, 0];
        data.extend(vec![0; 3 << 16]);
        data.extend(triangle);
        let one = [vec![1u8, 0, 0xff, 0xff, 3], vec![0, 2, 0, 0], vec![0; 4 * ((1 << 16) - 1)]].concat();
        morphing_skin(1, data, 16, one.repeat(16))
    };
    vec![
        ("joints", joints),
        ("warnings", warnings),
        ("clips", clips),
        ("clip keys", clip_keys),
        ("envelopes", envelopes),
        ("skin meshes", skin_meshes),
        ("skin pieces", skin_pieces),
        ("skin vertices", skin_vertices),
        ("shared skin vertices", shared_skin_vertices),
        ("skin attributes", skin_attributes),
        ("morph targets", morph_targets),
        ("morph offsets", morph_offsets),
    ]
}
