// Outlines: shapes that are validated, in the plane and in space; regions that are decomposed; rings that are repaired; what planes cut.

import type {
  Decompose3dRequest,
  Decompose3dResponse,
  DecomposeRequest,
  DecomposeResponse,
} from '../../../schemas/queries/decompose.ts'
import type { RepairRequest, RepairResponse } from '../../../schemas/queries/repair.ts'
import type { Slice3dRequest, Slice3dResponse } from '../../../schemas/queries/slice.ts'
import type {
  ShapeFinding,
  Validate3dRequest,
  Validate3dResponse,
  ValidateRequest,
  ValidateResponse,
} from '../../../schemas/queries/validate.ts'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { arcPoint } from '../outline.ts'
import {
  addBody,
  addDot,
  addKey,
  addLabel,
  addPolyline,
  counted,
  createPicture,
  type Picture,
  quantity,
} from '../picture.ts'
import { along3d, type View } from '../stand.ts'
import { type Canvas, planeCanvas, spaceCanvas } from './canvas.ts'

export const outlineDrawers = { decompose: drawDecompose, validate: drawValidate, repair: drawRepair }
export const outlineDrawers3d = { decompose: drawDecompose3d, validate: drawValidate3d, slice: drawSlice }

/** The first findings, or changes, have their number written at them. */
const MOST_NUMBERS = 60

function drawValidate({ shape }: ValidateRequest, answer: ValidateResponse): Picture {
  const canvas = planeCanvas([{ shape }])
  const body = { shape: answer.valid ? shape : asWritten(shape) }
  return tellFindings(canvas, body, answer, ({ outcome, edges = [] }) => {
    if (outcome === 'refused') for (const edge of edges) addFault(canvas.picture, shape, edge)
  })
}

function drawValidate3d({ shape }: Validate3dRequest, answer: Validate3dResponse, view: View): Picture {
  return tellFindings(spaceCanvas([{ shape }], view), { shape }, answer, () => undefined)
}

type Finding<Vector> = Pick<ShapeFinding, 'outcome' | 'detail' | 'action' | 'edges'> & { points: readonly Vector[] }

/** `addFaults` draws the edges of a finding. */
function tellFindings<Vector, Body>(
  canvas: Canvas<Vector, Body, never>,
  body: Body,
  { valid, findings, truncated }: { valid: boolean; findings: readonly Finding<Vector>[]; truncated: boolean },
  addFaults: (finding: Finding<Vector>) => void,
): Picture {
  const { picture } = canvas
  canvas.addBody(body, 'a')
  picture.heading = valid ? 'The shape is valid.' : 'The shape is refused.'
  const found = `${counted(findings.length, 'finding')}${truncated ? ', and perhaps more' : ''}`
  picture.details.push(`There ${findings.length === 1 ? 'is' : 'are'} ${found}.`)
  findings.forEach((finding, i) => {
    const { outcome, points, detail, action } = finding
    const role = outcome === 'refused' ? 'refused' : 'exit'
    addFaults(finding)
    for (const point of points) canvas.addDot(point, role)
    if (points.length > 0) addKey(picture, role, outcome === 'refused' ? 'refused' : 'found, and accepted')
    if (points.length > 0 && i < MOST_NUMBERS) canvas.addLabel(points[0], `${i + 1}`)
    picture.legend.push(`${i + 1}: ${detail} ${action}`)
  })
  return canvas.finish()
}

/** Without rounding: a polygon that is not convex cannot be rounded. */
function asWritten(shape: Shape2d): Shape2d {
  return shape.type === 'polygon' ? { type: 'polygon', vertices: shape.vertices } : shape
}

function addFault(picture: Picture, shape: Shape2d, edge: number): void {
  const ends = edgeOf(shape, edge)
  if (ends === null) return
  addPolyline(picture, ends, 'fault')
  addKey(picture, 'fault', 'edges of what is refused')
}

/** The ends of an edge, which is numbered as in features; null in compounds. */
function edgeOf(shape: Shape2d, index: number): [Vec2, Vec2] | null {
  let before = 0
  for (const ring of ringsOf(shape)) {
    const i = index - before
    if (i < ring.length) return [ring[i], ring[(i + 1) % ring.length]]
    before += ring.length
  }
  return null
}

function ringsOf(shape: Shape2d): readonly (readonly Vec2[])[] {
  switch (shape.type) {
    case 'region':
      return [shape.outer, ...(shape.holes ?? [])]
    case 'polygon':
    case 'chain':
      return [shape.vertices]
    default:
      return []
  }
}

const TINTS = ['piece-0', 'piece-1', 'piece-2', 'piece-3', 'piece-4', 'piece-5'] as const

function drawDecompose({ region }: DecomposeRequest, { pieces, area, error }: DecomposeResponse): Picture {
  const picture = createPicture([{ shape: region }])
  const tints = tintsOf(pieces)
  pieces.forEach((vertices, i) => {
    addBody(picture, { shape: { type: 'polygon', vertices } }, TINTS[tints[i]], { name: `${i}` })
  })
  addBody(picture, { shape: region }, 'outline')
  picture.heading = `The region of area ${quantity(area)} has ${counted(pieces.length, 'convex piece')}.`
  if (error > 0) picture.details.push(`The pieces cover ${quantity(error)} more than the region.`)
  addKey(picture, 'outline', 'region')
  return picture
}

