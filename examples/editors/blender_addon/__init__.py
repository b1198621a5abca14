"""Tangent in Blender: checks the open file against a running service, shows what it finds, and lets the selection fall or finds it a free place.

Everything is in the sidebar of the 3D view (N), under Tangent. Each button sends the visible objects anew, so that the service knows what
is seen. Findings are empties in the collection "Tangent findings", where the service says that they can be seen.
"""

import json
import os

import bpy

from .level import Level, Refused, Service, vector_of

bl_info = {
    "name": "Tangent",
    "description": "Finds what overlaps or floats, lets objects fall, and finds free places, by a Tangent service",
    "author": "Tangent",
    "version": (1, 0, 0),
    "blender": (3, 3, 0),
    "location": "3D View > Sidebar > Tangent",
    "category": "Object",
}

FINDINGS = "Tangent findings"
# A text of the file that has rules of its own, as a request of lint has them.
RULES = "tangent_rules.json"
COLORS = {"error": (1, 0.1, 0.1, 1), "warning": (1, 0.6, 0, 1), "info": (0.2, 0.6, 1, 1)}
MOST_SHOWN = 1000


class TangentPreferences(bpy.types.AddonPreferences):
    bl_idname = __name__

    url: bpy.props.StringProperty(name="Service", default=os.environ.get("TANGENT_URL", "http://127.0.0.1:3000"))
    token: bpy.props.StringProperty(
        name="Token", subtype="PASSWORD", description="Only if the service asks for one; TANGENT_TOKEN is read too"
    )

    def draw(self, _context):
        self.layout.prop(self, "url")
        self.layout.prop(self, "token")


class TangentSettings(bpy.types.PropertyGroup):
    props: bpy.props.PointerProperty(
        name="Props", type=bpy.types.Collection, description="Objects that must stand on something; none when empty"
    )
    tolerance: bpy.props.FloatProperty(
        name="Tolerance",
        default=0.001,
        min=0,
        subtype="DISTANCE",
        description="Overlaps up to this deep, and gaps up to this wide below props, are no findings",
    )
    reach: bpy.props.FloatProperty(
        name="Reach", default=10, min=0, subtype="DISTANCE", description="How far the selection may fall or be moved"
    )
    align: bpy.props.EnumProperty(
        name="Align",
        items=[
            ("none", "As it is", "Falls without turning"),
            ("face", "Face", "Turns until a side lies flat on what it lands on"),
            ("normal", "Normal", "Turns its up to the normal of what it lands on"),
        ],
    )


def sent_level(context):
    """The visible objects as bodies of a scene that has the name of the file."""
    preferences = context.preferences.addons[__name__].preferences
    service = Service(preferences.url, preferences.token or os.environ.get("TANGENT_TOKEN"))
    name = os.path.basename(bpy.data.filepath) or "untitled.blend"
    level = Level(service, name, context.view_layer)
    level.send()
    return level


def rules_of(settings):
    """Those of the file, if it has a text of them."""
    if RULES in bpy.data.texts:
        try:
            return json.loads(bpy.data.texts[RULES].as_string())["rules"]
        except (ValueError, KeyError, TypeError) as error:
            raise Refused(f"The text {RULES} has no rules that can be read: {error}") from None
    rules = [{"rule": "duplicate"}, {"rule": "overlap", "deeperThan": settings.tolerance}]
    if settings.props:
        props = {"tags": {"any": [f"collection:{each.name}" for each in [settings.props, *settings.props.children_recursive]]}}
        rules.append({"rule": "floating", "filter": props, "within": settings.tolerance, "severity": "error"})
    return rules


class Asking:
    """Operators that ask the service: what it refuses is reported, and nothing else happens."""

    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        try:
            level = sent_level(context)
            for sentence in level.skipped:
                self.report({"WARNING"}, f"Not sent: {sentence}")
            self.ask(context, level)
        except Refused as refused:
            self.report({"ERROR"}, str(refused))
            return {"CANCELLED"}
        return {"FINISHED"}


class TANGENT_OT_check(Asking, bpy.types.Operator):
    """Holds all visible objects against the rules, and shows what is found as empties"""

    bl_idname = "tangent.check"
    bl_label = "Check"

    def ask(self, context, level):
        answer = level.lint(rules_of(context.scene.tangent))
        clear_findings()
        for finding in answer["findings"][:MOST_SHOWN]:
            show(context, level, finding)
        counts = answer["counts"]
        total = sum(counts.values())
        said = ", ".join(f"{count} {severity}" for severity, count in counts.items() if count)
        self.report({"INFO"}, f"{total} findings" + (f": {said}" if total else ""))


