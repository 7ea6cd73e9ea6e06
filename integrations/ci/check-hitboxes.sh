#!/usr/bin/env bash
# Checks the hitboxes of a checkout, and writes what reviewers and build systems read. The action in action.yml runs it; other
# build systems can run it too. It takes its settings from these variables:
#
#   BONEBOX          the program [default: bonebox]
#   BONEBOX_PATHS    assets and folders to check, one in each line [default: .]
#   BONEBOX_BAKED    the folder that `bonebox bake --out-dir` wrote to [default: outputs are beside the assets]
#   BONEBOX_BASE     the revision to compare with [default: the base of the pull request, or the commit before the push]
#   BONEBOX_OUT      the folder for the results [default: bonebox-results]
#   BONEBOX_PICTURES_URL  where readers of the summary find OUT/pictures [default: no pictures in the summary]
#
# Results in BONEBOX_OUT: findings.sarif, findings.xml (JUnit), library/index.html, summary.md. The exit code is 0 if every output
# is equal to a fresh bake and every limit holds, 1 if not, and 2 if the checks themselves do not run.

set -euo pipefail

bonebox=${BONEBOX:-bonebox}
out=${BONEBOX_OUT:-bonebox-results}
paths=()
while IFS= read -r path; do
  if [[ -n $path ]]; then paths+=("$path"); fi
done <<<"${BONEBOX_PATHS:-.}"
say() { printf '%s\n' "$*" >&2; }

if ! command -v "$bonebox" >/dev/null; then
  say "error: the program $bonebox was not found; install it in an earlier step, or name it with BONEBOX"
  exit 2
fi

# Prints the commit to compare with, and nothing if there is none.
base_commit() {
  local name=${BONEBOX_BASE:-} event=${GITHUB_EVENT_PATH:-}
  if [[ -z $name && -n ${GITHUB_BASE_REF:-} ]]; then
    name=origin/$GITHUB_BASE_REF
    # A checkout of an action has one commit only.
    if ! git rev-parse --verify --quiet "$name^{commit}" >/dev/null; then
      git fetch --quiet --depth=1 origin "+refs/heads/$GITHUB_BASE_REF:refs/remotes/$name" >&2 || true
    fi
  elif [[ -z $name && -n $event && -f $event ]]; then
    # The commit before a push. A new branch has none, which is written as zeros.
    name=$(sed -n 's/^ *"before": *"\([0-9a-f]\{40,64\}\)".*/\1/p' "$event" | head -n 1)
    if [[ $name =~ ^0+$ ]]; then name=; fi
    if [[ -n $name ]] && ! git rev-parse --verify --quiet "$name^{commit}" >/dev/null; then
      git fetch --quiet --depth=1 origin "$name" >&2 || true
    fi
  fi
  if [[ -z $name ]]; then return; fi
  if ! git rev-parse --verify --quiet "$name^{commit}"; then
    say "error: the base $name does not exist in this checkout, and git cannot fetch it"
    return 2
  fi
}

base=$(base_commit) || exit 2
mkdir -p "$out"

# Each list begins with a command, because older versions of bash refuse to use an empty list.
check=("$bonebox" bake "${paths[@]}" --check --sarif "$out/findings.sarif" --junit "$out/findings.xml")
list=("$bonebox" report "${paths[@]}" --index -o "$out/library")
compare=("$bonebox" diff "${paths[@]}" --markdown)
if [[ -n ${BONEBOX_BAKED:-} ]]; then
  check+=(--out-dir "$BONEBOX_BAKED")
  list+=(--baked "$BONEBOX_BAKED")
  compare+=(--baked "$BONEBOX_BAKED")
fi
if [[ -n $base ]]; then
  list+=(--base "$base")
  compare+=(--base "$base")
else
  say "SKIPPED: the comparison with a base, because there is none; set BONEBOX_BASE"
fi
if [[ -n ${BONEBOX_PICTURES_URL:-} ]]; then
  compare+=(--pictures "$out/pictures" --pictures-url "$BONEBOX_PICTURES_URL")
else
  say "SKIPPED: pictures in the summary, because BONEBOX_PICTURES_URL is not set"
fi

rm -f "$out/findings.sarif" "$out/findings.xml"
checked=0
"${check[@]}" || checked=$?
# A wrong bonebox.toml or a wrong path leaves no findings.
if [[ $checked -gt 1 || ! -f $out/findings.sarif ]]; then
  say "error: the bakes were not checked"
  exit 2
fi
"${list[@]}" || exit 2
if [[ -n $base ]]; then
  compared=0
  "${compare[@]}" >"$out/summary.md" || compared=$?
  # A character that cannot be baked has failed the check already.
  if [[ $compared -gt 1 && $checked -eq 0 ]]; then exit 2; fi
else
  printf '### Hitboxes\n\nThere is no base to compare with.\n' >"$out/summary.md"
fi
if [[ $checked -ne 0 ]]; then
  printf '\n**The check failed:** an output differs from a fresh bake, a limit is broken, or a character cannot be baked.\n' >>"$out/summary.md"
fi

if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then cat "$out/summary.md" >>"$GITHUB_STEP_SUMMARY"; fi
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  {
    printf 'results=%s\n' "$out"
    printf 'base=%s\n' "$base"
  } >>"$GITHUB_OUTPUT"
fi
exit "$checked"
