"""The visible objects of a Blender file as bodies of a Tangent scene: sent, checked, dropped, and moved in the file.

Frame: that of Blender, its units, z up. A body stands at the origin of its object. The rest of the object's world matrix (rotation, scale,
shear) is in its shape, multiplied in double precision, so that no decomposition rounds it. Meshes go as kept shapes: objects that look alike
share one. Blender keeps transforms as 32-bit numbers: an answer is rounded when it is written, and then lifted until it is free again.
Needs nothing but the Python of Blender.
"""

import array
import json
import urllib.error
import urllib.parse
import urllib.request

from mathutils import Matrix, Quaternion, Vector

DOWN = {"x": 0, "y": 0, "z": -1}
# Objects of other types have no faces.
WITH_FACES = {"MESH", "CURVE", "SURFACE", "FONT", "META"}
# What single precision leaves of a 0 in a matrix, relative to its largest number.
NOUGHT_RATIO = 2**-22
# The spacing of single-precision numbers, relative to them.
SINGLE_RATIO = 2**-23
MOST_LIFTS = 16
PAGE = 10_000


class Refused(Exception):
    """A sentence about what the service refused, or why it does not answer."""

    def __init__(self, sentence, code=None):
        super().__init__(sentence)
        self.code = code


class Service:
    def __init__(self, url, token=None):
        self.url = url.rstrip("/")
        self.token = token

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = "Bearer " + self.token
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise refusal(method, path, error) from None
        except (OSError, ValueError) as error:
            why = getattr(error, "reason", error)
            raise Refused(f"{self.url} does not answer ({why}). Start the service, or give its address.") from None


def refusal(method, path, error):
    try:
        problem = json.load(error)
        return Refused(f"{method} {path}: {problem['detail']}", problem["code"])
    except (ValueError, KeyError):
        return Refused(f"{method} {path}: {error.code} {error.reason}. Is this the address of a Tangent service?")


