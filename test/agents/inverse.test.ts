// What undoes operations: a scene to which they and their inverse are applied is as it was.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Body } from '../../src/agents/find-bodies.ts'
import { inverseOf, type Operation } from '../../src/agents/inverse.ts'

const IDS = ['a', 'b', 'c', 'd']
const id = fc.constantFrom(...IDS)
const number = fc.integer({ min: 0, max: 3 })
const fields = fc.record(
  { position: fc.record({ x: number, y: number }), rotation: number, tags: fc.array(fc.constantFrom('t', 'u')) },
  { requiredKeys: [] },
)
const shape = number.map((radius) => ({ type: 'circle', radius }))
const body = fc.tuple(id, shape, fields).map(([id, shape, fields]) => ({ id, shape, ...fields }) as Body)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  body.map((body) => ({ op: 'put', body })),
  fc.tuple(id, fields).map(([id, { tags: _, ...moved }]) => ({ op: 'move', id, ...moved })),
  fc.tuple(id, fields).map(([id, fields]) => ({ op: 'patch', id, fields })),
  id.map((id) => ({ op: 'remove', id })),
  fc.constant({ op: 'clear' }),
)

/** What the service makes of operations: null takes a field away. Null: one of them is about a body that is not there. */
function applied(bodies: ReadonlyMap<string, Body>, operations: readonly Operation[]): Map<string, Body> | null {
  const now = new Map(bodies)
  for (const { op, id = '', body, fields, ...moved } of operations) {
    if (op === 'clear') now.clear()
    else if (op === 'put') now.set((body as Body).id, body as Body)
    else if (!now.has(id)) return null
    else if (op === 'remove') now.delete(id)
    else {
      const changed = { ...(now.get(id) as Body), ...(fields ?? moved) }
      now.set(id, Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null)) as Body)
    }
  }
  return now
}

it('is the scene before', () => {
  fc.assert(
    fc.property(fc.array(body), fc.array(operation, { minLength: 1, maxLength: 6 }), (bodies, operations) => {
      const before = new Map(bodies.map((body) => [body.id, body]))
      const after = applied(before, operations)
      fc.pre(after !== null)
      const undone = applied(after as Map<string, Body>, inverseOf(operations, before))
      expect(undone).toEqual(before)
    }),
    { numRuns: 500 },
  )
})
