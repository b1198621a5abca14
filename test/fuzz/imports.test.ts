// Files that somebody has cut, mixed or spoilt: taken, or refused by name, and never anybody's fault but the file's.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SceneBody, SceneBody3d } from '../../schemas/scenes/body.ts'
import type { Import3dFormat, ImportFormat } from '../../schemas/scenes/import.ts'
import { PLAIN_FRAME } from '../../src/import/body-in-frame.ts'
import { PLAIN_FRAME_3D } from '../../src/import/body-in-frame-3d.ts'
import type { ImportTask } from '../../src/import/import-file.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { schemasByName } from '../../src/wire/named-schemas.ts'
import { bodyCompiler } from '../../src/wire/validators.ts'
import { importFile } from '../support/imported-file.ts'
import { runs } from '../support/runs.ts'
import { DOCUMENTS, TEXTS } from './small-files.ts'
import { BYTES_OF_SPACE, DOCUMENTS_OF_SPACE, TEXTS_OF_SPACE } from './small-files-3d.ts'

const junk = fc.constantFrom<unknown>(null, -1, 0, 1e300, 1e9, 0.5, 'x', '', [], {}, true, [[[]]], [{}])

const isBodyOf = { 2: bodyCompiler(schemasByName)(SceneBody), 3: bodyCompiler(schemasByName)(SceneBody3d) }
const OPTIONS = { 2: { frame: { ...PLAIN_FRAME, yUp: true } }, 3: { frame: PLAIN_FRAME_3D, solid: true } }
type File = readonly [dimension: 2 | 3, format: ImportFormat | Import3dFormat, bytes: Uint8Array]

/** Some of the values in a document, others in their place. */
function spoilt(value: unknown, draw: () => unknown): unknown {
  const other = draw()
  if (other !== undefined) return other
  if (Array.isArray(value)) return value.map((item) => spoilt(item, draw))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoilt(field, draw)]))
}

/** How many bodies it comes to; null if it is refused. */
function check([dimension, format, bytes]: File): number | null {
  const options = { dimension, format, source: 'a', merge: true, tolerance: 1, ...OPTIONS[dimension] }
  const file = importFile({
    kind: 'import',
    files: { main: { name: 'file', bytes }, others: [] },
    options: options as ImportTask['options'],
    limits: SCHEMA_LIMITS,
    mostBodies: Infinity,
    mostPieces: Infinity,
  })
  if (isProblem(file)) {
    expect(file.code).toMatch(/^import-/)
    return null
  }
  if (file.bounds !== null) expect(Object.values(file.bounds).every(Number.isFinite)).toBe(true)
  for (const { form, items: _, found: __, data, ...rest } of file.bodies) {
    const body = { ...rest, shape: JSON.parse(form), ...(data !== undefined && { data: JSON.parse(data) }) }
    // What the service takes from a file it must take from a client too.
    const isBody = isBodyOf[dimension]
    if (!isBody(body)) throw new Error(`${JSON.stringify(body)}: ${JSON.stringify(isBody.errors)}`)
  }
  return file.bodies.length
}

const of = <T>(dimension: 2 | 3, files: readonly (readonly [ImportFormat | Import3dFormat, T])[]) =>
  files.map(([format, file]) => [dimension, format, file] as const)
const ALL_DOCUMENTS = [...of(2, DOCUMENTS), ...of(3, DOCUMENTS_OF_SPACE)]
const ALL_TEXTS = [...of(2, TEXTS), ...of(3, TEXTS_OF_SPACE)]

it('are taken as they are', () => {
  for (const [dimension, format, text] of ALL_TEXTS)
    expect(check([dimension, format, Buffer.from(text)])).toBeGreaterThan(0)
  for (const file of of(3, BYTES_OF_SPACE)) expect(check(file)).toBeGreaterThan(0)
})

it('are refused by the place of what is no field of theirs', () => {
  const spoils = fc.array(fc.option(junk, { nil: undefined, freq: 40 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(fc.constantFrom(...ALL_DOCUMENTS), spoils, ([dimension, format, document], values) => {
      let k = 0
      check([dimension, format, Buffer.from(JSON.stringify(spoilt(document, () => values[k++ % values.length])))])
    }),
    runs(900),
  )
})

it('may have any letters anywhere', () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  const change = fc.tuple(
    place,
    fc.nat(20),
    fc.constantFrom('', '<', '>', '&', '"', '=', '/', ' ', '0', '-', 'e9', ',', '{', ']'),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...ALL_TEXTS),
      fc.array(change, { minLength: 1, maxLength: 5 }),
      ([dimension, format, text], changes) => {
        const spoiltText = changes.reduce((so, [at, length, letters]) => {
          const start = Math.floor(at * so.length)
          return so.slice(0, start) + letters + so.slice(start + (length % 5))
        }, text)
        check([dimension, format, Buffer.from(spoiltText)])
      },
    ),
    runs(900),
  )
})

it('may have any bytes anywhere', () => {
  const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), fc.nat(255), fc.nat(255))
  fc.assert(
    fc.property(
      fc.constantFrom(...of(3, BYTES_OF_SPACE)),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      ([dimension, format, bytes], changes) => {
        const spoiltBytes = changes.reduce((so, [at, cut, ...put]) => {
          const start = Math.floor(at * so.length)
          return Buffer.concat([so.subarray(0, start), Buffer.from(put), so.subarray(start + cut)])
        }, bytes)
        check([dimension, format, spoiltBytes])
      },
    ),
    runs(900),
  )
})
