/**
 * The least circle, rectangle or capsule that encloses a body, and a bound below which none is.
 *
 * Method: by the body's convex hull (`span.ts`). Circles exactly (`numeric/least-ball.ts`), with ellipses by cutting planes: the least
 * circle of points on the boundary, to which the farthest point of the body is added until it sticks out no more. Rectangles by
 * rotating calipers (`calipers.ts`), with bent bodies by an even fan of directions, the best of them closed in on. Capsules by a search
 * (`capsule.ts`). What was found is rounded, and grown until it holds the body exactly (`enclosure.ts`).
 * Frame: world. Cost: that of the hull, O(n log n), and of the search, which does not grow with the body.
 */

import { spend } from '../../containers/budget.ts'
import { leastBall } from '../../numeric/least-ball.ts'
import { BISECTION_COUNT, UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { nearPoints, scaleBy } from '../../numeric/safe-range.ts'
import { type Body, COMPOSITE, COS, RX, RY, SIN } from '../shape/body.ts'
import { type Least, leastTurn, turnedLeast } from './calipers.ts'
import { leastCapsule, MOST_CORNERS } from './capsule.ts'
import { areaOf, type Enclosure, grown, perimeterOf } from './enclosure.ts'
import { type Height, heightOf, type PlacedCurve, type Span, sidesOf, spanOf } from './span.ts'

export type FitKind = Enclosure['kind']

export interface Fit {
  enclosure: Enclosure
  /** Area or perimeter. */
  measure: number
  /** No enclosure of the kind has a smaller one. */
  lower: number
}

/** Rounds down what is good to some roundoffs. */
const BELOW = 1 - 16 * UNIT_ROUNDOFF

/** Null for a body without bounds. */
export function fit(body: Body, kind: FitKind, least: Least): Fit | null {
  const span = spanOf(body)
  if (span === null) return null
  const { enclosure, lower } = found(body, span, kind, least)
  // What is small and far away is rounded by its place.
  const extents = [...extentAlong(span, 1, 0), ...extentAlong(span, 0, 1)]
  const size = Math.max(extents[1] - extents[0], extents[3] - extents[2])
  const far = Math.max(...[span.x, span.y, ...extents].map(Math.abs))
  const held = grown(enclosure, body, Math.max(size, UNIT_ROUNDOFF * far))
  const measure = measureOf(held, least)
  return { enclosure: held, measure, lower: Math.max(0, Math.min(lower * certainty(body, span, size), measure)) }
}

/** Points of composite bodies are rounded sums: a bound stands for the exact ones when it is made less by this factor. */
function certainty({ kind }: Body, { discs, curves }: Span, size: number): number {
  if (kind !== COMPOSITE || size === 0) return 1
  let reach = 0
  for (const value of discs) reach = Math.max(reach, Math.abs(value))
  for (const { x, y } of curves) reach = Math.max(reach, Math.abs(x), Math.abs(y))
  return Math.max(0, 1 - (32 * UNIT_ROUNDOFF * reach) / size)
}

interface Found {
  enclosure: Enclosure
  lower: number
}

function found(body: Body, span: Span, kind: FitKind, least: Least): Found {
  switch (kind) {
    case 'aabb':
      return fitAabb(body, span, least)
    case 'box':
      return fitBox(span, least)
    case 'circle':
      return fitCircle(span, least)
    case 'capsule':
      return fitCapsule(span, least)
  }
}

function measureOf(enclosure: Enclosure, least: Least): number {
  return least === 'area' ? areaOf(enclosure) : perimeterOf(enclosure)
}

const height: Height = { height: 0, x: 0, y: 0 }

/** Extents along a unit vector: the least and the greatest height. */
function extentAlong(span: Span, x: number, y: number): [number, number] {
  heightOf(span, -x, -y, height)
  const low = -height.height
  heightOf(span, x, y, height)
  return [low, height.height]
}

function rectangle(width: number, height: number, least: Least): number {
  return least === 'area' ? width * height : 2 * (width + height)
}

function fitAabb(body: Body, span: Span, least: Least): Found {
  const [minX, minY, maxX, maxY] = sidesOf(body) as [number, number, number, number]
  const [width, height] = [extentAlong(span, 1, 0), extentAlong(span, 0, 1)].map(([from, to]) => {
    // Points are exact, with a skin their heights are rounded.
    const isExact = span.isWhole && span.skin === 0
    return Math.max(0, to - from - (isExact ? 0 : 4 * UNIT_ROUNDOFF * (Math.abs(from) + Math.abs(to))))
  })
  return {
    enclosure: { kind: 'aabb', minX, minY, maxX, maxY },
    lower: BELOW * rectangle(width, height, least),
  }
}

// Rectangles.

function fitBox(span: Span, least: Least): Found {
  const { curves, discCount, isWhole } = span
  if (curves.length === 1 && discCount === 0) {
    // The extents of an ellipse across each other have the same sum of squares at all angles: least where they differ most.
    const { numbers } = curves[0].body
    const { x, y } = turnedLeast(numbers[COS], numbers[SIN])
    return { enclosure: boxAt(span, angleOf(x, y)), lower: BELOW * rectangle(2 * numbers[RX], 2 * numbers[RY], least) }
  }
  const turn = leastTurn(span, least)
  const angle = angleOf(turn.x, turn.y)
  if (isWhole) return { enclosure: boxAt(span, angle), lower: turn.lower }
  return { enclosure: boxAt(span, leastAngle(span, angle, least)), lower: turn.lower }
}

function angleOf(x: number, y: number): number {
  return y === 0 ? 0 : Math.atan2(y, x)
}

/** The least rectangle at an angle, about a centre that is rounded to doubles. */
function boxAt(span: Span, turn: number): Enclosure {
  const [c, s] = turn === 0 ? [1, 0] : [Math.cos(turn), Math.sin(turn)]
  const [left, right] = extentAlong(span, c, s)
  const [low, high] = extentAlong(span, -s, c)
  const along = left + (right - left) / 2
  const across = low + (high - low) / 2
  const x = span.x + (c * along - s * across)
  const y = span.y + (s * along + c * across)
  // The place of the rounded centre in the frame of the box.
  const [dx, dy] = [x - span.x, y - span.y]
  const u = c * dx + s * dy
  const v = c * dy - s * dx
  return {
    kind: 'box',
    x,
    y,
    turn,
    width: Math.max(0, 2 * Math.max(right - u, u - left)),
    height: Math.max(0, 2 * Math.max(high - v, v - low)),
  }
}

/** Directions of the fan over a quarter turn, and how many of its dips are closed in on. */
const FAN_COUNT = 256
const DIP_COUNT = 12
const GOLDEN_STEPS = 64
const GOLDEN = (Math.sqrt(5) - 1) / 2

function leastAngle(span: Span, first: number, least: Least): number {
  const measureAt = (angle: number): number => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    const [left, right] = extentAlong(span, c, s)
    const [low, high] = extentAlong(span, -s, c)
    return rectangle(right - left, high - low, least)
  }
  const step = Math.PI / 2 / FAN_COUNT
  const fan = Array.from({ length: FAN_COUNT }, (_, i) => measureAt((i - FAN_COUNT / 2) * step))
  const dips = fan
    .map((measure, i) => ({ measure, angle: (i - FAN_COUNT / 2) * step }))
    .filter(({ measure }, i) => {
      return measure <= fan[(i + 1) % FAN_COUNT] && measure <= fan[(i + FAN_COUNT - 1) % FAN_COUNT]
    })
    .sort((a, b) => a.measure - b.measure)
    .slice(0, DIP_COUNT)
  let best = { angle: 0, measure: measureAt(0) }
  for (const { angle } of [...dips, { angle: first }]) {
    const closed = leastBetween(measureAt, angle - step, angle + step)
    for (const candidate of [closed, angle]) {
      const measure = measureAt(candidate)
      if (measure < best.measure) best = { angle: candidate, measure }
    }
  }
  return best.angle
}

