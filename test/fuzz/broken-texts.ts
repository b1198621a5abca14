/** Requests as text, broken in one place: from nearly right to not JSON at all. */
import fc, { type Arbitrary } from 'fast-check'

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
    '{"type":"compound","children":[]}',
    '{"type":"region","outer":[[[]]]}',
    '{"type":"banana"}',
    '"\\u0000"',
    '{"__proto__":{"x":1}}',
    '{"constructor":1}',
  ),
  fc.json({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 3000 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.integer({ min: 1, max: 3000 }).map(nested),
)

/** Compounds around each other. */
function nested(depth: number): string {
  return `${'{"type":"compound","children":[{"shape":'.repeat(depth)}{"type":"point"}${'}]}'.repeat(depth)}`
}

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
