// Outlines that are hard on algorithms: many reflex vertices, many crossings with their like, long ways around. All are
// simple rings around the origin, of size about 1 unless said otherwise, with coordinates that use all bits.

import type { Vec2 } from '../../schemas/vector.ts'
import type { Between } from '../measuring/random-body.ts'

export const at = (x: number, y: number): Vec2 => ({ x, y })

function polar(radius: number, angle: number): Vec2 {
  return at(radius * Math.cos(angle), radius * Math.sin(angle))
}

/** Every other vertex is nearer to the centre. */
export function star(count: number, inner = 0.5, radius = 1): Vec2[] {
  const even = 2 * Math.max(2, Math.round(count / 2))
  return Array.from({ length: even }, (_, i) => polar(i % 2 === 0 ? radius : inner * radius, (2 * Math.PI * i) / even))
}

export function circular(count: number, radius = 1): Vec2[] {
  return Array.from({ length: count }, (_, i) => polar(radius, (2 * Math.PI * i) / count))
}

/** Spikes of any length at any angle. */
export function spiky(between: Between, count: number): Vec2[] {
  const angles = Array.from({ length: count }, () => between(0, 2 * Math.PI)).sort((p, q) => p - q)
  return angles.map((angle) => polar(between(0.05, 1), angle))
}

/** Wings, a tail and a head, feathered: a few long waves around the centre and many short ones. */
export function bird(between: Between, count: number): Vec2[] {
  const waves = Array.from({ length: 12 }, (_, k) => ({ height: 0.5 / (k + 1), phase: between(0, 2 * Math.PI) }))
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count
    const reach = waves.reduce((sum, { height, phase }, k) => sum + height * Math.sin((k + 1) * angle + phase), 2.2)
    return polar(reach * between(0.97, 1.03), angle)
  })
}

/** Teeth that point up from a bar, four vertices each. */
export function comb(teeth: number): Vec2[] {
  const bar = [at(teeth, -1), at(0, -1)]
  const edge = Array.from({ length: teeth }, (_, i) => [at(i, 0), at(i + 0.1, 8), at(i + 0.4, 8), at(i + 0.5, 0)])
  return [...edge.flat(), ...bar].map(({ x, y }) => at(x / 3, y / 3))
}

/** Teeth around a disc, four vertices each. */
export function gear(teeth: number, radius = 1): Vec2[] {
  const step = (2 * Math.PI) / teeth
  return Array.from({ length: teeth }, (_, i) => [
    polar(radius, step * i),
    polar(1.2 * radius, step * (i + 0.1)),
    polar(1.2 * radius, step * (i + 0.4)),
    polar(radius, step * (i + 0.5)),
  ]).flat()
}

/** A band wound around the centre up to radius 1; between its turns fits the same one, turned by `phase` π. */
export function spiral(count: number, phase = 0): Vec2[] {
  const half = Math.max(24, Math.floor(count / 2))
  const turns = Math.max(2, Math.min(60, Math.floor(half / 24)))
  const perTurn = 2 * Math.floor(half / turns / 2)
  const steps = turns * perTurn
  const arm = (width: number) =>
    Array.from({ length: steps }, (_, i) => {
      const way = i / perTurn
      return polar((way + 1 + width) / (turns + 2), 2 * Math.PI * way + phase)
    })
  return [...arm(0.3), ...arm(0).reverse()]
}

/** The nearest neighbour first, then every crossing undone: a ring through random points, like a random walk around itself. */
export function tangle(between: Between, count: number): Vec2[] {
  const left = Array.from({ length: count }, () => at(between(-1, 1), between(-1, 1)))
  const ring = [left.pop()!]
  while (left.length > 0) {
    const { x, y } = ring.at(-1)!
    let best = 0
    left.forEach((p, i) => {
      if (Math.hypot(p.x - x, p.y - y) < Math.hypot(left[best]!.x - x, left[best]!.y - y)) best = i
    })
    ring.push(...left.splice(best, 1))
  }
  return untangled(ring)
}

/** Reverses the way between two edges that cross until none do: every such step makes the ring shorter. */
function untangled(ring: Vec2[]): Vec2[] {
  const side = (a: Vec2, b: Vec2, c: Vec2) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x))
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (let i = 0; i < ring.length; i++) {
      for (let j = i + 2; j < ring.length; j++) {
        const [a, b, c, d] = [ring[i]!, ring[i + 1]!, ring[j]!, ring[(j + 1) % ring.length]!]
        if (side(a, b, c) * side(a, b, d) >= 0 || side(c, d, a) * side(c, d, b) >= 0) continue
        ring.splice(i + 1, j - i, ...ring.slice(i + 1, j + 1).reverse())
        isChanged = true
      }
    }
  }
  return ring
}

/** Anywhere in a square: every edge crosses many others. */
export function scribble(between: Between, count: number): Vec2[] {
  return Array.from({ length: count }, () => at(between(-1, 1), between(-1, 1)))
}

export function moved(ring: readonly Vec2[], x: number, y: number): Vec2[] {
  return ring.map((p) => at(p.x + x, p.y + y))
}
