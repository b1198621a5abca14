import { describe, expect, it } from 'vitest'
import { containment } from '../../../src/core2d/containment/containment.ts'
import { inscribed, withConics } from '../../../src/core2d/containment/inscribed.ts'
import { createMass, mass } from '../../../src/core2d/measures/mass.ts'
import { INSCRIBED_CORNER_COUNT } from '../../../src/core2d/tolerances.ts'
import { prepare } from '../../support/answers/slots.ts'

describe('inscribed', () => {
  it('lies in the curve, has nearly its area, and stands where it stands', () => {
    for (const [rx, ry] of [
      [1, 1],
      [3, 2],
      [1, 0.01],
    ]) {
      const curve = prepare({ shape: { type: 'ellipse', rx, ry }, position: { x: 3, y: -2 }, rotation: 0.7 })
      const polygon = inscribed(curve)
      expect(polygon.count).toBeGreaterThan(2)
      expect(polygon.count).toBeLessThanOrEqual(INSCRIBED_CORNER_COUNT)
      const [area, known] = [createMass(), createMass()]
      mass(polygon, 1, area)
      mass(curve, 1, known)
      expect(area.area / known.area).toBeGreaterThan(0.97)
      expect(area.area / known.area).toBeLessThan(1)
      expect(area.x).toBeCloseTo(3, 12)
      expect(area.y).toBeCloseTo(-2, 12)
      const small = prepare({
        shape: { type: 'ellipse', rx: 0.9 * rx, ry: 0.9 * ry },
        position: { x: 3, y: -2 },
        rotation: 0.7,
      })
      expect(containment(polygon, inscribed(small), -1)).toEqual({ aContainsB: true, bContainsA: false })
    }
  })

  it('takes the place of no conic', () => {
    const ellipse = prepare({ shape: { type: 'ellipse', rx: 2, ry: 1 } })
    const compound = prepare({ shape: { type: 'compound', children: [{ shape: { type: 'ellipse', rx: 2, ry: 1 } }] } })
    expect(withConics(ellipse)).toBe(ellipse)
    expect(withConics(compound)).toBe(compound)
  })
})