function drawDecompose3d({ mesh }: Decompose3dRequest, answer: Decompose3dResponse, view: View): Picture {
  const { pieces, volume, addedVolume } = answer
  const { picture, ...canvas } = spaceCanvas([{ shape: mesh }], view)
  pieces.forEach(({ vertices = [], body = { shape: { type: 'hull', points: vertices } } }, i) => {
    canvas.addBody(body, TINTS[i % TINTS.length], { name: `${i}` })
  })
  canvas.addBody({ shape: mesh }, 'outline')
  picture.heading = `The mesh of volume ${quantity(volume)} has ${counted(pieces.length, 'convex piece')}.`
  if (addedVolume > 0) picture.details.push(`The pieces cover ${quantity(addedVolume)} more than the mesh.`)
  addKey(picture, 'outline', 'mesh')
  return canvas.finish()
}

/** A tint for each piece: the first that no earlier piece at one of its corners has, or the rarest if all are taken. */
function tintsOf(pieces: readonly (readonly Vec2[])[]): number[] {
  const takenAt = new Map<string, number[]>()
  const uses = TINTS.map(() => 0)
  return pieces.map((vertices) => {
    const taken = new Set<number>()
    const corners = vertices.map(({ x, y }) => `${x} ${y}`)
    for (const corner of corners) for (const tint of takenAt.get(corner) ?? []) taken.add(tint)
    let tint = TINTS.findIndex((_, i) => !taken.has(i))
    if (tint === -1) tint = uses.indexOf(Math.min(...uses))
    uses[tint]++
    for (const corner of corners) takenAt.set(corner, [...(takenAt.get(corner) ?? []), tint].slice(-TINTS.length))
    return tint
  })
}

function drawRepair({ rings }: RepairRequest, { regions, changes, truncated }: RepairResponse): Picture {
  const picture = createPicture([
    { shape: { type: 'chain', vertices: rings[0].length > 1 ? rings[0] : twice(rings[0]) } },
  ])
  regions.forEach((region, i) => {
    addBody(picture, { shape: { type: 'region', ...region } }, TINTS[i % TINTS.length], { name: `${i}` })
  })
  for (const ring of rings) addPolyline(picture, [...ring, ring[0]], 'path-to')
  picture.heading = `The rings fill ${counted(regions.length, 'region')}.`
  const done = `${counted(changes.length, 'change')}${truncated ? ', and perhaps more' : ''}`
  picture.details.push(`There ${changes.length === 1 ? 'was' : 'were'} ${done}.`)
  changes.forEach(({ detail, action, points }, i) => {
    picture.legend.push(`${i + 1}: ${detail} ${action}`)
    for (const point of points) addDot(picture, point, 'exit')
    if (points.length > 0 && i < MOST_NUMBERS) addLabel(picture, points[0], `${i + 1}`)
  })
  addKey(picture, 'path-to', 'rings as they were sent')
  if (changes.length > 0) addKey(picture, 'exit', 'changed')
  return picture
}

function twice([point]: readonly Vec2[]): Vec2[] {
  return [point, point]
}

/** Chords that an arc is drawn as. */
const ARC_CHORDS = 96

function drawSlice({ body }: Slice3dRequest, { frame, bodies, error }: Slice3dResponse, view: View): Picture {
  const canvas = spaceCanvas([body], view)
  const { picture } = canvas
  canvas.addBody(body, 'a')
  for (const line of bodies.flatMap(linesOf)) {
    canvas.addPolyline(
      line.map(({ x, y }) => along3d(along3d(frame.origin, frame.x, x), frame.y, y)),
      'snapped',
    )
  }
  picture.heading = `The plane cuts ${counted(bodies.length, 'body', 'bodies')} out of it.`
  if (error > 0) picture.details.push(`Curved outlines stick out by ${quantity(error)} at most.`)
  if (bodies.length > 0) addKey(picture, 'snapped', 'the cut')
  return canvas.finish()
}

/** Outlines of a body that a cut consists of. */
function linesOf({ shape, position = { x: 0, y: 0 }, rotation = 0 }: Body2d): Vec2[][] {
  switch (shape.type) {
    case 'region':
      return [shape.outer, ...(shape.holes ?? [])].map(closed)
    case 'chain':
      return [shape.loop === true ? closed(shape.vertices) : shape.vertices]
    case 'circle':
      return [closed(arc(position, shape.radius, shape.radius, 0, 2 * Math.PI))]
    case 'ellipse':
      return [closed(arc(position, shape.rx, shape.ry, rotation, 2 * Math.PI))]
    case 'capsule': {
      const { a, b, radius } = shape
      const turn = Math.atan2(b.y - a.y, b.x - a.x)
      const cap = (at: Vec2, from: number) => arc(at, radius, radius, from, Math.PI)
      return [closed([...cap(b, turn - Math.PI / 2), ...cap(a, turn + Math.PI / 2)])]
    }
    default:
      return []
  }
}

function closed(points: readonly Vec2[]): Vec2[] {
  return [...points, points[0]]
}

/** Corners on the way from the first radius, which lies along `axis`, through an angle of `turn`. */
function arc({ x: cx, y: cy }: Vec2, rx: number, ry: number, axis: number, turn: number): Vec2[] {
  const whole = { cx, cy, rx, ry, axis, start: 0, turn }
  return Array.from({ length: ARC_CHORDS + 1 }, (_, i) => arcPoint(whole, (i * turn) / ARC_CHORDS))
}
