//! The possible values of an option: parsing a value from text, and writing it as text.

use crate::options::keyword_enum::OptionKeyword;
use crate::options::nearest_name::{did_you_mean, nearest_name};
use skeleton::NamePattern;

/// The possible values of an option or a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// One of these words.
    Keywords(&'static [OptionKeyword]),
    /// One of these words, or a whole number in this range.
    KeywordsOrWhole(&'static [OptionKeyword], Range<u32>),
    /// A number in this range.
    Number(Range<f64>),
    /// A whole number in this range.
    Whole(Range<u32>),
    /// A list of patterns for joint names; as text, separated by commas.
    Patterns,
}

/// The numbers that an option can be set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range<T> {
    /// The least number of the range, in `unit`.
    pub least: T,
    /// True if the number must be above `least`, and not equal to it.
    pub above: bool,
    /// The greatest number of the range, in `unit`.
    pub most: T,
    /// The unit, with its reference: `share of the character's height`.
    pub unit: &'static str,
    /// True if the word `auto` can stand for a number.
    pub auto: bool,
}

/// The greatest value of options that count.
pub(crate) const MOST_WHOLE: u32 = 1 << 30;

/// The greatest number of options without a maximum: it only keeps results finite, and texts for people leave it out.
pub(crate) const NO_MAXIMUM: f64 = 1e6;

/// What stands before a pattern that may match nothing. Only the checks of settings need it.
pub const MAY_BE_MISSING: &str = "optional:";

impl OptionKind {
    pub(crate) const fn number(least: f64, most: f64, unit: &'static str) -> Self {
        Self::Number(Range { least, above: false, most, unit, auto: false })
    }

    pub(crate) const fn number_above(least: f64, most: f64, unit: &'static str) -> Self {
        Self::Number(Range { least, above: true, most, unit, auto: false })
    }

    pub(crate) const fn number_or_auto(least: f64, most: f64, unit: &'static str) -> Self {
        Self::Number(Range { least, above: false, most, unit, auto: true })
    }

    pub(crate) const fn whole(least: u32, unit: &'static str) -> Self {
        Self::Whole(Range { least, above: false, most: MOST_WHOLE, unit, auto: false })
    }

    pub(crate) const fn whole_or_auto(least: u32, unit: &'static str) -> Self {
        Self::Whole(Range { least, above: false, most: MOST_WHOLE, unit, auto: true })
    }

    /// The values for a command's help: `volume | surface-area`, `0 to 1, share of the character's height`.
    #[must_use]
    pub fn values(&self) -> String {
        match self {
            Self::Keywords(words) => words.iter().map(|one| one.keyword).collect::<Vec<_>>().join(" | "),
            Self::KeywordsOrWhole(words, range) => {
                format!("{} | {}", Self::Keywords(words).values(), Self::Whole(*range).values())
            }
            Self::Number(range) => {
                let above = if range.above { "above " } else { "" };
                let most = if range.most < NO_MAXIMUM { format!("to {}", range.most) } else { "or more".to_owned() };
                format!("{}{above}{} {most}, {}", auto(range, "auto | "), range.least, range.unit)
            }
            Self::Whole(range) => {
                let most = if range.most < MOST_WHOLE { format!("to {}", range.most) } else { "or more".to_owned() };
                format!("{}{} {most}, {}", auto(range, "auto | "), range.least, range.unit)
            }
            Self::Patterns => "patterns for names: *hand*, finger?".to_owned(),
        }
    }

