/**
 * SVG: an element for each body that programs which draw have handles for, and a group of them for a compound. Ids, tags and data are
 * attributes; nothing of them is markup, and nothing is loaded or run.
 *
 * Frame: that of the file, so a scene whose y points up stands on its head unless it is mirrored; what is seen at first is all of it.
 */

import type { CapsuleShape, HalfplaneShape, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import type { Bounds } from '../core2d/queries/bounds.ts'
import type { DrawnRing } from '../pictures/outline.ts'
import { clipAgainst } from '../pictures/path-data.ts'
import { type Pose, placed, poseOf } from '../pictures/pose.ts'
import { drawnParts, hullOf, roundedRing } from '../pictures/shape-parts.ts'
import { escapeXml } from '../pictures/xml.ts'
import type { SceneBody } from '../scene/state/operation.ts'
import type { ExportFormat } from './export-format.ts'
import { flatEnds, type Leaf, leavesOf } from './leaves.ts'
import { simpleRings } from './simple-rings.ts'

const PAINT =
  'fill="#0072b2" fill-opacity="0.25" stroke="#004b75" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"'
const SENSOR = ' data-sensor="true" stroke-dasharray="6 5" fill-opacity="0.1"'

const ORIGIN: Vec2 = { x: 0, y: 0 }

export const svg: ExportFormat = {
  mediaType: 'image/svg+xml; charset=utf-8',
  extension: 'svg',
  readsShapes: true,
  begin: ({ id, name, version }, { window: { minX, minY, maxX, maxY } }) => {
    const view = `${minX} ${minY} ${maxX - minX} ${maxY - minY}`
    const title = escapeXml(`${name ?? id}, version ${version}`)
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}">\n<title>${title}</title>\n<g ${PAINT}>\n`
  },
  between: '\n',
  end: '\n</g>\n</svg>\n',
  *writeBody(body, { window }, sheet, pace) {
    const shape = body.shape as Shape2d
    const marks = marksOf(body)
    const pose = poseOf(body as never, ORIGIN)
    if (shape.type !== 'compound') {
      sheet.write(svgElement({ shape, pose }, marks, window))
      if (pace.isDue(8 + cornerCount({ shape, pose }))) yield
      return
    }
    sheet.write(`<g${marks}>`)
    for (const leaf of leavesOf(shape, pose)) {
      sheet.write(svgElement(leaf, '', window))
      if (pace.isDue(8 + cornerCount(leaf))) yield
    }
    sheet.write('</g>')
  },
}

function cornerCount({ shape }: Leaf): number {
  if (shape.type === 'polygon' || shape.type === 'chain') return shape.vertices.length
  if (shape.type !== 'region') return 0
  return (shape.holes ?? []).reduce((sum, hole) => sum + hole.length, shape.outer.length)
}

/** Names of XML begin with a letter; a line before all that do not, and before those that begin with one, keeps them apart. */
function xmlId(id: string): string {
  return /^[A-Za-z]/.test(id) ? id : `_${id}`
}

function marksOf({ id, tags, sensor, velocity, angularVelocity, data }: SceneBody): string {
  let marks = ` id="${escapeXml(xmlId(id))}" data-id="${escapeXml(id)}"`
  if (tags !== undefined && tags.length > 0) {
    // a space ends the name of a class
    const classes = tags.map((tag) => tag.replaceAll(/\s/g, '_'))
    marks += ` class="${escapeXml(classes.join(' '))}" data-tags="${escapeXml(JSON.stringify(tags))}"`
  }
  if (velocity !== undefined) marks += ` data-velocity="${velocity.x} ${velocity.y}"`
  if (angularVelocity !== undefined) marks += ` data-angular-velocity="${angularVelocity}"`
  if (data !== undefined) marks += ` data-data="${escapeSpace(escapeXml(data as string))}"`
  return sensor === true ? `${marks}${SENSOR}` : marks
}

