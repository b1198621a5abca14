/**
 * Rays made to be hard, against the exact oracle: through vertices, along edges, tangent to rims, ending on a boundary,
 * starting on one; then off by an ulp in one number. Bodies sit on a grid, at the origin or far from it.
 */

import { describe, expect, test } from 'vitest'
import type { RayDefinition } from '../../../schemas/queries/ray-cast.ts'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { NO_FEATURE } from '../../../src/core2d/feature.ts'
import { createRayHit, type RayHit, rayCast } from '../../../src/core2d/ray/ray-cast.ts'
import { exactRayCast } from '../../oracle/exact-ray.ts'
import { prepareRay } from '../../support/answers/ray-slots.ts'
import { prepare } from '../../support/answers/slots.ts'
import { nextAfter } from '../../support/families/next-after.ts'
import { runCount, seed } from '../../support/runs.ts'

/** Small deterministic generator (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

interface Dice {
  real(low: number, high: number): number
  int(low: number, high: number): number
  grid(range: number): number
  of<T>(items: readonly T[]): T
}

function dice(seed: number): Dice {
  const next = generator(seed)
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    real: (low, high) => low + next() * (high - low),
    int,
    grid: (range) => int(-8 * range, 8 * range) / 8,
    of: (items) => items[int(0, items.length - 1)],
  }
}

/** Directions of rational length, and others. */
const DIRECTIONS: readonly Vec2[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 3, y: 4 },
  { x: -4, y: 3 },
  { x: 5, y: 12 },
  { x: 15, y: -8 },
  { x: 1, y: 1 },
  { x: 2, y: -1 },
  { x: 1, y: 7 },
]
const OFFSETS = [0, 0, 0, 1e6, 2 ** 30, 1e9]

interface Setting {
  body: Body2d
  /** World points of interest: vertices, centre, points of the rim. */
  points: Vec2[]
  /** Skin radius, or 0. */
  radius: number
}

function hexagonLike(d: Dice): Vec2[] {
  const w = d.int(1, 16) / 8
  const h = d.int(1, 16) / 8
  const c = d.int(1, 8) / 8
  return d.of([
    [
      { x: -w, y: -h },
      { x: w, y: -h },
      { x: w + c, y: 0 },
      { x: w, y: h },
      { x: -w, y: h },
    ],
    [
      { x: 0, y: 0 },
      { x: 3 * w, y: 4 * w },
      { x: -4 * h, y: 3 * h + 4 * w },
    ],
    [
      { x: 0, y: 0 },
      { x: 4 * w, y: 3 * w },
      { x: 4 * w - 3 * h, y: 3 * w + 4 * h },
      { x: -3 * h, y: 4 * h },
    ],
    [
      { x: 0, y: 0 },
      { x: 5, y: 2 ** -d.int(8, 50) },
      { x: 5 + w, y: 1 },
      { x: 0, y: 1 + h },
    ],
    Array.from({ length: 24 }, (_, k) => ({
      x: Math.round(640 * Math.cos((k * Math.PI) / 12)) / 256,
      y: Math.round(640 * Math.sin((k * Math.PI) / 12)) / 256,
    })),
  ])
}

function setting(d: Dice, types: readonly string[]): Setting {
  const offset = d.of(OFFSETS)
  const position = { x: d.grid(4) + offset, y: d.grid(4) - offset }
  const at = (v: Vec2): Vec2 => ({ x: position.x + v.x, y: position.y + v.y })
  const radius = d.of([0.625, 1.25, 2.5, 0.3, 5 * 2 ** -d.int(3, 30)])
  const type = d.of(types)
  switch (type) {
    case 'point':
      return { body: { shape: { type }, position }, points: [position], radius: 0 }
    case 'circle':
      return { body: { shape: { type, radius }, position }, points: [position], radius }
    case 'aabb': {
      const min = { x: -d.int(1, 16) / 8, y: -d.int(1, 16) / 8 }
      const max = { x: d.int(0, 16) / 8, y: d.int(0, 16) / 8 }
      const corners = [min, max, { x: min.x, y: max.y }, { x: max.x, y: min.y }]
      return { body: { shape: { type, min, max }, position }, points: corners.map(at), radius: 0 }
    }
    case 'segment':
    case 'capsule': {
      const a = { x: d.grid(2), y: d.grid(2) }
      const along = d.of(DIRECTIONS)
      const k = d.int(1, 8) / 8
      const b = { x: a.x + k * along.x, y: a.y + k * along.y }
      const shape = type === 'segment' ? ({ type, a, b } as const) : ({ type, a, b, radius } as const)
      return { body: { shape, position }, points: [a, b].map(at), radius: type === 'segment' ? 0 : radius }
    }
    case 'ellipse': {
      const rx = d.int(1, 16) / 8
      const ry = d.int(1, 16) / 8
      const rim = [
        { x: rx, y: 0 },
        { x: 0, y: -ry },
        { x: -0.6 * rx, y: 0.8 * ry },
      ]
      return { body: { shape: { type, rx, ry }, position }, points: rim.map(at), radius: 0 }
    }
    case 'halfplane': {
      const normal = d.of(DIRECTIONS)
      const norm = Math.hypot(normal.x, normal.y)
      const foot = d.grid(4)
      const t = d.grid(2)
      const on = { x: (foot * normal.x) / norm - t * normal.y, y: (foot * normal.y) / norm + t * normal.x }
      return { body: { shape: { type, normal, offset: foot }, position }, points: [at(on)], radius: 0 }
    }
    default: {
      const vertices = hexagonLike(d)
      const rounded = type === 'rounded'
      const shape = { type: 'polygon', vertices, ...(rounded ? { radius } : {}) } as const
      return { body: { shape, position }, points: vertices.map(at), radius: rounded ? radius : 0 }
    }
  }
}

