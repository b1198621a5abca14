"""Calls the service through the package. Usage: program.py <address> <requests.json>"""

import json
import sys
from typing import Any, Dict

from tangent_geometry import Tangent, TangentError

address, requests = sys.argv[1:]
with open(requests, encoding="utf-8") as file:
    asked: Dict[str, Any] = json.load(file)

tangent = Tangent(address)

answer = tangent.contact(asked["contact"])
assert answer["separation"] == -0.125
assert answer["translation"] == {"x": 0, "y": 0.125}


def separation_of_kept() -> Any:
    """Asks about a kept shape. One that is not kept, or not any more, is sent, and asked about again."""
    try:
        return tangent.contact(asked["keptContact"])["separation"]
    except TangentError as error:
        if error.code != "shape-unknown":
            raise
        assert tangent.keep_shape(asked["keptShape"])["id"] == error.problem["shape"]
    return tangent.contact(asked["keptContact"])["separation"]


assert [separation_of_kept(), separation_of_kept()] == [-0.125, -0.125]

hit = tangent.ray_cast(asked["rayCast"])["hits"][0]
assert hit["distance"] == 4.5 and hit["exit"] is not None and hit["exit"]["distance"] == 5.5
impact = tangent.time_of_impact(asked["timeOfImpact"])
assert (impact["time"], impact["status"]) == (0.5, "converged")

distance, problem, table = tangent.batch(asked["batch"])["results"]
assert distance["op"] == "distance" and distance["distance"] == 2
assert problem["op"] == "problem" and problem["code"] == "coordinate-out-of-range"
assert table["op"] == "table" and table["values"] == [[5]]

inside = tangent.contact3d(asked["contact3d"])
assert inside["separation"] == -0.125 and inside["translation"] == {"x": 0, "y": 0.125, "z": 0}
for shape in asked["shapes3d"]:
    assert tangent.validate3d({"shape": shape})["valid"]

tangent.put_scene("python", {"name": "Cellar"})
for index, form in enumerate(asked["shapes"]):
    put = tangent.put_scene_body("python", f"body-{index}", {"shape": form})
    assert put["created"]
    assert tangent.get_scene_body("python", f"body-{index}")["body"]["shape"] == form
moved = tangent.patch_scene_body("python", "body-0", {"position": {"x": 1, "y": 2}})
assert moved["body"].get("position") == {"x": 1, "y": 2}
assert "<svg" in tangent.render_scene("python", width=200)
listed = tangent.list_scene_bodies("python", limit=2)
assert len(listed["bodies"]) == 2 and listed["next"] is not None
exported = tangent.export_scene("python", format="json")
tangent.put_scene("python-copy", {})
copied = tangent.import_scene("python-copy", json.dumps(exported).encode(), format="json")
assert copied["bodies"] == len(asked["shapes"])
assert tangent.scene_lint("python-copy", {"rules": [{"rule": "duplicate"}]}, dry_run=True, fix=True)["findings"] == []


def refusal(ask: Any) -> TangentError:
    try:
        ask()
    except TangentError as error:
        return error
    raise AssertionError("expected a problem")


stale = refusal(lambda: tangent.put_scene("python", {"name": "Attic"}, if_match='"1"'))
assert stale.status == 412, stale
outside = refusal(lambda: tangent.contact(asked["outOfRange"]))
assert (outside.status, outside.code) == (422, "coordinate-out-of-range")
assert refusal(lambda: tangent.get_scene("no such/scene")).status == 400
assert refusal(lambda: Tangent("http://127.0.0.1:1", timeout=5).version()).status == 0

for scene in ("python", "python-copy"):
    tangent.delete_scene(scene)
    assert refusal(lambda: tangent.get_scene(scene)).code == "scene-not-found"
print("ok")
