// The text of a shape is the same for equal shapes, however it is made.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../../src/scene/state/shape-text.ts'
import { runs } from '../../support/runs.ts'

/** What the text is: fields by their names, numbers with the sign of their zeros. */
function told(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (Array.isArray(value)) return `[${value.map(told)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${told(field)}`)}}`
}

const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -0, 1e21, 5e-324))
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, number, fc.string(), fc.boolean(), tie('list'), tie('record')),
  list: fc.array(tie('tree'), { maxLength: 4 }),
  record: fc.dictionary(
    fc.oneof(fc.constantFrom('x', 'y', 'type', '10', '9'), fc.string()),
    fc.option(tie('tree'), { nil: undefined }),
    { maxKeys: 4 },
  ),
}))

describe('the text of a shape', () => {
  it('has the fields in the order of their names, and every number', () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(canonicalText(value)).toBe(told(value))
      }),
      runs(3000),
    )
  })
})
