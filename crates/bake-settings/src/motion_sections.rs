//! The key `motions`: clips from other files.

use crate::motion_settings::{MotionMatch, MotionSettings};
use crate::reader::{Key, Reader, Result, Value, in_order, number, wrong_kind};
use crate::sections::{MOTION_KEYS, MotionEntry, Span};
use baked_format::limits::MAX_SECONDS;
use skeleton::NamePattern;
use skeleton::humanoid::HumanBone;
use toml::de::DeValue;

impl Reader<'_> {
    /// Reads the list of the key `motions`.
    pub(crate) fn motions(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<Vec<MotionEntry>> {
        let DeValue::Array(list) = value.get_ref() else {
            let expected = "a list of files, such as [\"anims/*.glb\"], or of { files = …, prefix = … }";
            return self.error(value.span(), wrong_kind(key, value.get_ref(), expected));
        };
        list.iter().map(|one| self.motion(key, one)).collect()
    }

    fn motion(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<MotionEntry> {
        let mut motion = MotionSettings::default();
        let table = match value.get_ref() {
            DeValue::String(_) => {
                motion.files = self.paths(key, value)?;
                return Ok(MotionEntry { settings: motion, span: value.span() });
            }
            DeValue::Table(table) => table,
            other => {
                let expected = "a list of files, each a text or { files = \"anims/*.glb\", prefix = … }";
                return self.error(value.span(), wrong_kind(key, other, expected));
            }
        };
        let mut range: Option<Span> = None;
        for (key, value) in in_order(table) {
            match key.get_ref().as_ref() {
                "files" => motion.files = self.paths(key, value)?,
                "clips" => motion.clips = self.texts(key, value)?.into_iter().map(NamePattern::new).collect(),
                "prefix" => motion.prefix = self.name(key, value)?,
                "rename" => {
                    for (own, name) in in_order(self.table(key, value)?) {
                        motion.rename.push((own.get_ref().to_string(), self.name(own, name)?));
                    }
                }
                "from" => (motion.from, range) = (Some(self.time(key, value)?), Some(value.span())),
                "to" => (motion.to, range) = (Some(self.time(key, value)?), Some(value.span())),
                "by" => {
                    let keywords = MotionMatch::ALL.map(MotionMatch::keyword);
                    motion.by = Some(MotionMatch::ALL[self.keyword(key, value, &keywords)?]);
                }
                "bones" => {
                    for (bone, joint) in in_order(self.table(key, value)?) {
                        if HumanBone::from_name(bone.get_ref()).is_none() {
                            let known = HumanBone::ALL.map(HumanBone::name);
                            return self.unknown(bone, "VRM 1.0's humanoid has no bone", known, None);
                        }
                        motion.bones.push((bone.get_ref().to_string(), self.name(bone, joint)?));
                    }
                }
                "replace" => motion.replace = self.boolean(key, value)?,
                _ => return self.unknown(key, "an entry of motions has no key", MOTION_KEYS, Some(&MOTION_KEYS)),
            }
        }
        if motion.files.is_empty() {
            return self.error(value.span(), "this entry names no file; add files = \"anims/*.glb\"");
        }
        if let (Some(span), (from, Some(to))) = (range, (motion.from.unwrap_or(0.0), motion.to))
            && to <= from
        {
            return self.error(span, format!("the range from {from} to {to} s must end after it begins"));
        }
        Ok(MotionEntry { settings: motion, span: value.span() })
    }

    fn time(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<f32> {
        match number(value.get_ref()).filter(|seconds| (0.0..=f64::from(MAX_SECONDS)).contains(seconds)) {
            Some(seconds) => Ok(seconds as f32),
            None => self.wrong(key, value, "a number of seconds, at least 0"),
        }
    }

    /// Reads a path or a list of paths. The rules are those for the buffers of an asset: no path leads out of the folder.
    fn paths(&self, key: Key<'_, '_>, value: Value<'_, '_>) -> Result<Vec<String>> {
        let one = |value: Value<'_, '_>| match value.get_ref() {
            DeValue::String(path) => match path_problem(path) {
                None => Ok(path.to_string()),
                Some(problem) => self.error(value.span(), format!("the path {path:?} {problem}")),
            },
            other => self.error(value.span(), wrong_kind(key, other, "a path or a list of paths")),
        };
        match value.get_ref() {
            DeValue::Array(values) => values.iter().map(one).collect(),
            _ => Ok(vec![one(value)?]),
        }
    }
}

/// The reason why a path is refused, or `None`.
fn path_problem(path: &str) -> Option<&'static str> {
    let is_out = path.split('/').any(|name| name == "..");
    match path {
        _ if path.split('/').all(|name| name.is_empty() || name == ".") => {
            Some("names no file; write one such as \"anims/*.glb\"")
        }
        _ if path.contains('\\') => Some("has a backslash; write / between names"),
        _ if path.starts_with('/') || path.contains([':', '\0']) => {
            Some("is not relative to this file; copy the motions into this folder or below it")
        }
        _ if is_out => Some("leads out of the folder of this file; copy the motions into this folder or below it"),
        _ if path.contains("**") => Some("has `**`; write a path for each folder, such as \"anims/*/*.glb\""),
        _ => None,
    }
}
