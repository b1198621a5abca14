// Outlines that take their time: stars, gears, spirals and combs, of as many vertices as one likes.

import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'

type Region = Extract<Shape2d, { type: 'region' }>

function around(count: number, reach: (i: number) => number): Region {
  const outer = Array.from({ length: count }, (_, i): Vec2 => {
    const angle = (2 * Math.PI * i) / count
    return { x: reach(i) * Math.cos(angle), y: reach(i) * Math.sin(angle) }
  })
  return { type: 'region', outer }
}

/** Every other vertex at half the radius. */
export function star(count: number, radius = 1): Region {
  return around(count, (i) => (i % 2 === 0 ? radius : radius / 2))
}

/** Teeth of four vertices. */
export function gear(count: number, radius = 1): Region {
  return around(count, (i) => (i % 4 < 2 ? radius : 0.9 * radius))
}

/** A band that winds outwards. */
export function spiral(count: number, turns = 8): Region {
  const half = count >> 1
  const at = (i: number, width: number): Vec2 => {
    const angle = (2 * Math.PI * turns * i) / half
    const reach = 0.1 + (0.9 * i) / half + width
    return { x: reach * Math.cos(angle), y: reach * Math.sin(angle) }
  }
  const inner = Array.from({ length: half }, (_, i) => at(i, 0))
  const outer = Array.from({ length: half }, (_, i) => at(i, 0.4 / turns)).reverse()
  return { type: 'region', outer: [...inner, ...outer] }
}

/** Teeth side by side on a common back. */
export function comb(teeth: number): Region {
  const outer: Vec2[] = [
    { x: 0, y: -0.1 },
    { x: 1, y: -0.1 },
  ]
  for (let i = teeth - 1; i >= 0; i--) {
    const left = i / teeth
    const width = 0.5 / teeth
    outer.push({ x: left + width, y: 0 }, { x: left + width, y: 1 }, { x: left, y: 1 }, { x: left, y: 0 })
  }
  return { type: 'region', outer }
}
