#!/usr/bin/env python3
"""Moves the entities of an LDtk project out of the walls they stand in, and saves the project.

    ldtk_settle.py PROJECT.ldtk [--walls value:stone,value:dirt] [--out OTHER.ldtk] [--url http://127.0.0.1:3000]

The project is imported into a scene, the service is asked for each entity how it gets out of the cells, and what moves is
written back. Needs Python 3.8 and nothing else; projects with levels in files of their own are read by the service, but not
written here.
"""

import argparse
import json
import math
import os
import sys
import urllib.error
import urllib.request


def main():
    options = parse_options()
    service = Service(options.url)
    path = options.project
    with open(path, "rb") as file:
        content = file.read()
    project = json.loads(content)
    if project.get("externalLevels"):
        sys.exit(f"{path} keeps its levels in files of their own")

    scene = "/v1/2d/scenes/" + "".join(letter if letter.isalnum() else "-" for letter in os.path.basename(path))
    service.ask("PUT", scene, {"ttl": 3600})
    report = service.ask("POST", scene + "/import?format=ldtk", content)
    print(f"{report['bodies']} bodies, {report['cells']} cells; {len(report['skipped'])} skipped")

    walls = {"tags": {"any": options.walls.split(",")}}
    moved = 0
    for layer, entity in entities_of(project):
        body = f"{letters_of(layer['__identifier'])}:{entity['iid']}"
        way = service.ask("POST", scene + "/separate", {"bodyId": body, "filter": walls})
        if not way["bodies"]:
            continue
        name = entity["__identifier"]
        if not way["separated"]:
            print(f"{name} at {entity['px']} finds no way out of {', '.join(way['bodies'])}")
            continue
        # LDtk keeps whole pixels: away from the wall rather than back into it.
        by = [away(way["translation"][axis]) for axis in "xy"]
        print(f"{name} at {entity['px']} moves by {by}, out of {', '.join(way['bodies'])}")
        move(entity, by, layer["__gridSize"])
        moved += 1

    with open(options.out or path, "w", encoding="utf-8", newline="\n") as file:
        json.dump(project, file, ensure_ascii=False, indent="\t")
    # The project again, now that it is saved: only what has moved is written.
    with open(options.out or path, "rb") as file:
        report = service.ask("POST", f"{scene}/import?format=ldtk", file.read())
    print(f"{moved} moved, {report['updated']} updated in the scene, {report['added'] + report['removed']} added or removed")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("project")
    parser.add_argument("--walls", default="kind:cell", help="tags of what is solid, with commas between")
    parser.add_argument("--out", help="where to save; the project itself when absent")
    parser.add_argument("--url", default=os.environ.get("TANGENT_URL", "http://127.0.0.1:3000"))
    return parser.parse_args()


class Service:
    def __init__(self, url):
        self.url = url

    def ask(self, method, path, body):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        if "TANGENT_TOKEN" in os.environ:
            headers["authorization"] = "Bearer " + os.environ["TANGENT_TOKEN"]
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {json.load(error)['detail']}")


def entities_of(project):
    levels = project["levels"] + [level for world in project.get("worlds", []) for level in world["levels"]]
    for level in levels:
        for layer in level["layerInstances"]:
            for entity in layer["entityInstances"]:
                yield layer, entity


def letters_of(name):
    """As ids of bodies have them."""
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._:-") else "_" for letter in name)


def away(length):
    return math.ceil(length) if length > 0 else math.floor(length)


def move(entity, by, grid):
    entity["px"] = [at + step for at, step in zip(entity["px"], by)]
    # What LDtk derives of it, for programs that read the file before LDtk has saved it again.
    entity["__grid"] = [at // grid for at in entity["px"]]
    for field, step in zip(("__worldX", "__worldY"), by):
        if isinstance(entity.get(field), int):
            entity[field] += step


if __name__ == "__main__":
    main()
