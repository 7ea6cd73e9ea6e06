//! Small numbers in half bytes. The lower half of each byte comes first.

use crate::byte_stream::{ByteStream, Decoded, StreamError};

/// Half bytes that are being written at the end of a stream.
pub(crate) struct HalfByteWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// `true` if the upper half of the last byte is free.
    is_half: bool,
}

impl<'a> HalfByteWriter<'a> {
    pub(crate) fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes, is_half: false }
    }

    /// Writes a number below 16.
    pub(crate) fn half(&mut self, half: u8) {
        match self.bytes.last_mut().filter(|_| self.is_half) {
            Some(last) => *last |= half << 4,
            None => self.bytes.push(half & 15),
        }
        self.is_half = !self.is_half;
    }

    /// Writes a whole number: 3 bits a half byte, the lowest first, the high bit set on all half bytes but the last.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 8 {
            self.half(number as u8 & 7 | 8);
            number >>= 3;
        }
        self.half(number as u8);
    }

    /// Writes a signed difference: the differences 0, -1, 1, -2, 2, ... become the numbers 0, 1, 2, 3, 4, ...
    pub(crate) fn difference(&mut self, difference: i64) {
        self.number(((difference << 1) ^ (difference >> 63)) as u64);
    }
}

/// Half bytes that are being read. The last byte may be used in part, and then its upper half is 0.
pub(crate) struct HalfBytes<'s, 'a> {
    stream: &'s mut ByteStream<'a>,
    /// The upper half of the last byte, if it was not read yet.
    upper: Option<u8>,
}

impl<'s, 'a> HalfBytes<'s, 'a> {
    pub(crate) fn new(stream: &'s mut ByteStream<'a>) -> Self {
        Self { stream, upper: None }
    }

    pub(crate) fn half(&mut self) -> Decoded<u8> {
        if let Some(upper) = self.upper.take() {
            return Ok(upper);
        }
        let byte = self.stream.byte()?;
        self.upper = Some(byte >> 4);
        Ok(byte & 15)
    }

    pub(crate) fn number(&mut self) -> Decoded<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(3) {
            let half = self.half()?;
            let bits = u64::from(half & 7);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if half < 8 {
                return Ok(number);
            }
        }
        Err(StreamError("a number has more than 64 bits"))
    }

    pub(crate) fn difference(&mut self) -> Decoded<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Ends the half bytes, so that the stream continues at the next byte.
    pub(crate) fn end(self) -> Decoded<()> {
        match self.upper {
            None | Some(0) => Ok(()),
            Some(_) => Err(StreamError("half bytes end with a half byte that is not 0")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_come_back() {
        let numbers = [0, 1, 7, 8, 63, 64, u64::from(u32::MAX), u64::MAX];
        let differences = [0, -1, 1, 3, -4, 4, i64::from(i32::MIN), i64::MIN, i64::MAX];
        let mut bytes = vec![200];
        let mut writer = HalfByteWriter::new(&mut bytes);
        writer.half(15);
        numbers.iter().for_each(|&number| writer.number(number));
        differences.iter().for_each(|&difference| writer.difference(difference));
        bytes.push(100);
        let mut stream = ByteStream::of_entries(&bytes, 1, 1).unwrap();
        assert_eq!(stream.byte(), Ok(200));
        let mut halves = HalfBytes::new(&mut stream);
        assert_eq!(halves.half(), Ok(15));
        assert_eq!(numbers.map(|_| halves.number().unwrap()), numbers);
        assert_eq!(differences.map(|_| halves.difference().unwrap()), differences);
        assert_eq!(halves.end(), Ok(()));
        assert_eq!((stream.byte(), stream.end()), (Ok(100), Ok(())));
    }

    #[test]
    fn half_bytes_that_are_no_numbers_are_refused() {
        let number = |bytes: &[u8]| HalfBytes::new(&mut ByteStream::of_entries(bytes, 0, 1).unwrap()).number();
        assert!(number(&[0x88]).is_err() && number(&[0xff; 11]).is_err() && number(&[0x88; 12]).is_err());
        assert_eq!(number(&[0x19]), Ok(9));
        let mut stream = ByteStream::of_entries(&[0x21], 1, 1).unwrap();
        let mut odd = HalfBytes::new(&mut stream);
        assert!(odd.half() == Ok(1) && odd.end().is_err());
    }
}
