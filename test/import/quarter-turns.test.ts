// Multiples of 90 degrees are exact in every format that has degrees: what an editor shows flush is flush, to the last bit.

import { describe, expect, it } from 'vitest'
import { PLAIN_FRAME } from '../../src/import/body-in-frame.ts'
import { bodiesOf, imported, type TakenBody } from './imported.ts'
import { map, objects, text, tile, tileset } from './tiled-maps.ts'

interface Point {
  x: number
  y: number
}
const DEGREES = [0, 90, 180, 270, -90, -180, -270, 360, 450, -450, 540, 810, 3690]
/** About the origin, clockwise on a screen, by whole quarters. */
function quarters({ x, y }: Point, degrees: number): Point {
  let at = { x, y }
  for (let k = 0; k < (((degrees / 90) % 4) + 4) % 4; k++) at = { x: 0 - at.y, y: at.x }
  return { x: at.x + 0, y: at.y + 0 }
}

/** Corners where they stand, to the last bit; bodies have no rotation left. */
function corners({ shape, position = { x: 0, y: 0 }, rotation }: TakenBody): Point[] {
  expect(rotation).toBeUndefined()
  const half = { x: shape.width / 2, y: shape.height / 2 }
  const box = [-1, 1].flatMap((i) => [-1, 1].map((k) => ({ x: i * half.x, y: k * half.y })))
  const own: Point[] = shape.type === 'box' ? box : (shape.vertices ?? shape.outer)
  return sorted(own.map(({ x, y }) => ({ x: position.x + x + 0, y: position.y + y + 0 })))
}
const sorted = (points: Point[]) => [...points].sort((p, q) => p.x - q.x || p.y - q.y)
const rectangle = (x: number, y: number, width: number, height: number): Point[] => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
]
const L = [
  { x: 0, y: 0 },
  { x: 12, y: 0 },
  { x: 12, y: 3 },
  { x: 5, y: 3 },
  { x: 5, y: 9 },
  { x: 0, y: 9 },
]
const FRAMES = [
  PLAIN_FRAME,
  { ...PLAIN_FRAME, yUp: true },
  { yUp: false, scale: 0.125, offsetX: 3, offsetY: -7 },
  { yUp: true, scale: 3, offsetX: 1e6, offsetY: 1 },
]
type Frame = (typeof FRAMES)[number]
const framed = ({ yUp, scale, offsetX, offsetY }: Frame, points: Point[]): Point[] =>
  sorted(points.map(({ x, y }) => ({ x: scale * x + offsetX + 0, y: (yUp ? -scale : scale) * y + offsetY + 0 })))

const AT = { x: 37, y: -21 }
const placed = (points: Point[], degrees: number): Point[] =>
  points.map((point) => {
    const { x, y } = quarters(point, degrees)
    return { x: AT.x + x, y: AT.y + y }
  })

