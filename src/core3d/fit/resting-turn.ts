/**
 * How a body turns to lie flat on a plane.
 *
 * Method: of all its sides, or those of the hull around it, the one is laid on the plane that takes the least turn to it. A side of core
 * points is a face of their hull; a body of revolution (a cylinder, a cone, a capsule, two balls of a compound) lies on its round side
 * along a line; an ellipsoid lies on its shortest axis. Of a compound with one skin the sides are those of the hull of its core points.
 * Where skins differ, or parts are curved, they are the flat sides of its parts and the planes that touch three of its balls, as far as
 * no other part reaches beyond them.
 * Frame: turns in world axes about the position of the body. Cost that of a hull of the points.
 */

import { spend } from '../../containers/budget.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { createSupport, support } from '../queries/support.ts'
import {
  acrossAxes,
  type Body,
  COMPOSITE,
  CONE,
  createBody,
  cross,
  dot,
  ELLIPSOID,
  LENGTHS,
  opposite,
  POINTS,
  POSITION,
  plus,
  positionOf,
  RADIUS,
  REACH,
  scaled,
  setPose,
  VERTICES,
  type Vector,
} from '../shape/body.ts'
import { PLANE_SIZE, planesOf, surfaceOf } from '../shape/core-surface.ts'
import { setHull } from '../shape/shapes.ts'
import { angleOf, NO_TURN, type Turn, turnBetween } from '../shape/turn.ts'
import { axesOf, convexBodies } from './span.ts'

/** Angles that are as good, and heights relative to the size: of several sides that are as near one is chosen by its direction. */
const EVEN_RATIO = 2 ** 13 * UNIT_ROUNDOFF
/** Most balls of which every three are looked at. */
const MOST_BALLS = 24

/**
 * The least turn after which a side of the body lies on a plane with that unit normal. No turn of what has no sides, as a sphere; null
 * of a compound of which none is known. The body has bounds.
 */
export function restingTurn(body: Body, normal: Vector): Turn | null {
  const down = opposite(normal)
  if (body.kind !== COMPOSITE) return onto(down, sidesOf(body, down))
  const parts = convexBodies(body) ?? []
  if (parts.length === 1) return onto(down, sidesOf(parts[0], down))
  const balls = parts.flatMap((part) => ballsOf(part, body))
  const hulls = hullsOf(balls, body)
  const bent = parts.filter(({ kind }) => kind !== POINTS)
  if (hulls.length === 1 && bent.length === 0) return onto(down, sidesOf(hulls[0], down))
  const sides = [...hulls, ...bent].flatMap((piece) => {
    return flatSidesOf(piece).map((side): Side => ({ normal: side, height: heightOf(piece, side, body) }))
  })
  if (balls.length <= MOST_BALLS) sides.push(...sidesOfBalls(balls, down, bent.length > 0))
  const slack = EVEN_RATIO * sizeOf(body)
  const isOuter = ({ normal: side, height }: Side): boolean => {
    return parts.every((part) => heightOf(part, side, body) <= height + slack)
  }
  return nearest(down, sides).find(({ side }) => isOuter(side))?.turn ?? null
}

/** The least turn that takes one of the directions down; none where there are no directions. */
function onto(down: Vector, normals: readonly Vector[]): Turn {
  const sides = normals.map((normal): Side => ({ normal, height: 0 }))
  return nearest(down, sides)[0]?.turn ?? NO_TURN
}

/** A plane around a body. */
interface Side {
  /** Outward unit normal. */
  normal: Vector
  /** From the position of the body. */
  height: number
}

interface Turned {
  side: Side
  turn: Turn
  angle: number
}

/** By the least turn that takes each down. */
function nearest(down: Vector, sides: readonly Side[]): Turned[] {
  spend(sides.length)
  const turned = sides.map((side): Turned => {
    const turn = turnBetween(side.normal, down)
    return { side, turn, angle: angleOf(turn) }
  })
  turned.sort((a, b) => a.angle - b.angle)
  const least = turned[0]?.angle
  const even = turned.findIndex(({ angle }) => angle > least + EVEN_RATIO)
  const first = turned.slice(0, even < 0 ? turned.length : even)
  first.sort((a, b) => compare(a.side.normal, b.side.normal))
  return [...first, ...turned.slice(first.length)]
}

/** By coordinates, as far as rounding leaves them. */
function compare(a: Vector, b: Vector): number {
  const k = a.findIndex((x, axis) => Math.abs(x - b[axis]) > EVEN_RATIO)
  return k < 0 ? 0 : b[k] - a[k]
}

// Sides of convex bodies, by their outward unit normals.

/** Of a round side the normal that is nearest to the direction. */
function sidesOf(body: Body, down: Vector): Vector[] {
  const { kind, numbers } = body
  if (kind === POINTS) return sidesOfPoints(body, down)
  const [a, b, c] = numbers.subarray(LENGTHS, LENGTHS + 3)
  const axes = axesOf(body)
  if (kind === ELLIPSOID) return sidesOfEllipsoid([a, b, c], axes, down)
  const sides = flatSidesOf(body)
  if (b > 0) sides.push(kind === CONE ? roundSide(axes[1], a, 2 * b, down) : roundSide(axes[1], 0, 1, down))
  return sides
}

/** The flat ones. */
function flatSidesOf(body: Body): Vector[] {
  const { kind, count, numbers } = body
  if (kind === POINTS) return count < 3 || surfaceOf(body).dimension < 2 ? [] : facesOf(body)
  if (kind === ELLIPSOID || !(numbers[LENGTHS] > 0)) return []
  const [, axis] = axesOf(body)
  return kind === CONE ? [opposite(axis)] : [axis, opposite(axis)]
}

