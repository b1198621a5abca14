// Bodies as large, deep and wrong as they can be, up to a limit of bytes, made from the schema of an operation.

import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { OpenApiSchema } from '../src/wire/openapi-document.ts'
import type { Operation, RequestMaker } from '../test/fuzz/openapi-requests.ts'

export interface HostileBody {
  kind: string
  body: Buffer
  headers?: Readonly<Record<string, string>>
}

const DEEPEST = 1_000_000
const BOMB_BYTES = 300 * 2 ** 20
/** Of the bodies that each property is given. */
const PROPERTIES = 5

let bomb: Buffer | null = null
/** 300 MiB of blanks, packed. */
export function gzipBomb(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES, ' '))
  return bomb
}

/** As often as fits into so many bytes, and not more than `most` times. */
function repeated(piece: string, bytes: number, most = Number.POSITIVE_INFINITY): string {
  return piece.repeat(Math.max(0, Math.min(Math.floor(bytes / Buffer.byteLength(piece)), most)))
}

const listOf = (item: string, bytes: number, most?: number) =>
  `[${repeated(`${item},`, bytes - item.length - 2, most === undefined ? undefined : most - 1)}${item}]`

/** Different names, all unknown. */
function keys(bytes: number): string {
  const count = Math.min(Math.floor(bytes / 14) - 1, 4_000_000)
  const parts: string[] = []
  for (let i = 0; i < count; i++) parts.push(`"k${i}":0`)
  return parts.join(',')
}

const nestedLists = (bytes: number) =>
  '['.repeat(Math.min(bytes / 2, DEEPEST)) + ']'.repeat(Math.min(bytes / 2, DEEPEST))

function nestedObjects(bytes: number): string {
  const depth = Math.min(Math.floor(bytes / 6) - 1, DEEPEST)
  return `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`
}

const shared = new Map<number, HostileBody[]>()

/** Those that are the same for all operations with the same limit. */
function common(limit: number): HostileBody[] {
  const known = shared.get(limit)
  if (known !== undefined) return known
  const made = Object.entries({
    'unknown keys': `{${keys(limit)}}`,
    'one name again and again': `{${repeated('"a":0,', limit - 8)}"a":0}`,
    'nested lists': nestedLists(limit),
    'nested objects': nestedObjects(limit),
    'a list that does not end': repeated('[0,', limit),
    'a string': `"${'x'.repeat(limit - 2)}"`,
    'a string of escapes': `"${repeated('\\u0000', limit - 2)}"`,
    'a number': `0.${'1'.repeat(limit - 2)}`,
    'a list of zeros': listOf('0', limit),
    'a list of empty objects': listOf('{}', limit),
    blanks: ' '.repeat(limit),
  }).map(([kind, text]): HostileBody => ({ kind, body: Buffer.from(text) }))
  made.push({ kind: 'random bytes', body: randomBytes(Math.min(limit, 2 ** 24)) })
  made.push({ kind: 'a gzip bomb', body: gzipBomb(), headers: { 'content-encoding': 'gzip' } })
  shared.set(limit, made)
  return made
}

export function hostileBodies(maker: RequestMaker, { bodies, examples }: Operation, limit: number): HostileBody[] {
  const [[type, schema] = []] = Object.entries(bodies)
  if (type === undefined || schema === undefined) return []
  if (type !== 'application/json') return [...common(limit), ...files(limit)]
  const { properties = {} } = maker.resolved(schema)
  const right = (examples[0] ?? maker.value(schema)) as Record<string, unknown>
  const own = Object.entries(properties).flatMap(([name, property]) => ofProperty(maker, name, property, right, limit))
  const inside = JSON.stringify(right).slice(1)
  const within = `{${keys(limit - inside.length)},${inside}`
  return [...common(limit), { kind: 'unknown keys beside the right ones', body: Buffer.from(within) }, ...own]
}

/** A right request in which one property is as much as it can be: in the right form, and in wrong ones. */
function ofProperty(
  maker: RequestMaker,
  name: string,
  given: OpenApiSchema,
  right: Record<string, unknown>,
  limit: number,
): HostileBody[] {
  const rest = Object.entries(right).filter(([other]) => other !== name)
  const beside = rest.map(([other, value]) => `,${JSON.stringify(other)}:${JSON.stringify(value)}`).join('')
  const room = limit - beside.length - name.length - 8
  const schema = maker.resolved(given)
  const values: Record<string, string> = {}
  if (schema.type === 'array') {
    const { items = {}, maxItems } = schema as { items?: OpenApiSchema; maxItems?: number }
    const item = JSON.stringify(maker.value(items))
    values['the longest list'] = listOf(item, room, maxItems)
    values['a list as long as fits'] = listOf(item, room)
    values['a list of lists'] = listOf('[]', room)
  } else if (schema.type === 'object' || schema.oneOf !== undefined) {
    values['unknown keys'] = `{${keys(room)}}`
    values['a list'] = listOf('{}', room)
    const inner = Object.entries(maker.resolved(schema).properties ?? {}).find(([, each]) => each.$ref !== undefined)
    if (inner !== undefined)
      values[`unknown keys in ${inner[0]}`] = `{${JSON.stringify(inner[0])}:{${keys(room - 99)}}}`
  } else {
    values['a string'] = `"${'x'.repeat(Math.max(0, room - 2))}"`
    values['a number'] = '9'.repeat(Math.max(1, room))
  }
  return Object.entries(values)
    .slice(0, PROPERTIES)
    .map(([kind, value]) => ({
      kind: `${name}: ${kind}`,
      body: Buffer.from(`{${JSON.stringify(name)}:${value}${beside}}`),
    }))
}

/** What an importer may take for a file. */
function files(limit: number): HostileBody[] {
  const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
  const room = limit - 100
  return Object.entries({
    'an SVG of groups in groups': svg(
      '<g>'.repeat(Math.min(room / 7, DEEPEST)) + '</g>'.repeat(Math.min(room / 7, DEEPEST)),
    ),
    'an SVG of rectangles': svg(repeated('<rect width="1" height="1"/>', room)),
    'an SVG of one path': svg(`<path d="M0 0${repeated('L1 2 3 1', room)}z"/>`),
    'an SVG of attributes': svg(`<g ${repeated('a="" ', room)}/>`),
    'GeoJSON of points': `{"type":"FeatureCollection","features":${listOf('{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}', room)}}`,
    'GeoJSON of one ring': `{"type":"Polygon","coordinates":[${listOf('[1,2]', room)}]}`,
    'a map of cells': `<map width="1" height="1"><layer><data encoding="csv">${repeated('1,', room)}</data></layer></map>`,
  }).map(([kind, text]) => ({ kind, body: Buffer.from(text) }))
}
