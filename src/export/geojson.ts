/**
 * GeoJSON (RFC 7946): a feature for each body, its geometry where the body stands in the plane, its curves flattened. What its geometry
 * does not say lies in the properties: tags, data, motion, and the shape of what has curves or no end.
 */

import type { Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import type { Pace, Slices } from '../containers/pace.ts'
import { type Pose, poseOf } from '../pictures/marks/pose.ts'
import type { SceneBody } from '../scene/table/operation.ts'
import type { ExportFormat, Writing } from './export-format.ts'
import { type FlatGeometry, flatGeometry } from './flat-geometry.ts'
import { hasHalfplane, isRound, leafCount, leavesOf } from './leaves.ts'

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
