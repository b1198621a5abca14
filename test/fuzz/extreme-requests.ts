/**
 * Requests with numbers at the ends of what doubles hold, each told by one seed: subnormal, huge, ordinary, and all of them
 * in one request. Coordinates repeat themselves and each other's sums, so that much of it touches, coincides or is flat.
 */

import type { Body2d, MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'

/** Queries that measure pairs, rays or motion, with how often each is asked. */
const OPS = [
  'contact',
  'contact',
  'contact',
  'distance',
  'overlap',
  'time-of-impact',
  'time-of-impact',
  'time-of-impact',
  'shape-cast',
  'shape-cast',
  'ray-cast',
  'trajectory',
  'trajectory',
  'table',
  'table',
  'pairs',
  'bounds',
  'support',
  'minkowski',
] as const

export interface ExtremeRequest {
  op: (typeof OPS)[number]
  request: object
}

/** The largest magnitude that the wire takes. */
const LARGEST = 1e100

/** Exponents about which the numbers of a request lie. */
const EXPONENTS = [
  -1074, -1070, -1040, -1022, -1000, -700, -540, -510, -430, -260, -100, -30, 0, 0, 0, 30, 100, 160, 250, 325,
]

const ROUND_SIGNIFICANDS = [1, 1, 1, 1.5, 1.25, 2, 3, 0.5, 4, 1 + 2 ** -52]

class Numbers {
  #state: number
  /** Exponents that this request draws from. */
  #exponents: number[] = [0]
  /** Numbers that have been drawn, to be drawn again. */
  #drawn: number[] = [0]

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) >>> 0
    const count = this.pick([1, 1, 1, 2, 3])
    this.#exponents = Array.from({ length: count }, () => this.pick(EXPONENTS))
  }

  /** In [0, 1), by mulberry32. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.fraction() * of.length)]
  }

  chance(share: number): boolean {
    return this.fraction() < share
  }

  count(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1))
  }

  size(): number {
    if (this.chance(0.12)) return 0
    if (this.chance(0.25)) return Math.abs(this.pick(this.#drawn))
    const spread = this.chance(0.7) ? this.count(-3, 3) : this.count(-60, 60)
    const exponent = this.pick(this.#exponents) + spread
    const significand = this.chance(0.5) ? this.pick(ROUND_SIGNIFICANDS) : 1 + this.fraction()
    const half = Math.trunc(exponent / 2)
    const size = Math.min(significand * 2 ** half * 2 ** (exponent - half), LARGEST)
    this.#drawn.push(size)
    return size
  }

  coordinate(): number {
    if (this.chance(0.1)) return this.pick(this.#drawn) + this.pick(this.#drawn) / 2
    const size = this.size()
    return this.chance(0.5) ? size : 0 - size
  }

  angle(): number {
    if (this.chance(0.6)) return 0
    if (this.chance(0.2)) return this.coordinate()
    return this.chance(0.3) ? this.pick([Math.PI / 2, Math.PI / 4, Math.PI, -Math.PI / 2]) : 6 * this.fraction() - 3
  }

  vector(): Vec2 {
    return { x: limited(this.coordinate()), y: limited(this.coordinate()) }
  }

  vectors(from: number, to: number): Vec2[] {
    return Array.from({ length: this.count(from, to) }, () => this.vector())
  }
}

function limited(value: number): number {
  return Math.min(Math.max(value, -LARGEST), LARGEST)
}

const CONVEX = [
  'point',
  'circle',
  'segment',
  'capsule',
  'box',
  'box',
  'aabb',
  'polygon',
  'polygon',
  'ellipse',
  'halfplane',
]
const CONCAVE = ['chain', 'region', 'region', 'region', 'star', 'compound', 'compound']

function shapeOf(n: Numbers, depth: number): Shape2d {
  const type = n.chance(0.45) ? n.pick(CONVEX) : n.pick(CONCAVE)
  switch (type) {
    case 'circle':
      return { type, radius: n.size() }
    case 'segment':
      return { type, a: n.vector(), b: n.vector() }
    case 'capsule':
      return { type, a: n.vector(), b: n.vector(), radius: n.size() }
    case 'box':
      return { type, width: n.size(), height: n.size(), ...rounding(n) }
    case 'aabb': {
      const [p, q] = [n.vector(), n.vector()]
      const min = { x: Math.min(p.x, q.x), y: Math.min(p.y, q.y) }
      return { type, min, max: { x: Math.max(p.x, q.x), y: Math.max(p.y, q.y) } }
    }
    case 'polygon':
      return { type, vertices: n.chance(0.5) ? n.vectors(3, 3) : corners(n), ...rounding(n) }
    case 'ellipse':
      return { type, rx: n.size() || 1, ry: n.size() || 1 }
    case 'halfplane':
      return { type, normal: { x: n.coordinate(), y: n.coordinate() || 1 }, offset: limited(n.coordinate()) }
    case 'chain':
      return { type, vertices: n.vectors(2, 6), loop: n.chance(0.3) }
    case 'region':
      return regionOf(n)
    case 'star':
      return { type: 'region', outer: ring(n, n.count(3, 12), n.size(), 0.4) }
    case 'compound':
      if (depth > 0) {
        return { type, children: Array.from({ length: n.count(1, 4) }, () => bodyOf(n, depth - 1)) }
      }
  }
  return { type: 'point' }
}

function rounding(n: Numbers): { radius?: number } {
  return n.chance(0.3) ? { radius: n.size() } : {}
}

/** Corners of a box, as a polygon. */
function corners(n: Numbers): Vec2[] {
  const { x, y } = n.vector()
  const width = n.size()
  const height = n.size()
  const right = limited(x + width)
  const top = limited(y + height)
  return [
    { x, y },
    { x: right, y },
    { x: right, y: top },
    { x, y: top },
  ]
}

