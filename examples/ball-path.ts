// Follows a ball's way as a trajectory tells it, and checks it against the wall cells themselves by its own arithmetic:
// each stretch between two bounces is straight, so its distance from the cells is a closed form and nothing is sampled.
// All findings are ratios: lengths of the ball's radius, velocities of its speed.

import type { TrajectoryResponse } from '../schemas/queries/trajectory.ts'
import { type CellGrid, isWall, type Point } from './cell-outlines.ts'

export interface Ball {
  radius: number
  position: Point
  velocity: Point
}

export interface PathCheck {
  /** Where the centre is at the start, at each bounce, and at the end. */
  centers: Point[]
  /** How deep the ball is in a wall at the worst instant; negative when it never touches one. */
  deepest: number
  /**
   * The worst of everything else: how far each stretch ends from where its velocity leads, how far the ball is from the
   * nearest wall at a bounce, and how far velocities are from their mirror images; infinite when one bounces off a wall
   * that it does not approach.
   */
  astray: number
}

export function checkPath(
  { radius, position, velocity }: Ball,
  answer: TrajectoryResponse,
  grids: CellGrid[],
): PathCheck {
  const { bounces, end } = answer
  const centers = [
    position,
    ...bounces.map(({ point, normal }) => ({ x: point.x + radius * normal.x, y: point.y + radius * normal.y })),
    end.position,
  ]
  const times = [0, ...bounces.map(({ time }) => time), end.time]
  const velocities = [velocity, ...bounces.map(({ velocityAfter }) => velocityAfter)]
  const speed = Math.hypot(velocity.x, velocity.y)

  let deepest = -Infinity
  let astray = 0
  for (const [i, { x, y }] of velocities.entries()) {
    const from = centers[i]!
    const to = centers[i + 1]!
    const seconds = times[i + 1]! - times[i]!
    deepest = Math.max(deepest, 1 - distanceToWalls(from, to, radius, grids) / radius)
    astray = Math.max(astray, Math.hypot(from.x + x * seconds - to.x, from.y + y * seconds - to.y) / radius)
    if (!(seconds >= 0)) astray = Infinity
  }
  for (const [i, { normal, velocityBefore, velocityAfter }] of bounces.entries()) {
    const center = centers[i + 1]!
    const approach = velocityBefore.x * normal.x + velocityBefore.y * normal.y
    const mirrored = { x: velocityBefore.x - 2 * approach * normal.x, y: velocityBefore.y - 2 * approach * normal.y }
    const arriving = velocities[i]!
    astray = Math.max(
      astray,
      approach < 0 ? 0 : Infinity,
      Math.abs(1 - distanceToWalls(center, center, radius, grids) / radius),
      Math.hypot(velocityBefore.x - arriving.x, velocityBefore.y - arriving.y) / speed,
      Math.hypot(velocityAfter.x - mirrored.x, velocityAfter.y - mirrored.y) / speed,
    )
  }
  return { centers, deepest, astray }
}

/** Distance of the segment from a to b to the nearest wall cell; exact up to twice `radius`, Infinity far beyond. */
export function distanceToWalls(a: Point, b: Point, radius: number, grids: CellGrid[]): number {
  let nearest = Infinity
  for (const grid of grids) {
    const { size, x, y, columns, rows } = grid
    const first = (low: number, offset: number) => Math.max(0, Math.floor((low - 2 * radius - offset) / size))
    const last = (high: number, offset: number, count: number) =>
      Math.min(count - 1, Math.floor((high + 2 * radius - offset) / size))
    const lastRow = last(Math.max(a.y, b.y), y, rows)
    const lastColumn = last(Math.max(a.x, b.x), x, columns)
    for (let row = first(Math.min(a.y, b.y), y); row <= lastRow; row++) {
      for (let column = first(Math.min(a.x, b.x), x); column <= lastColumn; column++) {
        if (!isWall(grid, column, row)) continue
        const min = { x: x + column * size, y: y + row * size }
        nearest = Math.min(nearest, segmentToSquare(a, b, min, { x: min.x + size, y: min.y + size }))
      }
    }
  }
  return nearest
}

/** 0 where they meet; else the nearest point is an end of the segment or a corner of the square. */
function segmentToSquare(a: Point, b: Point, min: Point, max: Point): number {
  if (meetsSquare(a, b, min, max)) return 0
  const corners = [min, { x: max.x, y: min.y }, max, { x: min.x, y: max.y }]
  return Math.min(
    pointToSquare(a, min, max),
    pointToSquare(b, min, max),
    ...corners.map((corner) => pointToSegment(corner, a, b)),
  )
}

/** Apart along x, along y, or along the segment's normal; nothing else can separate the two. */
function meetsSquare(a: Point, b: Point, min: Point, max: Point): boolean {
  if (Math.max(a.x, b.x) < min.x || Math.min(a.x, b.x) > max.x) return false
  if (Math.max(a.y, b.y) < min.y || Math.min(a.y, b.y) > max.y) return false
  const sides = [min, { x: max.x, y: min.y }, max, { x: min.x, y: max.y }].map(
    (corner) => (b.x - a.x) * (corner.y - a.y) - (b.y - a.y) * (corner.x - a.x),
  )
  return Math.min(...sides) <= 0 && Math.max(...sides) >= 0
}

const pointToSquare = ({ x, y }: Point, min: Point, max: Point) =>
  Math.hypot(Math.max(min.x - x, 0, x - max.x), Math.max(min.y - y, 0, y - max.y))

function pointToSegment(p: Point, a: Point, b: Point): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  const square = dx * dx + dy * dy
  const t = square > 0 ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / square)) : 0
  return Math.hypot(a.x + t * dx - p.x, a.y + t * dy - p.y)
}
