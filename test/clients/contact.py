"""Calls the service through a client that openapi-generator made. Usage: contact.py <folder of the client> <address>"""

import sys

import pydantic

# the client is written for pydantic 1, which newer versions carry along
if pydantic.VERSION.startswith("2."):
    import pydantic.v1

    sys.modules["pydantic"] = pydantic.v1

folder, address = sys.argv[1:]
sys.path.insert(0, folder)

import tangent_client as tangent  # noqa: E402

client = tangent.ApiClient(tangent.Configuration(host=address))
pairs = tangent.PairsApi(client)


def box_at(width, height, x, y):
    shape = tangent.Shape2d(tangent.BoxShape(type="box", width=width, height=height))
    return tangent.Body2d(shape=shape, position=tangent.Vec2(x=x, y=y))


floor = box_at(10, 1, 0, 0)

# a contact, every field of it typed
answer = pairs.contact(tangent.ContactRequest(a=floor, b=box_at(1, 1, 2, 0.875)))
assert answer.touching is True
assert answer.separation == -0.125
assert (answer.normal.x, answer.normal.y) == (0, 1)
assert sorted(point.position.x for point in answer.points) == [1.5, 2.5]
assert answer.points[0].feature.a.kind == "edge"

# the branch of a union is the one that was meant
circle = tangent.Shape2d.from_json('{"type": "circle", "radius": 2}')
assert isinstance(circle.actual_instance, tangent.CircleShape)

# null is no vector
apart = pairs.distance(tangent.DistanceRequest(a=floor, b=box_at(1, 1, 0, 0)))
assert apart.distance == 0
assert apart.normal is None

# a ray's hit, with its nested nullable parts
ray = tangent.RayDefinition(origin=tangent.Vec2(x=0, y=5), direction=tangent.Vec2(x=0, y=-1))
hits = tangent.RaysApi(client).ray_cast(tangent.RayCastRequest(ray=ray, targets=[floor])).hits
assert [hit.target for hit in hits] == [0]
assert hits[0].exit.distance == 5.5

# a certificate is told apart by its kind
request = tangent.OverlapRequest(a=floor, b=box_at(1, 1, 0, 3), explain=True)
certificate = pairs.overlap(request).certificate.actual_instance
assert isinstance(certificate, tangent.SeparatingAxisCertificate)
assert certificate.gap == 2

# shapes hold bodies, which hold shapes
corner = [tangent.Vec2(x=0, y=0), tangent.Vec2(x=3, y=0), tangent.Vec2(x=1, y=1), tangent.Vec2(x=0, y=3)]
region = tangent.Body2d(shape=tangent.Shape2d(tangent.RegionShape(type="region", outer=corner)))
compound = tangent.Shape2d(tangent.CompoundShape(type="compound", children=[floor, region]))
ray = tangent.RayDefinition(origin=tangent.Vec2(x=0.5, y=5), direction=tangent.Vec2(x=0, y=-1))
hits = tangent.RaysApi(client).ray_cast(tangent.RayCastRequest(ray=ray, targets=[tangent.Body2d(shape=compound)])).hits
assert hits[0].point.y == 2
assert hits[0].feature.path == [1]
assert (hits[0].feature.kind, hits[0].feature.index) == ("edge", 2)

# bodies that move, and an answer full of nulls
motion = tangent.MotionApi(client)
still = tangent.MovingBody2d(shape=floor.shape)
ball = tangent.MovingBody2d(
    shape=circle, position=tangent.Vec2(x=0, y=6.5), velocity=tangent.Vec2(x=0, y=-8)
)
impact = motion.time_of_impact(tangent.TimeOfImpactRequest(a=still, b=ball, duration=1))
assert (impact.time, impact.status) == (0.5, "converged")
miss = motion.time_of_impact(tangent.TimeOfImpactRequest(a=still, b=ball, duration=0.25))
assert (miss.hit, miss.time, miss.normal) == (False, None, None)

# a problem
try:
    pairs.contact(tangent.ContactRequest(a=floor, b=box_at(2e100, 1, 0, 0)))
    raise AssertionError("expected a problem")
except tangent.ApiException as error:
    assert error.status == 422
    assert "coordinate-out-of-range" in error.body

print("ok")