class Level:
    """One scene of the service, and the objects that its bodies are made of."""

    def __init__(self, service, name, view_layer):
        self.service = service
        self.view_layer = view_layer
        self.path = "/v1/3d/scenes/" + urllib.parse.quote(letters_of(name), safe="")
        # Names of objects by the ids of bodies; objects that can be moved by the same, and the ids of these by their names.
        self.names = {}
        self.objects = {}
        self.ids = {}
        # Sentences about objects that were not sent.
        self.skipped = []
        self._shapes = {}

    def send(self):
        """Replaces the bodies of the scene by the objects that are visible now. Returns how many there are."""
        self.names, self.objects, self.ids, self.skipped = {}, {}, {}, []
        bodies = list(self._bodies())
        self.service.ask("PUT", self.path, {"ttl": 3600})
        puts = [{"op": "put", "body": body} for body in bodies]
        first, rest = puts[:PAGE], puts[PAGE:]
        self._write([{"op": "clear"}] + first)
        while rest:
            first, rest = rest[:PAGE], rest[PAGE:]
            self._write(first)
        return len(bodies)

    def ask(self, operation, question):
        return self.service.ask("POST", f"{self.path}/{operation}", question)

    def _write(self, operations):
        self.ask("operations", {"operations": operations})

    def _bodies(self):
        graph = self.view_layer.depsgraph
        graph.update()
        for instance in graph.object_instances:
            if instance.object.type not in WITH_FACES or not instance.show_self:
                continue
            made = instance.object.original
            body = self._body(made.name, instance.object, instance.matrix_world)
            if body is None:
                continue
            self.names[body["id"]] = made.name
            # An instance has no transform of its own that could be changed.
            if not instance.is_instance:
                self.objects[body["id"]] = made
                self.ids[made.name] = body["id"]
            yield body

    def _body(self, name, evaluated, matrix):
        vertices, triangles = mesh_of(evaluated, matrix)
        if not triangles:
            self.skipped.append(f"{name} has no faces")
            return None
        is_surface = bool(evaluated.original.get("tangent_surface"))
        try:
            shape = self._kept(vertices, triangles, is_surface)
        except Refused as refused:
            if refused.code is None:
                raise
            self.skipped.append(f"{name}: {refused}")
            return None
        collections = [f"collection:{each.name}" for each in evaluated.original.users_collection]
        return {
            "id": self._free_id(name),
            "shape": {"type": "ref", "id": shape},
            "position": vector_of(matrix.translation),
            "tags": list(dict.fromkeys(tag[:128] for tag in [f"name:{name}"] + collections)),
        }

    def _free_id(self, name):
        plain = letters_of(name)
        free, number = plain, 1
        while free in self.names:
            number += 1
            free = f"{plain}:{number}"
        return free

    def _kept(self, vertices, triangles, is_surface):
        """The id of the shape, which has an inside if its faces close it."""
        key = (is_surface, vertices.tobytes(), triangles.tobytes())
        if key not in self._shapes:
            mesh = {"type": "mesh", "vertices": vertices.tolist(), "triangles": triangles.tolist()}
            self._shapes[key] = self._keep(mesh, is_surface)
        return self._shapes[key]

    def _keep(self, mesh, is_surface):
        try:
            return self.service.ask("POST", "/v1/3d/shapes", {**mesh, **({} if is_surface else {"solid": True})})["id"]
        except Refused as refused:
            if refused.code != "mesh-not-closed":
                raise
            return self._keep(mesh, True)

    # What stands in what.

    def overlaps(self, limit=1000):
        """Pairs of bodies that overlap, deeper than rounding, each with a place and how deep; and whether there are more."""
        answer = self.ask("pairs", {"contacts": True, "limit": limit})
        pairs = [{**pair, "depth": -pair["contact"]["separation"]} for pair in answer["pairs"]]
        return [pair for pair in pairs if pair["depth"] > roundoff_of(pair)], answer["truncated"]

    def named(self, bodies):
        return ", ".join(self.names.get(body, body) for body in bodies)

    def way_out(self, body):
        """How a body gets out of all that it stands in; None where it stands free."""
        way = self.ask("separate", {"bodyId": body})
        return way if way["bodies"] else None

    def lint(self, rules):
        """What breaks the rules, as the service says it; the sentences have ids in them."""
        return self.ask("lint", {"rules": rules, "down": DOWN, "fixes": False})

    # Moving.

    def lowest_first(self, bodies):
        def lowest(body):
            thing = self.objects[body]
            return min((thing.matrix_world @ Vector(corner)).z for corner in thing.bound_box)

        return sorted(bodies, key=lowest)

    def settle(self, body, fall, align, is_moved_out):
        """Lets a body fall, if asked out of what it stands in first. Whether it rests then, and sentences about it."""
        name = self.objects[body].name
        said = []
        way = self.way_out(body)
        if way:
            by, into = triple(way["translation"]), self.named(way["bodies"])
            if not (is_moved_out and way["separated"]):
                return False, [f"{name} stands in {into}" + (f"; free by {by}" if way["separated"] else "")]
            self.move(body, way["position"])
            said.append(f"{name} moves by {by}, out of {into}")
        answer = self.drop(body, fall, align)
        if answer["status"] == "nothing-below":
            return False, said + [f"{name} has nothing below it within {rounded(fall)}"]
        if answer["status"] != "landed":
            return False, said + [f"{name} does not fall: it stands in something"]
        turned = ", turned" if is_turned(answer["orientation"]) else ""
        onto = self.named([answer["contact"]["id"]])
        return True, said + [f"{name} falls {rounded(answer['distance'])} onto {onto}{turned}"]

    def place(self, body, reach):
        """Moves the object of a body to the nearest place where it is free. Whether there is one, and a sentence about it."""
        name = self.objects[body].name
        answer = self.ask("place", {"bodyId": body, "maxDistance": reach})
        if answer["position"] is None:
            return False, f"{name} finds no free place within {rounded(reach)}"
        if answer["distance"] == 0:
            return True, f"{name} is free where it stands"
        self.move(body, answer["position"])
        return True, f"{name} moves by {triple(answer['translation'])}"

    def drop(self, body, fall, align=None):
        """Lets a body fall, with the objects parented to its own, and moves its object to where it comes to rest. Returns the answer."""
        own = [self.ids[each.name] for each in self.objects[body].children_recursive if each.name in self.ids]
        question = {"bodyId": body, "direction": DOWN, "maxDistance": fall, "filter": {"ids": {"exclude": own}}}
        answer = self.ask("drop", {**question, **({"align": align} if align else {})})
        if answer["status"] == "landed":
            self.move(body, answer["position"], answer["orientation"])
        return answer

    def move(self, body, position, orientation=None):
        """Moves the object of a body there, upwards from it by as many roundings as it takes to stand in nothing."""
        thing = self.objects[body]
        before = thing.matrix_world.copy()
        at = Vector((position["x"], position["y"], position["z"]))
        turn = Quaternion((orientation[each] for each in "wxyz")).to_matrix() if orientation else Matrix.Identity(3)
        turned = turn @ before.to_3x3()
        reach = max([abs(each) for each in at] + list(thing.dimensions))
        for lift in [0] + [2**k for k in range(MOST_LIFTS)]:
            lifted = at + Vector((0, 0, lift * SINGLE_RATIO * reach))
            self._place(thing, Matrix.Translation(lifted) @ turned.to_4x4())
            self._put_again(thing)
            if not self._stands_in_something(body):
                break
        now = thing.matrix_world.translation
        if (now - at).length > 2 ** (MOST_LIFTS + 1) * SINGLE_RATIO * reach:
            self._place(thing, before)
            self._put_again(thing)
            raise Refused(f"{thing.name} does not move: a constraint, a driver or an animation holds it.")

    def _place(self, thing, matrix):
        thing.matrix_world = matrix
        self.view_layer.update()

    def _put_again(self, thing):
        """Sends an object and what is parented to it, so that the next question sees where they stand."""
        graph = self.view_layer.depsgraph
        for each in [thing, *thing.children_recursive]:
            body = self.ids.get(each.name)
            if body is None:
                continue
            evaluated = each.evaluated_get(graph)
            vertices, triangles = mesh_of(evaluated, evaluated.matrix_world)
            shape = {"type": "ref", "id": self._kept(vertices, triangles, bool(each.get("tangent_surface")))}
            at = vector_of(evaluated.matrix_world.translation)
            self._write([{"op": "patch", "id": body, "fields": {"shape": shape, "position": at}}])

    def _stands_in_something(self, body):
        met = self.ask("overlap", {"bodyId": body})["bodies"]
        return any(each["relation"] == "overlapping" for each in met)


