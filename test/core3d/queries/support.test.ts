// The farthest point along a direction: exact among core points, of least index among equals, at any scale.
import { describe, expect, it } from 'vitest'
import { featureIndex, featureKind } from '../../../src/core3d/feature.ts'
import { createSupport, support } from '../../../src/core3d/queries/support.ts'
import { bodyOf, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'

const out = createSupport()

function farthest(shape: CaseShape, direction: Triple, position: Triple = [0, 0, 0]) {
  support(bodyOf({ shape, position }), ...direction, out)
  return { point: [out.x, out.y, out.z], feature: featureKind(out.feature), index: featureIndex(out.feature) }
}

describe('support', () => {
  const points: Triple[] = [
    [1, 1, 1],
    [1, -1, 1],
    [0, 0, 0],
    [1, 1, -1],
    [-1, 0, 0],
  ]

  it('takes the least index of equally far corners', () => {
    expect(farthest({ type: 'hull', points }, [1, 0, 0])).toEqual({ point: [1, 1, 1], feature: 'vertex', index: 0 })
    expect(farthest({ type: 'hull', points: points.toReversed() }, [1, 0, 0]).index).toBe(1)
    expect(farthest({ type: 'box', size: [2, 2, 2] }, [0, 1, 0])).toMatchObject({ point: [-1, 1, -1], index: 2 })
  })

  it('tells corners apart by one unit in the last place, along directions of any length', () => {
    const nearly = 1 + 2 ** -52
    const shape: CaseShape = { type: 'segment', a: [1, 0, 0], b: [0, nearly, 0] }
    for (const length of [1, 2 ** -1060, 2 ** 1000]) {
      expect(farthest(shape, [length, length, 0]).index).toBe(1)
      expect(farthest(shape, [length * nearly, length, 0]).index).toBe(length === 2 ** -1060 ? 1 : 0)
    }
  })

  it('goes out to the skin', () => {
    expect(farthest({ type: 'sphere', radius: 5 }, [0, 3, -4], [1, 0, 0])).toMatchObject({
      point: [1, 3, -4],
      feature: 'surface',
    })
    expect(farthest({ type: 'capsule', a: [0, 0, 0], b: [2, 0, 0], radius: 1 }, [1, 0, 0]).point).toEqual([3, 0, 0])
  })

  it('takes the middle of a disc or line that is farthest', () => {
    expect(farthest({ type: 'cylinder', radius: 2, height: 6 }, [0, -1, 0]).point).toEqual([0, -3, 0])
    expect(farthest({ type: 'cylinder', radius: 2, height: 6 }, [3, 0, 4]).point).toEqual([1.2, 0, 1.6])
    expect(farthest({ type: 'cone', radius: 2, height: 6 }, [0, 1, 0]).point).toEqual([0, 3, 0])
  })

  it('tells of bodies without a farthest point', () => {
    farthest({ type: 'halfspace', normal: [0, 1, 0], offset: 1 }, [0, 1, 2 ** -52])
    expect(out.bounded).toBe(false)
    farthest({ type: 'halfspace', normal: [0, 1, 0], offset: 1 }, [0, -1, 0])
    expect(out.bounded).toBe(false)
    farthest({ type: 'halfspace', normal: [0, 3, 0], offset: 1 }, [0, 5e-324, 0])
    expect(out).toMatchObject({ bounded: true, x: 0, y: 1, z: 0 })
  })
})
