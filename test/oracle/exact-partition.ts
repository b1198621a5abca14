/**
 * Whether convex pieces make up a region exactly: strictly convex and counter-clockwise, inside the region, disjoint but for
 * their boundaries, and with its area in all. Together that says that the region is their union.
 *
 * Method: integers, and separating lines tried one by one. Slow and obviously right; shares nothing with src/.
 */
import type { Vec2 } from '../../schemas/vector.ts'
import { cross, type Point } from './exact-bodies.ts'
import { gridFor, toGrid } from './exact-numbers.ts'

export type Rings = readonly (readonly Vec2[])[]

/** Everything that is wrong, each as one line. `rings`: the outer one, then the holes, in any winding. */
export function partitionFaults(rings: Rings, pieces: Rings): string[] {
  const grid = gridFor([...rings, ...pieces].flat().flatMap(({ x, y }) => [x, y]))
  // Thrice as fine, so that the middle of a triangle is a point too.
  const point = ({ x, y }: Vec2): Point => ({ x: 3n * toGrid(grid, x), y: 3n * toGrid(grid, y) })
  // Rings without an area take nothing away.
  const outline = rings.map((ring) => ring.map(point)).filter((ring) => doubledArea(ring) !== 0n)
  const parts = pieces.map((piece) => piece.map(point))
  const faults: string[] = []
  const corners = new Set(outline.flat().map(nameOf))
  parts.forEach((part, i) => {
    if (!isStrictlyConvex(part)) faults.push(`piece ${i} is not strictly convex and counter-clockwise`)
    for (const p of part) if (!corners.has(nameOf(p))) faults.push(`piece ${i} has a corner of its own`)
    if (!isInside(part, outline)) faults.push(`piece ${i} is not inside`)
    for (let j = 0; j < i; j++) if (!arePartsApart(part, parts[j])) faults.push(`pieces ${j} and ${i} overlap`)
  })
  const [outer, ...holes] = outline.map((ring) => magnitude(doubledArea(ring)))
  const expected = holes.reduce((sum, hole) => sum - hole, outer)
  const found = parts.reduce((sum, part) => sum + doubledArea(part), 0n)
  if (expected !== found) faults.push(`the pieces have ${found} of the area ${expected}`)
  return faults
}

function nameOf({ x, y }: Point): string {
  return `${x},${y}`
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

export function doubledArea(ring: readonly Point[]): bigint {
  return ring.reduce((sum, p, i) => {
    const q = ring[(i + 1) % ring.length]
    return sum + p.x * q.y - p.y * q.x
  }, 0n)
}

export function isStrictlyConvex(ring: readonly Point[]): boolean {
  if (ring.length < 3) return false
  const at = (i: number): Point => ring[i % ring.length]
  // Every vertex strictly left of every edge: no ring that winds twice passes.
  return ring.every((p, i) => ring.every((q, j) => j === i || q === at(i + 1) || cross(p, at(i + 1), q) > 0n))
}

function isInside(part: readonly Point[], outline: readonly (readonly Point[])[]): boolean {
  const edges = outline.flatMap((ring) => ring.map((p, i) => [p, ring[(i + 1) % ring.length]]))
  if (edges.some((edge) => !isEdgeApart(edge, part))) return false
  const [a, b, c] = part
  const middle = { x: (a.x + b.x + c.x) / 3n, y: (a.y + b.y + c.y) / 3n }
  let inside = false
  for (const [p, q] of edges) {
    if (p.y > middle.y === q.y > middle.y) continue
    const [low, high] = p.y < q.y ? [p, q] : [q, p]
    if (cross(low, high, middle) > 0n) inside = !inside
  }
  return inside
}

/** Whether an edge has no point in the inside of a convex part. */
function isEdgeApart([p, q]: readonly Point[], part: readonly Point[]): boolean {
  if (part.some((a, i) => [p, q].every((v) => cross(a, part[(i + 1) % part.length], v) <= 0n))) return true
  return part.every((v) => cross(p, q, v) >= 0n) || part.every((v) => cross(p, q, v) <= 0n)
}

/** Whether the insides of two convex parts have no point in common. */
export function arePartsApart(one: readonly Point[], other: readonly Point[]): boolean {
  const separates = (from: readonly Point[], to: readonly Point[]): boolean =>
    from.some((a, i) => to.every((v) => cross(a, from[(i + 1) % from.length], v) <= 0n))
  return separates(one, other) || separates(other, one)
}