/** A side that comes nearer to the axis by `run` where it goes `rise` along it. */
function roundSide(axis: Vector, run: number, rise: number, down: Vector): Vector {
  const length = vectorLength3d(run, rise, 0)
  const level = plus(down, axis, -dot(down, axis))
  const size = vectorLength3d(...level)
  const out = size > EVEN_RATIO ? scaled(level, 1 / size) : acrossAxes(axis)[0]
  return plus(scaled(out, rise / length), axis, run / length)
}

function sidesOfEllipsoid(halves: Vector, axes: readonly Vector[], down: Vector): Vector[] {
  const least = Math.min(...halves)
  const shortest = axes.filter((_, k) => halves[k] === least)
  if (shortest.length === 3) return []
  if (shortest.length === 1) return [shortest[0], opposite(shortest[0])]
  return [roundSide(cross(shortest[0], shortest[1]), 0, 1, down)]
}

function sidesOfPoints(body: Body, down: Vector): Vector[] {
  const { count, numbers } = body
  if (count < 2) return []
  const surface = count === 2 ? null : surfaceOf(body)
  if (surface !== null && surface.dimension >= 2) return facesOf(body)
  if (surface?.dimension === 0) return []
  const [i, j] = surface === null ? [0, 1] : surface.corners
  const along: Vector = [0, 1, 2].map((k) => numbers[VERTICES + 3 * j + k] - numbers[VERTICES + 3 * i + k]) as never
  const length = vectorLength3d(...along)
  return length > 0 ? [roundSide(scaled(along, 1 / length), 0, 1, down)] : []
}

/** Flat bodies have two. */
function facesOf(body: Body): Vector[] {
  const surface = surfaceOf(body)
  const planes = planesOf(body, surface)
  spend(surface.starts.length)
  const faces: Vector[] = []
  for (let at = 0; at < PLANE_SIZE * (surface.starts.length - 1); at += PLANE_SIZE) {
    if (planes[at + 4] < Infinity) faces.push([planes[at], planes[at + 1], planes[at + 2]])
  }
  return faces
}

// Compounds.

/** A core point, from the position of the whole, and its skin. */
interface Ball {
  at: Vector
  radius: number
}

function ballsOf({ kind, count, numbers }: Body, whole: Body): Ball[] {
  if (kind !== POINTS) return []
  spend(count)
  return Array.from({ length: count }, (_, i): Ball => {
    const at = [0, 1, 2].map((k) => numbers[POSITION + k] - whole.numbers[POSITION + k] + numbers[VERTICES + 3 * i + k])
    return { at: at as unknown as Vector, radius: numbers[RADIUS] }
  })
}

/** The hull of the balls of each radius. */
function hullsOf(balls: readonly Ball[], whole: Body): Body[] {
  const groups = new Map<number, number[]>()
  for (const { at, radius } of balls) {
    const group = groups.get(radius) ?? []
    groups.set(radius, group)
    group.push(...at)
  }
  return [...groups].map(([radius, numbers]) => {
    const hull = createBody()
    setPose(hull, { position: positionOf(whole) })
    setHull(hull, Float64Array.from(numbers), numbers.length / 3, radius)
    return hull
  })
}

/** Planes that touch three balls each; of two balls and nothing else, the nearest one to the direction that touches both. */
function sidesOfBalls(given: readonly Ball[], down: Vector, isPart: boolean): Side[] {
  const size = given.reduce((most, { at, radius }) => Math.max(most, radius, ...at.map(Math.abs)), 0)
  if (!(size > 0)) return []
  const balls = given.map(({ at, radius }): Ball => ({ at: scaled(at, 1 / size), radius: radius / size }))
  const sides: Side[] = []
  const add = (normal: Vector, { at, radius }: Ball): void => {
    sides.push({ normal, height: size * (dot(normal, at) + radius) })
  }
  if (balls.length === 2 && !isPart) {
    const [a, b] = balls
    const way = plus(b.at, a.at, -1)
    const [apart, run] = [vectorLength3d(...way), a.radius - b.radius]
    const rise = Math.sqrt((apart - run) * (apart + run))
    if (rise > 0) add(roundSide(scaled(way, 1 / apart), run, rise, down), a)
  }
  for (const [i, a] of balls.entries()) {
    for (const [j, b] of balls.slice(0, i).entries()) {
      spend(j + 1)
      for (const c of balls.slice(0, j)) for (const normal of planesAt(a, b, c)) add(normal, a)
    }
  }
  return sides
}

/** Unit normals of the planes that touch three balls from one side. */
function planesAt(a: Ball, b: Ball, c: Ball): Vector[] {
  const [u, v] = [plus(b.at, a.at, -1), plus(c.at, a.at, -1)]
  const across = cross(u, v)
  const square = dot(across, across)
  if (!(square > EVEN_RATIO * dot(u, u) * dot(v, v))) return []
  const [p, q] = [a.radius - b.radius, a.radius - c.radius]
  const level = scaled(plus(scaled(cross(v, across), p), cross(across, u), q), 1 / square)
  const rest = 1 - dot(level, level)
  if (!(rest > 0)) return []
  const steep = Math.sqrt(rest / square)
  return [plus(level, across, steep), plus(level, across, -steep)]
}

const found = createSupport()

/** How far a convex body reaches along a unit vector, from the position of the whole. */
function heightOf(part: Body, way: Vector, whole: Body): number {
  spend(1)
  support(part, way[0], way[1], way[2], found)
  return dot(way, plus([found.x, found.y, found.z], positionOf(whole), -1))
}

/** Of the coordinates of its boundary. */
function sizeOf(body: Body): number {
  const [x, y, z] = positionOf(body)
  return Math.abs(x) + Math.abs(y) + Math.abs(z) + body.numbers[REACH]
}
