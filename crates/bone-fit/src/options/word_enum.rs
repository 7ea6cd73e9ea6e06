//! Enums whose variants are written as words.

/// One word that an option can be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionWord {
    /// The word as it stands in files and on the command line.
    pub word: &'static str,
    /// The doc comment of the variant, line by line.
    pub(crate) doc: &'static str,
}

impl OptionWord {
    /// What the word means, in one line without a period at its end.
    #[must_use]
    pub fn help(&self) -> String {
        one_line(self.doc)
    }
}

/// The lines of a doc comment as one line without a period at its end.
pub(crate) fn one_line(doc: &str) -> String {
    let line = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    line.strip_suffix('.').unwrap_or(&line).to_owned()
}

/// Defines an enum whose variants each have a word: `WORDS`, `word()` and `from_word()`. The variants' doc comments are
/// the help texts of the words.
macro_rules! word_enum {
    ($(#[doc = $doc:literal])+ $name:ident { $($(#[doc = $variant_doc:literal])+ $variant:ident = $word:literal,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[doc = $variant_doc])+ $variant,)+
        }

        impl $name {
            /// All words, in the order of the variants.
            pub const WORDS: &'static [OptionWord] =
                &[$(OptionWord { word: $word, doc: concat!($($variant_doc, "\n"),+) }),+];

            /// The variant as it stands in options and files.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The variant with exactly this word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl OptionValue for $name {
            fn from_text(text: &str) -> Option<Self> {
                Self::from_word(text)
            }

            fn to_text(&self) -> String {
                self.word().to_owned()
            }
        }
    };
}
pub(crate) use word_enum;
