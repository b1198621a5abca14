// The inputs of the kernel bench: seeded, distinct, and the same for every library. Pairs stay clear of just touching,
// where a library with single precision (Rapier) or a skin of 0.01 (planck) answers otherwise by design.

import type { Body2d } from '../../schemas/body.ts'
import { createBody } from '../../src/core2d/body.ts'
import { contact, createContact } from '../../src/core2d/contact.ts'
import { decodeBody } from '../../src/wire/decode-body.ts'

export const PAIR_COUNT = 512
const SEED = 20261121
const LEAST_SEPARATION = 0.05

export interface Pair {
  a: Body2d
  b: Body2d
}

export interface RayPair {
  origin: { x: number; y: number }
  /** Unit length. */
  direction: { x: number; y: number }
  target: Body2d
}

export interface Inputs {
  polygons: Pair[]
  boxes: Pair[]
  /** a is the polygon, b the circle. */
  polygonCircles: Pair[]
  apartPolygons: Pair[]
  rays: RayPair[]
}

export function makeInputs(): Inputs {
  const random = mulberry32(SEED)
  const between = (low: number, high: number) => low + (high - low) * random()
  const pose = () => ({ position: { x: between(-10, 10), y: between(-10, 10) }, rotation: between(-Math.PI, Math.PI) })

  // Eight corners on a circle at uneven steps, so that they are always convex.
  const polygon = (radius = between(0.5, 1.5)): Body2d => ({
    shape: {
      type: 'polygon',
      vertices: Array.from({ length: 8 }, (_, i) => {
        const angle = ((i + between(-0.3, 0.3)) * Math.PI) / 4
        return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
      }),
    },
    ...pose(),
  })
  const box = (): Body2d => ({ shape: { type: 'box', width: between(0.6, 2), height: between(0.6, 2) }, ...pose() })
  const circle = (): Body2d => ({ shape: { type: 'circle', radius: between(0.5, 1.5) }, ...pose() })

  /** Pairs at a centre distance between the two bounds, where 2 is about the sum of the sizes. */
  const pairs = (makeA: () => Body2d, makeB: () => Body2d, near: number, far: number): Pair[] => {
    const made: Pair[] = []
    while (made.length < PAIR_COUNT) {
      const a = makeA()
      const b = makeB()
      const distance = between(near, far)
      const angle = between(-Math.PI, Math.PI)
      const { x, y } = a.position!
      b.position = { x: x + distance * Math.cos(angle), y: y + distance * Math.sin(angle) }
      if (Math.abs(separation(a, b)) > LEAST_SEPARATION) made.push({ a, b })
    }
    return made
  }

  const rays = Array.from({ length: PAIR_COUNT }, (_, i): RayPair => {
    const radius = between(0.5, 1.5)
    const target = polygon(radius)
    const angle = between(-Math.PI, Math.PI)
    const direction = { x: Math.cos(angle), y: Math.sin(angle) }
    // Three in four pass well inside the polygon's inscribed circle, the others well outside its circumscribed one.
    const aside = (i % 4 === 0 ? between(1.1, 1.5) : between(-0.75, 0.75)) * radius
    const { x, y } = target.position!
    return {
      origin: { x: x - 4 * direction.x - aside * direction.y, y: y - 4 * direction.y + aside * direction.x },
      direction,
      target,
    }
  })

  return {
    polygons: pairs(polygon, polygon, 0.2, 3.2),
    boxes: pairs(box, box, 0.2, 2.6),
    polygonCircles: pairs(polygon, circle, 0.2, 3.2),
    apartPolygons: pairs(polygon, polygon, 3.1, 8),
    rays,
  }
}

const slotA = createBody()
const slotB = createBody()
const out = createContact()

function separation(a: Body2d, b: Body2d): number {
  if (decodeBody(a, slotA) !== null || decodeBody(b, slotB) !== null) throw new Error('an input of the bench is wrong')
  contact(slotA, slotB, 0, out)
  return out.separation
}

/** Tommy Ettinger's mulberry32: small, fast, good enough to scatter shapes. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
