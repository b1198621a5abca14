// The inputs of the kernel bench: seeded, distinct, and the same for every library. Pairs stay clear of just touching,
// where a library with single precision (Rapier) or a skin of 0.01 (planck) answers otherwise by design.

import type { Body2d } from '../../schemas/shapes2d.ts'
import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { createBody } from '../../src/core2d/shape/body.ts'
import { decodeBody } from '../../src/wire/body.ts'
import { type Between, box, circle, polygon, seeded } from '../measuring/random-body.ts'
import { type ConcaveInputs, makeConcaveInputs } from './concave-inputs.ts'
import { PAIR_COUNT } from './kernel-table.ts'
import { type MovingInputs, makeMovingInputs } from './moving-inputs.ts'

export const LEAST_SEPARATION = 0.05
/** Of the random numbers for rays at circles and for pairs apart: those of other inputs stay what they were. */
const RAY_STREAM = 100
const APART_STREAM = 101

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
  apartBoxes: Pair[]
  /** a is the polygon, b the circle. */
  apartCircles: Pair[]
  rays: RayPair[]
  circleRays: RayPair[]
  moving: MovingInputs
  concave: ConcaveInputs
}

export function makeInputs(): Inputs {
  const common = seeded()
  const rayBetween = seeded(RAY_STREAM)
  const apartBetween = seeded(APART_STREAM)

  /** Pairs at a centre distance between the two bounds, where 2 is about the sum of the sizes. */
  const pairs = (
    makeA: (between: Between) => Body2d,
    makeB: (between: Between) => Body2d,
    near: number,
    far: number,
    between = common,
  ): Pair[] => {
    const made: Pair[] = []
    while (made.length < PAIR_COUNT) {
      const a = makeA(between)
      const b = makeB(between)
      const distance = between(near, far)
      const angle = between(-Math.PI, Math.PI)
      const { x, y } = a.position!
      b.position = { x: x + distance * Math.cos(angle), y: y + distance * Math.sin(angle) }
      if (Math.abs(separation(a, b)) > LEAST_SEPARATION) made.push({ a, b })
    }
    return made
  }

  const rays = Array.from({ length: PAIR_COUNT }, (_, i): RayPair => {
    const radius = common(0.5, 1.5)
    return rayAt(common, polygon(common, radius), radius, radius, i)
  })

  const anyPolygon = (b: Between) => polygon(b)
  return {
    polygons: pairs(anyPolygon, anyPolygon, 0.2, 3.2),
    boxes: pairs(box, box, 0.2, 2.6),
    polygonCircles: pairs(anyPolygon, circle, 0.2, 3.2),
    apartPolygons: pairs(anyPolygon, anyPolygon, 3.1, 8),
    apartBoxes: pairs(box, box, 2.6, 5, apartBetween),
    apartCircles: pairs(anyPolygon, circle, 3.1, 5, apartBetween),
    rays,
    circleRays: Array.from({ length: PAIR_COUNT }, (_, i) => rayAtCircle(rayBetween, i)),
    moving: makeMovingInputs(),
    concave: makeConcaveInputs(),
  }
}

/** A ray at a body: three in four pass well inside the circle it holds, the others well outside the circle that holds it. */
export function rayAt(between: Between, target: Body2d, inner: number, outer: number, i: number): RayPair {
  const angle = between(-Math.PI, Math.PI)
  const direction = { x: Math.cos(angle), y: Math.sin(angle) }
  const aside = i % 4 === 0 ? between(1.1, 1.5) * outer : between(-0.75, 0.75) * inner
  const { x, y } = target.position!
  return {
    origin: { x: x - 4 * direction.x - aside * direction.y, y: y - 4 * direction.y + aside * direction.x },
    direction,
    target,
  }
}

export function rayAtCircle(between: Between, i: number): RayPair {
  const target = circle(between)
  const { shape } = target
  const radius = shape.type === 'circle' ? shape.radius : 0
  return rayAt(between, target, radius, radius, i)
}

const slotA = createBody()
const slotB = createBody()
const out = createContact()

export function separation(a: Body2d, b: Body2d): number {
  if (decodeBody(a, slotA) !== null || decodeBody(b, slotB) !== null) throw new Error('an input of the bench is wrong')
  contact(slotA, slotB, 0, out)
  return out.separation
}

/** The array that feeds each kernel on standing pairs. */
const STANDING = {
  polygonPolygon: 'polygons',
  boxBox: 'boxes',
  boxBoxApart: 'apartBoxes',
  polygonCircle: 'polygonCircles',
  polygonCircleApart: 'apartCircles',
  distance: 'apartPolygons',
  ray: 'rays',
  rayCircle: 'circleRays',
  coldPair: 'polygons',
  explainPolygons: 'polygons',
  explainBoxes: 'boxes',
  explainPolygonCircles: 'polygonCircles',
} as const

/**
 * What one kernel needs, and nothing else: objects of other inputs, with whole numbers for coordinates, would teach the
 * engine that x and y need not be doubles, which makes some libraries several times slower.
 */
export function inputsOf(kernel: string, inputs: Inputs): Inputs {
  const { moving, concave } = inputs
  const own: Inputs = {
    polygons: [],
    boxes: [],
    polygonCircles: [],
    apartPolygons: [],
    apartBoxes: [],
    apartCircles: [],
    rays: [],
    circleRays: [],
    moving: Object.fromEntries(
      Object.entries(moving).map(([name, pairs]) => [name, name === kernel.replace(/Time$/, '') ? pairs : []]),
    ) as unknown as MovingInputs,
    concave: kernel.toLowerCase().includes('region') ? concave : NO_CONCAVE,
  }
  if (!(kernel in STANDING)) return own
  const key = STANDING[kernel as keyof typeof STANDING]
  return { ...own, [key]: inputs[key] }
}

const TRIANGLE: ConcaveInputs['region'] = {
  shape: {
    type: 'region',
    outer: [
      { x: 0.5, y: 0.25 },
      { x: 1.5, y: 0.75 },
      { x: 0.25, y: 1.5 },
    ],
  },
}

/** Regions have to be there. */
export const NO_CONCAVE: ConcaveInputs = { region: TRIANGLE, finerRegion: TRIANGLE, boxes: [], rays: [] }
