// What the map example reads, and the corners it finds: against maps written here, and the map of a real level.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cornersOf, distanceBefore, holds, solidOf } from '../../examples/brush-corners.ts'
import { MapError } from '../../examples/map-error.ts'
import { type Face, type FacePoints, type Point, parseMap, readMap } from '../../examples/quake-map.ts'
import { runs } from '../support/runs.ts'

const point = (x: number, y: number, z: number): Point => ({ x, y, z })
const plus = (p: Point, q: Point) => point(p.x + q.x, p.y + q.y, p.z + q.z)

/** The six faces of a box, points clockwise from outside. */
function boxFaces({ x, y, z }: Point, { x: X, y: Y, z: Z }: Point): FacePoints[] {
  const at = (p: Point, q: Point, r: Point, from: Point): FacePoints => [plus(from, p), plus(from, q), plus(from, r)]
  const [o, ex, ey, ez] = [point(0, 0, 0), point(1, 0, 0), point(0, 1, 0), point(0, 0, 1)]
  const [low, high] = [point(x, y, z), point(X, Y, Z)]
  return [
    at(o, ey, ez, low),
    at(o, ez, ex, low),
    at(o, ex, ey, low),
    at(o, ey, ex, high),
    at(o, ex, ez, high),
    at(o, ez, ey, high),
  ]
}

function corners(faces: Face[]): Point[] {
  const solid = solidOf(faces)
  if (typeof solid === 'string') throw new Error(solid)
  const found = cornersOf(solid)
  if (typeof found === 'string') throw new Error(found)
  return found
}

const text = (faces: FacePoints[], rest = 'stone 0 0 0 1 1') =>
  faces.map((face) => `${face.map(({ x, y, z }) => `( ${x} ${y} ${z} )`).join(' ')} ${rest}`).join('\n')

describe('a map', () => {
  const faces = boxFaces(point(0, 0, 0), point(64, 32, 16))

  it.each([
    ['Standard', 'stone 0 0 0 1 1'],
    ['Valve 220', '{fence [ 1 0 0 0 ] [ 0 -1 0 16 ] 0 1 1'],
    ['with a quoted texture', '"dir/two words" 0 0 0 1 1'],
  ])('is read, %s', (_format, rest) => {
    const { brushes, entities } = parseMap(
      `// Game: Quake\r\n{\n"classname" "worldspawn"\n// brush 0\n{\n${text(faces, rest)}\n}\n}\n{\n"classname" "light"\n"origin" "1 -2.5 3e1"\n}\n`,
    )
    expect(brushes).toHaveLength(1)
    expect(brushes[0]).toMatchObject({ number: 0, line: 5, classname: 'worldspawn', faces, foreign: null })
    expect(entities).toEqual([{ classname: 'light', line: 14, origin: point(1, -2.5, 30) }])
  })

  const MATRIX = '( ( 0.03125 0 0 ) ( 0 0.03125 0 ) )'
  const points = (face: FacePoints) => face.map(({ x, y, z }) => `( ${x} ${y} ${z} )`).join(' ')

  it.each([
    ['brush primitives', (lines: string[]) => `{\nbrushDef\n{\n${lines.join('\n')}\n}\n}`],
    ['brush primitives on one line', (lines: string[]) => `{ brushDef { ${lines.join(' ')} } }`],
    ['braces on one line', (lines: string[]) => `{ ${lines.join(' ')} }`],
    [
      'comments',
      (lines: string[]) => `; one\n{ // two\n# three\n${lines.map((line) => `${line} ; each`).join('\n')}\n}`,
    ],
  ])('is read, with %s', (_, brush) => {
    for (const face of [
      (each: FacePoints) => `${points(each)} stone 0 0 0 1 1`,
      (each: FacePoints) => `${points(each)} {fence [ 1 0 0 0 ] [ 0 -1 0 16 ] 0 1 1`,
      (each: FacePoints) => `${points(each)} ${MATRIX} common/caulk 0 0 0`,
      (each: FacePoints) => `${points(each).replaceAll(' ', '\t')} #water 0 0 0 1 1 134217728 0 0`,
    ]) {
      const read = parseMap(
        `{ "classname" "worldspawn" ${brush(faces.map(face))} }{"classname" "light""origin" "1 2 3"}`,
      )
      expect(read.brushes).toMatchObject([{ faces, foreign: null }])
      expect(read.entities).toMatchObject([{ classname: 'light', origin: point(1, 2, 3) }])
    }
  })

  it('is read, with planes as numbers', () => {
    const planes = ['1 0 0 -64', '-1 0 0 0', '0 1 0 -32', '0 -1 0 0', '0 0 1 -16', '0 0 -1 0']
    const lines = planes.map((plane) => `( ${plane} ) ${MATRIX} "textures/base" 0 0 0`)
    const [brush] = parseMap(
      `Version 2\n{\n"classname" "worldspawn"\n{\nbrushDef3\n{\n${lines.join('\n')}\n}\n}\n}`,
    ).brushes
    const asPoints = corners(faces)
    expect(corners(brush!.faces)).toHaveLength(8)
    expect(corners(brush!.faces)).toEqual(expect.arrayContaining(asPoints))
    const solid = solidOf(brush!.faces)
    if (typeof solid === 'string') throw new Error(solid)
    expect([holds(solid, point(64, 32, 16)), holds(solid, point(64, 32, 16.000001))]).toEqual([true, false])
    expect(distanceBefore(solid, point(60, 16, 8))).toBe(-4)
    expect(distanceBefore(solid, point(64, 16, 18.5))).toBe(2.5)
  })

  it('may have quotes in its texts', () => {
    const { entities } = parseMap('{\n"message" "say "hi""\n"classname" "a;b // c"\n"origin" "0 0 0" // here\n}')
    expect(entities).toMatchObject([{ classname: 'a;b // c' }])
  })

  it('keeps a patch as a brush without planes', () => {
    const { brushes } = parseMap(
      '{\n"classname" "worldspawn"\n{\npatchDef2\n{\nx\n( 3 3 0 0 0 )\n(\n( 1 2 3 )\n)\n}\n}\n}',
    )
    expect(brushes).toMatchObject([{ number: 0, line: 3, faces: [], foreign: 'patchDef2' }])
  })

  it.each([
    ['{\n"classname" "light"', 'line 3: the file ends within an entity'],
    ['hello', 'line 1: expected { of an entity, found "hello"'],
    ['{\n{\n( 0 0 0 ) ( 1 0 0 ) stone\n}\n}', 'line 3: expected a face'],
    ['{\n{\nbrushDef\n{\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) ( ( 1 0', 'line 6: the file ends within a face'],
    ['{\n{\n( 0 0 0 1 ) }\n}', 'line 3: expected a face'],
    ['{ "a" "b\n" }', 'line 1: expected "key" "value"'],
    ['{\n"origin" "1 2"\n}', 'line 1: the origin of this unnamed is no point: "1 2"'],
    ['{\n{\n( 1e999 0 0 ) ( 1 0 0 ) ( 0 1 0 ) stone\n}\n}', 'line 3: a number of this face is out of range'],
  ])('that is none is refused by line: %j', (bad, message) => {
    expect(() => parseMap(bad)).toThrow(MapError)
    expect(() => parseMap(bad)).toThrow(message)
  })
})

