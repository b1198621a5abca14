/**
 * The fewest convex pieces that diagonals cut a simple polygon into, by trying everything: some diagonal ends in the first
 * reflex vertex, whichever it is. For a handful of vertices on small integers.
 */
import type { Vec2 } from '../../schemas/vector.ts'

/** `ring`: counter-clockwise, no two edges meet but neighbours, integers. */
export function fewestByTrying(ring: readonly Vec2[]): number {
  const count = ring.length
  const at = (i: number): Vec2 => ring[(i + count) % count]
  const reflex = ring.findIndex((p, i) => turn(at(i - 1), p, at(i + 1)) < 0)
  if (reflex < 0) return 1
  let fewest = Number.POSITIVE_INFINITY
  for (let step = 2; step < count - 1; step++) {
    if (!isDiagonal(ring, reflex, (reflex + step) % count)) continue
    const turned = ring.map((_, i) => at(reflex + i))
    const pieces = fewestByTrying(turned.slice(0, step + 1)) + fewestByTrying([turned[0], ...turned.slice(step)])
    fewest = Math.min(fewest, pieces)
  }
  return fewest
}

function turn(a: Vec2, b: Vec2, c: Vec2): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

function isDiagonal(ring: readonly Vec2[], i: number, j: number): boolean {
  const a = ring[i]
  const b = ring[j]
  const isOn = (p: Vec2): boolean => turn(a, b, p) === 0 && (p.x - a.x) * (p.x - b.x) + (p.y - a.y) * (p.y - b.y) < 0
  if (ring.some(isOn)) return false
  let crossings = 0
  // The middle in half units.
  const middle = { x: a.x + b.x, y: a.y + b.y }
  for (let k = 0; k < ring.length; k++) {
    const p = ring[k]
    const q = ring[(k + 1) % ring.length]
    if (turn(a, b, p) * turn(a, b, q) < 0 && turn(p, q, a) * turn(p, q, b) < 0) return false
    const [low, high] = p.y < q.y ? [p, q] : [q, p]
    if (2 * low.y > middle.y || 2 * high.y <= middle.y) continue
    if (turn({ x: 2 * low.x, y: 2 * low.y }, { x: 2 * high.x, y: 2 * high.y }, middle) > 0) crossings++
  }
  return crossings % 2 === 1
}