class TANGENT_OT_drop(Asking, bpy.types.Operator):
    """Moves selected objects out of what they stand in, and lets them fall, the lowest first"""

    bl_idname = "tangent.drop"
    bl_label = "Drop selection"

    def ask(self, context, level):
        settings = context.scene.tangent
        align = None if settings.align == "none" else settings.align
        for body in level.lowest_first(selected(context, level)):
            is_settled, sentences = level.settle(body, settings.reach, align, True)
            for sentence in sentences:
                self.report({"INFO" if is_settled else "WARNING"}, sentence)


class TANGENT_OT_place(Asking, bpy.types.Operator):
    """Moves selected objects to the nearest place where they touch others at most"""

    bl_idname = "tangent.place"
    bl_label = "Place selection"

    def ask(self, context, level):
        for body in level.lowest_first(selected(context, level)):
            is_placed, sentence = level.place(body, context.scene.tangent.reach)
            self.report({"INFO" if is_placed else "WARNING"}, sentence)


class TANGENT_OT_clear(bpy.types.Operator):
    """Removes the empties of all findings"""

    bl_idname = "tangent.clear"
    bl_label = "Clear findings"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, _context):
        clear_findings()
        return {"FINISHED"}


class TANGENT_OT_select(bpy.types.Operator):
    """Selects the objects that the active finding is about"""

    bl_idname = "tangent.select"
    bl_label = "Select its objects"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and "tangent_objects" in context.object

    def execute(self, context):
        names = json.loads(context.object["tangent_objects"])
        for thing in context.view_layer.objects:
            thing.select_set(thing.name in names)
        return {"FINISHED"}


class TANGENT_PT_sidebar(bpy.types.Panel):
    bl_label = "Tangent"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Tangent"

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        for name in ("props", "tolerance"):
            layout.prop(context.scene.tangent, name)
        layout.operator("tangent.check", icon="CHECKMARK")
        for name in ("reach", "align"):
            layout.prop(context.scene.tangent, name)
        column = layout.column(align=True)
        column.operator("tangent.drop", icon="TRIA_DOWN_BAR")
        column.operator("tangent.place", icon="SNAP_VOLUME")
        self.draw_finding(context)

    def draw_finding(self, context):
        found = bpy.data.collections.get(FINDINGS)
        if found is None:
            return
        box = self.layout.box()
        box.label(text=f"{len(found.objects)} findings", icon="INFO")
        if context.object is not None and "tangent_message" in context.object:
            box.label(text=context.object["tangent_message"])
            box.operator("tangent.select", icon="RESTRICT_SELECT_OFF")
        box.operator("tangent.clear", icon="X")


def selected(context, level):
    chosen = [level.ids[thing.name] for thing in context.selected_objects if thing.name in level.ids]
    if not chosen:
        raise Refused("No selected object has faces: select what is to be moved.")
    return chosen


def show(context, level, finding):
    """An empty where the finding can be seen, of the colour of its severity."""
    names = [level.names.get(body, body) for body in finding["bodies"]]
    empty = bpy.data.objects.new(f"{finding['name']}: {', '.join(names)}"[:60], None)
    empty.empty_display_type = "SPHERE"
    empty.empty_display_size = 0.2
    empty.show_in_front = True
    empty.show_name = True
    empty.color = COLORS[finding["severity"]]
    point = finding["point"]
    if point is None and finding["bodies"][0] in level.objects:
        point = vector_of(level.objects[finding["bodies"][0]].matrix_world.translation)
    if point is not None:
        empty.location = [point[axis] for axis in "xyz"]
    empty["tangent_message"] = finding["message"]
    empty["tangent_severity"] = finding["severity"]
    empty["tangent_objects"] = json.dumps(names)
    findings_of(context).objects.link(empty)


def findings_of(context):
    known = bpy.data.collections.get(FINDINGS)
    if known is not None:
        return known
    made = bpy.data.collections.new(FINDINGS)
    context.scene.collection.children.link(made)
    return made


def clear_findings():
    known = bpy.data.collections.get(FINDINGS)
    if known is None:
        return
    for empty in list(known.objects):
        bpy.data.objects.remove(empty)
    bpy.data.collections.remove(known)


CLASSES = (
    TangentPreferences,
    TangentSettings,
    TANGENT_OT_check,
    TANGENT_OT_drop,
    TANGENT_OT_place,
    TANGENT_OT_clear,
    TANGENT_OT_select,
    TANGENT_PT_sidebar,
)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.tangent = bpy.props.PointerProperty(type=TangentSettings)


def unregister():
    del bpy.types.Scene.tangent
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
