import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { dryRun } from '../../../src/scene/queries/dry-run.ts'
import { validateScene } from '../../../src/scene/state/scene.ts'
import { encodeScene } from '../../../src/scene/state/scene-snapshot.ts'
import { openView } from '../../../src/scene/state/view.ts'
import { finished } from '../../support/answers/finished.ts'
import { unshrunk } from '../../support/runs.ts'
import { loneOf, ranked } from '../state/scene-cases.ts'
import { applyToModel, bodyId, CREATE, entriesOf, type Model, operation, sceneOf } from '../state/scene-model.ts'

const box = (id: string, x: number) => ({ id, shape: { type: 'box', width: 2, height: 2 }, position: { x, y: 0 } })

describe('a dry run', () => {
  it('names what a drag would newly overlap, and nothing that it overlapped before', () => {
    const puts = [box('a', 0), box('b', 1), box('c', 6), box('d', 9)].map((body) => ({ op: 'put' as const, body }))
    const view = openView(sceneOf([CREATE, ...entriesOf([puts], 2)]))
    const drag = [
      { op: 'move' as const, id: 'a', position: { x: 2, y: 0 } },
      { op: 'move' as const, id: 'b', position: { x: 4, y: 0 } },
    ]
    const touching = { id: 'b', other: 'c', relation: 0 }
    expect(finished(dryRun(view, drag, 10, Infinity))).toEqual({
      changed: ['a', 'b'],
      overlaps: [touching],
      truncated: false,
    })
    const farther = [{ op: 'move' as const, id: 'a', position: { x: 7.5, y: 0 } }]
    const both = ['c', 'd'].map((other) => ({ id: 'a', other, relation: -1 }))
    expect(finished(dryRun(view, farther, 10, Infinity))).toEqual({ changed: ['a'], overlaps: both, truncated: false })
    expect(finished(dryRun(view, farther, 1, Infinity))).toEqual({
      changed: ['a'],
      overlaps: both.slice(0, 1),
      truncated: true,
    })
    expect(finished(dryRun(view, drag, 10, 0))).toMatchObject({ changed: ['a', 'b'], truncated: true })
  })

  it('says what the model says, and changes nothing', () => {
    const ids = bodyId(10)
    const given = fc.array(operation(ids), { maxLength: 14 })
    fc.assert(
      fc.property(given, fc.array(operation(ids), { minLength: 1, maxLength: 6 }), (first, then) => {
        const before: Model = new Map()
        const scene = sceneOf([CREATE, ...entriesOf([first], 2, before)])
        const after: Model = new Map(before)
        const operations = then.filter((each) => applyToModel(after, each))
        const bytes = Buffer.concat([...encodeScene(scene)])
        const found = finished(dryRun(openView(scene), operations, Infinity, Infinity))
        expect(Buffer.compare(bytes, Buffer.concat([...encodeScene(scene)]))).toBe(0)
        expect(validateScene(scene)).toBe(null)
        const cleared = operations.findLastIndex(({ op }) => op === 'clear')
        const touched = new Set(
          operations.slice(cleared + 1).map((each) => (each.op === 'put' ? each.body.id : 'id' in each ? each.id : '')),
        )
        const changed = [...after.keys()].filter((id) => touched.has(id)).sort()
        expect(found.changed).toEqual(changed)
        const lones = (model: Model) => new Map([...model.values()].map((body) => [body.id, loneOf(body)]))
        const earlier = lones(before)
        const later = lones(after)
        const meets = (bodies: ReturnType<typeof lones>, id: string, other: string) => {
          const a = bodies.get(id)
          const b = bodies.get(other)
          return a !== undefined && b !== undefined && relate(a.body, b.body) <= 0
        }
        const expected = changed.flatMap((id) =>
          [...after.keys()]
            .filter((other) => other !== id && meets(later, id, other) && !meets(earlier, id, other))
            .map((other) => ({ id, other, relation: relate(later.get(id)!.body, later.get(other)!.body) })),
        )
        const sorted = ranked(
          expected.map((each) => ({ ...each, id: `${each.id} ${each.other}`, of: each.id })),
          () => 0,
        )
        expect(found.overlaps).toEqual(sorted.map(({ of, other, relation }) => ({ id: of, other, relation })))
      }),
      unshrunk(300),
    )
  })
})
