/** Outlines that cross, as the simple regions that a fill rule makes of them. */

import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { type FilledRegion, filledRegions } from '../../core2d/outline/filled-regions.ts'
import { type FillRule, TooManyCrossings } from '../../core2d/outline/noded-edges.ts'
import { closedShape, compoundOf } from './closed-shape.ts'

/** `points`, `ringStarts`: as `filledRegions` takes them. A sentence where nothing comes of them. */
export function filledBodies(points: Float64Array, ringStarts: readonly number[], rule: FillRule): Body2d[] | string {
  try {
    const bodies = filledRegions(points, ringStarts, rule).map(bodyOf)
    return bodies.length === 0 ? `the rule ${rule} fills nothing of it.` : bodies
  } catch (error) {
    if (error instanceof TooManyCrossings) return 'there are too many crossings to be repaired.'
    throw error
  }
}

export function countedOutlines(count: number): string {
  return count === 1 ? 'one outline' : `${count} outlines`
}

function bodyOf({ outer, holes }: FilledRegion): Body2d {
  const ring = pointsOf(outer)
  return { shape: holes.length === 0 ? closedShape(ring) : { type: 'region', outer: ring, holes: holes.map(pointsOf) } }
}

function pointsOf(ring: Float64Array): Vec2[] {
  return Array.from({ length: ring.length / 2 }, (_, i) => ({ x: ring[2 * i], y: ring[2 * i + 1] }))
}

/** The shape with what the rule evenodd fills in place of each region in it; a sentence where nothing is left. */
export function repairedShape(shape: Shape2d): Shape2d | string {
  const children: Body2d[] = []
  const fault = addRepaired({ shape }, children)
  if (fault !== null) return fault
  return compoundOf(children).shape
}

/** Adds what becomes of a body to a list; a sentence where nothing does. */
function addRepaired(body: Body2d, list: Body2d[]): string | null {
  const { shape } = body
  if (shape.type === 'compound') {
    const children: Body2d[] = []
    for (const child of shape.children) {
      const fault = addRepaired(child, children)
      if (fault !== null) return fault
    }
    list.push({ ...body, shape: { ...shape, children } })
    return null
  }
  if (shape.type !== 'region') {
    list.push(body)
    return null
  }
  const rings = [shape.outer, ...(shape.holes ?? [])]
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length)
  const parts = filledBodies(Float64Array.from(rings.flat().flatMap(({ x, y }) => [x, y])), starts, 'evenodd')
  if (typeof parts === 'string') return parts
  for (const part of parts) list.push({ ...body, shape: part.shape })
  return null
}