/** Else an attribute has spaces for them. */
function escapeSpace(text: string): string {
  return text.replaceAll(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`)
}

// A shape that is no compound as one element of SVG, which programs that draw have handles for: circles, ellipses, rectangles with or
// without round corners, polygons, lines, and paths for holes and for round corners of other outlines.
//
// Straight shapes are written so that they are read back to the last bit: their corners, turned as the core turns them, are counted
// from where the body stands, which a translation says. Rectangles and ellipses that are turned have a rotation in degrees, which is
// read back but for its last digits. A capsule is a rectangle with corners as round as can be.
// Frame: that of the file, whose y points down on screens.

const DEGREES = 180 / Math.PI
/** Lines keep their width whatever the drawing is scaled to. */
const STEADY = ' vector-effect="non-scaling-stroke"'
const DOT = ' stroke-width="4"'

/** `marks`: attributes as text, with a space before. `window`: what is drawn of things without end. */
export function svgElement(leaf: Leaf, marks: string, window: Bounds): string {
  const { shape, pose } = leaf
  switch (shape.type) {
    case 'point':
      return dot(pose, marks)
    case 'circle':
      return circle(pose, shape.radius, marks)
    case 'ellipse': {
      const { x, y, angle } = pose
      const place = angle === 0 ? ` cx="${x + 0}" cy="${y + 0}"` : ''
      return `<ellipse${marks}${place} rx="${shape.rx}" ry="${shape.ry}"${angle === 0 ? '' : turning(pose)}${STEADY}/>`
    }
    case 'segment':
      return line(shape.a, shape.b, pose, marks)
    case 'capsule':
      return capsule(shape, pose, marks)
    case 'box': {
      const { width, height, radius = 0 } = shape
      return rectangle({ x: -width / 2, y: -height / 2 }, { x: width / 2, y: height / 2 }, radius, pose, marks)
    }
    case 'aabb':
      return rectangle(shape.min, shape.max, 0, pose, marks)
    case 'polygon':
      return polygon(shape.vertices, shape.radius ?? 0, pose, marks)
    case 'chain':
      return polyline(shape.loop === true ? [...shape.vertices, shape.vertices[0]] : shape.vertices, pose, marks)
    case 'region':
      return region([shape.outer, ...(shape.holes ?? [])], pose, marks)
    case 'halfplane':
      return halfplane(shape, pose, marks, window)
  }
}

/** A line without length, whose round ends are seen. */
function dot({ x, y }: Vec2, marks: string): string {
  return `<line${marks} x1="${x + 0}" y1="${y + 0}" x2="${x + 0}" y2="${y + 0}"${DOT}${STEADY}/>`
}

function circle({ x, y }: Vec2, radius: number, marks: string): string {
  if (radius === 0) return dot({ x, y }, marks)
  return `<circle${marks} cx="${x + 0}" cy="${y + 0}" r="${radius}"${STEADY}/>`
}

function line(a: Vec2, b: Vec2, pose: Pose, marks: string): string {
  const [p, q] = turned([a, b], pose)
  return `<line${marks} x1="${p.x}" y1="${p.y}" x2="${q.x}" y2="${q.y}"${standing(pose)}${STEADY}/>`
}

function polyline(points: readonly Vec2[], pose: Pose, marks: string): string {
  return `<polyline${marks} points="${pointsText(turned(points, pose))}" fill="none"${standing(pose)}${STEADY}/>`
}

function capsule({ a, b, radius }: CapsuleShape, pose: Pose, marks: string): string {
  if (radius === 0) return line(a, b, pose, marks)
  if (a.x === b.x && a.y === b.y) return circle(placed(pose, a), radius, marks)
  const middle = placed(pose, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
  const across = { x: b.x - a.x, y: b.y - a.y }
  const half = Math.hypot(across.x, across.y) / 2
  const isUpright = across.x === 0
  const angle = isUpright || across.y === 0 ? pose.angle : pose.angle + Math.atan2(across.y, across.x)
  const corner = isUpright ? { x: 0, y: half } : { x: half, y: 0 }
  return rectangle({ x: -corner.x, y: -corner.y }, corner, radius, { ...middle, angle }, marks)
}

/** By opposite corners, rounded outward. */
function rectangle(min: Vec2, max: Vec2, radius: number, pose: Pose, marks: string): string {
  const [width, height] = [max.x - min.x, max.y - min.y]
  if (radius === 0 && (width === 0 || height === 0)) return flat([min, max], pose, marks)
  if (radius > 0 && width === 0 && height === 0) return circle(placed(pose, min), radius, marks)
  const corners = [min, { x: max.x, y: min.y }, max, { x: min.x, y: max.y }]
  const size = ` width="${width + 2 * radius}" height="${height + 2 * radius}"${radius > 0 ? ` rx="${radius}"` : ''}`
  const corner = (x: number, y: number) => `<rect${marks} x="${x - radius + 0}" y="${y - radius + 0}"${size}`
  const isMiddle = min.x === -max.x && min.y === -max.y
  if (pose.angle !== 0 && isMiddle) return `${corner(min.x, min.y)}${turning(pose)}${STEADY}/>`
  if (pose.angle === 0 && isExactSide(pose.x, min.x, max.x) && isExactSide(pose.y, min.y, max.y)) {
    return `${corner(pose.x + min.x, pose.y + min.y)}${STEADY}/>`
  }
  if (isMiddle) return `${corner(min.x, min.y)}${standing(pose)}${STEADY}/>`
  return `<polygon${marks} points="${pointsText(turned(corners, pose))}"${standing(pose)}${STEADY}/>`
}

/** Whether a side from `min` to `max` of a box at a place, written as where it begins and how long it is, is read back as it is. */
function isExactSide(place: number, min: number, max: number): boolean {
  return isExact(place, min) && isExact(max, -min) && isExact(place + min, (max - min) / 2)
}

/** Whether a sum is not rounded (D. Knuth, "The Art of Computer Programming", vol. 2, 4.2.2, theorem B). */
function isExact(a: number, b: number): boolean {
  const sum = a + b
  const part = sum - a
  return a - (sum - part) + (b - part) === 0
}

function polygon(vertices: readonly Vec2[], radius: number, pose: Pose, marks: string): string {
  if (radius === 0) {
    const ends = flatEnds(vertices)
    if (ends !== null) return flat(ends, pose, marks)
    return `<polygon${marks} points="${pointsText(turned(vertices, pose))}"${standing(pose)}${STEADY}/>`
  }
  const corners = hullOf(vertices)
  if (corners.length < 3) {
    return capsule({ type: 'capsule', a: corners[0], b: corners[corners.length - 1], radius }, pose, marks)
  }
  const ring = roundedRing(turned(corners, pose), radius)
  return `<path${marks} d="${roundData(ring)}"${standing(pose)}${STEADY}/>`
}

function region(rings: readonly (readonly Vec2[])[], pose: Pose, marks: string): string {
  const ends = flatEnds(rings[0])
  if (ends !== null) return flat(ends, pose, marks)
  const written = turnedRings(rings, pose)
  if (rings.length === 1) {
    return `<polygon${marks} points="${pointsText(written[0])}" fill-rule="evenodd"${standing(pose)}${STEADY}/>`
  }
  const data = written.map((ring) => `M${ring.map(pairText).join('L')}Z`)
  return `<path${marks} d="${data.join('')}" fill-rule="evenodd"${standing(pose)}${STEADY}/>`
}

/** Of points that lie on one line, their ends. */
function flat(ends: readonly Vec2[], pose: Pose, marks: string): string {
  const [a, b = a] = ends
  return a.x === b.x && a.y === b.y ? dot(placed(pose, a), marks) : line(a, b, pose, marks)
}

/** The part of a half-plane in the window and a margin of the same size; `data-shape` has the half-plane itself. */
function halfplane(shape: HalfplaneShape, pose: Pose, marks: string, window: Bounds): string {
  const [part] = drawnParts(shape, pose)
  const said = `${marks} data-shape="${escapeXml(JSON.stringify(shape))}"`
  if (part?.kind !== 'halfplane') return `<g${said}/>`
  const { x, y, nx, ny } = part
  const around = Math.max(window.maxX - window.minX, window.maxY - window.minY)
  const [minX, minY, maxX, maxY] = [
    window.minX - around,
    window.minY - around,
    window.maxX + around,
    window.maxY + around,
  ]
  const corners = [
    { x: minX - x, y: minY - y },
    { x: maxX - x, y: minY - y },
    { x: maxX - x, y: maxY - y },
    { x: minX - x, y: maxY - y },
  ]
  const points = clipAgainst(corners, nx, ny, 0).map((p) => ({ x: p.x + x, y: p.y + y }))
  return points.length < 3 ? `<g${said}/>` : `<polygon${said} points="${pointsText(points)}"${STEADY}/>`
}

/** Counted from where it stands, as the core counts them; + 0: no negative zeros. */
function turned(points: readonly Vec2[], { angle }: Pose): Vec2[] {
  return points.map((point) => placed({ x: 0, y: 0, angle }, point))
}

/** The rings of a region, turned; rounding does not make them cross. */
function turnedRings(rings: readonly (readonly Vec2[])[], pose: Pose): Vec2[][] {
  const written = rings.map((ring) => turned(ring, pose))
  return pose.angle === 0 ? written : simpleRings(written)
}

function standing({ x, y }: Vec2): string {
  return x === 0 && y === 0 ? '' : ` transform="translate(${x} ${y})"`
}

function turning({ x, y, angle }: Pose): string {
  const place = x === 0 && y === 0 ? '' : `translate(${x} ${y}) `
  return ` transform="${place}rotate(${angle * DEGREES})"`
}

/** Arcs of circles, and lines between them. It ends where it began, which rounding may have missed. */
function roundData({ x, y, steps }: DrawnRing): string {
  let data = `M${x} ${y}`
  for (const [k, step] of steps.entries()) {
    const end = k === steps.length - 1 ? { x, y } : step
    data += step.arc === null ? 'L' : `A${step.arc.rx} ${step.arc.ry} 0 0 ${step.arc.turn > 0 ? 1 : 0} `
    data += pairText(end)
  }
  return `${data}Z`
}

function pointsText(points: readonly Vec2[]): string {
  return points.map(({ x, y }) => `${x},${y}`).join(' ')
}

function pairText({ x, y }: Vec2): string {
  return `${x} ${y}`
}
