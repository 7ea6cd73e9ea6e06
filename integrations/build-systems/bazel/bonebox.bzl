"""Rules that bake characters with bonebox."""

# The sandbox has links to the inputs, and bonebox follows no link out of the folder of an asset. So the bake runs in a copy. The folder
# `.git` ends the search for settings files, so that only inputs apply.
_COMMAND = """
set -e
program=$1; source=$2; out=$3; shift 3
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/.git"
while [ "$1" != -- ]; do
  mkdir -p "$copy/$(dirname "$1")"
  cp -L "$1" "$copy/$1"
  shift
done
shift
"$program" bake "$copy/$source" --out-dir "$out" --quiet "$@"
"""

def _bonebox_bake_impl(ctx):
    name = ctx.file.src.basename[:-len(ctx.file.src.extension) - 1]
    binary = ctx.actions.declare_file(name + ".bonebox")
    json = ctx.actions.declare_file(name + ".bonebox.json")
    inputs = [ctx.file.src] + ctx.files.data
    arguments = [ctx.executable.bonebox.path, ctx.file.src.path, binary.dirname]
    ctx.actions.run_shell(
        command = _COMMAND,
        arguments = arguments + [file.path for file in inputs] + ["--"] + ctx.attr.options,
        inputs = inputs,
        tools = [ctx.executable.bonebox],
        outputs = [binary, json],
        mnemonic = "BoneboxBake",
        progress_message = "bake %s" % ctx.file.src.short_path,
    )
    return [DefaultInfo(files = depset([binary, json]))]

bonebox_bake = rule(
    doc = "Bakes one character to NAME.bonebox and NAME.bonebox.json.",
    implementation = _bonebox_bake_impl,
    attrs = {
        "src": attr.label(mandatory = True, allow_single_file = [".glb", ".gltf", ".vrm"], doc = "The character."),
        "data": attr.label_list(
            allow_files = True,
            doc = "Everything else that the bake reads: each bonebox.toml that applies, buffers of a .gltf and motions. " +
                  "`bonebox bake FILE --depfile FILE` lists them.",
        ),
        "options": attr.string_list(doc = "More arguments of `bonebox bake`."),
        "bonebox": attr.label(
            default = "//tools:bonebox",
            allow_single_file = True,
            executable = True,
            cfg = "exec",
            doc = "The program.",
        ),
    },
)
