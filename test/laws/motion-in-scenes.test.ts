// Motion in scenes on small grids, with quarter turns: `drop` and `move` against casts and samples of all kinds of bodies.

import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, timeOfImpact } from '../../src/core2d/motion/time-of-impact.ts'
import { createDistance, distance } from '../../src/core2d/queries/distance.ts'
import { relate } from '../../src/core2d/queries/overlap.ts'
import { type Body, X, Y } from '../../src/core2d/shape/body.ts'
import { createPlacement, moveTo } from '../../src/core2d/shape/position.ts'
import { UNDESCRIBED } from '../../src/scene/queries/described-body.ts'
import { queryDrop } from '../../src/scene/queries/drop.ts'
import { PLANE_FALLING } from '../../src/scene/queries/falling-2d.ts'
import { queryMove } from '../../src/scene/queries/move.ts'
import type { SceneBody } from '../../src/scene/state/operation.ts'
import { apply } from '../../src/scene/state/scene.ts'
import { type PlaneView, presentView } from '../../src/scene/state/view.ts'
import { CREATE, sceneOf } from '../scene/state/scene-model.ts'
import { finished } from '../support/answers/finished.ts'
import { prepare } from '../support/answers/slots.ts'
import { seededRandom } from '../support/families/box-sets.ts'
import { runCount, seed } from '../support/runs.ts'

/** A grid of so large halves, so far from the origin. */
interface Grid {
  scale: number
  shift: number
}

interface Shape {
  type: string
  [field: string]: unknown
}

interface Wire {
  shape: Shape
  position: { x: number; y: number }
  rotation?: number
}

const KINDS =
  'point circle dot segment capsule box flat aabb polygon ellipse halfplane chain region hole compound'.split(' ')
const OUTLINES = [
  [0, 0, 1, 0, 1, 1, 0, 1],
  [0, 0, 4, 0, 4, 1, 0, 1],
  [0, 0, 3, 0, 3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3],
  [0, 0, 1, 0, 1, 0.5, 0.5, 1, 0, 1],
  [0, 0, 4, 0, 4, 3, 3, 3, 3, 1, 1, 1, 1, 3, 0, 3],
  [0, 0, 2, 1, 4, 0, 2, 3],
]
const POLYGONS = [
  [0, 0, 2, 0, 1, 2],
  [0, 0, 2, 0, 3, 1, 1, 2],
  [-1, 0, 0, -1, 1, 0, 0, 1],
]
const PLANES = [
  { x: 0, y: 1 },
  { x: 1, y: 0 },
  { x: -1, y: 1 },
]

class Scenes {
  readonly #random: () => number
  readonly #scale: number
  readonly #shift: number