/** Where a function of one dip is least, by golden sections. */
function leastBetween(measureAt: (at: number) => number, from: number, to: number): number {
  let [low, high] = [from, to]
  let left = high - GOLDEN * (high - low)
  let right = low + GOLDEN * (high - low)
  let [atLeft, atRight] = [measureAt(left), measureAt(right)]
  for (let i = 0; i < GOLDEN_STEPS; i++) {
    if (atLeft <= atRight) {
      high = right
      right = left
      atRight = atLeft
      left = high - GOLDEN * (high - low)
      atLeft = measureAt(left)
    } else {
      low = left
      left = right
      atLeft = atRight
      right = low + GOLDEN * (high - low)
      atRight = measureAt(right)
    }
  }
  return atLeft <= atRight ? left : right
}

// Circles.

function circleMeasure(radius: number, least: Least): number {
  return measureOf({ kind: 'circle', x: 0, y: 0, radius }, least)
}

/** How often the farthest point of a bent body is added; each makes the rest of what sticks out a fraction of it. */
const CUT_COUNT = 64

function fitCircle(span: Span, least: Least): Found {
  const { x, y, discs, discCount, curves } = span
  if (curves.length === 0) {
    const { center, radius, around } = leastBall(discs, discCount, 2, [x, y])
    return {
      enclosure: { kind: 'circle', x: center[0], y: center[1], radius: around },
      lower: BELOW * circleMeasure(radius, least),
    }
  }
  if (curves.length === 1 && discCount === 0) {
    const [curve] = curves
    const { numbers } = curve.body
    const radius = Math.max(numbers[RX], numbers[RY])
    return {
      enclosure: { kind: 'circle', x: x + curve.x, y: y + curve.y, radius },
      lower: BELOW * circleMeasure(radius, least),
    }
  }
  const members = Array.from(discs)
  for (const curve of curves) members.push(...farthestOn(curve, curve.x, curve.y), 0)
  for (let cut = 0; ; cut++) {
    const ball = leastBall(Float64Array.from(members), members.length / 3, 2, [0, 0])
    const [cx, cy] = ball.center
    let reach = ball.radius
    let farthest: [number, number] | null = null
    for (const curve of curves) {
      const point = farthestOn(curve, cx, cy)
      const distance = Math.hypot(point[0] - cx, point[1] - cy)
      if (distance <= reach) continue
      reach = distance
      farthest = point
    }
    if (farthest === null || reach <= ball.radius * (1 + 4 * UNIT_ROUNDOFF) || cut === CUT_COUNT) {
      return {
        enclosure: { kind: 'circle', x: x + cx, y: y + cy, radius: reach },
        lower: BELOW * circleMeasure(ball.radius, least),
      }
    }
    members.push(...farthest, 0)
  }
}

