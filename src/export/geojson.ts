/**
 * GeoJSON (RFC 7946): a feature for each body, its geometry where the body stands in the plane, its curves flattened. What its geometry
 * does not say lies in the properties: tags, data, motion, and the shape of what has curves or no end.
 */

import type { Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import type { Pace, Slices } from '../containers/budget.ts'
import { turnedTo } from '../import/closed-shape.ts'
import { type Pose, poseOf } from '../pictures/pose.ts'
import { corePoints, hullOf } from '../pictures/shape-parts.ts'
import type { SceneBody } from '../scene/state/operation.ts'
import type { ExportFormat, Writing } from './export-format.ts'
import { flatEnds, hasHalfplane, isRound, type Leaf, leafCount, leavesOf } from './leaves.ts'
import { simpleRings } from './simple-rings.ts'

/** Chords of a full turn, and of all curves of a body, more or less. */
const MOST_CHORDS = 1024
const MOST_CHORDS_OF_BODY = 2 ** 17
const FEWEST_CHORDS = 16

const ORIGIN: Vec2 = { x: 0, y: 0 }

export const geoJson: ExportFormat = {
  mediaType: 'application/geo+json; charset=utf-8',
  extension: 'geojson',
  readsShapes: true,
  begin: () => '{"type":"FeatureCollection","features":[\n',
  between: ',\n',
  end: '\n]}\n',
  *writeBody(body, writing, sheet, pace) {
    const shape = body.shape as Shape2d
    sheet.write(
      `{"type":"Feature","id":${JSON.stringify(idOf(body, writing))},"properties":${propertiesText(body, writing)},"geometry":`,
    )
    if (hasHalfplane(shape)) sheet.write('null}')
    else {
      sheet.write(yield* geometryText(shape, poseOf(body as never, ORIGIN), writing, pace))
      sheet.write('}')
    }
    if (pace.isDue(4)) yield
  },
}

/** An import of the source puts its name before it again, in the letters of ids. */
function idOf({ id }: SceneBody, { source }: Writing): string {
  if (source === null) return id
  const before = `${source.replaceAll(/[^A-Za-z0-9._:-]/g, '_')}:`
  return id.startsWith(before) && id.length > before.length ? id.slice(before.length) : id
}

function propertiesText(body: SceneBody, { source }: Writing): string {
  const { shape, position, rotation, velocity, angularVelocity, tags, sensor } = body
  const data = body.data as string | undefined
  if (source !== null) {
    if (data === undefined) return '{}'
    return data.startsWith('{') ? data : `{"data":${data}}`
  }
  const isTold = !isRound(shape as Shape2d) && !hasHalfplane(shape as Shape2d)
  const fields = { tags, sensor, velocity, angularVelocity, ...(!isTold && { shape, position, rotation }) }
  const text = JSON.stringify(fields)
  if (data === undefined) return text
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"data":${data}}`
}

function* geometryText(shape: Shape2d, pose: Pose, { tolerance }: Writing, pace: Pace): Slices<string> {
  const count = leafCount(shape)
  const mostChords = Math.min(MOST_CHORDS, Math.max(FEWEST_CHORDS, Math.floor(MOST_CHORDS_OF_BODY / count)))
  const types = new Set<FlatGeometry['type']>()
  const parts: { type: FlatGeometry['type']; text: string }[] = []
  for (const leaf of leavesOf(shape, pose)) {
    const { type, rings } = flatGeometry(leaf, { tolerance, mostChords }) as FlatGeometry
    types.add(type)
    parts.push({ type, text: coordinatesText(type, rings) })
    if (pace.isDue(rings.reduce((sum, ring) => sum + 4 * ring.length, 4))) yield
  }
  const texts = parts.map(({ text }) => text)
  if (count === 1) return `{"type":"${parts[0].type}","coordinates":${texts[0]}}`
  if (types.size === 1) return `{"type":"Multi${parts[0].type}","coordinates":[${texts.join(',')}]}`
  const geometries = parts.map(({ type, text }) => `{"type":"${type}","coordinates":${text}}`)
  return `{"type":"GeometryCollection","geometries":[${geometries.join(',')}]}`
}

function coordinatesText(type: FlatGeometry['type'], rings: FlatGeometry['rings']): string {
  if (type === 'Point') return positionText(rings[0][0])
  if (type === 'LineString') return positionsText(rings[0])
  return `[${rings.map(positionsText).join(',')}]`
}

function positionsText(points: readonly Vec2[]): string {
  let text = ''
  for (const point of points) text += text === '' ? positionText(point) : `,${positionText(point)}`
  return `[${text}]`
}

/** In text −0 is 0. */
function positionText({ x, y }: Vec2): string {
  return `[${x},${y}]`
}

// A shape that is no compound as a geometry of GeoJSON: points, lines, and areas with holes, whose curves are chords.
//
// Method: arcs are cut in equal parts whose chords lie no farther from them than the tolerance, r (1 − cos(t / 2)); the corners of
// outlines are on the curve. Outlines run counter-clockwise and holes clockwise (RFC 7946, 3.1.6), as the sign of their area tells.

interface FlatGeometry {
  type: 'Point' | 'LineString' | 'Polygon'
  /** Of a point one of one, of a line one. */
  rings: readonly (readonly Vec2[])[]
}

/** How curves are cut. */
interface Cut {
  tolerance: number
  /** Of a full turn. */
  mostChords: number
}

const TURN = 2 * Math.PI
/** Chords of a full turn, however small it is. */
const FEWEST_CHORDS_OF_TURN = 8

/** Null of what has no end. */
export function flatGeometry({ shape, pose }: Leaf, cut: Cut): FlatGeometry | null {
  const place = new Place(pose.x, pose.y, pose.angle)
  switch (shape.type) {
    case 'halfplane':
      return null
    case 'ellipse':
      return { type: 'Polygon', rings: [closed(ellipse(shape.rx, shape.ry, place, cut))] }
    case 'chain': {
      const { vertices, loop } = shape
      return line(place.all(loop === true && vertices.length > 2 ? closed(vertices) : vertices))
    }
    case 'region': {
      const [outer, ...holes] = place.rings([shape.outer, ...(shape.holes ?? [])])
      return area(
        outer,
        holes.map((hole) => turning(hole, -1)),
      )
    }
    default: {
      const { points, radius } = corePoints(shape)
      return radius === 0 ? area(place.all(points), []) : area(rounded(points, radius, place, cut), [])
    }
  }
}

/** Where the shape stands. */
class Place {
  readonly angle: number
  readonly #x: number
  readonly #y: number
  readonly #cos: number
  readonly #sin: number

  constructor(x: number, y: number, angle: number) {
    this.angle = angle
    this.#x = x
    this.#y = y
    this.#cos = angle === 0 ? 1 : Math.cos(angle)
    this.#sin = angle === 0 ? 0 : Math.sin(angle)
  }

  of({ x, y }: Vec2): Vec2 {
    if (this.angle === 0) return { x: this.#x + x, y: this.#y + y }
    return { x: this.#x + (this.#cos * x - this.#sin * y), y: this.#y + (this.#sin * x + this.#cos * y) }
  }

  all(points: readonly Vec2[]): Vec2[] {
    return points.map((point) => this.of(point))
  }

  /** Of a region: rounding does not make them cross. */
  rings(rings: readonly (readonly Vec2[])[]): Vec2[][] {
    const placed = rings.map((ring) => this.all(ring))
    const isAsItWas = this.angle === 0 && this.#x === 0 && this.#y === 0
    return isAsItWas ? placed : simpleRings(placed)
  }
}

/** The hull of the points and what lies within `radius` of it, counter-clockwise. */
function rounded(points: readonly Vec2[], radius: number, place: Place, cut: Cut): Vec2[] {
  const hull = points.length === 1 ? points : hullOf(points)
  const count = hull.length
  const ring: Vec2[] = []
  // The direction of edge i, turned clockwise, is where the skin lies beside it.
  const angles = hull.map((p, i) => {
    const q = hull[(i + 1) % count]
    return Math.atan2(p.x - q.x, q.y - p.y) + place.angle
  })
  for (let i = 0; i < count; i++) {
    const { x, y } = place.of(hull[i])
    const start = angles[(i + count - 1) % count]
    const turn = count === 1 ? TURN : (angles[i] - start + 2 * TURN) % TURN
    // Rounded angles may turn back by next to nothing, which reads as a full turn.
    const parts = count > 1 && turn > (3 / 4) * TURN ? 0 : chordsOf(radius, turn, cut)
    for (let k = 0; k <= parts; k++) {
      if (count === 1 && k === parts) break
      const t = start + (parts === 0 ? 0 : (turn * k) / parts)
      ring.push({ x: x + radius * Math.cos(t), y: y + radius * Math.sin(t) })
    }
  }
  return ring
}

function ellipse(rx: number, ry: number, place: Place, cut: Cut): Vec2[] {
  const parts = chordsOf(Math.max(rx, ry), TURN, cut)
  return Array.from({ length: parts }, (_, k) => {
    const t = (TURN * k) / parts
    return place.of({ x: rx * Math.cos(t), y: ry * Math.sin(t) })
  })
}

function chordsOf(radius: number, turn: number, { tolerance, mostChords }: Cut): number {
  const part = 2 * Math.acos(Math.max(-1, 1 - tolerance / radius))
  const share = turn / TURN
  return Math.ceil(Math.min(share * mostChords, Math.max(share * FEWEST_CHORDS_OF_TURN, turn / part)))
}

function line(points: Vec2[]): FlatGeometry {
  const [{ x, y }] = points
  return points.every((point) => point.x === x && point.y === y)
    ? { type: 'Point', rings: [points] }
    : { type: 'LineString', rings: [points] }
}

/** A polygon; a line where all corners lie on one. */
function area(outer: Vec2[], holes: Vec2[][]): FlatGeometry {
  const ends = flatEnds(outer)
  if (ends !== null) return line(ends)
  return { type: 'Polygon', rings: [turning(outer, 1), ...holes] }
}

function closed(points: readonly Vec2[]): Vec2[] {
  return [...points, points[0]]
}

/** Closed, and counter-clockwise or clockwise. */
function turning(ring: readonly Vec2[], way: 1 | -1): Vec2[] {
  return closed(turnedTo(way, ring))
}