  constructor(from: number, { scale, shift }: Grid) {
    this.#random = seededRandom(from)
    this.#scale = scale
    this.#shift = shift
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(list.length * this.#random())]
  }

  /** A multiple of the half between the bounds. */
  half(low: number, high: number): number {
    return (this.#scale * (Math.floor((2 * (high - low) + 1) * this.#random()) + 2 * low)) / 2
  }

  #points(numbers: readonly number[]) {
    return numbers.flatMap((x, i) => (i % 2 === 0 ? [{ x: this.#scale * x, y: this.#scale * numbers[i + 1] }] : []))
  }

  #distinct(count: number) {
    const points: { x: number; y: number }[] = []
    while (points.length < count) {
      const point = { x: this.half(-2, 2), y: this.half(-2, 2) }
      if (points.every(({ x, y }) => x !== point.x || y !== point.y)) points.push(point)
    }
    return points
  }

  shape(kind: string): Shape {
    const size = () => this.half(0.5, 3)
    switch (kind) {
      case 'circle':
        return { type: 'circle', radius: this.half(0.5, 1.5) }
      case 'dot':
        return { type: 'circle', radius: 0 }
      case 'segment':
      case 'capsule': {
        const [a, b] = this.#distinct(2)
        return { type: kind, a, b, ...(kind === 'capsule' && { radius: this.half(0.5, 1) }) }
      }
      case 'box':
        return { type: 'box', width: size(), height: size() }
      case 'flat':
        return { type: 'box', width: size(), height: 0 }
      case 'aabb': {
        const min = { x: this.half(-1, 1), y: this.half(-1, 1) }
        return { type: 'aabb', min, max: { x: min.x + size(), y: min.y + size() } }
      }
      case 'polygon':
        return { type: 'polygon', vertices: this.#points(this.pick(POLYGONS)) }
      case 'ellipse':
        return { type: 'ellipse', rx: this.half(0.5, 2), ry: this.half(0.5, 2) }
      case 'halfplane':
        return { type: 'halfplane', normal: this.pick(PLANES), offset: -this.half(3, 6) }
      case 'chain':
        return { type: 'chain', vertices: this.#distinct(this.pick([2, 3, 4])) }
      case 'region':
        return { type: 'region', outer: this.#points(this.pick(OUTLINES)) }
      case 'hole':
        return {
          type: 'region',
          outer: this.#points([-2, -2, 2, -2, 2, 2, -2, 2]),
          holes: [this.#points([-1, -1, 1, -1, 1, 1, -1, 1])],
        }
      case 'compound': {
        const kinds = ['point', 'circle', 'segment', 'box', 'aabb', 'polygon', 'region', 'chain', 'ellipse']
        const child = () => ({
          shape: this.shape(this.pick(kinds)),
          position: { x: this.half(-1, 1), y: this.half(-1, 1) },
        })
        return { type: 'compound', children: Array.from({ length: this.pick([1, 2, 3]) }, child) }
      }
      default:
        return { type: 'point' }
    }
  }

  body(kinds: readonly string[]): Wire {
    const shape = this.shape(this.pick(kinds))
    const position = { x: this.#shift + this.half(-4, 4), y: this.#shift + this.half(-4, 4) }
    const turns = JSON.stringify(shape).includes('aabb') ? 0 : this.pick([0, 0, 0, -1, 1, 2, 3])
    return { shape, position, ...(turns !== 0 && { rotation: (turns * Math.PI) / 2 }) }
  }

  list(): SceneBody[] {
    return Array.from({ length: this.pick([1, 2, 3, 4, 5]) }, (_, i) => ({ id: `b${i}`, ...this.body(KINDS) }))
  }
}

function viewOf(list: readonly SceneBody[]): PlaneView {
  const scene = sceneOf([CREATE])
  apply(scene, { version: 2, at: 0, operations: list.map((body) => ({ op: 'put' as const, body })) })
  return presentView(scene)
}

function drop(view: PlaneView, wire: Wire, ux: number, uy: number) {
  const query = {
    way: [ux, uy],
    maxDistance: Infinity,
    align: null,
    accepts: () => true,
    *turned() {
      yield
      return { body: prepare(wire as never), describe: UNDESCRIBED }
    },
  }
  const found = finished(queryDrop(view, PLANE_FALLING, query))
  const [x, y] = found.position
  return { ...found, x, y }
}

/** Whether a part has no inside: a line, which no overlap tells of. */
function isBare(shape: Shape): boolean {
  const { type, radius, height, children } = shape as {
    type: string
    radius?: number
    height?: number
    children?: { shape: Shape }[]
  }
  if (type === 'compound') return children?.some((child) => isBare(child.shape)) === true
  return ['point', 'segment', 'chain'].includes(type) || (type === 'circle' && radius === 0) || height === 0
}

/** Children of compounds that are not turned, as bodies. */
function inParts(list: readonly SceneBody[]): SceneBody[] {
  return list.flatMap((body) => {
    const { shape, position = { x: 0, y: 0 }, rotation, id } = body
    const { type, children } = shape as unknown as { type: string; children: Wire[] }
    if (type !== 'compound' || rotation !== undefined) return [body]
    return children.map((child, i) => {
      const at = { x: position.x + child.position.x, y: position.y + child.position.y }
      return { id: `${id}-${i}`, shape: child.shape, position: at } as SceneBody
    })
  })
}

/** The mover, put anywhere, beside the bodies of a scene. */
class Probe {
  readonly body: Body
  readonly others: Body[]
  readonly #placement
  readonly #tolerance: number

  constructor(wire: Wire, list: readonly SceneBody[], tolerance: number) {
    this.body = prepare(wire as never)
    this.others = list.map(({ id: _, ...other }) => prepare(other as never))
    this.#placement = createPlacement(this.body)
    this.#tolerance = tolerance
  }

  put(x: number, y: number): void {
    moveTo(this.#placement, x, y)
  }

  overlaps(x: number, y: number): boolean {
    this.put(x, y)
    return this.others.some((other) => relate(other, this.body) < 0)
  }

  /** By more than rounding: also from four places around it. */
  isDeep(x: number, y: number): boolean {
    const d = this.#tolerance
    return this.others.some((other) =>
      [0, 0, d, 0, -d, 0, 0, d, 0, -d].every((dx, i, all) => {
        if (i % 2 === 1) return true
        this.put(x + dx, y + all[i + 1])
        return relate(other, this.body) < 0
      }),
    )
  }

  /** How far the body goes before it touches anything. */
  cast(x: number, y: number, ux: number, uy: number, length: number): number {
    this.put(x, y)
    const found = createTimeOfImpact()
    return this.others.reduce((least, other) => {
      timeOfImpact(
        other,
        { vx: 0, vy: 0, spin: 0 },
        this.body,
        { vx: ux, vy: uy, spin: 0 },
        length,
        false,
        'exit',
        found,
      )
      return found.hit ? Math.min(least, found.time) : least
    }, Infinity)
  }
}

const DIRECTIONS = [
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
  [1, -1],
  [1, -2],
]
const SHARES = Array.from({ length: 40 }, (_, k) => (k + 0.37) / 40.3)
const measured = createDistance()

describe.each([
  { scale: 1, shift: 0 },
  { scale: 1, shift: 1e6 },
  { scale: 1e-3, shift: 0 },
  { scale: 1e3, shift: 0 },
])('on a grid of scale $scale, $shift from the origin', (grid) => {
  const { scale, shift } = grid
  const tolerance = 1e-9 * scale + 1e-14 * shift
  const count = runCount(grid.scale === 1 && shift === 0 ? 600 : 200)

  it('drops fall as far as casts and samples say, onto what they then touch, and unions as their parts', () => {
    const scenes = new Scenes(seed(), grid)
    let landings = 0
    for (let run = 0; run < count; run++) {
      const list = scenes.list()
      const wire = scenes.body(KINDS.filter((kind) => kind !== 'halfplane'))
      const [dx, dy] = scenes.pick(DIRECTIONS)
      const ux = dx / Math.hypot(dx, dy)
      const uy = dy / Math.hypot(dx, dy)
      const probe = new Probe(wire, list, tolerance)
      const { numbers } = probe.body
      const x = numbers[X]
      const y = numbers[Y]
      const found = drop(viewOf(list), wire, ux, uy)
      const note = JSON.stringify({ run, wire, list, ux, uy, found })
      if (found.status === 'started-overlapping') {
        expect(probe.overlaps(x, y), note).toBe(true)
        continue
      }
      const end = found.contact === null ? 16 * scale : found.distance
      expect(
        SHARES.some((share) => probe.isDeep(x + share * end * ux, y + share * end * uy)),
        note,
      ).toBe(false)
      const parts = inParts(list)
      if (parts.length !== list.length) {
        const other = drop(viewOf(parts), wire, ux, uy)
        expect(other.status, note).toBe(found.status)
        expect(Math.abs(other.distance - found.distance), note).toBeLessThanOrEqual(tolerance)
      }
      if (found.contact === null) continue
      landings++
      expect(found.distance, note).toBeGreaterThanOrEqual(probe.cast(x, y, ux, uy, end + scale) - tolerance)
      expect(probe.overlaps(found.x, found.y), note).toBe(false)
      const index = Number(found.contact.id.slice(1))
      probe.put(found.x, found.y)
      distance(probe.others[index], probe.body, measured)
      expect(measured.distance, note).toBeLessThanOrEqual(2 ** -46 * scale + 2 ** -51 * shift)
      const isStopped = [1e-7, 1e-5, 1e-3, 1e-2].some((step) =>
        probe.overlaps(found.x + step * scale * ux, found.y + step * scale * uy),
      )
      if (!isBare(wire.shape) && !isBare(list[index].shape as never)) expect(isStopped, note).toBe(true)
    }
    expect(landings).toBeGreaterThan(count / 10)
  })

  it('moves cross nothing, end free, and go as far as a drop before they slide', () => {
    const scenes = new Scenes(seed() + 1, grid)
    let stops = 0
    for (let run = 0; run < count; run++) {
      const list = scenes.list()
      const wire = scenes.body(KINDS.filter((kind) => kind !== 'halfplane'))
      const [ux, uy] = scenes.pick(DIRECTIONS)
      const length = scenes.half(0.5, 4.5)
      const probe = new Probe(wire, list, tolerance)
      const view = viewOf(list)
      const body = prepare(wire as never)
      const translation = [ux * length, uy * length]
      const query = { translation, maxSlides: 8, climb: null, footing: null, mostContacts: Infinity }
      const answer = finished(queryMove(view, { body, ...query, accepts: () => true }))
      const { start, contacts, rest } = answer
      const path = answer.path.map(([x, y]) => ({ x, y }))
      const [dx, dy] = translation
      const note = JSON.stringify({ run, wire, list, query, path })
      if (start?.separated === false) continue
      if (contacts.length > 0) stops++
      expect(probe.overlaps(body.numbers[X], body.numbers[Y]), note).toBe(false)
      for (let leg = start === null ? 1 : 2; leg < path.length; leg++) {
        const from = path[leg - 1]
        const to = path[leg]
        const deep = SHARES.filter((s) => probe.isDeep(from.x + s * (to.x - from.x), from.y + s * (to.y - from.y)))
        expect(deep, note).toEqual([])
      }
      const reach = Math.hypot(dx, dy)
      if (start !== null || isBare(wire.shape)) continue
      const fallen = drop(view, wire, dx / reach, dy / reach)
      if (fallen.status === 'started-overlapping') continue
      const wanted = fallen.contact === null ? reach : Math.min(fallen.distance, reach)
      const [from, to = from] = path
      const across = (to.x - from.x) * dy - (to.y - from.y) * dx
      const first = Math.abs(across) <= tolerance * reach ? Math.hypot(to.x - from.x, to.y - from.y) : 0
      // a body that touches at once may slide on in the same direction but for rounding
      if (wanted > tolerance) expect(Math.abs(first - wanted), note).toBeLessThanOrEqual(tolerance)
      expect(Math.hypot(...rest), note).toBeLessThanOrEqual(reach)
    }
    expect(stops).toBeGreaterThan(count / 20)
  })
})