/** A ray that passes a point of interest at distance 0 or the radius, starts or ends there or thereabouts. */
function hardRay(d: Dice, { points, radius }: Setting): RayDefinition {
  const p = d.of(points)
  let direction = { ...d.of(DIRECTIONS) }
  if (d.int(0, 3) === 0) {
    const q = d.of(points)
    if (p.x !== q.x || p.y !== q.y) direction = { x: q.x - p.x, y: q.y - p.y }
  }
  const norm = Math.hypot(direction.x, direction.y)
  const side = d.of([0, 0, radius, -radius])
  const back = d.of([0, radius, 0.5 * norm, 2 * norm, 8 * norm, 1024 * norm, 2 ** 20 * norm]) * d.of([1, 1, 1, -1])
  const origin = {
    x: p.x - (back / norm) * direction.x - (side / norm) * direction.y,
    y: p.y - (back / norm) * direction.y + (side / norm) * direction.x,
  }
  const stretch = d.of([1, 1, 0.125, 2 ** 40, 2 ** -60])
  const ray: RayDefinition = { origin, direction: { x: direction.x * stretch, y: direction.y * stretch } }
  const limit = d.of([undefined, 0, back, back - radius, back + radius, back + d.grid(2)])
  if (limit !== undefined) ray.maxDistance = Math.max(limit, 0)
  return perturb(d, ray)
}

function perturb(d: Dice, ray: RayDefinition): RayDefinition {
  const step = d.of([1, -1, 2, -3])
  switch (d.int(0, 9)) {
    case 0:
      ray.origin.x = nextAfter(ray.origin.x, step)
      break
    case 1:
      ray.origin.y = nextAfter(ray.origin.y, step)
      break
    case 2:
      ray.direction.x = nextAfter(ray.direction.x || 1e-30, step)
      break
    case 3:
      ray.direction.y = nextAfter(ray.direction.y || -1e-30, step)
      break
    case 4:
      if (ray.maxDistance) ray.maxDistance = nextAfter(ray.maxDistance, Math.abs(step) === 1 ? step : 1)
      break
  }
  return ray
}

type Check = (condition: boolean, what: string) => void

/** Whatever was hit, an answer is finite, on the ray, within its length, and its normals face the right way. */
function checkAnswer(hit: RayHit, ray: RayDefinition, check: Check): void {
  const numbers = Object.values(hit).filter((value) => typeof value === 'number')
  check(numbers.every(Number.isFinite), 'finite')
  const { x, y } = ray.direction
  const { distance, fraction, exitDistance } = hit
  const norm = Math.hypot(x, y)
  const limit = ray.maxDistance ?? Infinity
  const tolerance = 1e-12 * (1 + Math.abs(ray.origin.x) + Math.abs(ray.origin.y) + distance)
  check(Math.abs(distance - fraction * norm) <= tolerance, 'fraction')
  check(Math.abs(ray.origin.x + fraction * x - hit.x) <= tolerance, 'x')
  check(Math.abs(ray.origin.y + fraction * y - hit.y) <= tolerance, 'y')
  check(distance >= 0 && distance <= limit, 'distance within maxDistance')
  check(hit.hasNormal !== hit.startedInside, 'normal')
  check(hit.hasNormal === (hit.feature !== NO_FEATURE), 'feature')
  if (hit.hasNormal) {
    check(Math.abs(Math.hypot(hit.nx, hit.ny) - 1) <= 1e-12, 'unit normal')
    check((hit.nx * x + hit.ny * y) / norm <= 1e-12, 'normal against the ray')
  }
  if (!hit.hasExit) return
  check(exitDistance >= distance && exitDistance <= limit, 'exit within maxDistance')
  check(Math.abs(Math.hypot(hit.exitNx, hit.exitNy) - 1) <= 1e-12, 'unit exit normal')
  check((hit.exitNx * x + hit.exitNy * y) / norm >= -1e-12, 'exit normal along the ray')
}

const FAMILIES: Record<string, readonly string[]> = {
  'points and segments': ['point', 'segment'],
  boxes: ['aabb'],
  circles: ['circle'],
  polygons: ['polygon'],
  'capsules and rounded polygons': ['capsule', 'rounded'],
  'ellipses and half-planes': ['ellipse', 'halfplane'],
}

describe('hit, miss and start inside are exact', () => {
  const out = createRayHit()
  Object.entries(FAMILIES).forEach(([name, types], family) => {
    test(name, () => {
      for (let run = 0; run < runCount(1500); run++) {
        const d = dice(seed() + run * 16 + family)
        const scene = setting(d, types)
        const ray = hardRay(d, scene)
        const check: Check = (condition, what) => {
          if (!condition) expect.fail(`${what}: ${JSON.stringify({ ray, body: scene.body, out })}`)
        }
        const expected = exactRayCast(ray, scene.body)
        const hit = rayCast(prepareRay(ray), prepare(scene.body), 'hit', out)
        check(hit === expected.hit, `hit should be ${expected.hit}`)
        if (!hit) continue
        check(out.startedInside === expected.startedInside, `startedInside should be ${expected.startedInside}`)
        if (expected.distance !== null) {
          const error = Math.abs(out.distance - expected.distance)
          check(error <= 1e-9 * (1 + expected.distance), `distance should be ${expected.distance}`)
        }
        checkAnswer(out, ray, check)
      }
    })
  })
})
