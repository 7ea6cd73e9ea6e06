//! The part of an address behind the question mark.

use anyhow::Context as _;

/// Keys and values, decoded, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads `key=value&…` as a browser writes it.
    pub(crate) fn parse(text: &str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let split = |pair: &str| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(key), decoded(value))
        };
        Self(pairs.map(split).collect())
    }

    /// The first value of that key.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// A finite number.
    pub(crate) fn number(&self, key: &str, default: f32) -> anyhow::Result<f32> {
        let Some(text) = self.get(key) else { return Ok(default) };
        let number = text.parse().ok().filter(|number: &f32| number.is_finite());
        number.with_context(|| format!("{key} = {text:?} is not a number"))
    }

    /// Pairs whose keys begin with `prefix`, without it.
    pub(crate) fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().filter_map(move |(key, value)| Some((key.strip_prefix(prefix)?, value.as_str())))
    }
}

/// `+` is a blank and `%41` an A; what is not well-formed stays as it is.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        let digits = text.get(index + 1..index + 3).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        match (bytes[index], digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                index += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        index += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_browsers_write() {
        let query = Query::parse("id=3&clip=Two+Hand%20%2B%C3%A9&option.fit=pca&option.group=any&flag&id=9");
        assert_eq!(query.get("id"), Some("3"));
        assert_eq!(query.get("clip"), Some("Two Hand +é"));
        assert_eq!(query.get("flag"), Some(""));
        assert_eq!(query.get("fit"), None);
        assert_eq!(query.below("option.").collect::<Vec<_>>(), [("fit", "pca"), ("group", "any")]);
        assert_eq!(query.number("id", 0.0).unwrap(), 3.0);
        assert!(query.number("clip", 0.0).is_err());
    }

    #[test]
    fn nothing_malformed_panics() {
        for text in ["%", "%4", "%zz", "a=%é", "==&&", "%+1=%-1", "é%C3"] {
            Query::parse(text);
        }
        assert_eq!(Query::parse("a=100%25%").get("a"), Some("100%%"));
        assert!(Query::parse("a=NaN").number("a", 0.0).is_err());
    }
}
