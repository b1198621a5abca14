/**
 * Translations that exactly part two bodies of straight edges, looked for where a shortest one may end: at the feet on, the ends
 * of, and the crossings of the pieces of the convolution of their outlines.
 *
 * Method: all pairs of a corner of one body and an edge of the other are taken, whatever side they face; places are computed
 * in doubles and tried with a few small steps aside, and only what the exact relation calls free counts. So what is
 * found is certain, and what is free but no wider than the steps may be missed.
 */

import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { relate } from '../../src/core2d/queries/overlap.ts'
import { createPlacement, moveTo } from '../../src/core2d/shape/position.ts'
import { prepare } from '../support/answers/slots.ts'
import { pairExtent } from '../support/families/extent.ts'
import { exactRelation } from './exact-relation.ts'

type Edge = readonly [Vec2, Vec2]

interface Piece {
  x: number
  y: number
  dx: number
  dy: number
}

/** Steps aside, in shares of the extent, and directions of each. */
const STEPS = [2 ** -49, 2 ** -44, 2 ** -38, 2 ** -33]
const DIRECTION_COUNT = 16

/** Edges of a body of straight edges that is not turned, in world coordinates. */
export function edgesOf({ shape, position = { x: 0, y: 0 } }: Body2d): Edge[] {
  return ringsOf(shape).flatMap((ring) => {
    const world = ring.map(({ x, y }) => ({ x: position.x + x, y: position.y + y }))
    return world.map((p, i): Edge => [p, world[(i + 1) % world.length]])
  })
}

function ringsOf(shape: Shape2d): readonly (readonly Vec2[])[] {
  switch (shape.type) {
    case 'polygon':
      return [shape.vertices]
    case 'region':
      return [shape.outer, ...(shape.holes ?? [])]
    case 'compound':
      return shape.children.flatMap(({ shape: child }) => ringsOf(child))
    default:
      throw new TypeError(`no straight edges: ${shape.type}`)
  }
}

/** Differences of corners and edges; each is run along once from its beginning. */
function convolution(a: readonly Edge[], b: readonly Edge[]): Piece[] {
  return a.flatMap(([p, q]) =>
    b.flatMap(([r, s]) => [
      { x: p.x - r.x, y: p.y - r.y, dx: q.x - p.x, dy: q.y - p.y },
      { x: p.x - r.x, y: p.y - r.y, dx: r.x - s.x, dy: r.y - s.y },
    ]),
  )
}

/** Whether B, moved so, is exactly free of A. */
export function isFree(a: Body2d, b: Body2d, { x, y }: Vec2): boolean {
  return (exactRelation(a, moved(b, x, y)) as number) >= 0
}

function moved(body: Body2d, x: number, y: number): Body2d {
  return { ...body, position: { x: (body.position?.x ?? 0) + x, y: (body.position?.y ?? 0) + y } }
}

/** Tries translations of one pair, most of them in vain: the relation of the core rules out, exact integers confirm. */
export class Trials {
  readonly a: Body2d
  readonly b: Body2d
  readonly extent: number
  private readonly slotA
  private readonly placement
  private readonly position: Vec2

  constructor(a: Body2d, b: Body2d) {
    this.a = a
    this.b = b
    this.extent = pairExtent(a, b)
    this.slotA = prepare(a)
    this.placement = createPlacement(prepare(b))
    this.position = b.position ?? { x: 0, y: 0 }
  }

  /** Whether the translation is free; B's position, moved so, is rounded. */
  isFree(x: number, y: number): boolean {
    moveTo(this.placement, this.position.x + x, this.position.y + y)
    return relate(this.slotA, this.placement.body) >= 0 && isFree(this.a, this.b, { x, y })
  }

  /** The translation, or one so near to it, that is free; null when none is found. */
  freeNear(x: number, y: number, within: number): Vec2 | null {
    if (this.isFree(x, y)) return { x, y }
    for (const share of STEPS) {
      const step = Math.min(share * this.extent, within)
      for (let k = 0; k < DIRECTION_COUNT; k++) {
        const angle = (2 * Math.PI * (k + share)) / DIRECTION_COUNT
        const nearX = x + step * Math.cos(angle)
        const nearY = y + step * Math.sin(angle)
        if (this.isFree(nearX, nearY)) return { x: nearX, y: nearY }
      }
      if (step === within) return null
    }
    return null
  }

  /** A free translation no longer than `most`; null when none is found. */
  freeWithin(most: number): Vec2 | null {
    for (const { x, y } of this.places(most)) {
      const found = this.freeNear(x, y, Math.max(most - Math.hypot(x, y), 0))
      if (found !== null && Math.hypot(found.x, found.y) <= most) return found
    }
    return null
  }

  /** Where a shortest translation may end, nearest first. */
  places(most: number): Vec2[] {
    const pieces = convolution(edgesOf(this.a), edgesOf(this.b))
    const places: Vec2[] = []
    const keep = (x: number, y: number): void => {
      if (Math.hypot(x, y) <= most) places.push({ x, y })
    }
    keep(0, 0)
    const near = pieces.filter((piece) => footOf(piece, keep) <= most)
    for (let i = 0; i < near.length; i++) for (let j = 0; j < i; j++) crossingOf(near[i], near[j], keep)
    return places.sort((p, q) => Math.hypot(p.x, p.y) - Math.hypot(q.x, q.y))
  }
}

/** Hands on both ends and the foot of the origin; returns how far the piece is from the origin. */
function footOf({ x, y, dx, dy }: Piece, keep: (x: number, y: number) => void): number {
  const share = -(x * dx + y * dy) / (dx * dx + dy * dy)
  const at = Math.min(Math.max(share, 0), 1)
  keep(x, y)
  keep(x + dx, y + dy)
  if (at === share) keep(x + at * dx, y + at * dy)
  return Math.hypot(x + at * dx, y + at * dy)
}

function crossingOf(e: Piece, f: Piece, keep: (x: number, y: number) => void): void {
  const turn = e.dx * f.dy - e.dy * f.dx
  if (turn === 0) return
  const x = f.x - e.x
  const y = f.y - e.y
  const s = (x * f.dy - y * f.dx) / turn
  const t = (x * e.dy - y * e.dx) / turn
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) keep(e.x + s * e.dx, e.y + s * e.dy)
}
