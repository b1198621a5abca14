/**
 * A picture before it is drawn: lists of marks in the caller's unit, with captions.
 *
 * Drawing functions take points of the world; marks store them relative to the picture's origin, which lies at one of the
 * bodies, so that no digits are lost far from the world's origin. Directions are unit vectors.
 */

import type { ShapeFeature, ShapeFeature3d } from '../../schemas/feature.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2, Vec3 } from '../../schemas/vector.ts'
import type { DrawnPart } from './outline.ts'
import type { ArrowRole, DotRole, ShapeRole, StrokeRole } from './palette.ts'
import { from, type Pose, poseOf } from './pose.ts'
import { drawnParts } from './shape-parts.ts'

export interface ShapeMark {
  parts: readonly DrawnPart[]
  role: ShapeRole
  /** Written at the shape. */
  name?: string | undefined
  /** Has no influence on the part of the world that the picture shows. */
  aside?: boolean
  /** The shape is drawn by other code; this mark only adds its name. */
  elsewhere?: boolean
}

export type StrokeMark = { role: StrokeRole } & (
  | { form: 'polyline'; points: readonly Vec2[]; aside?: boolean }
  /** Extends to the edge of the picture, in one direction or both. */
  | { form: 'ray' | 'line'; through: Vec2; direction: Vec2 }
)

export type ArrowMark = { role: ArrowRole } & (
  | { form: 'between'; tail: Vec2; head: Vec2 }
  /** An arrow of legible length. */
  | { form: 'direction'; tail: Vec2; direction: Vec2 }
  /** A head only, on a line of this length; none if the line is too short. */
  | { form: 'head'; tail: Vec2; direction: Vec2; length: number }
)

export interface DotMark {
  at: Vec2
  role: DotRole
}

interface LabelMark {
  at: Vec2
  text: string
  /** The side of the point that the text prefers; any side when absent. */
  toward?: Vec2 | undefined
}

export interface KeyEntry {
  sample: ShapeRole | StrokeRole | ArrowRole | DotRole
  text: string
}

export type PictureAxes =
  | { form: 'plane'; across: string; up: string }
  | { form: 'leaning'; axes: readonly { name: string; along: Vec2 }[] }

export interface Picture {
  readonly origin: Vec2
  readonly shapes: ShapeMark[]
  readonly strokes: StrokeMark[]
  readonly arrows: ArrowMark[]
  readonly dots: DotMark[]
  readonly labels: LabelMark[]
  /** The answer in one sentence. */
  heading: string
  /** Further sentences below the heading. */
  readonly details: string[]
  /** The meaning of arrows, dashes and points. */
  readonly key: KeyEntry[]
  /** Lines below the picture. */
  readonly legend: string[]
  /** In pictures of space: the names of the axes to the right and upwards, or the projections of all three axes in an isometric view. */
  axes?: PictureAxes
  /** Font size of names, in picture units; chosen by the number of names when absent. */
  nameSize?: number
  /** A small table below the picture; the first row and the first column are headings. */
  table: readonly (readonly string[])[]
}

const ZERO: Vec2 = { x: 0, y: 0 }

/** A picture with this origin. */
export function createPictureAt(origin: Vec2): Picture {
  return createPicture([{ shape: { type: 'point' }, position: origin }])
}

/** The origin is the position of the first body that is not a half-plane: the position of a half-plane says little about where its boundary is. */
export function createPicture(bodies: readonly Body2d[]): Picture {
  const first = bodies.find(({ shape }) => shape.type !== 'halfplane') ?? bodies[0]
  const origin = first?.position ?? ZERO
  const lists = {
    shapes: [],
    strokes: [],
    arrows: [],
    dots: [],
    labels: [],
    details: [],
    key: [],
    legend: [],
    table: [],
  }
  return { origin, heading: '', ...lists }
}

interface ShapeOptions {
  name?: string | undefined
  /** Overrides the placement of the body. */
  pose?: Pose
  aside?: boolean
}

export function addBody(picture: Picture, body: Body2d, role: ShapeRole, options: ShapeOptions = {}): ShapeMark {
  const { pose = poseOf(body, picture.origin), name, aside = false } = options
  const mark = { parts: drawnParts(body.shape, pose), role, name, aside }
  picture.shapes.push(mark)
  return mark
}

