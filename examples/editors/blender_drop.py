"""Lets objects of a Blender file fall onto what is below them, and says what stands in what.

    blender -b LEVEL.blend --python blender_drop.py -- [--props "Crate*"] [--fall 10] [--align face|normal]
        [--separate] [--dry-run] [--out OTHER.blend] [--url http://127.0.0.1:3000]

The visible objects are sent as bodies of a scene of space. Those that --props names (patterns of objects or collections, with commas between;
the selection of the file when absent) fall, the lowest first. One that stands in something is reported, and with --separate moved out
of it by the shortest way before it falls. The file is saved with the new transforms. Ends with 0 when every prop rests and nothing
overlaps, 1 when there are findings, 2 when it could not check. Needs Blender 3.3 or later, and the folder blender_addon beside it.
"""

import argparse
import fnmatch
import os
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from blender_addon.level import Level, Refused, Service, rounded  # noqa: E402 (found beside this file)


def main():
    options = parse_options()
    path = bpy.data.filepath
    if not path:
        raise Refused("No file is open: blender -b LEVEL.blend --python blender_drop.py -- …")
    service = Service(options.url, os.environ.get("TANGENT_TOKEN"))
    level = Level(service, os.path.basename(path), bpy.context.view_layer)
    print(f"{level.send()} bodies, {len(level.skipped)} skipped")
    for sentence in level.skipped:
        print(f"skipped: {sentence}")
    props = props_of(level, options.props)
    if not props:
        raise Refused("No prop is among the visible objects with faces: select some and save, or name them with --props.")

    unsettled = 0
    for body in props:
        is_settled, sentences = level.settle(body, options.fall, options.align, options.separate)
        unsettled += not is_settled
        print("\n".join(sentences))
    overlaps, is_cut = level.overlaps()
    for pair in overlaps:
        print(f"{level.named([pair['a']])} and {level.named([pair['b']])} overlap, {rounded(pair['depth'])} deep")
    if is_cut:
        print("and more, which are not listed")
    if not options.dry_run:
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.out or path))
    print(f"{len(props)} props, {unsettled} unsettled, {len(overlaps)} overlaps")
    return 1 if unsettled or overlaps else 0


def parse_options():
    parser = argparse.ArgumentParser(prog="blender_drop.py", description=__doc__.split("\n")[0])
    parser.add_argument("--props", help="names of objects or collections, such as Crate*,Barrels")
    parser.add_argument("--fall", type=float, default=10, help="how far something may fall, in units of Blender")
    parser.add_argument("--align", choices=["face", "normal"], help="turn what falls to what it lands on")
    parser.add_argument("--separate", action="store_true", help="first move what stands in something out of it")
    parser.add_argument("--dry-run", action="store_true", help="report, and save nothing")
    parser.add_argument("--out", help="where to save; the file itself when absent")
    parser.add_argument("--url", default=os.environ.get("TANGENT_URL", "http://127.0.0.1:3000"))
    own = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    return parser.parse_args(own)


def props_of(level, patterns):
    """Ids of the bodies that fall, the lowest first."""
    return level.lowest_first(body for body, thing in level.objects.items() if is_prop(thing, patterns))


def is_prop(thing, patterns):
    if patterns is None:
        return thing.select_get()
    names = [thing.name] + [collection.name for collection in thing.users_collection]
    return any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns.split(","))


if __name__ == "__main__":
    # Blender would end with 0 whatever a script has found, and 1 for any exception of it.
    try:
        code = main()
    except Refused as refused:
        print(refused, file=sys.stderr)
        code = 2
    sys.stdout.flush()
    os._exit(code)
