/**
 * Reads the exact cases of ../shared/cases3d (beside the repository, not part of it). Present or not, a test asks `cases3dPresent` and
 * skips with a message.
 */
import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../shared/cases3d/', import.meta.url)

export const CASE_FILES_3D = ['hull', 'mass', 'decompose'] as const
export const cases3dPresent = CASE_FILES_3D.every((name) => existsSync(new URL(`${name}.ndjson`, FOLDER)))

export type Triple = [number, number, number]

interface Case {
  id: string
  tags: string[]
}

export interface HullCase extends Case {
  points: Triple[]
  /** `faces`: how many there are. */
  expect: { vertices: Triple[]; volume: number; faces?: number }
  tol: { volume?: number }
}

export interface MassCase extends Case {
  a: {
    shape: { type: string; [field: string]: unknown }
    position?: Triple
    orientation?: [number, number, number, number]
  }
  expect: { volume: number; center: Triple; inertia: [Triple, Triple, Triple] }
  tol: { volume: number; center: number; inertia: number }
}

export interface DecomposeCase3d extends Case {
  a: { shape: { vertices: Triple[]; triangles: Triple[] } }
  maxVolumeError: number
  expect: { volume: number }
  tol: { volume: number }
}

export function readCases3d(file: 'hull'): HullCase[]
export function readCases3d(file: 'mass'): MassCase[]
export function readCases3d(file: 'decompose'): DecomposeCase3d[]
export function readCases3d(file: (typeof CASE_FILES_3D)[number]): Case[] {
  const text = readFileSync(new URL(`${file}.ndjson`, FOLDER), 'utf8')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
}

interface MovingCaseBody {
  shape: { type: string }
  position?: Triple
  orientation?: [number, number, number, number]
  velocity?: Triple
  angularVelocity?: Triple
}

export interface SweepCase3d extends Case {
  a: MovingCaseBody
  b: MovingCaseBody
  maxTime: number
  expect: { hit: boolean; time?: number; normal?: Triple; exitTime?: number | null }
  tol: { time: number; normal?: number; exitTime?: number }
}

/** Of convex bodies. */
export function readMotionCases3d(file: 'sweep' | 'sweep-rotating'): SweepCase3d[] {
  const concave = new Set(['mesh', 'heightfield', 'compound'])
  return readFileSync(new URL(`${file}.ndjson`, FOLDER), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as SweepCase3d)
    .filter(({ a, b }) => !concave.has(a.shape.type) && !concave.has(b.shape.type))
}
