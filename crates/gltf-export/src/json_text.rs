//! JSON edited as text, so that everything an edit does not touch keeps its bytes.
//!
//! A parser and a printer would change numbers, the order of members and blanks. So a small scanner finds the range of
//! each value in the text, and edits insert text at these places. The only value that is ever replaced is the length of
//! a buffer.

use std::ops::Range;

/// A JSON value and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Span {
    /// The bytes of the value in the text.
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
}

/// The kind of a value, with its parts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Members with their keys as written, without quotes.
    Object(Vec<(String, Span)>),
    Array(Vec<Span>),
    /// A string, a number, or a word such as `true`.
    Leaf,
}

impl Span {
    /// Returns the member of that key.
    pub(crate) fn get(&self, key: &str) -> Option<&Span> {
        self.members().iter().find(|(known, _)| known == key).map(|(_, span)| span)
    }

    /// Returns the members with their keys; none if the value is not an object.
    pub(crate) fn members(&self) -> &[(String, Span)] {
        if let Kind::Object(members) = &self.kind { members } else { &[] }
    }

    /// Returns the elements; none if the value is not an array.
    pub(crate) fn elements(&self) -> &[Span] {
        if let Kind::Array(elements) = &self.kind { elements } else { &[] }
    }

    /// Returns true if the value is an object.
    pub(crate) fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    fn is_empty(&self) -> bool {
        match &self.kind {
            Kind::Object(members) => members.is_empty(),
            Kind::Array(elements) => elements.is_empty(),
            Kind::Leaf => false,
        }
    }
}

/// Texts to insert, each with the bytes of the original that it replaces.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Adds elements to an array, or members (`"key": value`) to an object, after the existing ones and after those that were
    /// added before. An empty text adds nothing.
    pub(crate) fn append(&mut self, to: &Span, text: &str) {
        if text.is_empty() {
            return;
        }
        let end = to.range.end - 1;
        let first = to.is_empty() && !self.0.iter().any(|(at, _)| at.start == end);
        let comma = if first { "" } else { "," };
        self.0.push((end..end, format!("{comma}{text}")));
    }

    /// Replaces a value. A value may be replaced only once.
    pub(crate) fn replace(&mut self, value: &Span, text: String) {
        self.0.push((value.range.clone(), text));
    }

    /// Returns the text with all edits.
    pub(crate) fn apply(mut self, text: &[u8]) -> Vec<u8> {
        // Stable: texts that were added at the same place keep their order.
        self.0.sort_by_key(|(at, _)| at.start);
        let mut edited = Vec::with_capacity(text.len() + self.0.iter().map(|(_, text)| text.len()).sum::<usize>());
        let mut done = 0;
        for (at, insertion) in self.0 {
            edited.extend_from_slice(&text[done..at.start]);
            edited.extend_from_slice(insertion.as_bytes());
            done = at.end;
        }
        edited.extend_from_slice(&text[done..]);
        edited
    }
}

/// Scans a JSON text that a real parser has accepted. Returns `None` if the text is not JSON or nests deeper than 128.
pub(crate) fn scan(text: &[u8]) -> Option<Span> {
    let mut scanner = Scanner { bytes: text, at: 0 };
    let span = scanner.value(0)?;
    scanner.blanks();
    (scanner.at == text.len()).then_some(span)
}

const DEEPEST: usize = 128;

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Option<Span> {
        self.blanks();
        let start = self.at;
        let kind = match self.peek()? {
            _ if depth > DEEPEST => return None,
            b'{' => Kind::Object(self.list(b'}', |scanner| {
                let key = scanner.key()?;
                Some((key, scanner.value(depth + 1)?))
            })?),
            b'[' => Kind::Array(self.list(b']', |scanner| scanner.value(depth + 1))?),
            b'"' => {
                self.string()?;
                Kind::Leaf
            }
            _ => {
                while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) {
                    self.at += 1;
                }
                Kind::Leaf
            }
        };
        (self.at > start).then_some(Span { range: start..self.at, kind })
    }

    /// Reads from the opening bracket at the cursor to after the closing one.
    fn list<T>(&mut self, close: u8, mut element: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.at += 1;
        let mut elements = Vec::new();
        self.blanks();
        if self.take(close).is_some() {
            return Some(elements);
        }
        loop {
            elements.push(element(self)?);
            self.blanks();
            if self.take(close).is_some() {
                return Some(elements);
            }
            self.take(b',')?;
        }
    }

    fn key(&mut self) -> Option<String> {
        self.blanks();
        let key = self.string()?;
        self.blanks();
        self.take(b':')?;
        Some(key)
    }

    /// Reads the string at the cursor; escapes stay as they are.
    fn string(&mut self) -> Option<String> {
        self.take(b'"')?;
        let start = self.at;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        // Importers skip most texts, so they may accept bytes that are not UTF-8.
        let text = String::from_utf8_lossy(self.bytes.get(start..self.at)?).into_owned();
        self.at += 1;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserts_and_leaves_the_rest_alone() {
        let text = "{ \"a\" : [ 1.50 , { } ],\n\t\"b\": {\"c\\\"}\": [] } }";
        let root = scan(text.as_bytes()).unwrap();
        let mut edits = Edits::default();
        edits.append(root.get("a").unwrap(), "2");
        edits.append(&root.get("a").unwrap().elements()[1], "\"x\":1");
        edits.append(&root.get("a").unwrap().elements()[1], "\"y\":2");
        edits.append(root.get("b").unwrap().get("c\\\"}").unwrap(), "true");
        edits.append(&root, "\"d\":null");
        edits.replace(&root.get("a").unwrap().elements()[0], "7".into());
        let edited = String::from_utf8(edits.apply(text.as_bytes())).unwrap();
        assert_eq!(edited, "{ \"a\" : [ 7 , { \"x\":1,\"y\":2} ,2],\n\t\"b\": {\"c\\\"}\": [true] } ,\"d\":null}");
        serde_json::from_str::<serde_json::Value>(&edited).unwrap();
    }

    #[test]
    fn gives_up_on_what_is_no_json() {
        for text in ["", "{", "[1,", "{\"a\" 1}", "\"open", "[1] 2", "\"\\", "[,]"] {
            assert_eq!(scan(text.as_bytes()), None, "{text}");
        }
        assert_eq!(scan(&[b'['; 100_000]), None);
    }

    #[test]
    fn finds_what_a_parser_finds() {
        let text = r#"{"nodes":[{"name":"a","children":[1,2]},{"matrix":[1e-3,-2]}],"asset":{"version":"2.0"}}"#;
        let root = scan(text.as_bytes()).unwrap();
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let nodes = root.get("nodes").unwrap().elements();
        for (span, node) in nodes.iter().zip(value["nodes"].as_array().unwrap()) {
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text[span.range.clone()]).unwrap(), *node);
        }
    }
}
