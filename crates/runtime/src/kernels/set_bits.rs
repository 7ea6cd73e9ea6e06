//! The bits of masks, one after the other.

/// The indices of the bits that are set, in ascending order.
#[inline(always)]
pub(crate) fn set_bits(mask: impl Into<u64>) -> SetBits {
    SetBits(mask.into())
}

/// The bits that [`set_bits`] has not returned yet.
pub(crate) struct SetBits(u64);

impl Iterator for SetBits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::set_bits;

    #[test]
    fn every_bit_that_is_set_and_no_other_comes_once() {
        for mask in [0, 1, 0b1010_0110, 1 << 63, u64::MAX] {
            let expected: Vec<usize> = (0..64).filter(|index| mask >> index & 1 == 1).collect();
            assert_eq!(set_bits(mask).collect::<Vec<_>>(), expected);
        }
        assert_eq!(set_bits(0x8001_u16).collect::<Vec<_>>(), [0, 15]);
    }
}