    /// The expected value in the words of an error message: `a number from 0 to 1 (share of the character's height)`.
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            Self::Keywords(words) => {
                let words: Vec<String> = words.iter().map(|one| format!("{:?}", one.keyword)).collect();
                let (last, others) = words.split_last().map_or((String::new(), &[][..]), |(last, o)| (last.clone(), o));
                if others.is_empty() { last } else { format!("{} or {last}", others.join(", ")) }
            }
            Self::KeywordsOrWhole(words, range) => {
                let words: Vec<String> = words.iter().map(|one| format!("{:?}", one.keyword)).collect();
                format!("{} or {}", words.join(", "), Self::Whole(*range).expected())
            }
            Self::Number(range) => {
                let least = if range.above { "above" } else { "from" };
                let auto = auto(range, "\"auto\" or ");
                if range.most < NO_MAXIMUM {
                    format!("{auto}a number {least} {} to {} ({})", range.least, range.most, range.unit)
                } else {
                    format!("{auto}a number {least} {} ({})", range.least, range.unit)
                }
            }
            Self::Whole(range) => {
                let auto = auto(range, "\"auto\" or ");
                format!("{auto}a whole number from {} to {} ({})", range.least, range.most, range.unit)
            }
            Self::Patterns => "patterns for names, \"*hand*\" or a list of patterns".to_owned(),
        }
    }

    /// Returns true if a number is in the range.
    #[must_use]
    pub fn allows(&self, number: f64) -> bool {
        let allows =
            |least: f64, above: bool, most: f64| number <= most && if above { number > least } else { number >= least };
        match self {
            Self::Number(range) => allows(range.least, range.above, range.most),
            Self::Whole(range) | Self::KeywordsOrWhole(_, range) => {
                allows(range.least.into(), range.above, range.most.into()) && number.fract() == 0.0
            }
            Self::Keywords(_) | Self::Patterns => false,
        }
    }

    /// Reads a value of this kind.
    pub(crate) fn read<T: OptionValue>(&self, key: &'static str, text: &str) -> Result<T, OptionError> {
        let may_be = match self {
            Self::Number(Range { auto, .. }) | Self::Whole(Range { auto, .. }) if text == "auto" => *auto,
            Self::KeywordsOrWhole(words, _) if words.iter().any(|one| one.keyword == text) => true,
            Self::Number(_) | Self::Whole(_) | Self::KeywordsOrWhole(..) => {
                text.trim().parse().is_ok_and(|number| self.allows(number))
            }
            Self::Keywords(_) | Self::Patterns => true,
        };
        let value = if may_be { T::from_text(text) } else { None };
        value.ok_or_else(|| OptionError::InvalidValue {
            key,
            value: text.to_owned(),
            expected: self.expected(),
            nearest: match self {
                Self::Keywords(words) | Self::KeywordsOrWhole(words, _) => {
                    nearest_name(text, words.iter().map(|one| one.keyword))
                }
                _ => None,
            },
        })
    }
}

fn auto<T>(range: &Range<T>, text: &'static str) -> &'static str {
    if range.auto { text } else { "" }
}

/// A value of an option: read from text, written as text. Ranges are checked by [`OptionKind`].
pub(crate) trait OptionValue: Sized {
    fn from_text(text: &str) -> Option<Self>;
    fn to_text(&self) -> String;
}

impl OptionValue for f64 {
    fn from_text(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }

    fn to_text(&self) -> String {
        self.to_string()
    }
}

impl OptionValue for usize {
    fn from_text(text: &str) -> Option<Self> {
        text.trim().parse().ok()
    }

    fn to_text(&self) -> String {
        self.to_string()
    }
}

/// `None` is `auto`.
impl<T: OptionValue> OptionValue for Option<T> {
    fn from_text(text: &str) -> Option<Self> {
        if text == "auto" { Some(None) } else { T::from_text(text).map(Some) }
    }

    fn to_text(&self) -> String {
        self.as_ref().map_or_else(|| "auto".to_owned(), T::to_text)
    }
}

impl OptionValue for Vec<NamePattern> {
    fn from_text(text: &str) -> Option<Self> {
        let without_mark = |pattern: NamePattern| match pattern.as_str().strip_prefix(MAY_BE_MISSING) {
            Some(rest) => NamePattern::new(rest.trim_start()),
            None => pattern,
        };
        Some(NamePattern::list(text).into_iter().map(without_mark).collect())
    }

    fn to_text(&self) -> String {
        self.iter().map(NamePattern::as_str).collect::<Vec<_>>().join(",")
    }
}

/// The reason why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No option has this key. Use one of [`BakeOption::ALL`](crate::BakeOption::ALL).
    #[error("there is no option {key:?}{}", did_you_mean(*nearest))]
    UnknownKey {
        /// The key that was given.
        key: String,
        /// The key that was probably meant.
        nearest: Option<&'static str>,
    },
    /// The value is no word of the option, or no number in its range.
    #[error("{key} is {value:?}, but must be {expected}{}", did_you_mean(*nearest))]
    InvalidValue {
        /// The key of the option.
        key: &'static str,
        /// The value that was given.
        value: String,
        /// The possible values of the option, in words.
        expected: String,
        /// The word that was probably meant.
        nearest: Option<&'static str>,
    },
}
