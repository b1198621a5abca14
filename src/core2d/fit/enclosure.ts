/**
 * Bodies that enclose another one: circles, boxes and capsules, as the numbers that an answer has, grown until they hold it exactly.
 *
 * Method: the shape that was found, whose numbers are rounded, is placed as whoever reads the answer places it, and asked by the exact
 * test of containment (`queries/containment.ts`). While it does not hold the body, it is grown, at first by a roundoff of its size and
 * place (`core/growth.ts`).
 * Frame: world.
 */

import { grownToHold } from '../../core/growth.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { hullCorners } from '../outline/convex-hull.ts'
import { contains } from '../queries/containment.ts'
import { type Body, createBody, setBox, setCapsule, setCircle, setPose } from '../shape/body.ts'
import { setPolygon } from '../shape/polygon.ts'

/** A placed shape; `turn` is the angle of the box in radians. */
export type Enclosure =
  | { kind: 'aabb'; minX: number; minY: number; maxX: number; maxY: number }
  | { kind: 'box'; x: number; y: number; turn: number; width: number; height: number }
  | { kind: 'circle'; x: number; y: number; radius: number }
  /** The ends of its core are counted from the position, which is that of the body: they keep their digits however far away it is. */
  | { kind: 'capsule'; x: number; y: number; ax: number; ay: number; bx: number; by: number; radius: number }

const slot = createBody()

/** Makes `slot` the enclosure as an answer describes it. */
export function setEnclosure(slot: Body, enclosure: Enclosure): void {
  if (enclosure.kind === 'aabb') {
    setPose(slot, 0, 0, 0)
    setBox(slot, enclosure.minX, enclosure.minY, enclosure.maxX, enclosure.maxY, 0)
    return
  }
  setPose(slot, enclosure.x, enclosure.y, enclosure.kind === 'box' ? enclosure.turn : 0)
  if (enclosure.kind === 'circle') setCircle(slot, enclosure.radius)
  else if (enclosure.kind === 'box') {
    const { width, height } = enclosure
    setBox(slot, -width / 2, -height / 2, width / 2, height / 2, 0)
  } else setCapsule(slot, enclosure.ax, enclosure.ay, enclosure.bx, enclosure.by, enclosure.radius)
}

/** Makes a body the convex hull of at least one point x0, y0, x1, y1, … Cost O(n log n). */
export function setPoints(coordinates: Float64Array, body: Body): void {
  const hull = hullCorners(coordinates)
  const size = hull.length / 2
  setPose(body, 0, 0, 0)
  if (size > 2) setPolygon(body, hull, size, 0)
  else setCapsule(body, hull[0], hull[1], hull[2 * size - 2], hull[2 * size - 1], 0)
}

/** The enclosure itself, or grown as little as it takes; `unit`: a length of which the roundoff is the first growth. */
export function grown(enclosure: Enclosure, guest: Body, unit: number): Enclosure {
  return grownToHold(enclosure, unit, {
    holds(candidate) {
      setEnclosure(slot, candidate)
      return contains(slot, guest)
    },
    padded: (candidate, pad) => padded(candidate, pad, pad),
    waysToGrow,
  })
}

/** A box may have to grow along one side only. */
function waysToGrow(enclosure: Enclosure, pad: number): Enclosure[] {
  const both = padded(enclosure, pad, pad)
  return enclosure.kind === 'box' ? [padded(enclosure, pad, 0), padded(enclosure, 0, pad), both] : [both]
}

function padded(enclosure: Enclosure, pad: number, other: number): Enclosure {
  switch (enclosure.kind) {
    case 'aabb': {
      const { minX, minY, maxX, maxY } = enclosure
      return { ...enclosure, minX: minX - pad, minY: minY - pad, maxX: maxX + pad, maxY: maxY + pad }
    }
    case 'box':
      return { ...enclosure, width: enclosure.width + 2 * pad, height: enclosure.height + 2 * other }
    default:
      return { ...enclosure, radius: enclosure.radius + pad }
  }
}

export function areaOf(enclosure: Enclosure): number {
  switch (enclosure.kind) {
    case 'aabb':
      return (enclosure.maxX - enclosure.minX) * (enclosure.maxY - enclosure.minY)
    case 'box':
      return enclosure.width * enclosure.height
    case 'circle':
      return Math.PI * enclosure.radius * enclosure.radius
    case 'capsule':
      return enclosure.radius * (Math.PI * enclosure.radius + 2 * coreLength(enclosure))
  }
}

export function perimeterOf(enclosure: Enclosure): number {
  switch (enclosure.kind) {
    case 'aabb':
      return 2 * (enclosure.maxX - enclosure.minX + (enclosure.maxY - enclosure.minY))
    case 'box':
      return 2 * (enclosure.width + enclosure.height)
    case 'circle':
      return 2 * Math.PI * enclosure.radius
    case 'capsule':
      return 2 * (Math.PI * enclosure.radius + coreLength(enclosure))
  }
}

function coreLength({ ax, ay, bx, by }: Enclosure & { kind: 'capsule' }): number {
  return vectorLength(bx - ax, by - ay)
}
