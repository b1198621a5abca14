/**
 * Rules about flat faces: `too-steep`, `overlapping-faces`.
 *
 * Method: faces of two bodies lie in one plane as far as single precision tells, in which renderers compare depths; the area that two triangles
 * share is found by clipping one by the other (I. Sutherland, G. Hodgman, "Reentrant polygon clipping", CACM 17 (1974)).
 */

import type { SceneLintRule, SceneLintRule3d } from '../../../schemas/scenes/lint.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import type { Kinds } from '../../scene/state/geometry.ts'
import type { DecodeProblem } from '../../wire/decode-problem.ts'
import { type Faces, facesAt } from './corners.ts'
import { downOf } from './down.ts'
import { type Lint, shown } from './linting.ts'
import { NO_MARGIN, visitNear } from './pair-rules.ts'

type Rule<Name extends string> = Extract<SceneLintRule | SceneLintRule3d, { rule: Name }>

/** 80 degrees. */
const USUAL_WALL = 1.4
/** Roundoff of single precision. */
const SINGLE_RATIO = 2 ** -23
/** Part of the smaller face that must be shared. */
const SHARED_RATIO = 2 ** -20
/** Angles that differ by less are one. */
const ANGLE_RATIO = 2 ** -40
/** Cosines of angles that differ by as much differ by more than rounding. */
const COSINE_MARGIN = 2 ** -30
/** Faces that are kept for pairs to come, and of a body that are worth it. */
const MOST_KEPT = 2 ** 20
const LEAST_KEPT = 2 ** 6

export function* tooSteepRule<K extends Kinds>(
  lint: Lint<K>,
  rule: Rule<'too-steep'>,
): FarSlices<DecodeProblem | undefined> {
  const { maxSlope, wallSlope = USUAL_WALL } = rule
  const down = downOf(lint, rule)
  if ('ok' in down) return down
  const normal = new Float64Array(down.length)
  const leastCosine = Math.cos(Math.min(wallSlope, Math.PI)) - COSINE_MARGIN
  const mostCosine = Math.cos(Math.min(maxSlope, Math.PI)) + COSINE_MARGIN
  for (const slot of yield* lint.slots(rule.filter)) {
    if (lint.isDue(1)) yield
    const faces = facesAt(lint.view, slot, false)
    let steepest = 0
    let face = -1
    for (let f = 0; f < faces.count; f++) {
      if (lint.pace.isDue(1)) yield
      if (!faces.setNormal(f, normal)) continue
      let cosine = 0
      for (let k = 0; k < normal.length; k++) cosine -= normal[k] * down[k]
      if (cosine < leastCosine || cosine > mostCosine) continue
      const slope = slopeOf(normal, down)
      if (slope <= maxSlope * (1 + ANGLE_RATIO) || slope >= wallSlope || slope <= steepest) continue
      steepest = slope
      face = f
    }
    if (face < 0) continue
    yield* lint.add(rule, 'info', () => ({
      slots: [slot],
      point: meanOf(faces.corners(face)),
      measure: steepest,
      message: `${lint.id(slot)} has a face at ${shown((steepest * 180) / Math.PI)}°, too steep to stand on.`,
    }))
  }
  return undefined
}

/** From level: 0 of a floor, ½π of a wall, more of what looks down. By the chord: cosines near 1 have few digits of small angles. */
function slopeOf(normal: ArrayLike<number>, down: readonly number[]): number {
  const apart = Math.hypot(...down.map((x, k) => normal[k] + x))
  const along = Math.hypot(...down.map((x, k) => normal[k] - x))
  return 2 * Math.atan2(apart, along)
}

function meanOf(corners: readonly (readonly number[])[]): number[] {
  return corners[0].map((_, k) => corners.reduce((sum, corner) => sum + corner[k] / corners.length, 0))
}

export function* overlappingFacesRule<K extends Kinds>(
  lint: Lint<K>,
  rule: Rule<'overlapping-faces'>,
): FarSlices<undefined> {
  const kept = new Map<number, Faces>()
  let keptCount = 0
  const facesOf = (slot: number): Faces => {
    const known = kept.get(slot)
    if (known !== undefined) return known
    const faces = facesAt(lint.view, slot, true)
    // few are found as soon as looked up
    if (faces.count < LEAST_KEPT) return faces
    keptCount += 1 + faces.count
    if (keptCount > MOST_KEPT) {
      kept.clear()
      keptCount = 1 + faces.count
    }
    kept.set(slot, faces)
    return faces
  }
  yield* visitNear(lint, rule, NO_MARGIN, function* ({ slot, other }) {
    const ours = yield* facesIn(lint, facesOf(slot), lint.box(other))
    if (ours.length === 0) return
    const theirs = yield* facesIn(lint, facesOf(other), lint.box(slot))
    let area = 0
    let place: readonly number[] | null = null
    for (const p of ours) {
      for (const q of theirs) {
        if (lint.pace.isDue(1)) yield
        const shared = sharedArea(p, q)
        if (shared === null) continue
        area += shared.area
        place ??= shared.point
      }
    }
    if (area === 0) return
    yield* lint.add(rule, 'info', () => {
      const [a, b] = [lint.id(slot), lint.id(other)]
      const what = lint.view.table.geometry.dimension === 2 ? 'a length' : 'an area'
      return {
        slots: [slot, other],
        point: place,
        measure: area,
        message: `${a} and ${b} have faces in one plane that share ${what} of ${shown(area)}.`,
      }
    })
  })
}

