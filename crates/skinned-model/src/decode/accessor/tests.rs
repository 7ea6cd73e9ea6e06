//! Compares the reader with a slow reference that knows how the accessor was made.

use super::*;
use crate::document::structure;
use proptest::prelude::*;
use serde_json::json;
use test_models::Component as Made;

/// An accessor to make, and the values that must be read from it.
#[derive(Clone, Debug)]
struct Plan {
    component: Made,
    normalized: bool,
    width: usize,
    /// The stored numbers, `width` for each element; `None` for an accessor without a view.
    stored: Option<Vec<f64>>,
    count: usize,
    /// The number of bytes before the first element, and between elements.
    offset: usize,
    gap: usize,
    /// The elements that sparse data replaces, in order, and their new values.
    sparse: Vec<(usize, Vec<f64>)>,
    sparse_index: Made,
}

const COMPONENTS: [Made; 6] = [Made::I8, Made::U8, Made::I16, Made::U16, Made::U32, Made::F32];

/// A number that the component type holds exactly.
fn storable(component: Made, bits: u32) -> f64 {
    match component {
        Made::I8 => f64::from(bits as i8),
        Made::U8 => f64::from(bits as u8),
        Made::I16 => f64::from(bits as i16),
        Made::U16 => f64::from(bits as u16),
        Made::U32 => f64::from(bits),
        Made::F32 => f64::from(bits as i32 as f32 / 1024.0),
    }
}

/// The formulas of glTF 2.0, section 3.6.2.2, in double precision.
fn expected(plan: &Plan, stored: f64) -> f32 {
    let float = match (plan.component, plan.normalized) {
        (Made::U8, true) => stored / 255.0,
        (Made::U16, true) => stored / 65535.0,
        (Made::I8, true) => f64::max(stored / 127.0, -1.0),
        (Made::I16, true) => f64::max(stored / 32767.0, -1.0),
        _ => stored,
    };
    float as f32
}

/// The reference: an array of zeros or stored numbers, in which the sparse elements are replaced one by one.
fn naive(plan: &Plan) -> Vec<f32> {
    let mut numbers = plan.stored.clone().unwrap_or_else(|| vec![0.0; plan.count * plan.width]);
    for (element, values) in &plan.sparse {
        numbers[element * plan.width..][..plan.width].copy_from_slice(values);
    }
    numbers.into_iter().map(|number| expected(plan, number)).collect()
}

fn bytes_of(component: Made, numbers: &[f64]) -> Vec<u8> {
    let mut scratch = test_models::Gltf::new();
    scratch.accessor("SCALAR", component, false, numbers);
    scratch.bin
}

fn made(plan: &Plan) -> test_models::Gltf {
    let mut gltf = test_models::Gltf::new();
    let element = plan.width * plan.component.size();
    let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][plan.width - 1];
    let mut accessor = json!({ "componentType": plan.component as u32, "count": plan.count, "type": kind,
        "normalized": plan.normalized });
    if let Some(stored) = &plan.stored {
        let mut bytes = vec![0xee; plan.offset];
        for numbers in stored.chunks(plan.width) {
            bytes.extend(bytes_of(plan.component, numbers));
            bytes.extend(vec![0xdd; plan.gap]);
        }
        let view = gltf.view(&bytes);
        if plan.gap > 0 {
            gltf.json["bufferViews"][view]["byteStride"] = json!(element + plan.gap);
        }
        accessor["bufferView"] = json!(view);
        accessor["byteOffset"] = json!(plan.offset);
    }
    if !plan.sparse.is_empty() {
        let indices: Vec<f64> = plan.sparse.iter().map(|(element, _)| *element as f64).collect();
        let values: Vec<f64> = plan.sparse.iter().flat_map(|(_, values)| values.clone()).collect();
        let indices = gltf.view(&bytes_of(plan.sparse_index, &indices));
        let values = gltf.view(&bytes_of(plan.component, &values));
        accessor["sparse"] = json!({ "count": plan.sparse.len(), "values": { "bufferView": values },
            "indices": { "bufferView": indices, "componentType": plan.sparse_index as u32 } });
    }
    gltf.push("accessors", accessor);
    gltf.json["buffers"] = json!([{ "byteLength": gltf.bin.len() }]);
    gltf
}

