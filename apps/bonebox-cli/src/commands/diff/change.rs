//! The list of changes between two bakes, and its words.

use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A thing that only one bake has, or that differs between the bakes: a line of the output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Change {
    #[serde(rename = "change")]
    pub(crate) kind: Kind,
    /// The part of the file, such as `clip`.
    pub(crate) part: &'static str,
    /// The thing's name among the things of its part; `None` if there is only one.
    pub(crate) name: Option<String>,
    /// The fields that differ; for a thing that only one bake has, the fields that describe it.
    pub(crate) fields: Vec<Field>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Only the new bake has the thing.
    Added,
    /// Only the old bake has the thing.
    Removed,
    /// Both bakes have the thing, and it differs.
    Changed,
}

/// A field of a thing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Field {
    field: String,
    /// The difference in words.
    text: String,
    /// The old value, if the value is short and the old bake has one.
    #[serde(skip_serializing_if = "Value::is_null")]
    old: Value,
    /// The new value, if the value is short and the new bake has one.
    #[serde(skip_serializing_if = "Value::is_null")]
    new: Value,
}

impl Change {
    /// A change of a thing that both bakes have; `None` if no field differs.
    pub(super) fn changed(part: &'static str, name: Option<&str>, fields: Fields) -> Option<Self> {
        let change = Self { kind: Kind::Changed, part, name: name.map(str::to_owned), fields: fields.0 };
        (!change.fields.is_empty()).then_some(change)
    }

    /// A thing that only one bake has.
    fn only_one<T>(
        kind: Kind,
        part: &'static str,
        name: Option<&str>,
        thing: T,
        described: impl Fn(T) -> String,
    ) -> Self {
        let mut fields = Fields::default();
        fields.note("content", described(thing));
        Self { kind, part, name: name.map(str::to_owned), fields: fields.0 }
    }

    /// The change of a thing that each bake has or does not have.
    pub(super) fn optional<T: Copy>(
        part: &'static str,
        sides: [Option<T>; 2],
        described: impl Fn(T) -> String,
        compared: impl Fn(T, T, &mut Fields),
    ) -> Option<Self> {
        match sides {
            [None, None] => None,
            [None, Some(new)] => Some(Self::only_one(Kind::Added, part, None, new, described)),
            [Some(old), None] => Some(Self::only_one(Kind::Removed, part, None, old, described)),
            [Some(old), Some(new)] => {
                let mut fields = Fields::default();
                compared(old, new, &mut fields);
                Self::changed(part, None, fields)
            }
        }
    }
}

/// Things with their names, in the order of the file.
pub(super) type Named<T> = Vec<(String, T)>;

/// Gives each thing a name. From its second use on, a name has a number: `head (2)`.
pub(super) fn named<T>(things: impl IntoIterator<Item = T>, name: impl Fn(&T) -> String) -> Named<T> {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    let numbered = things.into_iter().map(|thing| {
        let name = name(&thing);
        let number = uses.entry(name.clone()).or_default();
        *number += 1;
        (if *number == 1 { name } else { format!("{name} ({number})") }, thing)
    });
    numbered.collect()
}

/// Adds the changes between two lists of things, which are matched by their names: first the things of the old list in its
/// order, then those that only the new list has. If the common things have another order, this is a change of its own.
pub(super) fn compare_lists<T: Copy>(
    changes: &mut Vec<Change>,
    part: &'static str,
    [old, new]: [Named<T>; 2],
    described: impl Fn(T) -> String,
    compared: impl Fn(T, T, &mut Fields),
) {
    let in_old: BTreeSet<&String> = old.iter().map(|(name, _)| name).collect();
    let in_new: BTreeMap<&String, usize> = new.iter().enumerate().map(|(index, (name, _))| (name, index)).collect();
    let mut places = Vec::new();
    for (name, before) in &old {
        let Some(&place) = in_new.get(name) else {
            changes.push(Change::only_one(Kind::Removed, part, Some(name), *before, &described));
            continue;
        };
        places.push(place);
        let mut fields = Fields::default();
        compared(*before, new[place].1, &mut fields);
        changes.extend(Change::changed(part, Some(name), fields));
    }
    for (name, after) in new.iter().filter(|(name, _)| !in_old.contains(name)) {
        changes.push(Change::only_one(Kind::Added, part, Some(name), *after, &described));
    }
    if !places.is_sorted() {
        let mut fields = Fields::default();
        fields.note("order", "the order differs".into());
        changes.extend(Change::changed(part, None, fields));
    }
}

