/**
 * GeoJSON (RFC 7946): every feature one body, in a plane: longitudes and latitudes are x and y as they stand, and no globe is curved.
 *
 * Points are points, lines chains, polygons regions with holes; of several, compounds. Third coordinates are left out.
 * Frame: that of the file, x to the right and y up.
 */

import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { compoundOf, endsAtStart, turnedTo } from './closed-shape.ts'
import { type Drawing, draw, skip } from './drawing.ts'
import { asObject, type JsonObject, kindOf, listAt, objectsAt, parseJsonFile, textAt } from './json-file.ts'
import { ImportFault, type SourceFiles } from './source-files.ts'

/** How deep geometries may lie in geometries: as deep as compounds in compounds. */
const MOST_NESTING = 7

export function importGeoJson({ main }: SourceFiles, source: string, drawing: Drawing): void {
  const document = parseJsonFile(main, [])
  if (document.type === undefined) {
    throw new ImportFault('import-malformed', main.name, 'It is no GeoJSON: it has no type.')
  }
  const type = textAt(document, 'type', '')
  const isList = type === 'FeatureCollection'
  const features = isList ? objectsAt(document, 'features', '') : [document]
  for (const [k, feature] of features.entries()) {
    const where = isList ? `/features/${k}` : ''
    const isFeature = feature.type === 'Feature'
    const geometry = isFeature ? feature.geometry : feature
    const id =
      isFeature && (typeof feature.id === 'string' || typeof feature.id === 'number') ? String(feature.id) : String(k)
    if (geometry === null || geometry === undefined) {
      skip(drawing, where, 'feature', 'It has no geometry.')
      continue
    }
    const placed = placedShape(asObject(geometry, where), where)
    if (typeof placed === 'string') {
      skip(drawing, where, 'feature', placed)
      continue
    }
    const data = isFeature && feature.properties != null ? asObject(feature.properties, `${where}/properties`) : {}
    draw(drawing, { layer: source, key: id, kind: 'feature', ...placed, data, where })
  }
}

/** The shape where it stands, or a sentence why there is none. */
function placedShape(geometry: JsonObject, where: string, depth = 0): Body2d | string {
  const place = `${where}/coordinates`
  switch (geometry.type) {
    case 'Point':
      // A geometry without coordinates is none (section 3.1).
      if (listAt(geometry, 'coordinates', where).length === 0) return 'It has no coordinates.'
      return { shape: { type: 'point' }, position: positionOf(geometry.coordinates, place) }
    case 'LineString':
      return asBody(lineOf(positionsAt(geometry, where)))
    case 'Polygon':
      return asBody(areaOf(listAt(geometry, 'coordinates', where), place))
    case 'MultiPoint':
      return bodyOf(positionsAt(geometry, where).map((position): Body2d => ({ shape: { type: 'point' }, position })))
    case 'MultiLineString':
      return bodyOf(
        listAt(geometry, 'coordinates', where).map((line, k) => asBody(lineOf(positionsOf(line, `${place}/${k}`)))),
      )
    case 'MultiPolygon':
      return bodyOf(
        listAt(geometry, 'coordinates', where).map((rings, k) => {
          if (!Array.isArray(rings))
            throw new ImportFault('import-malformed', `${place}/${k}`, `It must be a list, got ${kindOf(rings)}.`)
          return asBody(areaOf(rings, `${place}/${k}`))
        }),
      )
    case 'GeometryCollection':
      if (depth >= MOST_NESTING) return `Collections lie in collections more than ${MOST_NESTING} deep.`
      return bodyOf(
        objectsAt(geometry, 'geometries', where).map((part, k) =>
          placedShape(part, `${where}/geometries/${k}`, depth + 1),
        ),
      )
    default:
      throw new ImportFault(
        'import-malformed',
        `${where}/type`,
        `It must be a geometry of GeoJSON, got ${kindOf(geometry.type)}.`,
      )
  }
}

function asBody(shape: Shape2d | string): Body2d | string {
  return typeof shape === 'string' ? shape : { shape }
}

/** A sentence where one of them has no shape. */
function bodyOf(parts: (Body2d | string)[]): Body2d | string {
  const fault = parts.find((part) => typeof part === 'string')
  if (fault !== undefined) return fault as string
  return parts.length === 0 ? 'It has no parts.' : compoundOf(parts as Body2d[])
}

function lineOf(points: Vec2[]): Shape2d | string {
  if (points.length < 2) return `A line has two positions or more, this one ${points.length}.`
  return points.length > 3 && endsAtStart(points)
    ? { type: 'chain', vertices: points.slice(0, -1), loop: true }
    : { type: 'chain', vertices: points }
}

/** A ring repeats its first position at its end; regions do not. */
function areaOf(rings: readonly unknown[], where: string): Shape2d | string {
  const [outer, ...holes] = rings.map((ring, k) => openRing(positionsOf(ring, `${where}/${k}`)))
  if (outer === undefined) return 'The polygon has no ring.'
  const short = [outer, ...holes].find(({ length }) => length < 3)
  if (short !== undefined) return 'A ring has four positions or more, of which the last is the first again.'
  // as exports write them, whichever way they run in the file: what comes back has not changed
  const turned = (way: 1 | -1, ring: Vec2[]) => [...turnedTo(way, ring)]
  return {
    type: 'region',
    outer: turned(1, outer),
    ...(holes.length > 0 && { holes: holes.map((hole) => turned(-1, hole)) }),
  }
}

function openRing(ring: Vec2[]): Vec2[] {
  return ring.length > 1 && endsAtStart(ring) ? ring.slice(0, -1) : ring
}

function positionsAt(geometry: JsonObject, where: string): Vec2[] {
  return positionsOf(listAt(geometry, 'coordinates', where), `${where}/coordinates`)
}

function positionsOf(list: unknown, where: string): Vec2[] {
  if (!Array.isArray(list)) throw new ImportFault('import-malformed', where, `It must be a list, got ${kindOf(list)}.`)
  return list.map((position, k) => positionOf(position, `${where}/${k}`))
}

function positionOf(value: unknown, where: string): Vec2 {
  if (Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1]))
    return { x: value[0], y: value[1] }
  throw new ImportFault(
    'import-malformed',
    where,
    `A position is a list of two numbers or three, got ${kindOf(value)}.`,
  )
}
