//! The query of an address, after the question mark.

use anyhow::Context as _;

/// Decoded pairs of key and value, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Parses `key=value&…` as browsers write it.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// The first value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// The value of a key as a finite number, or the default.
    ///
    /// # Errors
    /// Returns an error if the value is no finite number.
    pub fn number(&self, key: &str, default: f32) -> anyhow::Result<f32> {
        let Some(text) = self.get(key) else { return Ok(default) };
        let number = text.parse().ok().filter(|number: &f32| number.is_finite());
        number.with_context(|| format!("{key} = {text:?} is not a number"))
    }

    /// The value of a key as three finite numbers with commas between them.
    ///
    /// # Errors
    /// Returns an error if the key is missing, or the value has another form.
    pub fn vector(&self, key: &str) -> anyhow::Result<[f32; 3]> {
        let text = self.get(key).unwrap_or_default();
        let numbers: Vec<f32> = text.split(',').filter_map(|number| number.parse().ok()).collect();
        let vector = <[f32; 3]>::try_from(numbers).ok().filter(|vector| vector.iter().all(|x| x.is_finite()));
        vector.with_context(|| format!("{key} = {text:?} must be three numbers with commas between them"))
    }

    /// The pairs whose keys begin with `prefix`, without the prefix.
    pub fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().filter_map(move |(key, value)| Some((key.strip_prefix(prefix)?, value.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_of_browsers_are_parsed() {
        let query = Query::parse("id=3&clip=Two+Hand%20%2B%C3%A9&option.fit=pca&option.group=any&flag&id=9");
        assert_eq!(query.get("id"), Some("3"));
        assert_eq!(query.get("clip"), Some("Two Hand +é"));
        assert_eq!(query.get("flag"), Some(""));
        assert_eq!(query.get("fit"), None);
        assert_eq!(query.below("option.").collect::<Vec<_>>(), [("fit", "pca"), ("group", "any")]);
        assert_eq!(query.number("id", 0.0).unwrap(), 3.0);
        assert!(query.number("clip", 0.0).is_err());
        assert_eq!(Query::parse("at=1,-2.5,3e-2").vector("at").unwrap(), [1.0, -2.5, 0.03]);
        for text in ["", "at=1,2", "at=1,2,3,4", "at=1,2,x", "at=1,2,inf"] {
            assert!(Query::parse(text).vector("at").is_err(), "{text}");
        }
    }

    #[test]
    fn malformed_queries_do_not_panic() {
        for text in ["%", "%4", "%zz", "a=%é", "==&&", "%+1=%-1", "é%C3"] {
            let _ = Query::parse(text);
        }
        assert_eq!(Query::parse("a=100%25%").get("a"), Some("100%%"));
        assert!(Query::parse("a=NaN").number("a", 0.0).is_err());
    }
}