interface Face {
  readonly corners: readonly (readonly number[])[]
  /** Outward unit normal. */
  readonly normal: readonly number[]
}

/** Those whose boxes meet the box. */
function* facesIn(lint: Lint, faces: Faces, box: Float64Array): FarSlices<Face[]> {
  const near: Face[] = []
  const normal = new Float64Array(faces.axes)
  for (let f = 0; f < faces.count; f++) {
    if (lint.pace.isDue(1)) yield
    if (meetsBox(faces, f, box) && faces.setNormal(f, normal)) {
      near.push({ corners: faces.corners(f), normal: [...normal] })
    }
  }
  return near
}

function meetsBox(faces: Faces, face: number, box: Float64Array): boolean {
  const { axes, size } = faces
  for (let k = 0; k < axes; k++) {
    let [low, high] = [Infinity, -Infinity]
    for (let i = 0; i < size; i++) {
      low = Math.min(low, faces.at(face, i, k))
      high = Math.max(high, faces.at(face, i, k))
    }
    if (high < box[k] || low > box[axes + k]) return false
  }
  return true
}

interface Shared {
  area: number
  point: number[]
}

/** What two faces share that look the same way and lie in one plane, or null. */
function sharedArea(p: Face, q: Face): Shared | null {
  const along = p.normal.reduce((sum, x, k) => sum + x * q.normal[k], 0)
  if (along < 1 - SINGLE_RATIO) return null
  const size = Math.max(...p.corners.flat().map(Math.abs), ...q.corners.flat().map(Math.abs))
  for (const corner of q.corners) {
    const off = corner.reduce((sum, x, k) => sum + (x - p.corners[0][k]) * p.normal[k], 0)
    if (Math.abs(off) > SINGLE_RATIO * size) return null
  }
  return p.normal.length === 2 ? sharedLength(p, q) : sharedTriangle(p, q)
}

function sharedLength(p: Face, q: Face): Shared | null {
  const [from, to] = p.corners
  const length = Math.hypot(to[0] - from[0], to[1] - from[1])
  const way = [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
  const at = (corner: readonly number[]) => (corner[0] - from[0]) * way[0] + (corner[1] - from[1]) * way[1]
  const [s, t] = q.corners.map(at)
  const [low, high] = [Math.max(0, Math.min(s, t)), Math.min(length, Math.max(s, t))]
  if (high - low <= SHARED_RATIO * Math.min(length, Math.abs(t - s))) return null
  const middle = (low + high) / 2
  return { area: high - low, point: [from[0] + middle * way[0], from[1] + middle * way[1]] }
}

function sharedTriangle(p: Face, q: Face): Shared | null {
  // seen along the axis that is nearest to the normal
  const drop = p.normal.reduce((best, x, k) => (Math.abs(x) > Math.abs(p.normal[best]) ? k : best), 0)
  const [u, v] = [0, 1, 2].filter((k) => k !== drop)
  const [origin] = p.corners
  const flat = ({ corners }: Face) => corners.map((corner) => [corner[u] - origin[u], corner[v] - origin[v]])
  const [clip, subject] = [leftward(flat(p)), flat(q)]
  let ring: Ring = subject
  for (let k = 0; k < clip.length && ring.length > 0; k++) ring = clipped(ring, clip[k], clip[(k + 1) % clip.length])
  const least = Math.min(Math.abs(areaOf(clip)), Math.abs(areaOf(subject)))
  const area = ring.length < 3 ? 0 : Math.abs(areaOf(ring))
  if (area <= SHARED_RATIO * least) return null
  const middle = meanOf(ring)
  const point = [...origin]
  point[u] += middle[0]
  point[v] += middle[1]
  // back onto the plane
  point[drop] -= (p.normal[u] * middle[0] + p.normal[v] * middle[1]) / p.normal[drop]
  return { area: area / Math.abs(p.normal[drop]), point }
}

type Ring = readonly (readonly number[])[]

function areaOf(ring: Ring): number {
  let area = 0
  for (let k = 0; k < ring.length; k++) {
    const [p, q] = [ring[k], ring[(k + 1) % ring.length]]
    area += p[0] * q[1] - q[0] * p[1]
  }
  return area / 2
}

function leftward(ring: Ring): Ring {
  return areaOf(ring) < 0 ? [...ring].reverse() : ring
}

/** The part of the ring on the left of a line. */
function clipped(ring: Ring, from: readonly number[], to: readonly number[]): Ring {
  const side = ([x, y]: readonly number[]) => (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0])
  const kept: number[][] = []
  for (let k = 0; k < ring.length; k++) {
    const [p, q] = [ring[k], ring[(k + 1) % ring.length]]
    const [sp, sq] = [side(p), side(q)]
    if (sp >= 0) kept.push([...p])
    if ((sp > 0 && sq < 0) || (sp < 0 && sq > 0)) {
      const t = sp / (sp - sq)
      kept.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])])
    }
  }
  return kept
}