function regionOf(n: Numbers): Shape2d {
  if (n.chance(0.5))
    return { type: 'region', outer: n.vectors(3, 4), ...(n.chance(0.3) ? { holes: [n.vectors(3, 3)] } : {}) }
  const outer = corners(n)
  const [p, , q] = outer
  const inner = (share: number, from: number, to: number): number => from + share * (to - from)
  const flat = n.chance(0.3)
  const hole = [
    { x: inner(0.25, p.x, q.x), y: inner(0.25, p.y, q.y) },
    { x: inner(0.75, p.x, q.x), y: inner(0.25, p.y, q.y) },
    { x: inner(0.75, p.x, q.x), y: inner(flat ? 0.25 : 0.75, p.y, q.y) },
  ]
  return { type: 'region', outer, holes: [hole] }
}

function ring(n: Numbers, count: number, radius: number, inner: number): Vec2[] {
  const turn = n.fraction()
  return Array.from({ length: count }, (_, i) => {
    const reach = i % 2 === 1 ? radius * inner : radius
    const angle = turn + (2 * Math.PI * i) / count
    return { x: reach * Math.cos(angle), y: reach * Math.sin(angle) }
  })
}

function bodyOf(n: Numbers, depth: number): Body2d {
  const shape = shapeOf(n, depth)
  const position = n.chance(0.5) ? { position: n.vector() } : {}
  const rotation = shape.type === 'aabb' ? 0 : n.angle()
  return { shape, ...position, ...(rotation === 0 ? {} : { rotation: limited(rotation) }) }
}

function movingOf(n: Numbers): MovingBody2d {
  const body = bodyOf(n, 2)
  const velocity = n.chance(0.7) ? { velocity: n.vector() } : {}
  return { ...body, ...velocity, ...(n.chance(0.4) ? { angularVelocity: limited(n.coordinate()) } : {}) }
}

function several<T>(n: Numbers, from: number, to: number, make: () => T): T[] {
  return Array.from({ length: n.count(from, to) }, make)
}

/** Right in form; what decoders refuse beyond that is refused. */
export function extremeRequest(seed: number): ExtremeRequest {
  const n = new Numbers(seed)
  const op = n.pick(OPS)
  return { op, request: requestOf(op, n) }
}

function requestOf(op: ExtremeRequest['op'], n: Numbers): object {
  const body = (): Body2d => bodyOf(n, 2)
  const moving = (): MovingBody2d => movingOf(n)
  const duration = n.chance(0.3) ? 1 : n.size()
  const ignoreSeparating = n.chance(0.3)
  switch (op) {
    case 'contact':
      return { a: body(), b: body(), ...(n.chance(0.3) ? { maxDistance: n.size() } : {}) }
    case 'distance':
    case 'overlap':
      return { a: body(), b: body() }
    case 'time-of-impact':
      return { a: moving(), b: moving(), duration, ignoreSeparating }
    case 'shape-cast': {
      const mode = n.pick(['closest', 'any', 'all'])
      return {
        body: body(),
        translation: n.vector(),
        rotation: limited(n.angle()),
        targets: several(n, 1, 3, body),
        mode,
        ignoreSeparating,
      }
    }
    case 'ray-cast': {
      const ray = { origin: n.vector(), direction: n.vector(), ...(n.chance(0.5) ? { maxDistance: n.size() } : {}) }
      return { ray, targets: several(n, 1, 3, body), startInside: n.pick(['hit', 'ignore', 'exit']) }
    }
    case 'trajectory': {
      const still = (): MovingBody2d => ({ ...body(), ...(n.chance(0.4) ? { velocity: n.vector() } : {}) })
      const restitution = n.pick([0, 0.5, 1])
      return { body: still(), obstacles: several(n, 1, 4, still), duration, restitution, maxBounces: n.count(0, 40) }
    }
    case 'table':
      if (n.chance(0.5)) {
        return {
          a: several(n, 1, 2, moving),
          b: several(n, 1, 2, moving),
          measure: 'time-of-impact',
          duration,
          ignoreSeparating,
        }
      }
      return {
        a: several(n, 1, 3, body),
        b: several(n, 1, 3, body),
        measure: n.pick(['overlap', 'distance', 'separation']),
      }
    case 'pairs':
      return { bodies: several(n, 2, 6, body), phase: n.pick(['broad', 'narrow']) }
    case 'bounds':
      return { body: moving(), duration }
    case 'support':
      return { body: body(), direction: n.vector() }
    case 'minkowski':
      return { a: body(), b: body(), operation: n.pick(['sum', 'difference']) }
  }
}
