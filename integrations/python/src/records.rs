//! Structured numpy arrays, which own their memory.

use glam::{Mat3, Quat, Vec3};
use numpy::PyArray1;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use runtime::BoxPair;

/// The bytes of the records of one array. The fields are added in the order of the dtype, which is packed.
#[derive(Default)]
pub(crate) struct Records {
    bytes: Vec<u8>,
    count: usize,
}

impl Records {
    /// Begins the next record.
    pub(crate) fn record(&mut self) -> &mut Self {
        self.count += 1;
        self
    }

    pub(crate) fn bool(&mut self, value: bool) -> &mut Self {
        self.bytes.push(value.into());
        self
    }

    pub(crate) fn u16(&mut self, value: u16) -> &mut Self {
        self.add(&value.to_ne_bytes())
    }

    pub(crate) fn u32(&mut self, value: u32) -> &mut Self {
        self.add(&value.to_ne_bytes())
    }

    pub(crate) fn i32(&mut self, value: i32) -> &mut Self {
        self.add(&value.to_ne_bytes())
    }

    pub(crate) fn u64(&mut self, value: u64) -> &mut Self {
        self.add(&value.to_ne_bytes())
    }

    pub(crate) fn i64(&mut self, value: i64) -> &mut Self {
        self.add(&value.to_ne_bytes())
    }

    pub(crate) fn f32(&mut self, value: f32) -> &mut Self {
        self.add(&value.to_ne_bytes())
    }

    pub(crate) fn floats<const N: usize>(&mut self, values: [f32; N]) -> &mut Self {
        values.into_iter().fold(self, Self::f32)
    }

    pub(crate) fn vector(&mut self, value: Vec3) -> &mut Self {
        self.floats(value.to_array())
    }

    /// A quaternion in the order x, y, z, w.
    pub(crate) fn rotation(&mut self, value: Quat) -> &mut Self {
        self.floats(value.to_array())
    }

    /// A matrix in row-major order, as numpy stores it.
    pub(crate) fn matrix(&mut self, value: Mat3) -> &mut Self {
        self.floats(value.transpose().to_cols_array())
    }

    /// A text of at most `width` letters, as the dtype `U{width}` stores it.
    pub(crate) fn text(&mut self, text: &str, width: usize) -> &mut Self {
        let letters = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
        letters.fold(self, Self::u32)
    }

    pub(crate) fn pair(&mut self, pair: &BoxPair) -> &mut Self {
        self.u16(pair.joint_a.0).u16(pair.joint_b.0).u16(pair.box_a.0).u16(pair.box_b.0)
    }

    fn add(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// The array with a dtype of `bonebox._dtypes`.
    pub(crate) fn array<'py>(self, py: Python<'py>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
        let dtype = py.import("bonebox._dtypes")?.getattr(dtype)?;
        let size: usize = dtype.getattr("itemsize")?.extract()?;
        if size * self.count != self.bytes.len() {
            return Err(PyRuntimeError::new_err(format!(
                "{} records have {} bytes, but {dtype} has {size} bytes each; this is a mistake in bonebox",
                self.count,
                self.bytes.len()
            )));
        }
        // The view keeps the bytes alive, and nothing else uses them.
        PyArray1::from_vec(py, self.bytes).call_method1("view", (dtype,))
    }
}