describe.each(DEGREES)('turned by %d degrees', (rotation) => {
  const things = (frame: Frame, more: object, ...list: object[]) =>
    bodiesOf(
      imported(
        { 'a.tmj': text(map({ layers: [objects(...list.map((each) => ({ ...AT, rotation, ...each })))], ...more })) },
        { format: 'tiled', frame },
      ),
    )

  it('objects of Tiled have exact corners', () => {
    for (const frame of FRAMES) {
      const [box, shape] = things(frame, {}, { width: 13, height: 5 }, { polygon: L })
      expect(corners(box!)).toEqual(framed(frame, placed(rectangle(0, 0, 13, 5), rotation)))
      expect(corners(shape!)).toEqual(framed(frame, placed(L, rotation)))
    }
  })

  it('tile objects of Tiled have exact corners, turned over in any way', () => {
    for (const frame of FRAMES) {
      for (const flags of [0, 8, 4, 12, 2, 10, 6, 14]) {
        const gid = 1 + flags * 2 ** 28
        const set = tileset(
          {},
          tile(0, { width: 16, height: 16 }),
          tile(1, { polygon: L.map(({ x, y }) => ({ x, y: y + 4 })) }),
        )
        const [whole, part] = things(
          frame,
          { tilesets: [set] },
          { gid, width: 16, height: 16 },
          { gid: gid + 1, width: 16, height: 16 },
        )
        expect(corners(whole!)).toEqual(framed(frame, placed(rectangle(0, -16, 16, 16), rotation)))
        const [still] = bodiesOf(
          imported(
            { 'a.tmj': text(map({ tilesets: [set], layers: [objects({ gid: gid + 1, width: 16, height: 16 })] })) },
            { format: 'tiled' },
          ),
        )
        expect(corners(part!)).toEqual(framed(frame, placed(corners(still!), rotation)))
      }
    }
  })

  it('shapes of tiles have exact corners', () => {
    const turned = { x: 8, y: 8, width: 4, height: 2, rotation }
    const set = tileset({}, tile(0, turned))
    const layer = { type: 'tilelayer', name: 'Ground', width: 1, height: 1, data: [1] }
    const [body] = bodiesOf(imported({ 'a.tmj': text(map({ tilesets: [set], layers: [layer] })) }, { format: 'tiled' }))
    const shown = rectangle(0, 0, 4, 2).map((point) => {
      const { x, y } = quarters(point, rotation)
      return { x: 8 + x + 0, y: 8 + y + 0 }
    })
    expect(corners(body!)).toEqual(sorted(shown))
  })

  it('round shapes lie along the axes', () => {
    const isOdd = Math.abs(rotation / 90) % 2 === 1
    const [ellipse, capsule] = things(
      PLAIN_FRAME,
      {},
      { width: 12, height: 6, ellipse: true },
      { width: 12, height: 6, capsule: true },
    )
    expect(ellipse).toMatchObject({ shape: isOdd ? { rx: 3, ry: 6 } : { rx: 6, ry: 3 } })
    expect(ellipse).not.toHaveProperty('rotation')
    const { a, b, radius } = capsule!.shape
    expect([radius, Math.abs(a.x - b.x), Math.abs(a.y - b.y)]).toEqual(isOdd ? [3, 0, 6] : [3, 6, 0])
  })

  it.each([
    ['deg', 1],
    ['', 1],
    ['grad', 10 / 9],
    ['turn', 1 / 360],
  ])('elements of SVG have exact corners, in “%s”', (unit, factor) => {
    // grads of quarter turns are whole numbers
    const amount = unit === 'grad' ? Math.round(rotation * factor) : rotation * factor
    const points = L.map(({ x, y }) => `${x},${y}`).join(' ')
    const drawing = (transform: string) =>
      `<svg><rect transform="${transform}" width="13" height="5"/><polygon transform="${transform}" points="${points}"/><path transform="${transform}" d="M${points.replaceAll(' ', 'L')}Z"/></svg>`
    for (const frame of FRAMES) {
      for (const transform of [
        `translate(37 -21) rotate(${amount}${unit})`,
        `rotate(${amount}${unit}, 37, -21) translate(37 -21)`,
        `translate(37 -21) rotate(${amount}${unit}) rotate(${-amount}${unit}) rotate(${amount}${unit})`,
      ]) {
        const [box, polygon, path] = bodiesOf(imported({ 'a.svg': drawing(transform) }, { format: 'svg', frame }))
        expect(corners(box!)).toEqual(framed(frame, placed(rectangle(0, 0, 13, 5), rotation)))
        for (const body of [polygon, path]) expect(corners(body!)).toEqual(framed(frame, placed(L, rotation)))
      }
    }
  })
})

it('other angles keep their rotation', () => {
  const file = imported(
    { 'a.tmj': text(map({ layers: [objects({ width: 4, height: 2, rotation: 30 })] })) },
    { format: 'tiled' },
  )
  expect(bodiesOf(file)[0]).toMatchObject({ shape: { width: 4, height: 2 } })
  expect(bodiesOf(file)[0]!.rotation).toBeCloseTo(Math.PI / 6, 15)
})
