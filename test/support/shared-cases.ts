/**
 * Reads the exact cases of ../shared/cases (beside the repository, not part of it) and writes their bodies and rays
 * in the wire form. Present or not, a test asks `casesPresent` and skips with a message.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { RayDefinition } from '../../schemas/queries/ray-cast.ts'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'

const FOLDER = new URL('../../../shared/cases/', import.meta.url)

export const CASE_FILES = [
  'overlap',
  'distance',
  'contact',
  'ray',
  'degenerate',
  'sweep',
  'sweep-rotating',
  'trajectory',
  'pairs',
  'hull',
  'minkowski',
  'decompose',
] as const
export const casesPresent = CASE_FILES.every((name) => existsSync(new URL(`${name}.ndjson`, FOLDER)))

type Pair = [number, number]

export interface Expectation {
  overlap?: boolean
  distance?: number
  pA?: Pair
  pB?: Pair
  touching?: boolean
  depth?: number
  normal?: Pair
  normals?: Pair[]
  normalArc?: [Pair, Pair]
  anyNormal?: boolean
  hit?: boolean
  point?: Pair
  inside?: boolean
  exitDistance?: number
  time?: number
  exitTime?: number
  position?: Pair
  velocity?: Pair
  pairs?: Pair[]
  hull?: Pair[]
  polygon?: Pair[]
  area?: number
  bounces?: { time: number; obstacle: number; normal: Pair; point?: Pair }[]
}

export interface SharedCase {
  id: string
  tags: string[]
  kind:
    | 'overlap'
    | 'distance'
    | 'contact'
    | 'ray'
    | 'sweep'
    | 'trajectory'
    | 'pairs'
    | 'hull'
    | 'minkowski'
    | 'decompose'
  a: MovingBody2d
  b: MovingBody2d
  ray: RayDefinition
  maxTime: number
  obstacles: MovingBody2d[]
  points: Vec2[]
  bodies: Body2d[]
  duration: number
  expect: Expectation
  tol: Partial<Record<ToleranceName, number>>
}

type ToleranceName =
  | ('distance' | 'point' | 'depth' | 'normal' | 'exitDistance' | 'area')
  | ('time' | 'exitTime' | 'position' | 'velocity')

export function readCases(file: (typeof CASE_FILES)[number]): SharedCase[] {
  const text = readFileSync(new URL(`${file}.ndjson`, FOLDER), 'utf8')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => wireCase(JSON.parse(line)))
}

// biome-ignore lint/suspicious/noExplicitAny: the file's own JSON, checked by the service's schemas when sent
function wireCase(raw: any): SharedCase {
  return {
    ...raw,
    a: wire(raw.a),
    b: wire(raw.b),
    ray: wire(raw.ray),
    obstacles: wire(raw.obstacles),
    points: wire(raw.points),
    bodies: raw.boxes?.map(aabb),
  }
}

function aabb([minX, minY, maxX, maxY]: number[]): Body2d {
  return { shape: { type: 'aabb', min: { x: minX, y: minY }, max: { x: maxX, y: maxY } } }
}

/** Vectors are [x, y] in the files and {x, y} on the wire; everything else is the same. */
function wire(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isVector = value.length === 2 && value.every((item) => typeof item === 'number')
    return isVector ? vector(value as Pair) : value.map(wire)
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, wire(field)]))
}

export function vector([x, y]: Pair): Vec2 {
  return { x, y }
}
