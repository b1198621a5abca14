#!/usr/bin/env node
// Checks the point entities of a Quake map: which stand in something solid, and below which there is no floor.
//
//     trenchbroom-check.mjs MAP.map [--fall=64] [--fix] [--url=http://127.0.0.1:3000]
//
// The map is imported into a scene of space, and the service is asked for each entity that has a size how it gets out of what it stands
// in, and what it falls on. With --fix, the origin of what stands in something is changed in the text of the map; all else stays as
// TrenchBroom wrote it. Ends with 0 when all is well, 1 when there are findings, 2 when it could not check. Needs Node 20.

import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fall: { type: 'string', default: '64' },
    fix: { type: 'boolean', default: false },
    url: { type: 'string', default: process.env.TANGENT_URL ?? 'http://127.0.0.1:3000' },
  },
})
const [path] = positionals
const fall = Number(options.fall)
if (path === undefined || !(fall >= 0)) stop('usage: trenchbroom-check.mjs MAP.map [--fall=64] [--fix] [--url=…]')

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

const scene = `/v1/3d/scenes/${basename(path).replaceAll(/[^A-Za-z0-9._:-]/g, '_')}`

async function imported(text) {
  const form = new FormData()
  form.append('file', new Blob([text]), basename(path))
  return ask('POST', `${scene}/import?format=map`, form)
}

/** The entities that have a size; the others, such as lights, are points. */
async function* entities() {
  for (let cursor = ''; cursor !== null; ) {
    const { bodies, next } = await ask('GET', `${scene}/bodies?tag=kind:entity&limit=1000${cursor}`)
    yield* bodies.filter(({ shape }) => shape.type !== 'point')
    cursor = next === null ? null : `&cursor=${next}`
  }
}

const map = await readFile(path, 'utf8').catch((error) => stop(error.message))
await ask('PUT', scene, { ttl: 3600 })
const report = await imported(map)
for (const { where, why } of [...report.skipped, ...report.repaired]) console.log(`${where}: ${why}`)

const solid = { sensors: 'exclude', tags: { none: ['kind:entity'] } }
/** By the number of the entity in the map. */
const moves = new Map()
let findings = report.skipped.length
for await (const { id, tags, data } of entities()) {
  const name = `${tags.find((tag) => tag.startsWith('class:'))?.slice(6)} at ${data?.origin} (${id})`
  const way = await ask('POST', `${scene}/separate`, { bodyId: id, filter: solid })
  if (way.bodies.length > 0) {
    findings++
    const [x, y, z] = ['x', 'y', 'z'].map((axis) => Number(way.translation[axis].toFixed(6)))
    console.log(`${name} stands in ${way.bodies.join(', ')}${way.separated ? `; free by ${x}, ${y}, ${z}` : ''}`)
    if (way.separated) moves.set(Number(/(\d+)$/.exec(id)?.[1]), [x, y, z])
    continue
  }
  const direction = { x: 0, y: 0, z: -1 }
  const { status } = await ask('POST', `${scene}/drop`, { bodyId: id, direction, maxDistance: fall, filter: solid })
  if (status !== 'nothing-below') continue
  findings++
  console.log(`${name} has nothing below it within ${fall}`)
}

if (options.fix && moves.size > 0) {
  const fixed = withOrigins(map)
  await writeFile(path, fixed)
  const { updated } = await imported(fixed)
  console.log(`${moves.size} moved, ${updated} updated in the scene`)
}
console.log(`${report.bodies} bodies, ${findings} finding${findings === 1 ? '' : 's'}`)
process.exitCode = findings === 0 ? 0 : 1

/** The map with the origins of the entities that move changed. */
function withOrigins(text) {
  let [depth, entity] = [0, -1]
  const lines = text.split('\n').map((line) => {
    const first = line.trimStart()[0]
    if (first === '{' && depth++ === 0) entity++
    if (first === '}') depth--
    const move = moves.get(entity)
    if (depth !== 1 || move === undefined) return line
    return line.replace(/^(\s*"origin"\s+")([^"]*)/, (_, start, origin) => {
      return (
        start +
        origin
          .split(/\s+/)
          .map((at, k) => Number(at) + move[k])
          .join(' ')
      )
    })
  })
  return lines.join('\n')
}
