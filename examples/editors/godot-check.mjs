#!/usr/bin/env node
// Checks the bodies of a 3D scene of Godot that move: which stand in something that they collide with, and below which there is no floor.
//
//     godot-check.mjs SCENE.tscn [--fall=0.1] [--url=http://127.0.0.1:3000]
//
// The scene is imported into a scene of space, with the scenes, resources and models that it names, as far as they are in its project (the
// nearest folder with a project.godot) or beside it. The service is asked for each rigid body, vehicle and character what it overlaps, how
// it gets out of that, and what it would fall on. Layers and masks count as in Godot: of two bodies one must scan the other. Areas, and
// meshes that are only seen, are in nobody's way. Ends with 0 when all is well, 1 when there are findings, 2 when it could not check.
// Needs Node 20.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fall: { type: 'string', default: '0.1' },
    url: { type: 'string', default: process.env.TANGENT_URL ?? 'http://127.0.0.1:3000' },
  },
})
const [path] = positionals
const fall = Number(options.fall)
if (path === undefined || !(fall >= 0)) stop('usage: godot-check.mjs SCENE.tscn [--fall=0.1] [--url=…]')

function stop(why) {
  console.error(why)
  process.exit(2)
}

async function ask(method, where, body) {
  const isForm = body instanceof FormData
  const response = await fetch(options.url + where, {
    method,
    headers: {
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(process.env.TANGENT_TOKEN !== undefined && { authorization: `Bearer ${process.env.TANGENT_TOKEN}` }),
    },
    body: isForm ? body : JSON.stringify(body),
  }).catch((error) => stop(`${options.url}: ${error.cause?.message ?? error.message}`))
  const answer = await response.json()
  return response.ok ? answer : stop(`${method} ${where}: ${answer.detail}`)
}

// Files.

/** Where paths that begin with res:// lie. */
function projectOf(folder) {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'project.godot'))) return at
    if (dirname(at) === at) return folder
  }
}

/** The scene, then every file that it or one of them names and the service reads. */
async function formOf(scene) {
  const project = projectOf(dirname(scene))
  const form = new FormData()
  const known = new Set([basename(scene)])
  const waiting = [scene]
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const content = await readFile(file).catch((error) => stop(error.message))
    form.append('file', new Blob([content]), basename(file))
    for (const named of namesIn(file, content)) {
      const found = [join(project, named), resolve(dirname(file), basename(named))].find((each) => existsSync(each))
      // the service lists what was not sent
      if (found === undefined || known.has(basename(found))) continue
      known.add(basename(found))
      waiting.push(found)
    }
  }
  return form
}

function namesIn(file, content) {
  if (/\.(tscn|tres)$/i.test(file)) {
    const all = [...content.toString().matchAll(/^\[ext_resource\b[^\]]*?\bpath="(?:res:\/\/)?([^"]+)"/gm)]
    return all.map(([, named]) => named).filter((named) => /\.(tscn|tres|glb|gltf)$/i.test(named))
  }
  if (!/\.gltf$/i.test(file)) return []
  const { buffers = [] } = JSON.parse(content)
  return buffers.flatMap(({ uri }) => (uri === undefined || uri.startsWith('data:') ? [] : [decodeURIComponent(uri)]))
}

// Bodies, by the collision objects that they are shapes of.

const lettersOf = (name) => name.replaceAll(/[^A-Za-z0-9._:-]/g, '_')
const scene = `/v1/3d/scenes/${lettersOf(basename(path))}`
const tagged = (tags, name) => tags.filter((tag) => tag.startsWith(`${name}:`)).map((tag) => tag.slice(name.length + 1))

async function* bodies() {
  for (let cursor = ''; cursor !== null; ) {
    const { bodies: page, next } = await ask('GET', `${scene}/bodies?limit=1000${cursor}`)
    yield* page
    cursor = next === null ? null : `&cursor=${next}`
  }
}

const IN_THE_WAY = { sensors: 'exclude', tags: { none: ['visual', 'disabled'] } }

/** The path of the object in the letters of ids: ids of its shapes have it in common. A collider of a model is an object of its own. */
function objectOf({ id, tags }) {
  if (tags.includes('collider')) return id
  const [name] = tagged(tags, 'name')
  const end = name === undefined ? -1 : id.lastIndexOf(`${lettersOf(name)}_`)
  return end < 0 ? id : id.slice(0, end + lettersOf(name).length)
}

function scans(a, b) {
  const masks = tagged(a.tags, 'collision-mask')
  return masks.includes('all') || tagged(b.tags, 'collision-layer').some((layer) => masks.includes(layer))
}

const text = await readFile(path, 'utf8').catch((error) => stop(error.message))
if (!/\[node\b[^\]]*\btype="\w*3D"|Transform3D\(/.test(text)) stop(`${path} is no scene of 3D`)
await ask('PUT', scene, { ttl: 3600 })
const report = await ask('POST', `${scene}/import?format=godot`, await formOf(path))
for (const why of new Set(report.skipped.filter(({ what }) => what === 'instance').map((each) => each.why))) {
  const first = report.skipped.find((each) => each.why === why)
  console.log(`${first.where}: ${why}`)
}

const all = new Map()
const objects = new Map()
for await (const body of bodies()) {
  if (body.sensor || body.tags.some((tag) => IN_THE_WAY.tags.none.includes(tag))) continue
  const object = objectOf(body)
  all.set(body.id, { ...body, object })
  objects.set(object, [...(objects.get(object) ?? []), body])
}

let findings = 0
const said = new Set()
for (const [object, shapes] of objects) {
  if (!shapes[0].tags.some((tag) => /^class:(RigidBody3D|VehicleBody3D|CharacterBody3D)$/.test(tag))) continue
  const unmet = [...all.values()].filter((each) => each.object === object || !meets(shapes[0], each))
  if (unmet.length === all.size) {
    findings++
    console.log(`${object} collides with nothing: no body is in a layer that it scans, and none scans its own`)
    continue
  }
  const filter = { ...IN_THE_WAY, ids: { exclude: unmet.map(({ id }) => id) } }
  const isFree = await checkOverlaps(object, shapes, filter)
  if (isFree) await checkFloor(object, shapes, filter)
}
console.log(`${report.bodies} bodies, ${findings} finding${findings === 1 ? '' : 's'}`)
process.exitCode = findings === 0 ? 0 : 1

function meets(a, b) {
  return scans(a, b) || scans(b, a)
}

/** Whether none of its shapes stands in something. */
async function checkOverlaps(object, shapes, filter) {
  let isFree = true
  for (const { id } of shapes) {
    const way = await ask('POST', `${scene}/separate`, { bodyId: id, filter })
    if (way.bodies.length === 0) continue
    isFree = false
    const into = [...new Set(way.bodies.map((each) => all.get(each).object))]
    const unsaid = into.filter((each) => !said.has(`${each} ${object}`))
    for (const each of into) said.add(`${object} ${each}`)
    if (unsaid.length === 0) continue
    findings++
    const [x, y, z] = ['x', 'y', 'z'].map((axis) => Number(way.translation[axis].toFixed(6)))
    console.log(`${object} stands in ${unsaid.join(', ')}${way.separated ? `; free by ${x}, ${y}, ${z}` : ''}`)
  }
  return isFree
}

async function checkFloor(object, shapes, filter) {
  const direction = { x: 0, y: -1, z: 0 }
  for (const { id } of shapes) {
    const { status } = await ask('POST', `${scene}/drop`, { bodyId: id, direction, maxDistance: fall, filter })
    if (status !== 'nothing-below') return
  }
  findings++
  console.log(`${object} has nothing below it within ${fall}`)
}
