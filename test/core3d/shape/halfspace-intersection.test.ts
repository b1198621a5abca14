// What lies behind planes: named solids, and random ones against all triples of planes in integers.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { enclosed, type Wall } from '../../../src/core3d/shape/halfspace-intersection.ts'
import { runs } from '../../support/runs.ts'

/** Of x, y, z ≤ 1 and ≥ −1, as four numbers each. */
const CUBE: Wall[] = [0, 1, 2].flatMap((axis) =>
  [1, -1].map((side) => [0, 1, 2, 3].map((k) => (k === axis ? side : k === 3 ? -1 : 0))),
)

const triplesOf = (numbers: readonly number[]) =>
  Array.from({ length: numbers.length / 3 }, (_, k) => numbers.slice(3 * k, 3 * k + 3).join(' ')).sort()
const solidOf = (walls: readonly Wall[]) => {
  const found = enclosed(walls)
  return found.kind === 'solid' ? triplesOf(found.vertices) : found.kind
}
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => `${x} ${y} ${z}`))).sort()

describe('solids behind walls', () => {
  it('are boxes, cut boxes, and pyramids with more than three planes at an apex', () => {
    expect(solidOf(CUBE)).toEqual(CORNERS)
    expect(solidOf([...CUBE, [1, 1, 1, -3]])).toEqual(CORNERS)
    expect(solidOf([...CUBE, [1, 1, 1, -2]])).toEqual(
      [...CORNERS.filter((each) => each !== '1 1 1'), '0 1 1', '1 0 1', '1 1 0'].sort(),
    )
    const slopes: Wall[] = [
      [1, 0, 1, -1],
      [-1, 0, 1, -1],
      [0, 1, 1, -1],
      [0, -1, 1, -1],
    ]
    expect(solidOf([...slopes, [0, 0, -1, 0]])).toEqual(['-1 -1 0', '-1 1 0', '0 0 1', '1 -1 0', '1 1 0'])
  })

  it('come from three points clockwise seen from outside', () => {
    // a wedge as TrenchBroom writes it
    const wedge: Wall[] = [
      [0, 0, 0, 0, 0, 1, 1, 0, 0],
      [0, 0, 0, 1, 0, 0, 0, 1, 0],
      [0, 0, 0, 0, 1, 0, 0, 0, 1],
      [3, 0, 0, 0, 0, 3, 0, 3, 0],
    ]
    expect(solidOf(wedge)).toEqual(['0 0 0', '0 0 3', '0 3 0', '3 0 0'])
    expect(solidOf(wedge.map((wall) => wall.map((value) => value / 10)))).toEqual([
      '0 0 0',
      '0 0 0.3',
      '0 0.3 0',
      '0.3 0 0',
    ])
  })

  it('say which walls have faces, and repeat no wall', () => {
    const line: Wall = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    const found = enclosed([...CUBE, CUBE[0]!, [1, 1, 1, -3], line, [0, 0, 0, 7]])
    const idle = ['idle', 'idle', 'no-plane', 'no-plane']
    expect(found.kind === 'solid' && found.faces).toEqual([...CUBE.map(() => 'face'), ...idle])
    const nearly: Wall = [0, 0, 0, 1, 1, 1, 2, 2, 2.0000000000000004]
    const halved = enclosed([...CUBE, nearly])
    expect(halved.kind === 'solid' && halved.faces.filter((face) => face === 'face')).toHaveLength(5)
  })

  it('may be nothing, flat, or without end', () => {
    expect(solidOf(CUBE.slice(1))).toBe('unbounded')
    expect(solidOf([])).toBe('unbounded')
    expect(solidOf([...CUBE, [1, 0, 0, 2]])).toBe('empty')
    expect(solidOf([...CUBE, [1, 1, 1, 4]])).toBe('empty')
    expect(solidOf([...CUBE, [1, 0, 0, 1]])).toBe('flat')
    expect(solidOf([...CUBE, [1, 1, 0, 2]])).toBe('flat')
    expect(solidOf([...CUBE, [1, 1, 1, 3]])).toBe('flat')
  })

  it('keep vertices apart that are as near as rounding', () => {
    // the apex of the pyramid is an edge of 2^-50
    const slopes: Wall[] = [
      [1, 0, 1, -1 - 2 ** -50],
      [-1, 0, 1, -1],
      [0, 1, 1, -1],
      [0, -1, 1, -1],
    ]
    const solid = solidOf([...slopes, [0, 0, -1, 0]])
    expect(solid).toHaveLength(6)
  })
})

// The oracle: every triple of planes, in whole numbers.

type Three = [bigint, bigint, bigint]
type Whole = readonly [bigint, bigint, bigint, bigint]

function vertexOf(...rows: [Whole, Whole, Whole]): Whole | null {
  /** Of three columns; the last is that of the constants on the other side. */
  const det = (...columns: [number, number, number]): bigint => {
    const [[a, b, c], [d, e, f], [g, h, i]] = columns.map((column) =>
      rows.map((row) => (column === 3 ? -row[3] : (row[column] as bigint))),
    ) as [Three, Three, Three]
    return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e)
  }
  const w = det(0, 1, 2)
  if (w === 0n) return null
  const sign = w > 0n ? 1n : -1n
  return [sign * det(1, 2, 3), sign * -det(0, 2, 3), sign * det(0, 1, 3), sign * w]
}

const smallWall = fc.tuple(
  ...[0, 1, 2].map(() => fc.integer({ min: -3, max: 3 })),
  fc.integer({ min: -6, max: 1 }),
) as fc.Arbitrary<number[]>

describe('random walls', () => {
  it('have the vertices of all triples of planes that lie behind all others', () => {
    fc.assert(
      fc.property(
        fc.array(
          smallWall.filter((wall) => wall.slice(0, 3).some((value) => value !== 0)),
          { maxLength: 9 },
        ),
        (more) => {
          const walls = [...CUBE.map((wall) => wall.map((value, k) => (k === 3 ? -4 : value))), ...more]
          const whole = walls.map((wall) => wall.map(BigInt) as unknown as Whole)
          const expected = new Set<string>()
          for (let i = 0; i < whole.length; i++)
            for (let j = i + 1; j < whole.length; j++)
              for (let k = j + 1; k < whole.length; k++) {
                const vertex = vertexOf(whole[i]!, whole[j]!, whole[k]!)
                if (vertex === null) continue
                const [x, y, z, w] = vertex
                if (whole.every(([a, b, c, d]) => a * x + b * y + c * z + d * w <= 0n))
                  expected.add([x, y, z].map((value) => Number(value) / Number(w)).join(' '))
              }
          const found = enclosed(walls)
          if (found.kind === 'solid') expect(triplesOf(found.vertices)).toEqual([...expected].sort())
          else if (found.kind === 'empty') expect(expected.size).toBe(0)
          else expect(found.kind).toBe('flat')
        },
      ),
      runs(3000),
    )
  })
})
