//! Enums with a keyword for each variant.

/// One keyword that an option can be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionKeyword {
    /// The keyword as it is written in files and on the command line.
    pub keyword: &'static str,
    /// The doc comment of the variant, line by line.
    pub(crate) doc: &'static str,
}

impl OptionKeyword {
    /// Returns what the keyword means, in one line without a period at its end.
    #[must_use]
    pub fn help(&self) -> String {
        one_line(self.doc)
    }
}

/// Joins the lines of a doc comment to one line without a period at its end.
pub(crate) fn one_line(doc: &str) -> String {
    let line = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    line.strip_suffix('.').unwrap_or(&line).to_owned()
}

/// Defines an enum with a keyword for each variant: `KEYWORDS`, `keyword()` and `from_keyword()`. The variants' doc
/// comments are the help texts of the keywords.
macro_rules! keyword_enum {
    ($(#[doc = $doc:literal])+ $name:ident { $($(#[doc = $variant_doc:literal])+ $variant:ident = $keyword:literal,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[doc = $variant_doc])+ $variant,)+
        }

        impl $name {
            /// All keywords, in the order of the variants.
            pub const KEYWORDS: &'static [OptionKeyword] =
                &[$(OptionKeyword { keyword: $keyword, doc: concat!($($variant_doc, "\n"),+) }),+];

            /// Returns the variant's keyword, as it is written in options and files.
            #[must_use]
            pub fn keyword(self) -> &'static str {
                match self { $(Self::$variant => $keyword,)+ }
            }

            /// Returns the variant with exactly this keyword.
            #[must_use]
            pub fn from_keyword(keyword: &str) -> Option<Self> {
                match keyword { $($keyword => Some(Self::$variant),)+ _ => None }
            }
        }

        impl OptionValue for $name {
            fn from_text(text: &str) -> Option<Self> {
                Self::from_keyword(text)
            }

            fn to_text(&self) -> String {
                self.keyword().to_owned()
            }
        }
    };
}
pub(crate) use keyword_enum;
