// Seeded random numbers and bodies: polygons of eight corners, boxes, circles and so on of size about 1.

import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'

const SEED = 20261121

/** A number between two bounds. */
export type Between = (low: number, high: number) => number

/** Tommy Ettinger's mulberry32: small, fast, good enough to scatter shapes. Streams differ from each other. */
export function seeded(stream = 0): Between {
  let state = SEED + stream
  return (low, high) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return low + (high - low) * (((t ^ (t >>> 14)) >>> 0) / 2 ** 32)
  }
}

function placed(between: Between, shape: Shape2d): Body2d {
  const position = { x: between(-10, 10), y: between(-10, 10) }
  return { shape, position, rotation: between(-Math.PI, Math.PI) }
}

/** Eight corners on a circle at uneven steps, so that they are always convex. */
export function polygon(between: Between, radius = between(0.5, 1.5)): Body2d {
  const vertices = Array.from({ length: 8 }, (_, i) => {
    const angle = ((i + between(-0.3, 0.3)) * Math.PI) / 4
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
  })
  return placed(between, { type: 'polygon', vertices })
}

/** Eight corners at uneven steps on an ellipse of an aspect up to 2.5. */
export function octagon(between: Between): Body2d {
  const rx = between(0.5, 1.5)
  const ry = rx / between(1, 2.5)
  const vertices = Array.from({ length: 8 }, (_, i) => {
    const angle = ((i + between(-0.3, 0.3)) * Math.PI) / 4
    return { x: rx * Math.cos(angle), y: ry * Math.sin(angle) }
  })
  return placed(between, { type: 'polygon', vertices })
}

export const box = (between: Between): Body2d =>
  placed(between, { type: 'box', width: between(0.6, 2), height: between(0.6, 2) })

export const circle = (between: Between): Body2d => placed(between, { type: 'circle', radius: between(0.5, 1.5) })

export function aabb(between: Between): Body2d {
  const x = between(0.3, 1)
  const y = between(0.3, 1)
  return { ...placed(between, { type: 'aabb', min: { x: -x, y: -y }, max: { x, y } }), rotation: 0 }
}

/** Along its own y axis, as Rapier has them. */
export function capsule(between: Between): Body2d {
  const y = between(0.3, 1)
  return placed(between, { type: 'capsule', a: { x: 0, y: -y }, b: { x: 0, y }, radius: between(0.2, 0.6) })
}

export function segment(between: Between): Body2d {
  const x = between(0.5, 1.5)
  return placed(between, { type: 'segment', a: { x: -x, y: 0 }, b: { x, y: 0 } })
}