export function addDot({ dots, origin }: Picture, at: Vec2, role: DotRole): void {
  dots.push({ at: from(origin, at), role })
}

export function addLabel({ labels, origin }: Picture, at: Vec2, text: string, toward?: Vec2): void {
  labels.push({ at: from(origin, at), text, toward })
}

export function addPolyline(
  { strokes, origin }: Picture,
  points: readonly Vec2[],
  role: StrokeRole,
  aside = false,
): void {
  strokes.push({ form: 'polyline', points: points.map((point) => from(origin, point)), role, aside })
}

/** A line from a point to the edge of the picture. */
export function addRay({ strokes, origin }: Picture, through: Vec2, direction: Vec2, role: StrokeRole): void {
  strokes.push({ form: 'ray', through: from(origin, through), direction, role })
}

export function addArrow({ arrows, origin }: Picture, tail: Vec2, head: Vec2, role: ArrowRole): void {
  arrows.push({ form: 'between', tail: from(origin, tail), head: from(origin, head), role })
}

/** Adds an entry to the key unless there is one for this mark. */
export function addKey({ key }: Picture, sample: KeyEntry['sample'], text: string): void {
  if (!key.some((entry) => entry.sample === sample)) key.push({ sample, text })
}

/** An arrow of legible length; none for a null direction. */
export function addDirection({ arrows, origin }: Picture, tail: Vec2, direction: Vec2 | null, role: ArrowRole): void {
  if (direction !== null) arrows.push({ form: 'direction', tail: from(origin, tail), direction, role })
}

// Numbers, vectors and features as text

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SIGNIFICANT_DIGITS = 4
/** Numbers from 10^-4 to 10^6 are written out, others with a power of ten. */
const NEGLIGIBLE = 1e-10
const LEAST_PLAIN = 1e-4
const GREATEST_PLAIN = 1e6
/** The first vertices of a face are written out. */
const MOST_VERTICES = 8

/** Four significant digits: 0.125, −3.333, 1.5×10⁻⁷. */
export function quantity(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= LEAST_PLAIN && size < GREATEST_PLAIN) {
    const rounded = Number(value.toPrecision(SIGNIFICANT_DIGITS))
    return signed(String(rounded))
  }
  const [mantissa, exponent] = value.toExponential(SIGNIFICANT_DIGITS - 1).split('e')
  const factor = Number(mantissa)
  const power = powerOfTen(Number(exponent))
  if (factor === 1) return power
  return factor === -1 ? `−${power}` : `${signed(String(factor))}×${power}`
}

/** Uses the minus sign U+2212. */
export function signed(text: string): string {
  return text.replace('-', '−')
}

export function powerOfTen(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)])
  return `10${exponent < 0 ? '⁻' : ''}${digits}`
}

/** A component that is negligible compared to the other is written as 0. */
export function vectorText({ x, y }: Vec2): string {
  const [shownX, shownY] = [beside(x, y), beside(y, x)].map(quantity)
  return `(${shownX}, ${shownY})`
}

export function vectorText3d({ x, y, z }: Vec3): string {
  const far = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  return `(${[x, y, z].map((value) => quantity(beside(value, far))).join(', ')})`
}

function beside(value: number, other: number): number {
  return Math.abs(value) < Math.abs(other) * NEGLIGIBLE ? 0 : value
}

/** `edge 2`, or `edge 2 of child 0/1` for a child of a compound. */
export function featureText({ kind, index, path }: ShapeFeature): string {
  const own = kind === 'surface' ? 'surface' : `${kind} ${index}`
  return path === undefined || path.length === 0 ? own : `${own} of child ${path.join('/')}`
}

/** `edge 2–6`, by the vertices that span it. */
export function featureText3d({ kind, vertices }: ShapeFeature3d): string {
  const shown = vertices.slice(0, MOST_VERTICES).join('–')
  const more = vertices.length > MOST_VERTICES ? '–…' : ''
  return vertices.length === 0 ? kind : `${kind} ${shown}${more}`
}

/** Longer ids, in characters, are shortened in the middle. */
const MOST_CHARACTERS = 24

/** An id, shortened for a picture. */
export function shortName(id: string): string {
  const characters = [...id]
  if (characters.length <= MOST_CHARACTERS) return id
  const half = (MOST_CHARACTERS - 1) >> 1
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`
}

/** `1 hit`, `2 hits`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`
}
