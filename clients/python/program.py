"""Calls the service through a client that openapi-generator made. Usage: program.py <client> <address> <requests.json>"""

import json
import sys

import pydantic

# the client is written for pydantic 1, which newer versions carry along
if pydantic.VERSION.startswith("2."):
    import pydantic.v1

    sys.modules["pydantic"] = pydantic.v1

folder, address, requests = sys.argv[1:]
sys.path.insert(0, folder)

import tangent_client as tangent  # noqa: E402

with open(requests, encoding="utf-8") as file:
    asked = json.load(file)

client = tangent.ApiClient(tangent.Configuration(host=address))
pairs = tangent.PairsApi(client)

answer = pairs.contact(tangent.ContactRequest.from_dict(asked["contact"]))
assert (answer.separation, answer.translation.y) == (-0.125, 0.125)
assert type(answer.translation) is type(answer.points[0].position)


def ask_about_kept():
    """Asks about a kept shape. One that is not kept, or not any more, is sent, and asked about again."""
    question = tangent.ContactRequest.from_dict(asked["keptContact"])
    try:
        return pairs.contact(question)
    except tangent.ApiException as error:
        problem = json.loads(error.body)
        if problem["code"] != "shape-unknown":
            raise
    shape = tangent.Shape2d.from_json(json.dumps(asked["keptShape"]))
    assert tangent.KeptShapesApi(client).keep_shape(shape).id == problem["shape"]
    return pairs.contact(question)


assert [ask_about_kept().separation, ask_about_kept().separation] == [-0.125, -0.125]

hits = tangent.RaysApi(client).ray_cast(tangent.RayCastRequest.from_dict(asked["rayCast"])).hits
assert (hits[0].distance, hits[0].exit.distance) == (4.5, 5.5)

impact = tangent.MotionApi(client).time_of_impact(tangent.TimeOfImpactRequest.from_dict(asked["timeOfImpact"]))
assert (impact.time, impact.status) == (0.5, "converged")

results = tangent.ManyApi(client).batch(tangent.BatchRequest.from_dict(asked["batch"])).results
distance, problem, table = [result.actual_instance for result in results]
assert isinstance(distance, tangent.DistanceResult) and distance.distance == 2
assert isinstance(problem, tangent.ProblemResult) and problem.code == "coordinate-out-of-range"
assert isinstance(table, tangent.TableResult) and table.values == [[5]]

answer = tangent.Pairs3dApi(client).contact3d(tangent.Contact3dRequest.from_dict(asked["contact3d"]))
assert (answer.separation, answer.translation.y) == (-0.125, 0.125)
assert type(answer.translation) is type(answer.points[0].position)

results = tangent.Many3dApi(client).batch3d(tangent.Batch3dRequest.from_dict(asked["batch3d"])).results
distance, problem, table = [result.actual_instance for result in results]
assert isinstance(distance, tangent.Distance3dResult) and distance.point_b.x == 2
assert isinstance(problem, tangent.ProblemResult) and problem.code == "coordinate-out-of-range"
assert isinstance(table, tangent.Table3dResult) and table.values == [[5]]

shapes = tangent.Shapes3dApi(client)
for given in asked["shapes3d"]:
    shape = tangent.Shape3d.from_json(json.dumps(given))
    assert shape.to_dict() == given
    assert shapes.validate3d(tangent.Validate3dRequest(shape=shape)).valid

scenes, bodies = tangent.ScenesApi(client), tangent.SceneBodiesApi(client)
scene = scenes.put_scene("python", tangent.SceneRequest(name="Cellar"))
for index, shape in enumerate(asked["shapes"]):
    body = tangent.SceneBodyRequest(shape=tangent.Shape2d.from_json(json.dumps(shape)))
    bodies.put_scene_body("python", f"body-{index}", body)
    found = bodies.get_scene_body("python", f"body-{index}").body.shape
    assert found.actual_instance.type == shape["type"]
    assert found.to_dict() == shape
patch = tangent.SceneBodyPatch.from_dict({"position": {"x": 1, "y": 2}})
assert bodies.patch_scene_body("python", "body-0", patch).body.position.y == 2

try:
    scenes.put_scene("python", tangent.SceneRequest(name="Attic"), if_match='"1"')
    raise AssertionError("expected 412")
except tangent.ApiException as error:
    assert error.status == 412
try:
    pairs.contact(tangent.ContactRequest.from_dict(asked["outOfRange"]))
    raise AssertionError("expected 422")
except tangent.ApiException as error:
    assert error.status == 422 and "coordinate-out-of-range" in error.body

scenes.delete_scene("python")
print("ok")
