import { describe, expect, it } from 'vitest'
import { circlesInOnePlace, nestedCircles, turnedBoxes } from '../../../loadtest/slow-shapes.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import { countSteps } from '../../../src/containers/budget.ts'
import { outerTree } from '../../../src/core2d/narrow-phase/outer-leaves.ts'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../../src/core2d/queries/distance.ts'
import type { Body, Composite } from '../../../src/core2d/shape/body.ts'
import { prepare } from '../../support/answers/slots.ts'

const outerLeaves = (body: Body): number[] => {
  const { child, nodeCount } = outerTree(body.composite as Composite)
  return [...child.subarray(0, nodeCount)].filter((node) => node < 0).map((node) => ~node)
}

/** Enough copies of a small circle far away for the body to be looked at, and the shapes in question. */
const crowdWith = (...shapes: { shape: Shape2d; x: number }[]): Body =>
  prepare({
    shape: {
      type: 'compound',
      children: [
        ...Array.from({ length: 100 }, (_, i) => ({
          shape: { type: 'circle', radius: 0.1 } as const,
          position: { x: 100 + i, y: 0 },
        })),
        ...shapes.map(({ shape, x }) => ({ shape, position: { x, y: 0 } })),
      ],
    },
  })

describe('the outer leaves of a crowd', () => {
  it('is the first of equal ones', () => {
    expect(outerLeaves(prepare({ shape: circlesInOnePlace(500) }))).toEqual([0])
  })

  it('is the largest of nested ones', () => {
    expect(outerLeaves(prepare({ shape: nestedCircles(500) }))).toEqual([499])
  })

  it('is every one of those that stick out somewhere', () => {
    expect(outerLeaves(prepare({ shape: turnedBoxes(200) }))).toHaveLength(200)
  })

  it.each<[string, Shape2d, number, Shape2d, boolean]>([
    ['a circle well within a circle', { type: 'circle', radius: 1 }, 0.5, { type: 'circle', radius: 2 }, false],
    ['a circle that touches it from within', { type: 'circle', radius: 1 }, 1, { type: 'circle', radius: 2 }, true],
    ['a circle well within a box', { type: 'circle', radius: 1 }, 0, { type: 'box', width: 3, height: 3 }, false],
    [
      'a circle in the skin of a box',
      { type: 'circle', radius: 1 },
      1,
      { type: 'box', width: 2, height: 2, radius: 2 },
      false,
    ],
    [
      'an ellipse well within a box',
      { type: 'ellipse', rx: 1, ry: 0.5 },
      0,
      { type: 'box', width: 3, height: 3 },
      false,
    ],
    [
      'a box within an ellipse, which is not looked into',
      { type: 'box', width: 1, height: 1 },
      0,
      { type: 'ellipse', rx: 3, ry: 3 },
      true,
    ],
    ['a point on the edge of a box', { type: 'point' }, 1.5, { type: 'box', width: 3, height: 3 }, true],
  ])('%s', (_name, inner, x, outer, stays) => {
    const leaves = outerLeaves(crowdWith({ shape: outer, x: 0 }, { shape: inner, x }))
    expect(leaves).toContain(100)
    expect(leaves.includes(101)).toBe(stays)
  })
})

describe('a crowd in one place', () => {
  const a = prepare({ shape: circlesInOnePlace(3000) })
  const b = prepare({ shape: circlesInOnePlace(3000), position: { x: 0.5, y: 0 } })
  const far = prepare({ shape: circlesInOnePlace(3000), position: { x: 5, y: 0 } })

  it('is parted like one of it, in steps that grow with its size', () => {
    const out = createContact()
    const { steps } = countSteps(() => contact(a, b, 0, out))
    expect(out).toMatchObject({ separation: -1.5, tx: 1.5, ty: 0, exact: true, count: 1 })
    expect(steps).toBeLessThan(2 ** 17)
  })

  it('is as far away as one of it', () => {
    const out = createDistance()
    const { steps } = countSteps(() => distance(a, far, out))
    expect(out).toMatchObject({ distance: 3, ax: 1, bx: 4 })
    expect(steps).toBeLessThan(2 ** 17)
  })
})
