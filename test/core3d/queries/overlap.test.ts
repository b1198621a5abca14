// Curved bodies that touch at rational points, and miss each other by one unit in the last place.
import { describe, expect, it } from 'vitest'
import { bodiesMeet, createOverlap, overlap, relate } from '../../../src/core3d/queries/overlap.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'

function meet(a: CaseShape, at: Triple, b: CaseShape, place: Triple): boolean[] {
  const first: CaseBody = { shape: a, position: at }
  const second: CaseBody = { shape: b, position: place }
  return [bodiesMeet(bodyOf(first), bodyOf(second)), bodiesMeet(bodyOf(second), bodyOf(first))]
}

const ulp = 2 ** -52

describe('curved bodies', () => {
  it('touch across 3-4-5 triangles', () => {
    const ellipsoid: CaseShape = { type: 'ellipsoid', radii: [2.5, 1, 2.5] }
    const cylinder: CaseShape = { type: 'cylinder', radius: 2.5, height: 3 }
    expect(meet(ellipsoid, [0, 0.5, 0], cylinder, [3, 0, 4])).toEqual([true, true])
    expect(meet(ellipsoid, [0, 0.5, 0], cylinder, [3, 0, 4 + 4 * ulp])).toEqual([false, false])
    const capsule: CaseShape = { type: 'capsule', a: [-2, -3, 0], b: [0, 0, 0], radius: 1.25 }
    const post: CaseShape = { type: 'cylinder', radius: 1.875, height: 1.25 }
    expect(meet(capsule, [0, 0, 0], post, [1.875, 0.625, 2.5])).toEqual([true, true])
    expect(meet(capsule, [0, 0, 0], post, [1.875, 0.625, 2.5 + 2 * ulp])).toEqual([false, false])
    const cone: CaseShape = { type: 'cone', radius: 0.625, height: 5.25 }
    expect(meet(capsule, [0, 0, 0], cone, [1.125, 2.625, 1.5])).toEqual([true, true])
    expect(meet(capsule, [0, 0, 0], cone, [1.125, 2.625, 1.5 + ulp])).toEqual([false, false])
  })

  it('meet along whole edges, through the apex, and at the rim', () => {
    const cone: CaseShape = { type: 'cone', radius: 0.25, height: 2 }
    const box: CaseShape = { type: 'box', size: [4, 4, 2] }
    // The apex lies on an edge of the box, within rounding of a corner, and that far beyond it.
    expect(meet(cone, [0, -1, 0], box, [2, 2, -1 + ulp / 2])).toEqual([true, true])
    expect(meet(cone, [0, -1, 0], box, [2, 2, -1 - ulp])).toEqual([false, false])
    const disc: CaseShape = { type: 'cylinder', radius: 5, height: 0 }
    expect(meet(disc, [0, 0, 0], { type: 'segment', a: [3, -1, 4], b: [3, 1, 4] }, [0, 0, 0])).toEqual([true, true])
    expect(meet(disc, [0, 0, 0], { type: 'segment', a: [3, -1, 4], b: [3, 1, 4] }, [4 * ulp, 0, 0])).toEqual([
      false,
      false,
    ])
  })

  it('touch in the middle of a side, and across the root of 13', () => {
    const turned: CaseBody['orientation'] = [0.5, 0.5, 0.5, 0.5]
    const relations = (a: CaseBody, b: CaseBody): number[] => [
      relate(bodyOf(a), bodyOf(b)),
      relate(bodyOf(b), bodyOf(a)),
    ]
    const barrel: CaseBody = { shape: { type: 'cylinder', radius: 2, height: 1, axis: 'x' }, position: [4, 1, 0] }
    const spot = (y: number): CaseBody => ({ shape: { type: 'point' }, position: [4, y, 0] })
    expect(relations(barrel, spot(3))).toEqual([0, 0])
    expect(relations(barrel, spot(3 + 2 * ulp))).toEqual([1, 1])
    expect(relations(barrel, spot(3 - 2 * ulp))).toEqual([-1, -1])
    const cone: CaseBody = { shape: { type: 'cone', radius: 3, height: 2 }, position: [-3, -3, 0], orientation: turned }
    const rod = (z: number): CaseBody => ({
      shape: { type: 'capsule', a: [-3, -3, -2], b: [-3, 0, 1], radius: 2 },
      position: [-2, 3, z],
    })
    expect(relations(cone, rod(3))).toEqual([0, 0])
    expect(relations(cone, rod(3 + 2 * ulp))).toEqual([1, 1])
    expect(relations(cone, rod(3 - 2 * ulp))).toEqual([-1, -1])
  })

  it('overlap where they are so thin that all of them is near a surface', () => {
    const [long, thin] = [2 ** 15, 2 ** -15]
    const box: CaseBody = { shape: { type: 'box', size: [4 * long, 2, 3 * thin] }, position: [0, 0, 0] }
    const hull: CaseBody = {
      shape: {
        type: 'hull',
        points: [
          [-long, 3, -2 * thin],
          [0, 4, thin],
          [3 * long, 2, 3 * thin],
          [-3 * long, -3, 0],
        ],
      },
      position: [0, 0, 0],
    }
    const egg = (x: number, y: number, z: number): CaseShape => ({ type: 'ellipsoid', radii: [x * long, y, z * thin] })
    const pairs: [CaseBody, CaseBody][] = [
      [box, { shape: egg(1, 0.75, 0.5), position: [-0.75 * long, -1, -0.5 * thin] }],
      [hull, { shape: egg(0.25, 0.5, 0.25), position: [-0.5 * long, 0, 0.25 * thin] }],
    ]
    for (const [a, b] of pairs) {
      expect([relate(bodyOf(a), bodyOf(b)), relate(bodyOf(b), bodyOf(a))]).toEqual([-1, -1])
      expect(bodiesMeet(bodyOf(a), bodyOf(b))).toBe(true)
    }
  })

  it('say by what they are apart, or where they meet', () => {
    const out = createOverlap()
    const ball = bodyOf({ shape: { type: 'sphere', radius: 1 }, position: [0, 0, 0] })
    overlap(ball, bodyOf({ shape: { type: 'cylinder', radius: 1, height: 1 }, position: [0, 3, 0] }), out)
    expect(out).toMatchObject({ relation: 1, nx: 0, ny: 1, nz: 0, gap: 1.5 })
    overlap(ball, bodyOf({ shape: { type: 'cylinder', radius: 1, height: 1 }, position: [0, 1.5, 0] }), out)
    expect(out).toMatchObject({ relation: 0, px: 0, py: 1, pz: 0 })
  })
})
