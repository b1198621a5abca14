/**
 * Outlines as rounding leaves them when what they were made of had no width: spikes that go out and come back along one line,
 * walls that fall upon each other, triangles and strips whose width is a few places of their length.
 */
import { randomNumbers } from '../../../loadtest/slow-shapes.ts'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { prepare } from '../answers/slots.ts'
import { nextAfter } from './next-after.ts'

export type Random = () => number
type Ring = Vec2[]

export function randomFrom(seed: number): Random {
  return randomNumbers(seed)
}

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random()
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]
}

/** The point so far along the line from p to q, rounded, and often a few places off, seldom many. */
function onLine(random: Random, p: Vec2, q: Vec2, share: number): Vec2 {
  const most = random() < 0.8 ? 3 : 2 ** Math.floor(24 * random())
  const off = (value: number): number => nextAfter(value, Math.round(most * between(random, -1, 1)))
  return { x: off(p.x + share * (q.x - p.x)), y: off(p.y + share * (q.y - p.y)) }
}

/** Corners in the order of their angles about the origin: convex or starlike. */
function starlike(random: Random, count: number, size: number): Ring {
  const whole = random() < 0.5
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.7 * random())) / count
    const radius = size * between(random, 0.3, 1)
    const value = (number: number): number => (whole && size > 100 ? Math.round(number) : number)
    return { x: value(radius * Math.cos(angle)), y: value(radius * Math.sin(angle)) }
  })
}

/** A spike at a corner: its two edges run on in one line, or out along any direction and back. */
function withSpike(random: Random, ring: Ring): Ring {
  const i = Math.floor(random() * ring.length)
  const p = ring[i]
  const q = ring[(i + 1) % ring.length]
  const kind = Math.floor(4 * random())
  // Beyond the end of an edge, and back to a point on the edge or on the spike.
  if (kind === 0) {
    const tip = onLine(random, p, q, between(random, 1.2, 3))
    return [...ring.slice(0, i + 1), tip, onLine(random, p, tip, between(random, 0.1, 0.9)), ...ring.slice(i + 1)]
  }
  if (kind === 1) {
    const tip = onLine(random, p, q, between(random, 1.2, 3))
    return [...ring.slice(0, i + 1), tip, onLine(random, p, tip, between(random, 0.1, 0.9)), ...ring.slice(i + 2)]
  }
  const from = onLine(random, p, q, between(random, 0.2, 0.8))
  const size = Math.hypot(p.x, p.y)
  const angle = 2 * Math.PI * random()
  const tip = { x: from.x + size * Math.cos(angle), y: from.y + size * Math.sin(angle) }
  const back = onLine(random, from, tip, kind === 2 ? between(random, -0.01, 0.01) : between(random, 0.01, 0.9))
  return [...ring.slice(0, i + 1), from, tip, back, ...ring.slice(i + 1)]
}

/** A triangle or a strip of rounding width. */
function sliver(random: Random, size: number): Ring {
  const [p] = starlike(random, 3, size)
  const angle = 2 * Math.PI * random()
  const axial = random() < 0.3
  const q = axial ? { x: p.x, y: p.y + size } : { x: p.x + size * Math.cos(angle), y: p.y + size * Math.sin(angle) }
  const first = onLine(random, p, q, between(random, 0.05, 0.95))
  if (random() < 0.5) return [p, q, first]
  return [p, q, onLine(random, p, q, between(random, 0.6, 0.99)), onLine(random, p, q, between(random, 0.01, 0.4))]
}

function moved(ring: Ring, x: number, y: number): Ring {
  return ring.map((p) => ({ x: p.x + x, y: p.y + y }))
}

/** A bundle is a compound of slivers. */
export type ThinKind = 'spiky' | 'sliver' | 'sliver-polygon' | 'bundle' | 'thick'

/** One try at a shape; its rings need not bound a region. */
function attempt(random: Random, kind: ThinKind, size: number, { x, y }: Vec2): Body2d {
  if (kind === 'thick') return polygonOf(random, moved(starlike(random, 3 + Math.floor(2 * random()), size), x, y))
  if (kind === 'sliver') return { shape: { type: 'region', outer: moved(sliver(random, size), x, y) } }
  if (kind === 'sliver-polygon') return { shape: { type: 'polygon', vertices: moved(sliver(random, size), x, y) } }
  if (kind === 'bundle') {
    const children = [thinBody(random, 'sliver-polygon', size, { x, y }), thinBody(random, 'sliver', size, { x, y })]
    return { shape: { type: 'compound', children } }
  }
  let ring = moved(starlike(random, 3 + Math.floor(3 * random()), size), x, y)
  for (let spikes = 1 + Math.floor(2 * random()); spikes > 0; spikes--) ring = withSpike(random, ring)
  return { shape: { type: 'region', outer: ring } }
}

function polygonOf(random: Random, vertices: Ring): Body2d {
  return { shape: random() < 0.5 ? { type: 'polygon', vertices } : { type: 'region', outer: vertices } }
}

/** The first of the shapes tried that the service takes. */
export function thinBody(random: Random, kind: ThinKind, size: number, center: Vec2): Body2d {
  for (;;) {
    const body = attempt(random, kind, size, center)
    if (isTaken(body)) return body
  }
}

function isTaken(body: Body2d): boolean {
  try {
    prepare(body)
    return true
  } catch {
    return false
  }
}

export interface ThinPair {
  a: Body2d
  b: Body2d
}

/** Two bodies about one place; the second one is often far smaller. */
export function thinPair(random: Random, first: ThinKind, second: ThinKind): ThinPair {
  const size = 10 ** between(random, -3, 15)
  const far = random() < 0.5 ? 0 : size * pick(random, [0.3, 1, 10, 1e4])
  const center = { x: far * between(random, -1, 1), y: far * between(random, -1, 1) }
  const scale = pick(random, [1, 1, 1, 0.3, 0.01])
  return {
    a: thinBody(random, first, size, center),
    b: thinBody(random, second, size * scale, center),
  }
}
