//! Finds functions whose last bits differ between platforms, so that a file or an answer would differ too.

/// Methods of `f32` and `f64` that the platform's mathematics computes. `libm` has all of them.
const OF_NUMBERS: [&str; 24] = [
    "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "ln", "ln_1p", "log", "log2", "log10", "exp", "exp2", "powf", "cbrt", "hypot",
];

/// Functions of glam that use them.
const OF_GLAM: [&str; 10] = [
    "slerp",
    "angle_between",
    "to_axis_angle",
    "to_euler",
    "from_angle",
    "from_axis_angle",
    "from_euler",
    "from_rotation_x",
    "from_rotation_y",
    "from_rotation_z",
];

/// Adds a breach for each line of a library that calls one of these functions, except in comments and tests.
pub(super) fn check(file: &str, text: &str, breaches: &mut Vec<String>) {
    if !file.starts_with("crates/")
        || !file.contains("/src/")
        || file.ends_with("/tests.rs")
        || file.contains("/tests/")
    {
        return;
    }
    let shipped = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    for (number, line) in (1..).zip(shipped.lines()).filter(|(_, line)| !line.trim_start().starts_with("//")) {
        let calls = |name: &&&str| {
            let ends = [".", "f32::", "f64::", "Quat::", "Mat3::", "Mat3A::", "Affine3A::", "Vec2::", "Vec3::"];
            ends.iter().any(|end| line.contains(&format!("{end}{name}(")) || line.contains(&format!("{end}{name})")))
        };
        for name in OF_NUMBERS.iter().chain(&OF_GLAM).filter(calls) {
            breaches.push(format!(
                "{file}:{number}: the result of {name:?} differs between platforms: use libm or arithmetic"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn calls_in_libraries_are_found_outside_comments_and_tests() {
        let breaches = |file: &str, text: &str| {
            let mut breaches = Vec::new();
            super::check(file, text, &mut breaches);
            breaches
        };
        let text = "// a.ln()\nlet b = a.ln() + libm::sin(a) + slerp(a, b);\nlet c = list.map(f64::exp);\n\
                    let d = Quat::from_rotation_x(a);\n#[cfg(test)]\nmod tests {\n    let e = a.cos();\n}\n";
        let found = breaches("crates/hull/src/a.rs", text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("crates/hull/src/a.rs:2: the result of \"ln\""), "{found:?}");
        for file in ["crates/hull/tests/all/a.rs", "crates/hull/src/a/tests.rs", "apps/view/src/a.rs"] {
            assert!(breaches(file, text).is_empty());
        }
    }
}
