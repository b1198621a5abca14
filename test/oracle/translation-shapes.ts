/**
 * Random concave shapes that are known together with their convex pieces, so that brute force can measure them: histograms
 * (combs, U, L, C, steps), stars, frames, boxes, triangles; as regions or as compounds of the pieces.
 */
import fc, { type Arbitrary } from 'fast-check'
import type { Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import type { Piece } from './translation.ts'

export interface PiecedShape {
  shape: Shape2d
  pieces: readonly Piece[]
}

const unit = fc.noBias(fc.noShrink(fc.maxSafeNat())).map((n) => n / Number.MAX_SAFE_INTEGER)

/** On the grid lengths are integers and much fits exactly; else they are full-precision doubles. */
function lengthFrom(onGrid: boolean, min: number, max: number): Arbitrary<number> {
  return onGrid ? fc.integer({ min, max }) : unit.map((u) => min + (max + 0.7 - min) * u)
}

function rectangle(x0: number, y0: number, x1: number, y1: number): Piece {
  return [
    { x: x0, y: y0 },
    { x: x1, y: y0 },
    { x: x1, y: y1 },
    { x: x0, y: y1 },
  ]
}

function histogram(onGrid: boolean): Arbitrary<PiecedShape> {
  const column = fc.tuple(lengthFrom(onGrid, 1, 2), lengthFrom(onGrid, 1, 4), lengthFrom(onGrid, 0, 3))
  return fc.array(column, { minLength: 1, maxLength: 5 }).map((columns) => {
    const pieces: Piece[] = []
    const below: Vec2[] = []
    const above: Vec2[] = []
    let x = 0
    for (const [width, top, bottom] of columns) {
      pieces.push(rectangle(x, -bottom, x + width, top))
      below.push({ x, y: -bottom }, { x: x + width, y: -bottom })
      above.push({ x, y: top }, { x: x + width, y: top })
      x += width
    }
    return { shape: { type: 'region', outer: [...below, ...above.reverse()] }, pieces }
  })
}

function star(): Arbitrary<PiecedShape> {
  return fc.array(fc.tuple(unit, unit), { minLength: 4, maxLength: 9 }).map((spikes) => {
    const outer = spikes.map(([far, shift], i) => {
      const angle = (2 * Math.PI * (i + 0.6 * shift)) / spikes.length
      const radius = 0.5 + 3 * far
      return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
    })
    const pieces = outer.map((p, i) => [{ x: 0, y: 0 }, p, outer[(i + 1) % outer.length]])
    return { shape: { type: 'region', outer }, pieces }
  })
}

function frame(onGrid: boolean): Arbitrary<PiecedShape> {
  const wall = lengthFrom(onGrid, 1, 1)
  const inner = lengthFrom(onGrid, 1, 3)
  return fc.tuple(wall, wall, wall, wall, inner, inner).map(([left, right, top, bottom, width, height]) => {
    const outer = rectangle(-left, -bottom, width + right, height + top)
    const pieces = [
      rectangle(-left, -bottom, width + right, 0),
      rectangle(-left, height, width + right, height + top),
      rectangle(-left, 0, 0, height),
      rectangle(width, 0, width + right, height),
    ]
    const holes = [[...rectangle(0, 0, width, height)]]
    return { shape: { type: 'region', outer: [...outer], holes }, pieces }
  })
}

function box(onGrid: boolean): Arbitrary<PiecedShape> {
  const size = lengthFrom(onGrid, 1, 4).map((n) => n / 2)
  return fc.tuple(size, size).map(([width, height]) => ({
    shape: { type: 'box', width, height },
    pieces: [rectangle(-width / 2, -height / 2, width / 2, height / 2)],
  }))
}

function triangle(): Arbitrary<PiecedShape> {
  return fc.tuple(unit, unit, unit, unit).map(([u, v, s, t]) => {
    const vertices = [
      { x: -u - 0.2, y: -v },
      { x: s + 0.2, y: -v / 2 },
      { x: t - 0.5, y: 0.3 + u },
    ]
    return { shape: { type: 'polygon', vertices }, pieces: [vertices] }
  })
}

export function concaveShape(onGrid: boolean): Arbitrary<PiecedShape> {
  return fc.oneof(histogram(onGrid), star(), frame(onGrid))
}

export function convexShape(onGrid: boolean): Arbitrary<PiecedShape> {
  return fc.oneof(box(onGrid), triangle())
}

/** The same set as a compound of its pieces. */
export function asCompound({ pieces }: PiecedShape): PiecedShape {
  const children = pieces.map((piece) => ({ shape: { type: 'polygon' as const, vertices: [...piece] } }))
  return { shape: { type: 'compound', children }, pieces }
}

/** Two shapes and where the second one stands from the first. */
export interface PiecedPair {
  a: PiecedShape
  b: PiecedShape
  x: number
  y: number
}

export function piecedPair(): Arbitrary<PiecedPair> {
  return fc.boolean().chain((onGrid) => {
    const offset = onGrid ? fc.integer({ min: -6, max: 8 }).map((n) => n / 2) : unit.map((u) => 8 * u - 3)
    const second = fc.oneof(concaveShape(onGrid), convexShape(onGrid))
    return fc
      .record({ a: concaveShape(onGrid), b: second, x: offset, y: offset })
      .filter(({ a, b }) => a.pieces.length * b.pieces.length <= 20)
  })
}

export function movedPieces({ pieces }: PiecedShape, x: number, y: number): Piece[] {
  return pieces.map((piece) => piece.map((p) => ({ x: p.x + x, y: p.y + y })))
}
