//! Colors: linear light for computing, sRGB for files, and a color for each joint.

/// Red, green and blue as linear light, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rgb(pub [f32; 3]);

impl Rgb {
    /// Converts from sRGB, written as `0xrrggbb`.
    #[must_use]
    pub fn hex(rrggbb: u32) -> Self {
        Self([16, 8, 0].map(|shift| linear_from_srgb(((rrggbb >> shift) & 0xff) as f32 / 255.0)))
    }

    /// The color with each channel multiplied by `factor`.
    #[must_use]
    pub fn times(self, factor: f32) -> Self {
        Self(self.0.map(|channel| channel * factor))
    }

    /// Converts to sRGB bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 3] {
        self.0.map(byte_from_linear)
    }

    /// The color as `#rrggbb`.
    #[must_use]
    pub fn to_hex(self) -> String {
        let [r, g, b] = self.to_bytes();
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

fn linear_from_srgb(value: f32) -> f32 {
    if value <= 0.04045 { value / 12.92 } else { libm::powf((value + 0.055) / 1.055, 2.4) }
}

/// The transfer function of sRGB, rounded to the nearest byte.
#[must_use]
pub fn byte_from_linear(value: f32) -> u8 {
    let value = value.clamp(0.0, 1.0);
    let encoded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * libm::powf(value, 1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}

/// The color of the `index`-th joint.
///
/// The hues of neighbors in the list differ by the golden angle, because joints near each other in the list are also
/// near each other in the body. The lightness cycles through three steps for people who cannot distinguish hues. The
/// colors are computed in Oklch (Ottosson 2020, "A perceptual color space for image processing"), in which equal steps
/// look equal.
#[must_use]
pub fn of_joint(index: usize) -> Rgb {
    const GOLDEN_ANGLE: f64 = 137.507_764_050_037_85;
    const LIGHTNESS: [f64; 3] = [0.68, 0.58, 0.76];
    let hue = ((20.0 + GOLDEN_ANGLE * index as f64) % 360.0).to_radians();
    let lightness = LIGHTNESS[index % LIGHTNESS.len()];
    // The color has the largest chroma that sRGB allows at this lightness and hue, up to a limit.
    let mut chroma = 0.17;
    loop {
        let (sin, cos) = libm::sincos(hue);
        let rgb = linear_from_oklab(lightness, chroma * cos, chroma * sin);
        if chroma < 0.02 || rgb.iter().all(|channel| (0.0..=1.0).contains(channel)) {
            return Rgb(rgb.map(|channel| channel.clamp(0.0, 1.0) as f32));
        }
        chroma -= 0.005;
    }
}

fn linear_from_oklab(l: f64, a: f64, b: f64) -> [f64; 3] {
    let cube = |x: f64| x * x * x;
    let long = cube(l + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
    let medium = cube(l - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
    let short = cube(l - 0.089_484_177_5 * a - 1.291_485_548_0 * b);
    [
        4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
        -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
        -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srgb_survives_the_round_trip() {
        for byte in 0..=255u32 {
            assert_eq!(Rgb::hex(byte << 16 | byte << 8 | byte).to_bytes(), [byte as u8; 3]);
        }
        assert_eq!(Rgb::hex(0x12_80_fe).to_hex(), "#1280fe");
    }

    #[test]
    fn neighbors_in_the_list_have_different_colors() {
        for index in 0..200 {
            let (a, b) = (of_joint(index).to_bytes(), of_joint(index + 1).to_bytes());
            let distance: u32 = (0..3).map(|i| u32::from(a[i].abs_diff(b[i]))).sum();
            assert!(distance > 80, "{index}: {a:?} {b:?}");
        }
    }
}
