//! The elements of an FBX file, and its two forms: text and binary.

use std::fmt::Write as _;

/// The version that both forms name.
const VERSION: u32 = 7400;

/// An element: a name, values and elements inside.
pub(crate) struct Element {
    name: &'static str,
    values: Vec<Value>,
    inside: Vec<Element>,
}

/// A value of an element.
pub(crate) enum Value {
    Integer(i64),
    Real(f64),
    Text(String),
    Integers(Vec<i32>),
    Longs(Vec<i64>),
    Reals(Vec<f64>),
}

impl Element {
    pub(crate) fn new(name: &'static str, values: impl IntoIterator<Item = Value>) -> Self {
        Self { name, values: values.into_iter().collect(), inside: Vec::new() }
    }

    pub(crate) fn with(mut self, inside: impl IntoIterator<Item = Self>) -> Self {
        self.inside.extend(inside);
        self
    }

    /// An object: its number, its class and name, and its kind.
    pub(crate) fn object(name: &'static str, number: usize, class: &str, named: &str, kind: &str) -> Self {
        let full = Value::Text(format!("{class}::{named}"));
        Self::new(name, [Value::Integer(number as i64), full, Value::Text(kind.to_owned())])
    }

    fn write_text(&self, depth: usize, text: &mut String) {
        let indent = "\t".repeat(depth);
        let list = |values: Vec<String>| format!("*{} {{\n{indent}\ta: {}\n{indent}}}", values.len(), values.join(","));
        let value = |value: &Value| match value {
            Value::Integer(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Text(text) => format!("\"{text}\""),
            Value::Integers(all) => list(all.iter().map(ToString::to_string).collect()),
            Value::Longs(all) => list(all.iter().map(ToString::to_string).collect()),
            Value::Reals(all) => list(all.iter().map(ToString::to_string).collect()),
        };
        let values: Vec<String> = self.values.iter().map(value).collect();
        write!(text, "{indent}{}: {}", self.name, values.join(", ")).expect("a String grows");
        if !self.inside.is_empty() {
            text.push_str(" {\n");
            self.inside.iter().for_each(|element| element.write_text(depth + 1, text));
            text.push_str(&indent);
            text.push('}');
        }
        text.push('\n');
    }

    fn write_binary(&self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        let mut values = Vec::new();
        self.values.iter().for_each(|value| value.write_binary(&mut values));
        bytes.extend([0; 4]);
        bytes.extend((self.values.len() as u32).to_le_bytes());
        bytes.extend((values.len() as u32).to_le_bytes());
        bytes.push(self.name.len() as u8);
        bytes.extend(self.name.as_bytes());
        bytes.extend(values);
        if !self.inside.is_empty() {
            self.inside.iter().for_each(|element| element.write_binary(bytes));
            bytes.extend([0; 13]);
        }
        let end = (bytes.len() as u32).to_le_bytes();
        bytes[start..start + 4].copy_from_slice(&end);
    }
}

impl Value {
    fn write_binary(&self, bytes: &mut Vec<u8>) {
        // The number of values, no compression, and the number of bytes.
        let list = |letter: u8, count: usize, size: usize| {
            let lengths = [count as u32, 0, (count * size) as u32];
            [letter].into_iter().chain(lengths.into_iter().flat_map(u32::to_le_bytes)).collect::<Vec<u8>>()
        };
        match self {
            Self::Integer(number) => {
                bytes.push(b'L');
                bytes.extend(number.to_le_bytes());
            }
            Self::Real(number) => {
                bytes.push(b'D');
                bytes.extend(number.to_le_bytes());
            }
            Self::Text(text) => {
                // A text file has `Class::Name` in place of these bytes.
                let text = match text.split_once("::") {
                    Some((class, name)) => format!("{name}\0\u{1}{class}"),
                    None => text.clone(),
                };
                bytes.push(b'S');
                bytes.extend((text.len() as u32).to_le_bytes());
                bytes.extend(text.as_bytes());
            }
            Self::Integers(all) => {
                bytes.extend(list(b'i', all.len(), 4));
                bytes.extend(all.iter().flat_map(|number| number.to_le_bytes()));
            }
            Self::Longs(all) => {
                bytes.extend(list(b'l', all.len(), 8));
                bytes.extend(all.iter().flat_map(|number| number.to_le_bytes()));
            }
            Self::Reals(all) => {
                bytes.extend(list(b'd', all.len(), 8));
                bytes.extend(all.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
    }
}

/// The text of a file with these elements.
pub(crate) fn to_text(elements: &[Element]) -> String {
    let mut text = String::from("; FBX 7.4.0 project file\n");
    elements.iter().for_each(|element| element.write_text(0, &mut text));
    text
}

/// The binary form of a file with these elements.
pub(crate) fn to_binary(elements: &[Element]) -> Vec<u8> {
    let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    bytes.extend(VERSION.to_le_bytes());
    elements.iter().for_each(|element| element.write_binary(&mut bytes));
    bytes.extend([0; 13]);
    bytes
}
