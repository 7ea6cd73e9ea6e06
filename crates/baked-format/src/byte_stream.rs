//! Numbers in a stream of bytes: little-endian, and whole numbers of any size in as few bytes as they need.

/// The reason why a stream cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamError(pub(crate) &'static str);

pub(crate) type Decoded<T> = Result<T, StreamError>;

const CUT_OFF: StreamError = StreamError("the bytes end too early");

/// Writes a whole number: 7 bits a byte, the lowest first, the high bit set on all bytes but the last (LEB128).
pub(crate) fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Writes a signed difference: the differences 0, -1, 1, -2, 2, ... become the numbers 0, 1, 2, 3, 4, ...
pub(crate) fn push_difference(bytes: &mut Vec<u8>, difference: i64) {
    push_number(bytes, ((difference << 1) ^ (difference >> 63)) as u64);
}

/// The bytes of a stream that were not read yet.
pub(crate) struct ByteStream<'a>(&'a [u8]);

impl<'a> ByteStream<'a> {
    /// A stream of `count` entries, each of which takes `least` bytes or more.
    ///
    /// With this check, memory for `count` entries is bounded by the number of bytes.
    pub(crate) fn of_entries(bytes: &'a [u8], count: usize, least: usize) -> Decoded<Self> {
        let stream = Self(bytes);
        stream.expect_entries(count, least)?;
        Ok(stream)
    }

    /// Checks that the bytes that are left can hold `count` entries, each of which takes `least` bytes or more.
    pub(crate) fn expect_entries(&self, count: usize, least: usize) -> Decoded<()> {
        if self.0.len() / least < count { Err(CUT_OFF) } else { Ok(()) }
    }

    pub(crate) fn byte(&mut self) -> Decoded<u8> {
        let (&first, rest) = self.0.split_first().ok_or(CUT_OFF)?;
        self.0 = rest;
        Ok(first)
    }

    pub(crate) fn i8(&mut self) -> Decoded<i8> {
        Ok(self.byte()? as i8)
    }

    /// Reads `count` bytes without decoding them.
    pub(crate) fn slice(&mut self, count: usize) -> Decoded<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(CUT_OFF)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn bytes<const N: usize>(&mut self) -> Decoded<[u8; N]> {
        let (&bytes, rest) = self.0.split_first_chunk().ok_or(CUT_OFF)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn u16(&mut self) -> Decoded<u16> {
        Ok(u16::from_le_bytes(self.bytes()?))
    }

    pub(crate) fn f32(&mut self) -> Decoded<f32> {
        Ok(f32::from_le_bytes(self.bytes()?))
    }

    pub(crate) fn number(&mut self) -> Decoded<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(StreamError("a number has more than 64 bits"))
    }

    pub(crate) fn difference(&mut self) -> Decoded<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A whole number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> Decoded<usize> {
        in_range(self.number()?.try_into().ok(), end)
    }

    /// A number below `end`, stored as its difference from another.
    pub(crate) fn near(&mut self, other: usize, end: usize) -> Decoded<usize> {
        let difference = self.difference()?;
        let number = (other as i64).checked_add(difference);
        in_range(number.and_then(|number| number.try_into().ok()), end)
    }

    /// A number above `last` and below `end`, stored as the distance from the smallest number that it can be. `None` is
    /// below all numbers.
    pub(crate) fn after(&mut self, last: Option<usize>, end: usize) -> Decoded<usize> {
        let first = last.map_or(0, |last| last as u64 + 1);
        let number = self.number()?.checked_add(first);
        in_range(number.and_then(|number| number.try_into().ok()), end)
    }

    /// Ends the stream; returns an error if bytes are left.
    pub(crate) fn end(self) -> Decoded<()> {
        if self.0.is_empty() { Ok(()) } else { Err(StreamError("there are more bytes than entries")) }
    }
}

pub(crate) fn in_range(number: Option<usize>, end: usize) -> Decoded<usize> {
    number.filter(|number| *number < end).ok_or(StreamError("a number or an index is too large"))
}

/// Writes a number that [`ByteStream::near`] reads.
pub(crate) fn push_near(bytes: &mut Vec<u8>, other: usize, number: usize) {
    push_difference(bytes, number as i64 - other as i64);
}

/// Writes a number that [`ByteStream::after`] reads.
pub(crate) fn push_after(bytes: &mut Vec<u8>, last: Option<usize>, number: usize) {
    let first = last.map_or(0, |last| last + 1);
    push_number(bytes, number.wrapping_sub(first) as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_come_back() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), u64::MAX];
        let differences = [0, -1, 1, 63, -64, 64, i64::from(i32::MIN), i64::MIN, i64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| push_number(&mut bytes, number));
        differences.iter().for_each(|&difference| push_difference(&mut bytes, difference));
        let mut stream = ByteStream(&bytes);
        assert_eq!(numbers.map(|_| stream.number().unwrap()), numbers);
        assert_eq!(differences.map(|_| stream.difference().unwrap()), differences);
        assert_eq!(stream.end(), Ok(()));
    }

    #[test]
    fn bytes_that_are_no_numbers_are_refused() {
        let number = |bytes: &[u8]| ByteStream(bytes).number();
        assert_eq!(number(&[0x80]), Err(CUT_OFF));
        assert!(number(&[0xff; 10]).is_err() && number(&[0x80; 11]).is_err());
        assert!(number(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]).is_err());
        assert!(ByteStream(&[5]).below(5).is_err() && ByteStream(&[4]).below(5).is_ok());
        assert!(ByteStream(&[1]).near(0, 5).is_err() && ByteStream(&[2]).near(3, 5) == Ok(4));
        assert!(ByteStream(&[2]).after(Some(2), 5).is_err() && ByteStream(&[1]).after(Some(2), 5) == Ok(4));
        assert!(ByteStream::of_entries(&[0; 11], 4, 3).is_err() && ByteStream(&[0]).end().is_err());
    }
}
