import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import { featureIndex, featureKind } from '../../../src/core2d/feature.ts'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { prepare } from '../../support/answers/slots.ts'

/** Points as [x, y, separation, feature of A, feature of B], from left to right. */
function points(a: Body2d, b: Body2d, maxDistance = 0): unknown[] {
  const out = createContact()
  contact(prepare(a), prepare(b), maxDistance, out)
  const name = (code: number): string => `${featureKind(code)} ${featureIndex(code)}`
  return out.points
    .slice(0, out.count)
    .map((p) => [p.x, p.y, p.separation, name(p.featureA), name(p.featureB)] as const)
    .sort((p, q) => p[0] - q[0])
    .map(([x, y, separation, ...features]) => [
      expect.closeTo(x, 12),
      expect.closeTo(y, 12),
      expect.closeTo(separation, 12),
      ...features,
    ])
}

const box = (x: number, y: number, width = 2, height = 2, radius = 0): Body2d => ({
  shape: { type: 'box', width, height, radius },
  position: { x, y },
})

describe('contact points', () => {
  it('of stacked boxes span the shared edge, midway between the surfaces', () => {
    expect([
      [-0.5, 0.95, -0.1, 'edge 2', 'vertex 0'],
      [1, 0.95, -0.1, 'vertex 2', 'edge 0'],
    ]).toEqual(points(box(0, 0), box(0.5, 1.9)))
  })

  it('of rounded boxes count the skins', () => {
    expect([
      [-1, 1.4, -0.2, 'vertex 3', 'edge 0'],
      [1, 1.4, -0.2, 'vertex 2', 'edge 0'],
    ]).toEqual(points(box(0, 0, 2, 2, 0.5), box(0, 2.8, 4, 2, 0.5)))
  })

  it('are one at corners and two where an edge rests', () => {
    const diamond: Body2d = { ...box(0, 2.2), rotation: Math.PI / 4 }
    expect(points(box(0, 0), diamond)).toHaveLength(1)
    expect(points(box(0, 0), box(2, 2))).toHaveLength(1)
    expect(points(box(0, 0), box(0, 2))).toHaveLength(2)
  })

  it('name the user’s own features when a polygon is wound clockwise', () => {
    const clockwise: Body2d = {
      shape: {
        type: 'polygon',
        vertices: [
          { x: -1, y: -1 },
          { x: -1, y: 1 },
          { x: 1, y: 1 },
          { x: 1, y: -1 },
        ],
      },
    }
    expect([
      [-0.5, 0.95, -0.1, 'edge 1', 'vertex 0'],
      [1, 0.95, -0.1, 'vertex 2', 'edge 0'],
    ]).toEqual(points(clockwise, box(0.5, 1.9)))
  })

  it('of curved shapes lie between the surfaces', () => {
    const circle: Body2d = { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 1.8 } }
    expect([[0, 0.9, -0.2, 'edge 2', 'surface 0']]).toEqual(points(box(0, 0), circle))
    const ellipse: Body2d = { shape: { type: 'ellipse', rx: 3, ry: 1 }, position: { x: 0, y: 1.8 } }
    expect([[0, 0.9, -0.2, 'edge 2', 'surface 0']]).toEqual(points(box(0, 0), ellipse))
  })

  it('of a box on a half-plane are the ends of its lowest edge, within maxDistance', () => {
    const floor: Body2d = { shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } }
    expect([
      [-1, -0.05, -0.1, 'vertex 0', 'edge 0'],
      [1, -0.05, -0.1, 'vertex 1', 'edge 0'],
    ]).toEqual(points(box(0, 0.9), floor))
    const tilted: Body2d = { ...box(0, 1), rotation: 0.1 }
    expect(points(tilted, floor)).toHaveLength(1)
    expect(points(tilted, floor, 0.2)).toHaveLength(2)
  })

  it('are given for pairs apart by no more than maxDistance', () => {
    expect(points(box(0, 0), box(0, 2.5))).toHaveLength(0)
    expect(points(box(0, 0), box(0, 2.5), 0.25)).toHaveLength(0)
    expect([
      [-1, 1.25, 0.5, 'edge 2', 'vertex 0'],
      [1, 1.25, 0.5, 'edge 2', 'vertex 1'],
    ]).toEqual(points(box(0, 0), box(0, 2.5), 0.5))
    expect(points(box(0, 0), box(5, 6), 5)).toHaveLength(1)
  })
})
