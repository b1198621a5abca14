// The inputs of the mixed bench: so many distinct pairs that their bodies leave the processor's near caches, as those of a
// service do. Octagons lie on ellipses of an aspect up to 2.5, poses are random, half of the pairs meet; all keep clear of just
// touching, as in `inputs.ts`, and impacts of grazing, as in `moving-inputs.ts`.

import type { Body2d } from '../../schemas/shapes2d.ts'
import { createTimeOfImpact, timeOfImpact } from '../../src/core2d/motion/time-of-impact.ts'
import { type Between, box, circle, octagon, seeded } from '../measuring/random-body.ts'
import {
  type Inputs,
  LEAST_SEPARATION,
  NO_CONCAVE,
  type Pair,
  type RayPair,
  rayAtCircle,
  separation,
} from './inputs.ts'
import { type KernelName, MIXED_COUNT, TIME_AGREEMENT } from './kernel-table.ts'
import { CLEARANCE, DURATION, type MovingPair, movingPair, SPIN, separationAt } from './moving-inputs.ts'
import { prepare } from './prepare.ts'

export const MIXED_KERNELS = [
  'polygonPolygon',
  'boxBox',
  'boxBoxApart',
  'polygonCircle',
  'polygonCircleApart',
  'distance',
  'impactPolygons',
  'impactSpinningPolygons',
  'impactSpinningPolygonsTime',
  'ray',
  'rayCircle',
  'coldPair',
  'explainPolygons',
  'explainBoxes',
  'explainPolygonCircles',
] as const satisfies KernelName[]

/** Of the random numbers: those of other benches stay what they were. */
const STREAM = 200

const LEAST_CONTACT_DISTANCE = 0.2
const LARGEST_DISTANCE = 5

export function makeMixedInputs(): Inputs {
  let stream = STREAM
  const next = () => seeded(stream++)
  const moving = (spin: number) => {
    const between = next()
    const made: MovingPair[] = []
    while (made.length < MIXED_COUNT) {
      const pair = movingPair(between, octagon(between), octagon(between), spin, 3)
      if (isClear(pair, made.length % 2 === 0)) made.push(pair)
    }
    return made
  }
  const standing = {
    polygons: pairs(next(), octagon, octagon, (i) => i % 2 === 0),
    boxes: pairs(next(), box, box, (i) => i % 2 === 0),
    polygonCircles: pairs(next(), octagon, circle, (i) => i % 2 === 0),
    apartPolygons: pairs(next(), octagon, octagon, () => false),
    rays: rays(next(), rayAtOctagon),
    circleRays: rays(next(), rayAtCircle),
    moving: {
      impactCircles: [],
      impactAabbs: [],
      impactPolygons: moving(0),
      impactCapsuleBox: [],
      impactCircleSegment: [],
      impactSpinningBoxes: [],
      impactSpinningPolygons: moving(SPIN),
      castPolygons: [],
      castCircleBox: [],
    },
    concave: NO_CONCAVE,
  }
  return {
    ...standing,
    apartBoxes: pairs(next(), box, box, () => false),
    apartCircles: pairs(next(), octagon, circle, () => false),
  }
}

function pairs(
  between: Between,
  makeA: (between: Between) => Body2d,
  makeB: (between: Between) => Body2d,
  meets: (i: number) => boolean,
): Pair[] {
  const made: Pair[] = []
  while (made.length < MIXED_COUNT) {
    const a = makeA(between)
    const b = makeB(between)
    const distance = between(LEAST_CONTACT_DISTANCE, LARGEST_DISTANCE)
    const angle = between(-Math.PI, Math.PI)
    const { x, y } = a.position!
    b.position = { x: x + distance * Math.cos(angle), y: y + distance * Math.sin(angle) }
    const gap = separation(a, b)
    if (Math.abs(gap) > LEAST_SEPARATION && gap < 0 === meets(made.length)) made.push({ a, b })
  }
  return made
}

function rays(between: Between, make: (between: Between, i: number) => RayPair): RayPair[] {
  return Array.from({ length: MIXED_COUNT }, (_, i) => make(between, i))
}

/** A ray that passes well inside the octagon, or well outside of it: half of either. */
function rayAtOctagon(between: Between, i: number): RayPair {
  const target = octagon(between)
  const { shape, position } = target
  const reach = shape.type === 'polygon' ? Math.max(...shape.vertices.map(({ x, y }) => Math.hypot(x, y))) : 0
  const angle = between(-Math.PI, Math.PI)
  const direction = { x: Math.cos(angle), y: Math.sin(angle) }
  // Uneven steps of an octagon leave a quarter of its lesser half axis inside.
  const aside = i % 2 === 0 ? between(-0.25, 0.25) * (reach / 2.5) : between(1.1, 1.5) * reach
  const { x, y } = position!
  return {
    origin: { x: x - 4 * direction.x - aside * direction.y, y: y - 4 * direction.y + aside * direction.x },
    direction,
    target,
  }
}

const found = createTimeOfImpact()

/** Whether the pair starts apart and then meets, or does not, by more than skins and slops. */
function isClear(pair: MovingPair, meeting: boolean): boolean {
  if (separationAt(pair, 0) < CLEARANCE) return false
  if (!meeting) return !meets({ ...pair, a: padded(pair.a, 2 * CLEARANCE) })
  if (!meets(pair)) return false
  const { time } = found
  // One that passed close by before would have met already to a library with a skin.
  meets({ ...pair, a: padded(pair.a, CLEARANCE / 2) })
  return (
    found.time > time - TIME_AGREEMENT &&
    time < DURATION - TIME_AGREEMENT &&
    time > TIME_AGREEMENT &&
    separationAt(pair, time + TIME_AGREEMENT) < -CLEARANCE &&
    separationAt(pair, time - TIME_AGREEMENT) > CLEARANCE &&
    (pair.motionA.spin === 0 || separationAt(pair, DURATION) < -CLEARANCE)
  )
}

function meets({ a, motionA, b, motionB }: MovingPair): boolean {
  timeOfImpact(prepare(a), motionA, prepare(b), motionB, DURATION, false, 'exit', found)
  return found.hit
}

/** The same polygon with a skin. */
function padded({ shape, ...pose }: Body2d, radius: number): Body2d {
  if (shape.type !== 'polygon') throw new Error(`no ${shape.type} in this bench`)
  return { ...pose, shape: { ...shape, radius } }
}
