// The text of a shape is the same for equal shapes, however it is made.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText, MOST_NUMBERS, readShape, ShapeForm } from '../../../src/scene/state/shape-text.ts'
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

/** The same value, the fields of its objects the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).reverse()
  return Object.fromEntries(fields.map(([name, field]) => [name, turned(field)]))
}

const shape = fc.dictionary(fc.constantFrom('x', 'y', 'type', 'points', '10'), tree, { maxKeys: 4 })

describe('the numbers of a shape', () => {
  it('are found by its form as by its text, and by no other form', () => {
    const out = new Float64Array(MOST_NUMBERS)
    fc.assert(
      fc.property(shape, shape, (a, b) => {
        const { form, count, numbers } = readShape(a)
        const own = numbers.slice(0, count)
        const formOfA = new ShapeForm(form, count)
        const isKnown = count > 0 && !/"__proto__"/.test(form) && !hasUndefined(a)
        if (!/"__proto__"/.test(form)) expect(formOfA.numbersOf(turned(a) as object, out)).toBe(isKnown)
        if (isKnown) expect(out.slice(0, count)).toEqual(own)
        if (readShape(b).form !== form && isKnown) expect(formOfA.numbersOf(b, out)).toBe(false)
      }),
      runs(3000),
    )
  })
})

function hasUndefined(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined
  return Object.values(value).some(hasUndefined)
}
