// Bodies that are heavy before anything is asked: to read, to refuse, to tell what is wrong with them.

import { disc, many, point } from './bodies.ts'
import { type HeavyRequest, LINES, share } from './request.ts'

/** As long as a body may be, by default. */
const MOST = 16 * 2 ** 20

const to = (path: string, name: string, body: (size: number) => string, more: Partial<HeavyRequest> = {}) => ({
  name: `text: ${name}`,
  path,
  body,
  ...more,
})

const CONTACT = '/v1/2d/contact'
const BATCH = '/v1/2d/batch'
const VALIDATE = '/v1/2d/validate'

// What is too deep is refused before it is found to have no end.
const MALFORMED: Partial<HeavyRequest> = { refused: ['malformed-json', 'schema-violation'] }
const WRONG: Partial<HeavyRequest> = { refused: ['schema-violation'] }

const filled = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length))

/** `opening`, as often as there is room for it and for what closes it, around `core`. */
function nest(opening: string, core: string, closing: string, bytes: number): string {
  const depth = Math.floor((bytes - core.length) / (opening.length + closing.length))
  return opening.repeat(depth) + core + closing.repeat(depth)
}

export const heavyTexts: readonly HeavyRequest[] = [
  to(CONTACT, '16 MB of [', (size) => filled('[', share(MOST, size)), MALFORMED),
  to(BATCH, '16 MB of [, to a batch', (size) => filled('[', share(MOST, size)), MALFORMED),
  to(BATCH, '16 MB of [ as one line', (size) => `${filled('[', share(MOST - 1, size))}\n`, {
    type: LINES,
    ...MALFORMED,
  }),
  to(BATCH, '16 MB of { as one line', (size) => `${filled('{"a":', share(MOST - 9, size))}\n`, {
    type: LINES,
    ...MALFORMED,
  }),
  to(CONTACT, '16 MB of [ and ]', (size) => nest('[', '', ']', share(MOST, size)), WRONG),
  to(CONTACT, '16 MB of objects in each other', (size) => nest('{"a":', '1', '}', share(MOST, size)), WRONG),
  to(
    CONTACT,
    'nested arrays for a coordinate',
    (size) => `{"a":{"shape":{"type":"point"},"position":{"x":${nest('[', '', ']', share(MOST - 99, size))},"y":0}}}`,
    WRONG,
  ),
  to(
    VALIDATE,
    'compounds in each other, as many as there is room for',
    (size) =>
      `{"shape":${nest('{"type":"compound","children":[{"shape":', '{"type":"point"}', '}]}', share(MOST - 99, size))}}`,
    { refused: ['schema-violation', 'compound-too-deep'] },
  ),
  to(
    CONTACT,
    'a string of 16 MB that looks like nesting',
    (size) => `{"a":"${filled('[{\\"', share(MOST - 99, size))}"}`,
    WRONG,
  ),
  to(
    CONTACT,
    'a string of backslashes without an end',
    (size) => `{"a":"${filled('\\\\', share(MOST - 99, size))}`,
    MALFORMED,
  ),
  to(CONTACT, 'a key of 16 MB', (size) => `{"${filled('\\u0041', share(MOST - 99, size))}":1}`, WRONG),
  to(
    CONTACT,
    'a number of 16 million digits',
    (size) => `{"a":{"shape":{"type":"circle","radius":${filled('7', share(MOST - 99, size, 400))}}}}`,
    { refused: ['schema-violation', 'malformed-json', 'coordinate-out-of-range'] },
  ),
  to(
    VALIDATE,
    'a number of 16 million decimals',
    (size) => `{"shape":{"type":"circle","radius":0.${filled('3', share(MOST - 99, size))}}}`,
  ),
  to(CONTACT, '16 MB of blanks', (size) => filled(' \n\t\r', share(MOST, size)), {
    refused: ['malformed-json', 'empty-body'],
  }),
  to(
    CONTACT,
    'a million unknown fields',
    (size) => `{${many(share(1_000_000, size), (i) => `"k${i}":0`).join(',')}}`,
    WRONG,
  ),
  to(
    BATCH,
    'far too many queries: 16 MB of {}',
    (size) => `{"queries":[${filled('{},', share(MOST - 99, size, 400_000))}{}]}`,
    { refused: ['too-many-queries'] },
  ),
  to(BATCH, 'lines: 16 MB of {}', (size) => filled('{}\n', share(MOST, size)), {
    type: LINES,
    streams: true,
    ...WRONG,
  }),
  to(
    BATCH,
    '100,000 queries that are wrong',
    (size) =>
      JSON.stringify({
        queries: many(share(100_000, size), () => ({ op: 'contact', a: disc(-1), b: { ...point, z: 1 } })),
      }),
    WRONG,
  ),
  to(
    '/v1/2d/pairs',
    '100,000 bodies, the last of which is wrong',
    (size) => JSON.stringify({ bodies: [...many(share(100_000, size) - 1, () => disc()), disc(-1)] }),
    WRONG,
  ),
  to(
    '/v1/2d/hull',
    'too many points: 700,000',
    (size) => `{"points":[${filled('{"x":0,"y":0},', share(MOST - 99, size, 2_000_000))}{"x":0,"y":0}]}`,
    { refused: ['too-many-vertices', 'schema-violation'] },
  ),
]
