// Writes in flight against the naive model: what is checked against them is what will be there.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pace } from '../../../src/containers/budget.ts'
import { bodiesOf, PendingBodies } from '../../../src/scene/keeper/write-checks.ts'
import { checkOperations, type SceneBody } from '../../../src/scene/state/operation.ts'
import { apply } from '../../../src/scene/state/scene.ts'
import { canonicalText } from '../../../src/scene/state/shape-text.ts'
import { runs } from '../../support/runs.ts'
import { applyToModel, bodyId, CREATE, entriesOf, type Model, operation, sceneOf } from '../state/scene-model.ts'

const IDS = ['body-0', 'body-1', 'body-2', 'body-3', 'body-4', 'body-5']
const random = operation(bodyId(IDS.length))
const batches = fc.array(fc.array(random, { maxLength: 8 }), { minLength: 2, maxLength: 6 })

/** What JSON leaves of a body. */
const json = (body: SceneBody | undefined) => (body === undefined ? undefined : JSON.parse(canonicalText(body)))

describe('writes in flight', () => {
  it('leave the bodies that a naive model says, before and after they are applied', () => {
    fc.assert(
      fc.property(batches, fc.nat(5), (given, behind) => {
        const model: Model = new Map()
        const scene = sceneOf([CREATE])
        const pending = new PendingBodies(bodiesOf(scene))
        const inFlight: ReturnType<typeof entriesOf> = []
        const applyFirst = () => {
          const [entry] = inFlight.splice(0, 1)
          apply(scene, entry)
          pending.forget(entry.version, entry.operations)
        }
        const expectModel = () => {
          expect(pending.count()).toBe(model.size)
          for (const id of IDS) {
            expect(pending.has(id)).toBe(model.has(id))
            expect(json(pending.body(id))).toEqual(json(model.get(id)))
          }
        }
        given.forEach((batch, k) => {
          const [entry] = entriesOf([batch], 2 + k, model)
          pending.add(entry.version, entry.operations)
          inFlight.push(entry)
          expectModel()
          if (inFlight.length > behind) applyFirst()
          expectModel()
        })
        while (inFlight.length > 0) applyFirst()
        expectModel()
      }),
      runs(150),
    )
  })

  it('name what they are about, and what they leave of it', () => {
    fc.assert(
      fc.property(batches, (given) => {
        const model: Model = new Map()
        const [first, second] = entriesOf([given[0], given.slice(1).flat()], 2, model)
        const scene = sceneOf([CREATE, first])
        const pending = new PendingBodies(bodiesOf(scene))
        const work = pending.addInSlices(3, second.operations, new Pace())
        while (work.next().done !== true);
        const left = [...pending.changes()].filter((body) => body !== null)
        for (const body of left) expect(json(body)).toEqual(json(model.get(body.id)))
        for (const id of IDS) {
          if (left.some((body) => body.id === id)) expect(pending.isAbout(id)).toBe(true)
          else if (!pending.isAbout(id)) expect(model.has(id)).toBe(!pending.isCleared && bodiesOf(scene).has(id))
        }
      }),
      runs(150),
    )
  })
})

describe('operations about bodies that are not there', () => {
  it('are found, the first of them', () => {
    fc.assert(
      fc.property(fc.array(random, { maxLength: 12 }), fc.subarray(IDS), (operations, present) => {
        const model: Model = new Map(present.map((id) => [id, { id, shape: { type: 'point' } }]))
        const index = operations.findIndex((each) => !applyToModel(model, each))
        const fault = checkOperations((id) => present.includes(id), operations)
        if (index < 0) expect(fault).toBe(null)
        else expect(fault).toEqual({ code: 'unknown-body', index, id: (operations[index] as { id: string }).id })
      }),
      runs(300),
    )
  })
})
