/** Outlines and point sets that are hard on algorithms, of any size: about as many vertices as asked for. */
import type { Vec2 } from '../../../schemas/vector.ts'

/** Numbers in 0 … 1 that look random and are the same each time. */
export function fraction(i: number): number {
  const x = Math.imul(i + 1, 0x9e3779b1) >>> 0
  return (Math.imul(x ^ (x >>> 15), 0x85ebca6b) >>> 0) / 2 ** 32
}

/** A regular polygon, counter-clockwise. */
export function ringOf(count: number, radius: number): Vec2[] {
  return Array.from({ length: count }, (_, i) => polar(radius, (2 * Math.PI * i) / count))
}

function polar(radius: number, angle: number): Vec2 {
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
}

/** Rings that bound regions. */
export const HOSTILE_OUTLINES: Record<string, (count: number) => Vec2[]> = {
  'a star': (count) => Array.from({ length: count }, (_, i) => polar(50 + 50 * fraction(i), (2 * Math.PI * i) / count)),
  'a comb': (count) => {
    const teeth = Math.ceil(count / 4)
    const ring = [
      { x: 0, y: 0 },
      { x: teeth, y: 0 },
    ]
    for (let x = teeth - 1; x >= 0; x--) {
      ring.push({ x: x + 1, y: 3 }, { x: x + 0.5, y: 3 }, { x: x + 0.5, y: 1 })
      if (x > 0) ring.push({ x, y: 1 })
    }
    return [...ring.slice(0, -1), { x: 0.5, y: 1 }, { x: 0, y: 1 }]
  },
  'a comb of long teeth, one above the other': (count) => {
    const teeth = Math.ceil(count / 4)
    const ring = [
      { x: 0, y: teeth },
      { x: 0, y: 0 },
    ]
    for (let y = 0; y < teeth; y++) {
      ring.push({ x: 100, y }, { x: 100, y: y + 0.5 })
      if (y < teeth - 1) ring.push({ x: 1, y: y + 0.5 }, { x: 1, y: y + 1 })
    }
    return [...ring, { x: 0, y: teeth - 0.5 }]
  },
  'a spiral': (count) => {
    const half = Math.ceil(count / 2)
    const along = (radius: number): Vec2[] => Array.from({ length: half }, (_, i) => polar(radius + i / 20, i / 20))
    return [...along(10), ...along(12).reverse()]
  },
  'a zigzag between two arcs': (count) =>
    Array.from({ length: count }, (_, i) => polar(i % 2 === 0 ? 100 : 99.999, (2 * Math.PI * i) / count)),
  'a ring with straight sides': (count) => {
    const side = Math.ceil(count / 4)
    const steps = Array.from({ length: side }, (_, i) => i / 16)
    const last = side / 16
    return [
      ...steps.map((t) => ({ x: t, y: 0 })),
      ...steps.map((t) => ({ x: last, y: t })),
      ...steps.map((t) => ({ x: last - t, y: last })),
      ...steps.map((t) => ({ x: 0, y: last - t })),
    ]
  },
}

/** Paths that cross and repeat themselves, in no order. */
export const HOSTILE_POINTS: Record<string, (count: number) => Vec2[]> = {
  'a random path': (count) =>
    Array.from({ length: count }, (_, i) => ({ x: 100 * fraction(2 * i), y: 100 * fraction(2 * i + 1) })),
  'one point again and again': (count) => Array.from({ length: count }, () => ({ x: 1, y: 2 })),
  'points on one line': (count) =>
    Array.from({ length: count }, (_, i) => {
      const t = Math.floor(1024 * fraction(i))
      return { x: 3 * t, y: 5 * t }
    }),
  'a grid that is full': (count) =>
    Array.from({ length: count }, (_, i) => ({
      x: Math.floor(8 * fraction(2 * i)),
      y: Math.floor(8 * fraction(2 * i + 1)),
    })),
  'a path that goes back and forth': (count) => Array.from({ length: count }, (_, i) => ({ x: i % 2, y: i % 3 })),
}
