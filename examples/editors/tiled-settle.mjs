#!/usr/bin/env node
// Moves the objects of some layers of a Tiled map out of what stands in others, and saves the map.
//
//     tiled-settle.mjs MAP.tmx --layers=props,enemies [--solid=walls,bounds] [--out=OTHER.tmx] [--url=http://127.0.0.1:3000]
//
// The map is imported into a scene with the tilesets that it names, the service is asked for each object how it gets out of the
// solid layers (all others when absent), and x and y of what moves are changed in the text of the map; all else stays as Tiled
// wrote it. Needs Node 20.

import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    layers: { type: 'string' },
    solid: { type: 'string' },
    out: { type: 'string' },
    url: { type: 'string', default: process.env.TANGENT_URL ?? 'http://127.0.0.1:3000' },
  },
})
const [path] = positionals
if (path === undefined || options.layers === undefined) {
  console.error('usage: tiled-settle.mjs MAP.tmx --layers=props,enemies [--solid=walls] [--out=OTHER.tmx] [--url=…]')
  process.exit(2)
}

async function ask(method, where, body) {
  const isForm = body instanceof FormData
  const response = await fetch(options.url + where, {
    method,
    headers: {
      ...(!isForm && { 'content-type': 'application/json' }),
      ...(process.env.TANGENT_TOKEN !== undefined && { authorization: `Bearer ${process.env.TANGENT_TOKEN}` }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  const answer = await response.json()
  if (response.ok) return answer
  // Texts and images have no shape.
  if (answer.code === 'body-not-found') return null
  console.error(`${method} ${where}: ${answer.detail}`)
  process.exit(1)
}

/** The map, and beside it the tilesets and templates that it names: the service reads no disks. */
async function formOf(map) {
  const form = new FormData()
  form.append('file', new Blob([map]), basename(path))
  const named = [...map.matchAll(/<(?:tileset|object)\b[^>]*?\b(?:source|template)="([^"]+)"/g)]
  for (const name of new Set(named.map(([, source]) => source))) {
    // What is not there the service lists, or says that it cannot do without.
    const content = await readFile(resolve(dirname(path), name)).catch(() => null)
    if (content !== null) form.append('file', new Blob([content]), basename(name))
  }
  return form
}

const lettersOf = (name) => name.replaceAll(/[^A-Za-z0-9._:-]/g, '_')
const attributeOf = (tag, name) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
const withAttribute = (tag, name, value) => tag.replace(new RegExp(`(\\s${name}=")[^"]*`), (_, start) => start + value)

const scene = `/v1/2d/scenes/${lettersOf(basename(path))}`
const layers = options.layers.split(',')
const tagsOf = (names) => names.map((name) => `layer:${name}`)
const filter = {
  tags: options.solid === undefined ? { none: tagsOf(layers) } : { any: tagsOf(options.solid.split(',')) },
}
const map = await readFile(path, 'utf8')
await ask('PUT', scene, { ttl: 3600 })
const report = await ask('POST', `${scene}/import?format=tiled`, await formOf(map))
console.log(`${report.bodies} bodies, ${report.cells} cells; ${report.skipped.length} skipped`)

let moved = 0
let layer = ''
const parts = []
// Tags with what stands between them, in their order.
for (const part of map.split(/(<objectgroup\b[^>]*>|<object\b[^>]*>)/)) {
  if (part.startsWith('<objectgroup')) layer = attributeOf(part, 'name') ?? ''
  const isObject = part.startsWith('<object ') && layers.includes(layer)
  parts.push(isObject ? await settle(part, `${lettersOf(layer)}:${attributeOf(part, 'id')}`) : part)
}

/** The tag of an object, moved out of what is solid. */
async function settle(tag, bodyId) {
  const way = await ask('POST', `${scene}/separate`, { bodyId, filter })
  if (way === null || way.bodies.length === 0) return tag
  const { bodies, separated, translation } = way
  if (!separated) {
    console.log(`${bodyId} finds no way out of ${bodies.join(', ')}`)
    return tag
  }
  const { x, y } = translation
  console.log(`${bodyId} moves by ${x}, ${y}, out of ${bodies.join(', ')}`)
  moved++
  return withAttribute(
    withAttribute(tag, 'x', Number(attributeOf(tag, 'x')) + x),
    'y',
    Number(attributeOf(tag, 'y')) + y,
  )
}

const settled = parts.join('')
await writeFile(options.out ?? path, settled)
// The map again, now that it is saved: only what has moved is written.
const { updated, added, removed } = await ask('POST', `${scene}/import?format=tiled`, await formOf(settled))
console.log(`${moved} moved, ${updated} updated in the scene, ${added + removed} added or removed`)
