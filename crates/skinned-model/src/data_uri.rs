//! Decodes `data:` URIs (RFC 2397), in base64 or percent-encoding.

use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine as _};

/// The reason why a data URI cannot be decoded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DataUriProblem {
    pub(crate) expected: &'static str,
    pub(crate) found: String,
}

/// Decodes a data URI; `None` if `uri` has another scheme.
pub(crate) fn decode(uri: &str) -> Option<Result<Vec<u8>, DataUriProblem>> {
    let scheme = uri.get(..5)?;
    scheme.eq_ignore_ascii_case("data:").then(|| decode_body(&uri[5..]))
}

fn decode_body(body: &str) -> Result<Vec<u8>, DataUriProblem> {
    let Some((media_type, data)) = body.split_once(',') else {
        return Err(DataUriProblem { expected: "a comma before the data", found: "none".to_owned() });
    };
    let is_base64 = media_type.rsplit(';').next().is_some_and(|word| word.eq_ignore_ascii_case("base64"));
    match is_base64 {
        true if data.contains('%') => base64(&percent(data.as_bytes())?),
        true => base64(data.as_bytes()),
        false => percent(data.as_bytes()),
    }
}

/// Decodes percent-encoding: `%41` becomes `A`, and other characters stay.
pub(crate) fn percent(text: &[u8]) -> Result<Vec<u8>, DataUriProblem> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = tail.first_chunk::<2>().map(|pair| pair.map(|c| char::from(c).to_digit(16)));
        let Some([Some(high), Some(low)]) = digits else {
            let found = tail[..tail.len().min(2)].escape_ascii().to_string();
            return Err(DataUriProblem { expected: "two hexadecimal digits after %", found });
        };
        bytes.push((high * 16 + low) as u8);
        rest = &tail[2..];
    }
    Ok(bytes)
}

/// The standard alphabet (RFC 4648, section 4). Padding may be missing, and the last digit may have unused bits,
/// because some exporters write such data.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes base64. It allocates only the decoded bytes, three for every four digits.
fn base64(text: &[u8]) -> Result<Vec<u8>, DataUriProblem> {
    let padding = text.iter().rev().take_while(|&&c| c == b'=').count();
    let digits = text.len() - padding;
    // One padding character where two are needed means that the text was cut, but the decoder would accept it.
    let is_cut = padding > 2 || digits % 4 == 1 || (padding > 0 && !text.len().is_multiple_of(4));
    let decoded = if is_cut { None } else { Some(BASE64.decode(text)) };
    match decoded {
        Some(Ok(bytes)) => Ok(bytes),
        Some(Err(DecodeError::InvalidByte(at, byte) | DecodeError::InvalidLastSymbol(at, byte))) => {
            let found = format!("{:?} at position {at}", char::from(byte));
            Err(DataUriProblem { expected: "base64 letters A-Z a-z 0-9 + /", found })
        }
        Some(Err(DecodeError::InvalidLength(_) | DecodeError::InvalidPadding)) | None => {
            let found = format!("{digits} digits and {padding} of padding");
            Err(DataUriProblem { expected: "base64 of whole bytes", found })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(uri: &str) -> Vec<u8> {
        decode(uri).unwrap().unwrap()
    }

    #[test]
    fn the_test_vectors_of_rfc_4648() {
        for (plain, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(decoded(&format!("data:application/octet-stream;base64,{encoded}")), plain.as_bytes());
            let unpadded = encoded.trim_end_matches('=');
            assert_eq!(decoded(&format!("data:;base64,{unpadded}")), plain.as_bytes());
        }
    }

    #[test]
    fn percent_encoding_with_and_without_base64() {
        assert_eq!(decoded("data:,a%00%ffb"), b"a\0\xffb");
        assert_eq!(decoded("data:;base64,%2B%2F%3d%3D"), [0xfb]);
    }

    #[test]
    fn errors_name_the_broken_part() {
        for broken in [
            "data:;base64",
            "data:;base64,Zm9vY",
            "data:;base64,Zm9*",
            "data:;base64,Zg===",
            "data:,%",
            "data:,%4",
            "data:,%4x",
            "data:;base64,Zg=",
            "data:;base64,=A==",
        ] {
            assert!(decode(broken).unwrap().is_err(), "{broken}");
        }
        assert!(decode("http://x").is_none());
        assert!(decode("dat").is_none());
    }

    proptest::proptest! {
        #[test]
        fn decoding_reverses_a_simple_encoder(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..40)) {
            let uri = format!("data:application/gltf-buffer;base64,{}", base64::prelude::BASE64_STANDARD.encode(&bytes));
            proptest::prop_assert_eq!(decoded(&uri), bytes);
        }
    }
}
