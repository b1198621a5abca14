// Files that somebody has cut, mixed or spoilt: taken, or refused by name, and never anybody's fault but the file's.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SceneBody } from '../../schemas/scenes/body.ts'
import type { ImportFormat } from '../../schemas/scenes/import.ts'
import { PLAIN_FRAME } from '../../src/import/body-in-frame.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { schemasByName } from '../../src/wire/named-schemas.ts'
import { bodyCompiler } from '../../src/wire/validators.ts'
import { importFile } from '../support/imported-file.ts'
import { runs } from '../support/runs.ts'
import { DOCUMENTS, TEXTS } from './small-files.ts'

const junk = fc.constantFrom<unknown>(null, -1, 0, 1e300, 1e9, 0.5, 'x', '', [], {}, true, [[[]]], [{}])

const isSceneBody = bodyCompiler(schemasByName)(SceneBody)

/** Some of the values in a document, others in their place. */
function spoilt(value: unknown, draw: () => unknown): unknown {
  const other = draw()
  if (other !== undefined) return other
  if (Array.isArray(value)) return value.map((item) => spoilt(item, draw))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoilt(field, draw)]))
}

function check(format: ImportFormat, text: string): void {
  const main = { name: 'file', bytes: Buffer.from(text) }
  const options = {
    dimension: 2 as const,
    format,
    source: 'a',
    merge: true,
    tolerance: 1,
    frame: { ...PLAIN_FRAME, yUp: true },
  }
  const file = importFile({
    kind: 'import',
    files: { main, others: [] },
    options,
    limits: SCHEMA_LIMITS,
    mostBodies: Infinity,
    mostPieces: Infinity,
  })
  if (isProblem(file)) expect(file.code).toMatch(/^import-/)
  else {
    if (file.bounds !== null) expect(Object.values(file.bounds).every(Number.isFinite)).toBe(true)
    for (const { form, items: _, found: __, data, ...rest } of file.bodies) {
      const body = { ...rest, shape: JSON.parse(form), ...(data !== undefined && { data: JSON.parse(data) }) }
      // What the service takes from a file it must take from a client too.
      if (!isSceneBody(body)) throw new Error(`${JSON.stringify(body)}: ${JSON.stringify(isSceneBody.errors)}`)
    }
  }
}

it('are refused by the place of what is no field of theirs', () => {
  const spoils = fc.array(fc.option(junk, { nil: undefined, freq: 40 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(fc.constantFrom(...DOCUMENTS), spoils, ([format, document], values) => {
      let k = 0
      check(format, JSON.stringify(spoilt(document, () => values[k++ % values.length])))
    }),
    runs(600),
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
      fc.constantFrom(...TEXTS),
      fc.array(change, { minLength: 1, maxLength: 5 }),
      ([format, text], changes) => {
        const spoiltText = changes.reduce((so, [at, length, letters]) => {
          const start = Math.floor(at * so.length)
          return so.slice(0, start) + letters + so.slice(start + (length % 5))
        }, text)
        check(format, spoiltText)
      },
    ),
    runs(600),
  )
})
