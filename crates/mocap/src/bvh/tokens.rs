//! Splits a BVH text into words.

use super::error::BvhError;

pub(crate) const DAMAGED: &str = "the file is damaged or is not a BVH file: export it again";

/// Reads words from the start of a text.
pub(crate) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

/// A word and its byte offset in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) offset: usize,
}

impl Word<'_> {
    pub(crate) fn is(&self, keyword: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(keyword.as_bytes())
    }
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        // Some programs start the text with a byte order mark.
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { text, at }
    }

    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| is_blank(byte)) {
            self.at += 1;
        }
    }

    /// Returns the next word without consuming it; empty at the end. A brace is a word.
    pub(crate) fn peek(&mut self) -> Word<'a> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let length = match rest.first() {
            Some(b'{' | b'}') => 1,
            _ => rest.iter().take_while(|&&byte| !is_blank(byte) && byte != b'{' && byte != b'}').count(),
        };
        Word { bytes: &rest[..length], offset: self.at }
    }

    pub(crate) fn next(&mut self) -> Word<'a> {
        let word = self.peek();
        self.at += word.bytes.len();
        word
    }

    /// Reads the rest of the line up to a brace as a name, without spaces at its ends. Names may contain spaces.
    pub(crate) fn name(&mut self) -> Result<String, BvhError> {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r' | b'{' | b'}')).count();
        let name = String::from_utf8_lossy(rest[..length].trim_ascii()).trim().to_owned();
        if name.is_empty() {
            let (place, found) = (self.at, quoted(self.peek().bytes));
            return Err(BvhError::at(self.text, place, "the joint's name", found, DAMAGED));
        }
        self.at += length;
        Ok(name)
    }

    /// Reads the next word, which must be `keyword`.
    pub(crate) fn expect(&mut self, keyword: &str) -> Result<(), BvhError> {
        if !self.peek().is(keyword) {
            return Err(self.wrong(keyword));
        }
        self.next();
        Ok(())
    }

    /// Reads a finite number.
    pub(crate) fn number(&mut self, what: &str) -> Result<f32, BvhError> {
        let word = self.peek();
        let number = std::str::from_utf8(word.bytes).ok().and_then(|text| text.parse::<f32>().ok());
        match number.filter(|number| number.is_finite()) {
            Some(number) => {
                self.next();
                Ok(number)
            }
            None => Err(self.wrong(&format!("{what}, a finite number with a decimal point"))),
        }
    }

    /// Reads a whole number.
    pub(crate) fn count(&mut self, what: &str) -> Result<u64, BvhError> {
        let word = self.peek();
        match std::str::from_utf8(word.bytes).ok().and_then(|text| text.parse::<u64>().ok()) {
            Some(count) => {
                self.next();
                Ok(count)
            }
            None => Err(self.wrong(&format!("{what}, a whole number"))),
        }
    }

    /// Makes an error about the next word.
    pub(crate) fn wrong(&mut self, expected: &str) -> BvhError {
        let word = self.peek();
        BvhError::at(self.text, word.offset, expected, quoted(word.bytes), DAMAGED)
    }

    /// Makes an error about an earlier word.
    pub(crate) fn wrong_at(&self, offset: usize, expected: &str, found: String, cure: &'static str) -> BvhError {
        BvhError::at(self.text, offset, expected, found, cure)
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        self.peek().bytes.is_empty()
    }
}

fn is_blank(byte: u8) -> bool {
    // Some programs end the text with a zero byte.
    byte.is_ascii_whitespace() || byte == 0 || byte == 0x0b
}

/// The word in quotes, escaped, and shortened if it is long.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    if bytes.is_empty() {
        return "the end of the text".to_owned();
    }
    let cut = &bytes[..bytes.len().min(LONGEST)];
    let dots = if cut.len() < bytes.len() { "..." } else { "" };
    format!("{:?}{dots}", String::from_utf8_lossy(cut))
}
