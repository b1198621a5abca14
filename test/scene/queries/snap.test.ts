// Motions that snap: flush, overlapping nothing, in order, and none nearer left out.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { X, Y } from '../../../src/core2d/shape/body.ts'
import { querySnap, type SnapAnswer, type SnapQuery } from '../../../src/scene/queries/snap.ts'
import type { SnapKind } from '../../../src/scene/queries/snap-features.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply } from '../../../src/scene/state/scene.ts'
import { idAt, type PlaneView, presentView } from '../../../src/scene/state/view.ts'
import { finished } from '../../support/answers/finished.ts'
import { prepare } from '../../support/answers/slots.ts'
import { BOUNDED_TYPES, mixedBody } from '../../support/families/arbitraries.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { runCount, unshrunk } from '../../support/runs.ts'
import { bodies, loneOf } from '../state/scene-cases.ts'
import { CREATE, sceneOf } from '../state/scene-model.ts'

const describeOwn = () => {
  throw new Error('nothing is asked elsewhere')
}

function viewOf(list: readonly SceneBody[]): PlaneView {
  const scene = sceneOf([CREATE])
  apply(scene, { version: 2, at: 0, operations: list.map((body) => ({ op: 'put' as const, body })) })
  return presentView(scene)
}

interface Wire {
  shape: object
  position?: { x: number; y: number }
  rotation?: number
}

const kinds = (...list: SnapKind[]) => new Set<SnapKind>(list)

function snap(view: PlaneView, wire: Wire, given: Partial<SnapQuery>): SnapAnswer {
  return finished(
    querySnap(view, {
      maxDistance: 1,
      kinds: kinds('vertex', 'edge', 'midpoint'),
      grid: null,
      mayTurn: false,
      accepts: () => true,
      limit: 100,
      *turned(turn) {
        yield
        return { body: prepare({ ...wire, rotation: (wire.rotation ?? 0) + turn } as never), describe: describeOwn }
      },
      ...given,
    }),
  )
}

const box = (width: number, height: number) => ({ type: 'box', width, height })
const WALL: SceneBody = { id: 'wall', shape: box(2, 10), position: { x: -1, y: 0 } }

describe('snap', () => {
  it('lays a side on a side', () => {
    const { found } = snap(viewOf([WALL]), { shape: box(2, 2), position: { x: 1.25, y: 1 } }, { kinds: kinds('edge') })
    expect(found[0]).toMatchObject({ x: 1, y: 1, turn: 0, distance: 0.25 })
    expect(found).toHaveLength(1)
  })

  it('takes a body out of what it stands in a little', () => {
    const { found } = snap(viewOf([WALL]), { shape: box(2, 2), position: { x: 0.75, y: 1 } }, { kinds: kinds('edge') })
    expect(found).toMatchObject([{ x: 1, y: 1 }])
  })

  it('lays corners on corners, and middles on middles', () => {
    const wire = { shape: box(2, 2), position: { x: 1.25, y: 4.25 } }
    expect(snap(viewOf([WALL]), wire, { kinds: kinds('vertex') }).found).toMatchObject([{ x: 1, y: 4 }])
    const middle = { shape: box(2, 2), position: { x: 1.25, y: 0.25 } }
    expect(snap(viewOf([WALL]), middle, { kinds: kinds('midpoint') }).found).toMatchObject([{ x: 1, y: 0 }])
  })

  it('closes the gap of round bodies', () => {
    const wire = { shape: { type: 'circle', radius: 1 }, position: { x: 1.5, y: 0 } }
    expect(snap(viewOf([WALL]), wire, {}).found).toMatchObject([{ x: 1, y: 0, distance: 0.5 }])
  })

  it('puts bodies on a grid, where nothing is', () => {
    const grid = { originX: 0.5, originY: 0, width: 1, height: 2 }
    const wire = { shape: box(1, 1), position: { x: 0.875, y: 2.25 } }
    const all = snap(viewOf([]), wire, { kinds: kinds('vertex'), grid }).found
    expect(all[0]).toMatchObject({ x: 1, y: 2.5, slot: -1, target: null })
    const center = snap(viewOf([]), wire, { kinds: kinds('center'), grid }).found
    expect(center).toMatchObject([{ x: 0.5, y: 2 }])
    const block: SceneBody = { id: 'b', shape: box(0.5, 0.5), position: { x: 0.5, y: 2 } }
    expect(snap(viewOf([block]), wire, { kinds: kinds('center'), grid }).found).toEqual([])
  })

  it('turns a side onto a side', () => {
    const wire = { shape: box(2, 1), position: { x: 1.5, y: 0 }, rotation: 0.125 }
    const { found } = snap(viewOf([WALL]), wire, { kinds: kinds('edge'), mayTurn: true, maxDistance: 2 })
    const flush = found.find(({ turn }) => Math.abs(turn + 0.125) < 1e-12)
    expect(flush?.x).toBeCloseTo(1, 12)
    const upright = found.find(({ turn }) => Math.abs(turn - (Math.PI / 2 - 0.125)) < 1e-12)
    expect(upright?.x).toBeCloseTo(0.5, 12)
  })

  it('leaves a thousand boxes beside walls touching, and none overlapping', () => {
    const random = seededRandom(5)
    const eighth = (most: number) => Math.round(random() * most * 8) / 8
    for (let k = 0; k < 1000; k++) {
      const shape = box(0.25 + eighth(3), 0.25 + eighth(3))
      const wall: SceneBody = { id: 'w', shape: box(1, 20), position: { x: eighth(50), y: eighth(20) } }
      const floor: SceneBody = {
        id: 'f',
        shape: box(40, 1),
        position: { x: wall.position!.x, y: wall.position!.y - 10.5 },
      }
      const gap = (random() - 0.5) * 0.5
      const position = { x: wall.position!.x + 0.5 + shape.width / 2 + gap, y: wall.position!.y + random() * 5 }
      const [first] = snap(viewOf([wall, floor]), { shape, position }, { maxDistance: 0.5, limit: 1 }).found
      const own = prepare({ shape, position: { x: first.x, y: first.y } } as never)
      const relations = [wall, floor].map((body) => relate(loneOf(body).body, own))
      expect(Math.min(...relations)).toBe(0)
      expect(first.distance).toBeLessThanOrEqual(Math.abs(gap) * (1 + 1e-12) + 1e-15)
    }
  })

  it('of any shapes: free, in order, no farther than asked, and as near as where the bodies just touch', () => {
    let some = 0
    fc.assert(
      fc.property(bodies(false, BOUNDED_TYPES), mixedBody(BOUNDED_TYPES), (list, wire) => {
        const view = viewOf(list)
        const lones = list.map(loneOf)
        const { found } = snap(view, wire as Wire, { maxDistance: 2 })
        const body = prepare(wire)
        const { numbers } = body
        const x = numbers[X]
        const y = numbers[Y]
        let last = 0
        for (const candidate of found) {
          some++
          expect(candidate.distance).toBeGreaterThanOrEqual(last)
          expect(candidate.distance).toBeLessThanOrEqual(2)
          last = candidate.distance
          body.numbers[X] = candidate.x
          body.numbers[Y] = candidate.y
          expect(Math.hypot(body.numbers[X] - x, body.numbers[Y] - y)).toBeCloseTo(candidate.distance, 9)
          for (const lone of lones) expect(relate(lone.body, body)).toBeGreaterThanOrEqual(0)
          expect(list.some(({ id }) => id === idAt(view, candidate.slot))).toBe(true)
        }
      }),
      unshrunk(200),
    )
    expect(some).toBeGreaterThan(runCount(100))
  })
})