fn with_reader<T>(gltf: &test_models::Gltf, read: impl FnOnce(&Reader<'_>) -> T) -> Result<T, ImportError> {
    let document = Document::parse(gltf.json.to_string().as_bytes())?;
    let budget = Budget::for_json(gltf.bin.len());
    structure::check(&document)?;
    let buffers = vec![Some(gltf.bin.as_slice().into())];
    Ok(read(&Reader::new(&document, &buffers, &budget)))
}

fn plans() -> impl Strategy<Value = Plan> {
    let shape = (0usize..6, any::<bool>(), 1usize..=4, any::<bool>(), 0usize..24, 0usize..9, 0usize..9);
    (shape, proptest::collection::vec(any::<u32>(), 200), proptest::collection::btree_set(0usize..24, 0..8), 0usize..3)
        .prop_map(|((component, normalized, width, stored, count, offset, gap), bits, sparse, sparse_index)| {
            let component = COMPONENTS[component];
            let number = |at: usize| storable(component, bits[at % bits.len()].rotate_left(at as u32 / 7));
            let numbers = (0..count * width).map(number).collect();
            let sparse = sparse.into_iter().filter(|&element| element < count);
            let sparse = sparse.map(|element| (element, (0..width).map(|i| number(element * 31 + i)).collect()));
            Plan {
                component,
                normalized,
                width,
                stored: stored.then_some(numbers),
                count,
                offset,
                gap,
                sparse: sparse.collect(),
                sparse_index: [Made::U8, Made::U16, Made::U32][sparse_index],
            }
        })
}

proptest! {
    #[test]
    fn floats_agree_with_the_reference(plan in plans(), most in 0usize..30) {
        let gltf = made(&plan);
        let read = with_reader(&gltf, |reader| match plan.width {
            1 => reader.floats::<1>(0, most).map(Vec::into_flattened),
            2 => reader.floats::<2>(0, most).map(Vec::into_flattened),
            3 => reader.floats::<3>(0, most).map(Vec::into_flattened),
            _ => reader.floats::<4>(0, most).map(Vec::into_flattened),
        });
        let mut twin = naive(&plan);
        twin.truncate(most * plan.width);
        prop_assert_eq!(read.unwrap().unwrap(), twin);
    }

    #[test]
    fn integers_are_read_as_they_were_stored(plan in plans()) {
        let plan = Plan { normalized: false, width: 4, stored: None, sparse: Vec::new(), ..plan };
        let numbers: Vec<f64> = (0..plan.count * 4).map(|at| storable(plan.component, 77 * at as u32)).collect();
        let plan = Plan { stored: Some(numbers.clone()), ..plan };
        let read = with_reader(&made(&plan), |reader| reader.integers::<4>(0)).unwrap().unwrap();
        let unsigned = matches!(plan.component, Made::U8 | Made::U16 | Made::U32);
        let expected = unsigned.then(|| numbers.iter().map(|&number| number as u32).collect::<Vec<u32>>());
        prop_assert_eq!(read.map(|rows| rows.into_flattened()), expected);
    }

    /// The structural check must find a view that is one byte too short.
    #[test]
    fn a_view_one_byte_short_is_refused(plan in plans()) {
        prop_assume!(plan.stored.is_some() && plan.count > 0);
        let mut gltf = made(&plan);
        let needed = plan.offset + plan.count * (plan.width * plan.component.size() + plan.gap) - plan.gap;
        gltf.json["bufferViews"][0]["byteLength"] = json!(needed);
        prop_assert!(with_reader(&gltf, |_| ()).is_ok());
        gltf.json["bufferViews"][0]["byteLength"] = json!(needed - 1);
        let refused = matches!(with_reader(&gltf, |_| ()), Err(ImportError::Malformed { .. }));
        prop_assert!(refused);
    }
}

#[test]
fn sparse_indices_must_increase_and_stay_below_the_count() {
    for indices in [vec![3, 3], vec![3, 1], vec![1, 5]] {
        let sparse = indices.iter().map(|&element| (element, vec![1.0])).collect();
        let plan = Plan {
            component: Made::F32,
            normalized: false,
            width: 1,
            stored: None,
            count: 5,
            offset: 0,
            gap: 0,
            sparse,
            sparse_index: Made::U8,
        };
        let read = with_reader(&made(&plan), |reader| reader.floats::<1>(0, usize::MAX)).unwrap();
        assert!(matches!(read, Err(ImportError::Malformed { .. })), "{indices:?}");
    }
}