/** Directions in which the farthest point is looked for before it is closed in on. */
const LOOK_COUNT = 32

/** The point of an ellipse that is farthest from a point. */
function farthestOn({ x, y, body }: PlacedCurve, px: number, py: number): [number, number] {
  const { numbers } = body
  const pointAt = (angle: number): [number, number] => {
    const [u, v] = [numbers[RX] * Math.cos(angle), numbers[RY] * Math.sin(angle)]
    return [x + (numbers[COS] * u - numbers[SIN] * v), y + (numbers[SIN] * u + numbers[COS] * v)]
  }
  const nearness = (angle: number): number => {
    const [qx, qy] = pointAt(angle)
    return -Math.hypot(qx - px, qy - py)
  }
  spend(LOOK_COUNT + GOLDEN_STEPS)
  const step = (2 * Math.PI) / LOOK_COUNT
  let best = 0
  for (let i = 1; i < LOOK_COUNT; i++) if (nearness(i * step) < nearness(best * step)) best = i
  return pointAt(leastBetween(nearness, (best - 1) * step, (best + 1) * step))
}

// Capsules.

function fitCapsule(span: Span, least: Least): Found {
  const { hull, skin } = span
  const circle = fitCircle({ ...span, x: 0, y: 0 }, least).enclosure as Enclosure & { kind: 'circle' }
  const { near, power } = nearPoints(hull, 2, skin)
  const capsule = leastCapsule({ ...fewCorners(near), skin: scaleBy(skin, power) }, least)
  const back = (value: number): number => scaleBy(value, -power)
  const unit = least === 'area' ? -2 * power : -power
  const lower = scaleBy(capsule.lower, unit)
  const { x, y } = span
  if (!(scaleBy(capsule.measure, unit) < circleMeasure(circle.radius, least))) {
    const [ax, ay] = [circle.x, circle.y]
    return { enclosure: { kind: 'capsule', x, y, ax, ay, bx: ax, by: ay, radius: circle.radius }, lower }
  }
  const [cx, cy] = [hull[0] + back(capsule.x), hull[1] + back(capsule.y)]
  const [dx, dy] = [back(capsule.ax), back(capsule.ay)]
  return {
    enclosure: {
      kind: 'capsule',
      x,
      y,
      ax: cx - dx,
      ay: cy - dy,
      bx: cx + dx,
      by: cy + dy,
      radius: back(capsule.radius),
    },
    lower,
  }
}

/** The corners, or those of them that lie farthest in as many directions as a search may look at. */
function fewCorners(hull: Float64Array): { hull: Float64Array; hullCount: number } {
  const count = hull.length / 2
  if (count <= MOST_CORNERS) return { hull, hullCount: count }
  const kept: number[] = []
  let at = 0
  spend(count + BISECTION_COUNT)
  // The farthest corner goes round with the direction.
  for (let k = 0; k < MOST_CORNERS; k++) {
    const angle = -Math.PI + (2 * Math.PI * k) / MOST_CORNERS
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    const heightAt = (i: number): number => c * hull[2 * (i % count)] + s * hull[2 * (i % count) + 1]
    for (let steps = 0; steps < count && heightAt(at + 1) > heightAt(at); steps++) at++
    if (kept[kept.length - 1] !== at % count) kept.push(at % count)
  }
  const corners = [...new Set(kept)].sort((i, j) => i - j)
  return { hull: Float64Array.from(corners.flatMap((i) => [hull[2 * i], hull[2 * i + 1]])), hullCount: corners.length }
}
