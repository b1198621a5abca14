#!/usr/bin/env node
// Checks a 3D scene of Godot: which bodies that move stand in something that they collide with, below which there is no floor, and which
// bodies are doubled or without volume.
//
//     godot-check.mjs SCENE.tscn [--fall=0.1] [--url=http://127.0.0.1:3000]
//
// The scene is imported into a scene of space, with the scenes, resources and models that it names, as far as they are in its project (the
// nearest folder with a project.godot) or beside it. Each rigid body, vehicle and character is held against the rules inside-solid and
// floating of lint, with filters by which layers and masks count as in Godot: of two bodies one must scan the other. Areas, and meshes that
// are only seen, are in nobody's way. Ends with 0 when all is well, 1 when there are findings, 2 when it could not check.
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

/** What an object collides with: of two one must scan the other. */
function othersOf(shapes) {
  const [{ tags }] = shapes
  const masks = tagged(tags, 'collision-mask')
  const scanned = masks.map((layer) => `collision-layer:${layer}`)
  const scanning = tagged(tags, 'collision-layer').map((layer) => `collision-mask:${layer}`)
  const any = masks.includes('all') ? {} : { any: [...scanned, ...scanning, 'collision-mask:all'] }
  return { ...IN_THE_WAY, tags: { ...IN_THE_WAY.tags, ...any }, ids: { exclude: shapes.map(({ id }) => id) } }
}

const moving = [...objects.values()].filter(([{ tags }]) =>
  tags.some((tag) => /^class:(RigidBody3D|VehicleBody3D|CharacterBody3D)$/.test(tag)),
)
const rulesOf = (shapes) => {
  const sides = { filter: { ids: { include: shapes.map(({ id }) => id) } }, against: othersOf(shapes) }
  return [
    { rule: 'inside-solid', ...sides },
    { rule: 'floating', within: fall, ...sides },
  ]
}
const rules = [
  { rule: 'duplicate', filter: IN_THE_WAY },
  { rule: 'degenerate', filter: IN_THE_WAY },
  ...moving.flatMap(rulesOf),
]
/** As many as a request takes. */
const MOST_RULES = 64
const found = []
let isWhole = true
for (let k = 0; k < rules.length; k += MOST_RULES) {
  const asked = { down: { x: 0, y: -1, z: 0 }, rules: rules.slice(k, k + MOST_RULES) }
  const { findings, truncated } = await ask('POST', `${scene}/lint`, asked)
  found.push(...findings)
  isWhole &&= !truncated
}

/** By the ids of shapes. */
const floating = new Map(found.flatMap((each) => (each.rule === 'floating' ? [[each.bodies[0], each]] : [])))
const said = new Set()
let findings = 0
for (const finding of found) {
  const line = await lineOf(finding)
  if (line === undefined || said.has(line)) continue
  said.add(line)
  findings++
  console.log(line)
}
const more = isWhole ? '' : ', and more than the service lists'
console.log(`${report.bodies} bodies, ${findings} finding${findings === 1 ? '' : 's'}${more}`)
process.exitCode = findings === 0 ? 0 : 1

/** Undefined of what is none for all of the object, or has been said the other way round. */
async function lineOf(finding) {
  const { rule, bodies, measure, message, fix } = finding
  const [first, ...others] = bodies.map((id) => all.get(id))
  if (rule === 'inside-solid') {
    const into = [...new Set(others.map(({ object }) => object))]
    if (into.every((each) => said.has(`${each} ${first.object}`))) return undefined
    for (const each of into) said.add(`${first.object} ${each}`)
    const to = fix?.operations[0].position
    const way = to && ['x', 'y', 'z'].map((axis) => Number((to[axis] - (first.position?.[axis] ?? 0)).toFixed(6)))
    return `${spoken(message)}${way ? ` Free by ${way.join(', ')}.` : ''}`
  }
  if (rule === 'floating') {
    // one that stands holds all of them; else the one that falls least tells how far
    const shapes = objects.get(first.object)
    const falls = shapes.map(({ id }) => floating.get(id))
    if (falls.includes(undefined) || falls.some((each) => fallOf(each) < fallOf(finding))) return undefined
    if (measure === null && !(await meetsAnything(first, shapes))) {
      return `${first.object} collides with nothing: no body is in a layer that it scans, and none scans its own.`
    }
  }
  return spoken(message)
}

function fallOf({ measure }) {
  return measure ?? Number.POSITIVE_INFINITY
}

async function meetsAnything({ id }, shapes) {
  const { bodies: near } = await ask('POST', `${scene}/nearest`, { bodyId: id, filter: othersOf(shapes), limit: 1 })
  return near.length > 0
}

/** With objects in place of their shapes. */
function spoken(message) {
  return message.replaceAll(/[A-Za-z0-9._:-]+/g, (word) => {
    const id = all.has(word) ? word : word.replace(/\.$/, '')
    return all.has(id) ? word.replace(id, all.get(id).object) : word
  })
}
