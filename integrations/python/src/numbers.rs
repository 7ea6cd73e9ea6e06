//! Arrays of numbers from Python: shapes, dtypes and values are checked, and messages name the argument.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The largest distance of a number of a matrix's last row from 0, 0, 0, 1.
const LAST_ROW_TOLERANCE: f32 = 1e-6;

/// Numbers with their shape, in C order.
struct Numbers {
    shape: Vec<usize>,
    values: Vec<f32>,
}

/// Reads an array, or anything that numpy can make an array of, as finite `f32` values.
fn numbers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Numbers> {
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (value,)).map_err(|error| {
        PyTypeError::new_err(format!("{name} cannot be read as an array of numbers: {error}; pass a numpy array"))
    })?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "f" | "i" | "u") {
        return Err(PyTypeError::new_err(format!(
            "{name} has the dtype {dtype}, expected float32 or float64; convert it with .astype(numpy.float32)"
        )));
    }
    // As f64, because numpy would warn about numbers that are too large for f32, and the check below names them.
    let contiguous = numpy.call_method1("ascontiguousarray", (&array, "float64"))?;
    // numpy makes an array of one dimension of a number; the shape is that of the argument.
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let contiguous = contiguous.cast::<PyArrayDyn<f64>>()?.readonly();
    let values = contiguous.as_slice()?.iter().map(|&value| value as f32).collect();
    Ok(Numbers { shape, values })
}

impl Numbers {
    fn check_finite(&self, name: &str) -> PyResult<()> {
        let Some(at) = self.values.iter().position(|value| !value.is_finite()) else { return Ok(()) };
        let mut index = vec![0; self.shape.len()];
        let mut rest = at;
        for (axis, length) in self.shape.iter().enumerate().rev() {
            index[axis] = rest % length;
            rest /= length;
        }
        let index: Vec<String> = index.iter().map(usize::to_string).collect();
        Err(PyValueError::new_err(format!(
            "{name}[{}] is {} as float32, expected a finite number; look for a division by zero where it is computed",
            index.join(", "),
            self.values[at]
        )))
    }
}

fn wrong_shape(name: &str, expected: &str, found: &[usize], advice: &str) -> PyErr {
    let found: Vec<String> = found.iter().map(usize::to_string).collect();
    let comma = if found.len() == 1 { "," } else { "" };
    PyValueError::new_err(format!("{name} has the shape ({}{comma}), expected {expected}{advice}", found.join(", ")))
}

/// A matrix of shape (4, 4) for column vectors: the translation is in `[:3, 3]`.
pub(crate) fn matrix(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Affine3A> {
    let numbers = numbers(name, value)?;
    if numbers.shape != [4, 4] {
        return Err(wrong_shape(name, "(4, 4)", &numbers.shape, ""));
    }
    numbers.check_finite(name)?;
    affine(name, &numbers.values, "")
}

/// Matrices of shape (count, 4, 4); `what` says what each one is for.
pub(crate) fn matrices(name: &str, value: &Bound<'_, PyAny>, count: usize, what: &str) -> PyResult<Vec<Affine3A>> {
    let numbers = numbers(name, value)?;
    if numbers.shape != [count, 4, 4] {
        let advice = format!("; pass one matrix for each {what}, in the order of Bake.joints");
        return Err(wrong_shape(name, &format!("({count}, 4, 4)"), &numbers.shape, &advice));
    }
    numbers.check_finite(name)?;
    let each = numbers.values.chunks_exact(16).enumerate();
    each.map(|(index, values)| affine(name, values, &format!("{index}, "))).collect()
}

/// The affine map of 16 numbers in row-major order.
fn affine(name: &str, rows: &[f32], index: &str) -> PyResult<Affine3A> {
    let at = |row: usize, column: usize| rows[4 * row + column];
    let column = |column: usize| Vec3A::new(at(0, column), at(1, column), at(2, column));
    let last = [at(3, 0), at(3, 1), at(3, 2), at(3, 3)];
    if last.iter().zip([0.0, 0.0, 0.0, 1.0]).any(|(found, expected)| (found - expected).abs() > LAST_ROW_TOLERANCE) {
        let advice = if column(3) == Vec3A::ZERO {
            "; the translation belongs into [:3, 3]: transpose the matrix, with .swapaxes(-1, -2)"
        } else {
            "; pass an affine matrix for column vectors, with the translation in [:3, 3]"
        };
        return Err(PyValueError::new_err(format!(
            "the last row {name}[{index}3] is {last:?}, expected [0, 0, 0, 1]{advice}"
        )));
    }
    Ok(Affine3A { matrix3: Mat3A::from_cols(column(0), column(1), column(2)), translation: column(3) })
}

/// Points or directions of shape (n, 3).
pub(crate) fn vectors(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec3>> {
    let numbers = numbers(name, value)?;
    if numbers.shape.len() != 2 || numbers.shape[1] != 3 {
        let advice = if numbers.shape == [3] { "; for a single one, pass [x]" } else { "" };
        return Err(wrong_shape(name, "(n, 3)", &numbers.shape, advice));
    }
    numbers.check_finite(name)?;
    Ok(numbers.values.chunks_exact(3).map(Vec3::from_slice).collect())
}

/// Affine maps as an array of shape (n, 4, 4), for column vectors.
pub(crate) fn array_of_matrices<'py>(py: Python<'py>, matrices: &[Affine3A]) -> PyResult<Bound<'py, PyAny>> {
    let mut values = Vec::with_capacity(16 * matrices.len());
    for matrix in matrices {
        let (linear, place) = (matrix.matrix3, matrix.translation);
        for row in 0..3 {
            values.extend([linear.x_axis[row], linear.y_axis[row], linear.z_axis[row], place[row]]);
        }
        values.extend([0.0, 0.0, 0.0, 1.0]);
    }
    array(py, values, &[matrices.len(), 4, 4])
}

/// Points as an array, whose last dimension is 3.
pub(crate) fn array_of_points<'py>(py: Python<'py>, points: &[Vec3], shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    array(py, points.iter().flat_map(|point| point.to_array()).collect(), shape)
}

fn array<'py>(py: Python<'py>, values: Vec<f32>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    numpy::PyArray1::from_vec(py, values).call_method1("reshape", (shape.to_vec(),))
}
