/** The area that two convex polygons have in common, in plain doubles, by clipping one at the sides of the other. */
import type { Vec2 } from '../../../schemas/vector.ts'

/** Both counter-clockwise. */
export function clippedArea(one: readonly Vec2[], other: readonly Vec2[]): number {
  // Relative to a corner, so that nothing large cancels.
  const relative = (p: Vec2): Vec2 => ({ x: p.x - one[0].x, y: p.y - one[0].y })
  let left = one.map(relative)
  const clip = other.map(relative)
  clip.forEach((a, k) => {
    left = clipped(left, a, clip[(k + 1) % clip.length])
  })
  const doubled = left.reduce((sum, p, i) => {
    const q = left[(i + 1) % left.length]
    return sum + p.x * q.y - p.y * q.x
  }, 0)
  return doubled / 2
}

/** What lies left of the way from a to b. */
function clipped(ring: readonly Vec2[], a: Vec2, b: Vec2): Vec2[] {
  const height = (p: Vec2): number => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
  return ring.flatMap((p, i) => {
    const q = ring[(i + 1) % ring.length]
    const [from, to] = [height(p), height(q)]
    const kept = from >= 0 ? [p] : []
    if (from * to >= 0) return kept
    const t = from / (from - to)
    return [...kept, { x: p.x + t * (q.x - p.x), y: p.y + t * (q.y - p.y) }]
  })
}
