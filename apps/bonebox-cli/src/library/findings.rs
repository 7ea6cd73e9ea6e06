//! What a bake found: broken limits, failures and warnings, with their places.

use asset_bake::{AssetResult, AssetSettings, BakeOutcome, BakeTarget, RequestedSettings, SettingsFiles, shown_path};
use baked_format::BakedCharacter;
use bone_fit::Limit;
use std::path::PathBuf;

/// A limit that a character breaks.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    pub(crate) limit: &'static Limit,
    /// A sentence without a period.
    pub(crate) text: String,
    /// The settings file that sets the limit, and the line in it, counted from 1.
    pub(crate) place: Option<(PathBuf, usize)>,
}

impl Broken {
    /// The sentence, after the place of the limit.
    pub(crate) fn placed(&self) -> String {
        let place = self.place.as_ref().map(|(file, line)| format!("{}:{line}: ", shown_path(file)));
        place.unwrap_or_default() + &self.text
    }
}

/// The limits that a character breaks.
pub(crate) fn broken_limits(settings: &AssetSettings, character: &BakedCharacter) -> Vec<Broken> {
    let broken = settings.limits().broken_limits(character).into_iter();
    let placed = |one: bone_fit::BrokenLimit| {
        let place = settings.place_of_limit(one.limit.key).map(|(file, line)| (file.to_owned(), line));
        Broken { limit: one.limit, text: one.text, place }
    };
    broken.map(placed).collect()
}

/// A character of a run, with what was found.
pub(crate) struct Checked {
    pub(crate) target: BakeTarget,
    /// The time of the bake, in seconds.
    pub(crate) seconds: f64,
    pub(crate) findings: Vec<Finding>,
    /// The character, if it breaks limits.
    refused: Option<Box<BakedCharacter>>,
}

impl Checked {
    /// What a result tells. [`add_limits`] adds the broken limits.
    pub(crate) fn new(result: &AssetResult) -> Self {
        let mut findings = Vec::new();
        if let BakeOutcome::Failed(error) = &result.outcome {
            findings.push(Finding { kind: FindingKind::Failure, text: error.with_causes() });
        }
        let warnings = result.outcome.character().into_iter().flat_map(|character| &character.warnings);
        findings.extend(warnings.map(|warning| Finding {
            kind: FindingKind::Warning { code: warning.code.clone(), joint: warning.joint.clone() },
            text: warning.text.clone(),
        }));
        let refused = match &result.outcome {
            BakeOutcome::Refused(character, _) => Some(character.clone()),
            _ => None,
        };
        Self { target: result.target.clone(), seconds: result.took.as_secs_f64(), findings, refused }
    }
}

/// Adds the broken limits of a run, before the other findings of each character.
///
/// # Errors
/// Returns an error if the settings are wrong.
pub(crate) fn add_limits(requested: &RequestedSettings, checked: &mut [Checked]) -> anyhow::Result<()> {
    let refused = || checked.iter().filter(|one| one.refused.is_some());
    let settings = SettingsFiles::open(requested, refused().map(|one| &one.target.path))?;
    for one in checked {
        let Some(character) = one.refused.take() else { continue };
        let broken = broken_limits(&settings.for_target(&one.target)?, &character).into_iter();
        let findings =
            broken.map(|Broken { limit, text, place }| Finding { kind: FindingKind::Limit { limit, place }, text });
        one.findings.splice(0..0, findings);
    }
    Ok(())
}

/// A thing that was found about a character.
pub(crate) struct Finding {
    pub(crate) kind: FindingKind,
    pub(crate) text: String,
}

/// The kind of a finding.
pub(crate) enum FindingKind {
    /// A broken limit, with its settings file and its line.
    Limit { limit: &'static Limit, place: Option<(PathBuf, usize)> },
    /// The character could not be baked, or its outputs are out of date.
    Failure,
    /// A warning, by its code. The joint tells warnings of one code apart.
    Warning { code: String, joint: Option<String> },
}

impl FindingKind {
    /// The id of the rule in reports: words with slashes.
    pub(crate) fn rule(&self) -> String {
        match self {
            Self::Limit { limit, .. } => format!("limit/{}", limit.key),
            Self::Failure => "failed".into(),
            Self::Warning { code, .. } => format!("warning/{code}"),
        }
    }

    /// True if the finding fails the bake.
    pub(crate) fn is_error(&self) -> bool {
        !matches!(self, Self::Warning { .. })
    }
}
