//! As much of JSON Schema as `bonebox.schema.json` uses; a keyword beyond that is a problem of its own.

use serde_json::{Map, Value};

/// Where and how `value` departs from `schema`.
pub fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    let empty = Map::new();
    for (keyword, rule) in schema.as_object().unwrap() {
        let mut require = |is_right: bool| {
            if !is_right {
                found.push(format!("{place}: {value} breaks {keyword}: {rule}"));
            }
        };
        match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" => {}
            "$ref" => {
                let pointer = rule.as_str().unwrap().trim_start_matches('#');
                check(root, root.pointer(pointer).unwrap(), value, place, found);
            }
            "type" => {
                let names = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                require(names.iter().any(|name| is_of_type(value, name.as_str().unwrap())));
            }
            "const" => require(value == rule),
            "enum" => require(rule.as_array().unwrap().contains(value)),
            "minimum" => require(value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap())),
            "maximum" => require(value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap())),
            "minLength" => {
                require(value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().unwrap()));
            }
            "pattern" => require(value.as_str().is_none_or(|text| matches(text, rule.as_str().unwrap()))),
            "minItems" => require(value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap())),
            "maxItems" => require(value.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap())),
            "required" => {
                let fields = value.as_object().unwrap_or(&empty);
                let is_there = |name: &Value| fields.contains_key(name.as_str().unwrap());
                require(!value.is_object() || rule.as_array().unwrap().iter().all(is_there));
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item, &format!("{place}/{index}"), found);
                }
            }
            "properties" => {
                for (name, field) in value.as_object().unwrap_or(&empty) {
                    if let Some(rule) = rule.get(name) {
                        check(root, rule, field, &format!("{place}/{name}"), found);
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
                for (name, field) in value.as_object().unwrap_or(&empty) {
                    match rule {
                        _ if known.contains_key(name) => {}
                        Value::Bool(false) => found.push(format!("{place}: unknown name {name:?}")),
                        rule => check(root, rule, field, &format!("{place}/{name}"), found),
                    }
                }
            }
            other => found.push(format!("the schema uses {other:?}, which this check does not know")),
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the schema uses the type {other:?}, which this check does not know"),
    }
}

/// `^[CLASS]+$` and `^[CLASS]{LENGTH}$`.
fn matches(text: &str, pattern: &str) -> bool {
    let (class, count) = pattern.trim_start_matches("^[").trim_end_matches('$').split_once(']').unwrap();
    let class: Vec<char> = class.chars().collect();
    let is_in = |letter: char| {
        let in_range = class.windows(3).any(|range| range[1] == '-' && (range[0]..=range[2]).contains(&letter));
        in_range || class.contains(&letter)
    };
    let length = match count {
        "+" => !text.is_empty(),
        count => text.len() == count.trim_matches(['{', '}']).parse::<usize>().unwrap(),
    };
    length && text.chars().all(is_in)
}
