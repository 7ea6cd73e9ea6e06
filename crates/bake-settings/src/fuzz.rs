//! The body of the fuzz target `settings`.

use crate::clip_extras::clip_extras;
use crate::settings::Settings;

/// Reads any bytes as the `extras` of an animation, as a text in them, and as a settings file. If the file is accepted, it gives settings for any character; otherwise the
/// error names a place in the text.
///
/// # Panics
/// If a promise is broken.
pub fn file(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    for extras in
        [text.to_string(), format!("{{\"bonebox\": {text}}}"), serde_json::json!({ "bonebox": text }).to_string()]
    {
        if let Err(error) = clip_extras("jab", &extras) {
            assert!(error.problem.excerpt.len() < 1024, "{}", error.problem.excerpt.len());
        }
    }
    match Settings::parse(&text) {
        Ok(settings) => {
            for name in ["runa", ""] {
                settings.for_character(name, &[]).expect("the reader has checked all options");
                let twice = [&settings, &settings];
                Settings::for_character_in(&twice, name, &[]).expect("the reader has checked all options");
                assert!(Settings::placed_settings(&twice, name).iter().all(|one| !one.places.is_empty()));
            }
            true
        }
        Err(error) => {
            assert!(error.line >= 1 && error.line <= text.matches('\n').count() + 1, "{error}");
            assert!(error.excerpt.len() < 1024, "{}", error.excerpt.len());
            false
        }
    }
}