def mesh_of(evaluated, matrix):
    """Vertices of an object about its origin, turned, scaled and sheared as its matrix says, and triangles that look outwards."""
    mesh = evaluated.to_mesh()
    if mesh is None:
        return array.array("d"), array.array("i")
    try:
        mesh.calc_loop_triangles()
        given = array.array("f", bytes(12 * len(mesh.vertices)))
        mesh.vertices.foreach_get("co", given)
        triangles = array.array("i", bytes(12 * len(mesh.loop_triangles)))
        mesh.loop_triangles.foreach_get("vertices", triangles)
    finally:
        evaluated.to_mesh_clear()
    (a, b, c), (d, e, f), (g, h, i) = without_noughts(matrix)
    vertices = array.array("d")
    for k in range(0, len(given), 3):
        x, y, z = given[k : k + 3]
        vertices.extend((a * x + b * y + c * z + 0.0, d * x + e * y + f * z + 0.0, g * x + h * y + i * z + 0.0))
    # A mirror turns triangles round.
    if matrix.to_3x3().determinant() < 0:
        triangles.reverse()
    return vertices, triangles


def without_noughts(matrix):
    rows = [list(row) for row in matrix.to_3x3()]
    largest = max(abs(value) for row in rows for value in row)
    return [[0.0 if abs(value) <= NOUGHT_RATIO * largest else value for value in row] for row in rows]


def roundoff_of(pair):
    """How deep bodies may seem to overlap that are flush in Blender: its numbers are of single precision."""
    reach = [abs(at) for point in pair["contact"]["points"] for at in point["position"].values()]
    return 4 * SINGLE_RATIO * max(reach + [1.0])


def vector_of(at):
    return {"x": at[0], "y": at[1], "z": at[2]}


def triple(at):
    return ", ".join(rounded(at[axis]) for axis in "xyz")


def rounded(length):
    text = f"{length:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def is_turned(orientation):
    """By more than the rounding of a transform."""
    return max(abs(orientation[axis]) for axis in "xyz") > 1e-6


def letters_of(name):
    """As ids have them."""
    plain = "".join(each if each.isascii() and (each.isalnum() or each in "._:-") else "_" for each in name)[:120]
    return plain if plain.strip(".") else "_" + plain