/// The fields of a thing that differ.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Vec<Field>);

impl Fields {
    /// Adds a field with words of its own.
    pub(super) fn note(&mut self, field: impl Into<String>, text: String) {
        self.0.push(Field { field: field.into(), text, old: Value::Null, new: Value::Null });
    }

    /// Adds a field if its values differ. `Value::Null` stands for no value.
    pub(super) fn value(&mut self, field: impl Into<String>, old: impl Into<Value>, new: impl Into<Value>) {
        let field = field.into();
        let label = format!("{field} ");
        self.labeled(field, &label, old.into(), new.into());
    }

    /// Adds the only field of a thing if its values differ. The words do not name the field.
    pub(super) fn only_value(&mut self, field: &str, old: &str, new: &str) {
        self.labeled(field.to_owned(), "", old.into(), new.into());
    }

    fn labeled(&mut self, field: String, label: &str, old: Value, new: Value) {
        if old != new {
            let [before, after] = different_words(&old, &new);
            let text = format!("{label}{before} -> {after}");
            self.0.push(Field { field, text, old, new });
        }
    }

    /// Adds a list if it differs: its lengths, or the number of its elements that differ.
    pub(super) fn list<T: PartialEq>(&mut self, field: &str, old: &[T], new: &[T]) {
        self.rows(field, old, new, |old, new| [("", old == new)]);
    }

    /// Adds a list of structs if it differs: its lengths, or for each field of the structs the number of elements in which
    /// this field differs. `same` says for each field whether two structs have the same value.
    pub(super) fn rows<T, const N: usize>(
        &mut self,
        list: &str,
        old: &[T],
        new: &[T],
        same: impl Fn(&T, &T) -> [(&'static str, bool); N],
    ) {
        if old.len() != new.len() {
            return self.value(list, old.len(), new.len());
        }
        let mut different = [("", 0); N];
        for (old, new) in old.iter().zip(new) {
            for (sum, (field, same)) in different.iter_mut().zip(same(old, new)) {
                *sum = (field, sum.1 + usize::from(!same));
            }
        }
        for (field, count) in different.into_iter().filter(|(_, count)| *count > 0) {
            let differ = format!("{count} of {} {list} differ", old.len());
            match field {
                "" => self.note(list, differ),
                field => self.note(format!("{list}.{field}"), format!("{field} of {differ}")),
            }
        }
    }
}

/// A number with as many digits as the file has.
pub(super) fn number(number: f32) -> Value {
    // The shortest decimal that reads back to the same `f32`.
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// At most four of these names, and the number of the others.
pub(super) fn some_of(names: &[String]) -> String {
    const SHOWN: usize = 4;
    match names.get(SHOWN..) {
        None | Some([]) => names.join(", "),
        Some(more) => format!("{} and {} more", names[..SHOWN].join(", "), more.len()),
    }
}

/// A number with this many significant digits.
pub(crate) fn rounded(number: f64, digits: usize) -> String {
    let rounded: f64 = format!("{number:.*e}", digits - 1).parse().unwrap_or(number);
    rounded.to_string()
}

/// The words of two values. Numbers with a fraction have four digits, or as many as show that they differ.
fn different_words(old: &Value, new: &Value) -> [String; 2] {
    let fraction = |value: &Value| value.as_f64().filter(|_| value.is_f64());
    let (Some(before), Some(after)) = (fraction(old), fraction(new)) else { return [old, new].map(words) };
    let with = |digits| [before, after].map(|number| rounded(number, digits));
    (4..17).map(with).find(|[before, after]| before != after).unwrap_or_else(|| [old, new].map(words))
}

fn words(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::String(text) if text.is_empty() => "none".into(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.kind {
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Changed => "changed",
        };
        write!(f, "{word:<8} {}", self.part)?;
        self.name.iter().try_for_each(|name| write!(f, " {name}"))?;
        for (index, field) in self.fields.iter().enumerate() {
            write!(f, "{} {}", if index == 0 { ":" } else { ";" }, field.text)?;
        }
        Ok(())
    }
}