describe('the corners of a brush', () => {
  it('are those of the box that it is', () => {
    const found = corners(boxFaces(point(-3, 0, 0.5), point(64, 32, 16)))
    expect(new Set(found.map(({ x, y, z }) => `${x} ${y} ${z}`)).size).toBe(8)
    for (const { x, y, z } of found)
      expect([[-3, 64].includes(x), [0, 32].includes(y), [0.5, 16].includes(z)]).toEqual([true, true, true])
  })

  it('are the doubles nearest to where the planes meet', () => {
    // x + y + z = 1 with x = y = z
    const faces: FacePoints[] = [
      [point(1, 0, 0), point(0, 1, 0), point(0, 0, 1)].reverse() as FacePoints,
      ...boxFaces(point(1 / 3, -4, -4), point(8, 8, 8)),
    ]
    const found = corners(faces)
    const exact = found.find(({ y, z }) => y === -4 && z < 8 && z > -4)!
    // 1 − 1/3 + 4, of the double nearest to 1/3
    expect(exact.z).toBe(5 - 1 / 3)
  })

  it.each([
    [[] as FacePoints[], 'it has 0 faces'],
    [boxFaces(point(0, 0, 0), point(1, 1, 1)).slice(1), 'its faces do not close'],
    [boxFaces(point(0, 0, 0), point(1, 1, 0)), 'it has no volume'],
    [boxFaces(point(0, 0, 0), point(1, 1, -1)), 'its faces leave nothing between them'],
    [
      [...boxFaces(point(0, 0, 0), point(1, 1, 1)), [point(0, 0, 0), point(1, 1, 1), point(2, 2, 2)] as FacePoints],
      'the three points of its face 6 lie on a line',
    ],
  ])('are told from what has none: %#', (faces, why) => {
    const solid = solidOf(faces)
    expect(typeof solid === 'string' ? solid : cornersOf(solid)).toBe(why)
  })

  it('lie behind all planes, and every point between them does', () => {
    const whole = fc.integer({ min: -64, max: 64 })
    const any = fc.record({ x: whole, y: whole, z: whole })
    fc.assert(
      fc.property(fc.array(any, { minLength: 3, maxLength: 9 }), any, (cuts, probe) => {
        const box = boxFaces(point(-50, -50, -50), point(50, 50, 50))
        // planes through what is cut off by three points, turned so that the middle stays
        const faces = [...box]
        for (let i = 0; i + 2 < cuts.length; i += 3) {
          const face = cuts.slice(i, i + 3) as FacePoints
          const one = solidOf([face, ...box])
          if (typeof one === 'string') continue
          faces.push(
            holds({ ...one, planes: one.planes.slice(0, 1) }, point(0, 0, 0))
              ? face
              : (face.toReversed() as FacePoints),
          )
        }
        const solid = solidOf(faces)
        if (typeof solid === 'string') return
        const found = cornersOf(solid)
        if (typeof found === 'string') return
        const inside = holds(solid, probe)
        // the middle of whole corners lies inside
        if (found.every(({ x, y, z }) => [x, y, z].every(Number.isInteger))) {
          for (const p of found) expect(holds(solid, p)).toBe(true)
        }
        const box3 = (axis: keyof Point) =>
          [Math.min(...found.map((p) => p[axis])), Math.max(...found.map((p) => p[axis]))] as const
        if (inside) {
          for (const axis of ['x', 'y', 'z'] as const) {
            const [least, most] = box3(axis)
            expect(probe[axis]).toBeGreaterThanOrEqual(least)
            expect(probe[axis]).toBeLessThanOrEqual(most)
          }
        }
      }),
      runs(300),
    )
  })
})

const level = resolve(import.meta.dirname, '../../../shared/data/quake/librequake-e3m4.map')
describe.skipIf(!existsSync(level))('a level of LibreQuake (skipped when ../shared is absent)', () => {
  it('is read whole, and every brush has corners', async () => {
    const { brushes, entities } = await readMap(level)
    expect(brushes).toHaveLength(3441)
    expect(entities).toHaveLength(594)
    for (const { faces } of brushes) expect(corners(faces).length).toBeGreaterThanOrEqual(4)
  })
})
