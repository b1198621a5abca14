/** Requests for fuzzing: valid ones with wild numbers and sizes, and valid ones broken in one or more places. */
import fc, { type Arbitrary } from 'fast-check'
import { SHAPE_TYPES, type ShapeType, type Source, shapeOf, UNIFORM } from './arbitraries.ts'

/** Finite doubles of every magnitude that the wire takes: denormals, tiny, ordinary, huge. */
const magnitude = fc.oneof(
  fc.constantFrom(0, 5e-324, 1e-320, 2 ** -1022, 1e-200, 1e-100, 1, 2 ** 53, 1e99, 1e100),
  fc.double({ min: 0, max: 10, noNaN: true }),
  fc.double({ min: 0, max: 1e100, noNaN: true }),
  fc.integer({ min: 0, max: 8 }),
)

export const WILD: Source = {
  coordinate: fc.tuple(magnitude, fc.boolean()).map(([m, negative]) => (negative ? -m : m)),
  size: magnitude,
}

const source = fc.constantFrom(UNIFORM, UNIFORM, WILD)

function wildBody(types: readonly ShapeType[]): Arbitrary<object> {
  return source.chain((s) =>
    fc.record(
      {
        shape: fc.oneof(...types.map((type) => shapeOf(type, s))),
        position: fc.record({ x: s.coordinate, y: s.coordinate }),
        rotation: fc.oneof(fc.double({ min: -10, max: 10, noNaN: true }), s.coordinate),
      },
      { requiredKeys: ['shape'] },
    ),
  )
}

/** A regular polygon of up to 1,024 vertices. */
const manyVertices = fc
  .record({ count: fc.constantFrom(3, 12, 100, 1000, 1024, 1025), radius: WILD.size })
  .map(({ count, radius }): object => ({
    shape: {
      type: 'polygon',
      vertices: Array.from({ length: count }, (_, i) => {
        const angle = (2 * Math.PI * i) / count
        return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
      }),
    },
  }))

export const wildRequestBody: Arbitrary<object> = fc.oneof(
  { weight: 60, arbitrary: wildBody(SHAPE_TYPES) },
  { weight: 1, arbitrary: manyVertices },
)

function maybe<T>(field: string, value: Arbitrary<T>): Arbitrary<object> {
  return fc.oneof(
    fc.constant({}),
    value.map((v) => ({ [field]: v })),
  )
}

const pair = fc.record({ a: wildRequestBody, b: wildRequestBody })
const direction = source.chain((s) => fc.record({ x: s.coordinate, y: s.coordinate }))
const rayDefinition = fc.record(
  { origin: source.chain((s) => fc.record({ x: s.coordinate, y: s.coordinate })), direction, maxDistance: WILD.size },
  { requiredKeys: ['origin', 'direction'] },
)

function merged(...parts: Arbitrary<object>[]): Arbitrary<object> {
  return fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as object)
}

export const QUERIES: Record<string, Arbitrary<object>> = {
  overlap: merged(pair, maybe('explain', fc.boolean())),
  distance: pair,
  contact: merged(pair, maybe('maxDistance', WILD.size)),
  'ray-cast': merged(
    fc.record({ ray: rayDefinition, targets: fc.array(wildRequestBody, { maxLength: 4 }) }),
    maybe('mode', fc.constantFrom('closest', 'any', 'all')),
    maybe('startInside', fc.constantFrom('hit', 'ignore', 'exit')),
  ),
}

/** One way to break a JSON text: takes the text, a place in it and a piece of junk. */
const junk = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '"1"',
    '""',
    '[]',
    '{}',
    '1e999',
    '-1e999',
    '1e308',
    '-0.0',
    '1e-400',
    '1e101',
    'NaN',
    'Infinity',
    '[[[[[[[[[[]]]]]]]]]]',
    '{"x":1}',
    '{"x":1,"y":"2"}',
    '{"type":"circle"}',
    '{"type":"banana"}',
    '"\\u0000"',
    '{"__proto__":{"x":1}}',
    '{"constructor":1}',
  ),
  fc.json({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 3000 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
)

/** Replaces one value, renames or repeats a field, or cuts the text: from nearly right to not JSON at all. */
export function broken(requests: Arbitrary<object>): Arbitrary<string> {
  return fc.tuple(requests, fc.nat(), fc.nat(99), junk).map(([request, place, kind, piece]) => {
    const text = JSON.stringify(request)
    const values = [...text.matchAll(/-?\d[\d.e+-]*|"(?:[a-z]+)"(?!:)|\{|\[/gi)]
    const keys = [...text.matchAll(/"([a-zA-Z]+)":/g)]
    if (kind < 50 && values.length > 0) {
      const found = values[place % values.length]
      const end = endOfValue(text, found.index, found[0])
      return text.slice(0, found.index) + piece + text.slice(end)
    }
    if (kind < 80 && keys.length > 0) {
      const { index, 1: key } = keys[place % keys.length]
      const before = text.slice(0, index)
      const after = text.slice(index + key.length + 2)
      if (kind < 60) return `${before}"${key}s"${after}`
      if (kind < 70) return `${before}"extra":${piece},"${key}"${after}`
      return `${before}"${[...key].reverse().join('')}"${after}`
    }
    const cut = place % (text.length + 1)
    if (kind < 90) return text.slice(0, cut)
    return kind < 95 ? piece : text.slice(0, cut) + piece + text.slice(cut)
  })
}

function endOfValue(text: string, start: number, token: string): number {
  if (token !== '{' && token !== '[') return start + token.length
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (text[i] === '{' || text[i] === '[') depth++
    if (text[i] === '}' || text[i] === ']') depth--
    if (depth === 0) return i + 1
  }
  return text.length
}
