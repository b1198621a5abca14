/** Whether rings bound a region in the strictest sense: no two edges meet but neighbours at their common vertex. */
import type { Vec2 } from '../../schemas/vector.ts'
import { cross, dot, type Point, subtract } from './exact-bodies.ts'
import { gridFor, signOf, toGrid } from './exact-numbers.ts'

interface Edge {
  ring: number
  index: number
  count: number
  from: Point
  to: Point
}

export function isStrictlySimple(rings: readonly (readonly Vec2[])[]): boolean {
  const grid = gridFor(rings.flat().flatMap((v) => [v.x, v.y]))
  const edges = rings.flatMap((vertices, ring) => {
    const points = vertices.map(({ x, y }): Point => ({ x: toGrid(grid, x), y: toGrid(grid, y) }))
    const count = points.length
    return points.map((from, index): Edge => ({ ring, index, count, from, to: points[(index + 1) % count] }))
  })
  return edges.every((e, i) => edges.slice(i + 1).every((f) => (areNeighbours(e, f) ? turns(e, f) : areApart(e, f))))
}

function areNeighbours(e: Edge, f: Edge): boolean {
  return e.ring === f.ring && [1, e.count - 1].includes((f.index - e.index + e.count) % e.count)
}

function turns(e: Edge, f: Edge): boolean {
  const [first, second] = (e.index + 1) % e.count === f.index ? [e, f] : [f, e]
  const turn = cross(first.from, first.to, second.to)
  // Straight on is fine, straight back is not; nor is a triangle's third edge on its first.
  return turn !== 0n || (e.count > 3 && dot(subtract(first.to, first.from), subtract(second.to, first.to)) > 0n)
}

function areApart(e: Edge, f: Edge): boolean {
  const sides = [
    [cross(e.from, e.to, f.from), cross(e.from, e.to, f.to)],
    [cross(f.from, f.to, e.from), cross(f.from, f.to, e.to)],
  ]
  if (sides.some(([p, q]) => signOf(p) === signOf(q) && p !== 0n)) return true
  const collinear = sides.flat().every((side) => side === 0n)
  if (!collinear) return false
  const along = subtract(e.to, e.from)
  const places = [f.from, f.to].map((p) => dot(along, subtract(p, e.from)))
  return places.every((t) => t < 0n) || places.every((t) => t > dot(along, along))
}
