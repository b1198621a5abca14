// Paths of SVG in every way to write them. Arcs are held against the equation of their ellipse.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IDENTITY } from '../../src/import/affine.ts'
import { flattenPath, type Subpath } from '../../src/import/svg-path.ts'
import { runs } from '../support/runs.ts'
import { bodiesOf, imported } from './imported.ts'

interface Point {
  x: number
  y: number
}

const taken = (inside: string, tolerance = 0.05) =>
  imported({ 'a.svg': `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>` }, { format: 'svg', tolerance })
const shapeOf = (d: string, tolerance?: number) => {
  const [body] = bodiesOf(taken(`<path d="${d}"/>`, tolerance))
  return body!.shape
}
const texts = (vertices: Point[]) => vertices.map(({ x, y }) => `${x} ${y}`)
const pointsOf = (d: string) => texts(shapeOf(d).vertices ?? shapeOf(d).outer)

describe('paths', () => {
  it('repeat commands, and go on from where a ring began', () => {
    expect(pointsOf('M0 0 10 0 10 10')).toEqual(['0 0', '10 0', '10 10'])
    expect(pointsOf('m1,1 9,0 0,9z')).toEqual(['1 1', '10 1', '10 10'])
    expect(pointsOf('M0,0h5-2.5.5')).toEqual(['0 0', '5 0', '2.5 0', '3 0'])
    const { children } = shapeOf('m10 10 l10 0 l0 10 z l-5 -5 m1 1 h1')
    const parts = children.map((child: { shape: { vertices: Point[] } }) => texts(child.shape.vertices))
    expect(parts).toEqual([
      ['10 10', '20 10', '20 20'],
      ['10 10', '5 5'],
      ['6 6', '7 6'],
    ])
  })

  it('are closed where they end at their start', () => {
    expect(shapeOf('M0 0H4V4H0V0').type).toBe('polygon')
    expect(shapeOf('M0 0H4V4H0V0Z').vertices).toHaveLength(4)
    expect(shapeOf('M0 0H4V4H0').type).toBe('chain')
    expect(shapeOf('M0 0L4 0Z')).toMatchObject({ type: 'chain', vertices: { length: 2 } })
  })

  it('have polygons and polylines beside them, of an odd count of numbers too', () => {
    const [polygon, polyline] = bodiesOf(taken('<polygon points="0,0 4,0,4-4 7"/><polyline points="0 0 4 0 4 4 0 0"/>'))
    expect(texts(polygon!.shape.vertices)).toEqual(['0 0', '4 0', '4 -4'])
    expect(polyline!.shape).toMatchObject({ type: 'chain', loop: true, vertices: { length: 3 } })
  })
})

describe('relative coordinates', () => {
  /** The same path with every pair as it is after the ones before it, by decimals of `places`. */
  const relative = (ring: [number, number][], places: number) => {
    const decimal = (value: bigint) => {
      const digits = String(value < 0n ? -value : value).padStart(places + 1, '0')
      const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
      return `${value < 0n ? '-' : ''}${text}`
    }
    const whole = ring.map(([x, y]) => [BigInt(x), BigInt(y)] as const)
    const steps = whole.map(([x, y], k) => {
      const [fromX, fromY] = k === 0 ? [0n, 0n] : whole[k - 1]!
      return `${decimal(x - fromX)},${decimal(y - fromY)}`
    })
    const back = [whole[0]![0] - whole.at(-1)![0], whole[0]![1] - whole.at(-1)![1]].map(decimal)
    const doubles = ring.map(([x, y]) => `${Number(`${x}e-${places}`)} ${Number(`${y}e-${places}`)}`)
    return { d: `m ${steps.join(' ')} ${back.join(',')} z`, corners: doubles }
  }

  it('are added as decimals, so that a ring that closes in the file closes', () => {
    const d = 'm 3.9,79.1 4.8,-8.8 1.2,2.6 5.1,1.5 -11.1,4.7 z'
    expect(pointsOf(d)).toEqual(['3.9 79.1', '8.7 70.3', '9.9 72.9', '15 74.4'])
    const { skipped, bodies } = taken(`<path d="${d}"/>`)
    expect([skipped, bodies.length]).toEqual([[], 1])
    expect(pointsOf('m.1.2h.2v.1h-.2z')).toEqual(['0.1 0.2', '0.3 0.2', '0.3 0.3', '0.1 0.3'])
    expect(pointsOf('m1e-1 2e-1 2e-1 0 0 1E-1-.2 0 0-.1z')).toEqual(['0.1 0.2', '0.3 0.2', '0.3 0.3', '0.1 0.3'])
    expect(pointsOf('M1e6 .1l.1 .2 .2 0-.3-.2z')).toEqual(['1000000 0.1', '1000000.1 0.3', '1000000.3 0.3'])
  })

  it('come to the doubles that the same path has in absolute numbers, at any scale', () => {
    const coordinate = fc.integer({ min: -(10 ** 6), max: 10 ** 6 })
    // a step of nothing would be left out of the ring
    const isPlain = (ring: [number, number][]) => new Set(ring.map(String)).size === ring.length
    const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 12 }).filter(isPlain)
    fc.assert(
      fc.property(ring, fc.nat({ max: 25 }), (corners, places) => {
        const { d, corners: expected } = relative(corners, places)
        const subpaths = flattenPath(d, IDENTITY, { tolerance: 1, mostPoints: 1000 })
        expect(subpaths).toMatchObject([{ isClosed: true }])
        expect(texts((subpaths as Subpath[])[0]!.points)).toEqual(expected)
      }),
      runs(300),
    )
  })

  it('close rings of curves and arcs, and subpaths that begin where the last one did', () => {
    const closing = (d: string) => flattenPath(d, IDENTITY, { tolerance: 0.01, mostPoints: 1000 }) as Subpath[]
    for (const last of ['c-.1.1-.2.2-.3-.3', 's-.2.2-.3-.3', 'q-.1.1-.3-.3', 't-.3-.3', 'a1 1 0 0 1-.3-.3']) {
      const [subpath] = closing(`m.7.7.1.2.2.1${last}z`)
      expect(subpath).toMatchObject({ isClosed: true })
      expect(subpath!.points.slice(1)).not.toContainEqual(subpath!.points[0])
    }
    const parts = closing('m.1.7.7.1.1.7-.8-.8zm.3.1.2 0 0 .1-.2-.1zm0 0h.1v.1z')
    expect(parts.map(({ points }) => texts(points))).toEqual([
      ['0.1 0.7', '0.8 0.8', '0.9 1.5'],
      ['0.4 0.8', '0.6 0.8', '0.6 0.9'],
      ['0.4 0.8', '0.5 0.8', '0.5 0.9'],
    ])
  })

  it('are told from what is none', () => {
    const why = (d: string) => taken(`<path d="${d}"/>`).skipped[0]?.why
    expect(why('M0 0L1')).toMatch(/expected a number at character 7, got the end/)
    expect(why('L0 0 1 1')).toMatch(/expected M or m at character 1/)
    expect(why('M0 0a1 1 0 2 1 1 1')).toMatch(/expected 0 or 1/)
    expect(why('M0 0z 1 1')).toMatch(/expected a command/)
    expect(why('M0 0 1e999 0 1 1z')).toMatch(/a number that a double can hold/)
    expect(pointsOf(`M0 0 1e90 0 5 0.${'0'.repeat(500)}1z`)).toEqual(['0 0', '1e+90 0', '5 0', '0 0'])
  })
})

describe('arcs', () => {
  const ends = (d: string) => {
    const points: Point[] = shapeOf(d).vertices
    return [points[0], points.at(-1)]
  }

  it('may be written without anything between their flags', () => {
    const plain = shapeOf('M0 0 a1 1 0 0 1 10 10')
    expect(shapeOf('M0 0 a1 1 0 0110 10')).toEqual(plain)
    expect(shapeOf('M0 0a1,1,0,0,1,10,10')).toEqual(plain)
    // Too small for that: a half circle about 5, 5.
    for (const { x, y } of plain.vertices) expect(Math.hypot(x - 5, y - 5)).toBeCloseTo(5 * Math.SQRT2, 9)
    expect(ends('M0 0 a1 1 0 0110 10')).toEqual([
      { x: 0, y: 0 },
      { x: 10, y: 10 },
    ])
  })

  it('without a radius are lines, and without an extent nothing', () => {
    expect(pointsOf('M0 0 A0 5 0 0 1 10 0')).toEqual(['0 0', '10 0'])
    expect(pointsOf('M0 0 A5 5 0 1 1 0 0 L3 0')).toEqual(['0 0', '3 0'])
    expect(shapeOf('M0 0 A-5 -5 0 0 1 10 0')).toEqual(shapeOf('M0 0 A5 5 0 0 1 10 0'))
  })

  it('go round by their flags', () => {
    // The middle of the arc from 0, 0 to 6, 0 on a circle of radius 5: 1 or 9 from the chord, above it on the screen where clockwise.
    const farthest = (large: number, sweep: number) => {
      const points: Point[] = shapeOf(`M0 0A5 5 0 ${large} ${sweep} 6 0`, 1e-4).vertices
      return points.map(({ y }) => y).reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a))
    }
    expect(farthest(0, 1)).toBeCloseTo(-1, 3)
    expect(farthest(0, 0)).toBeCloseTo(1, 3)
    expect(farthest(1, 1)).toBeCloseTo(-9, 3)
    expect(farthest(1, 0)).toBeCloseTo(9, 3)
  })

  it('lie on their ellipse, however large, and their chords no farther from it than the tolerance', () => {
    const number = fc.integer({ min: 1, max: 2000 })
    fc.assert(
      fc.property(
        number,
        number,
        fc.integer({ min: -180, max: 180 }),
        fc.boolean(),
        fc.boolean(),
        (rx, ry, turn, large, sweep) => {
          const d = `M0 0A${rx} ${ry} ${turn} ${large ? 1 : 0} ${sweep ? 1 : 0} 100 30`
          const points: Point[] = shapeOf(d, 0.1).vertices
          // As a circle: turned back, and divided by the radii.
          const angle = (-turn / 180) * Math.PI
          const flat = points.map(({ x, y }) => ({
            x: (Math.cos(angle) * x - Math.sin(angle) * y) / rx,
            y: (Math.sin(angle) * x + Math.cos(angle) * y) / ry,
          }))
          const [p, q] = [flat[0]!, flat.at(-1)!]
          const half = Math.hypot(q.x - p.x, q.y - p.y) / 2
          const radius = Math.max(1, half)
          const height = Math.sqrt(Math.max(0, radius * radius - half * half)) * (large === sweep ? -1 : 1)
          const middle = {
            x: (p.x + q.x) / 2 - (height * (q.y - p.y)) / (2 * half),
            y: (p.y + q.y) / 2 + (height * (q.x - p.x)) / (2 * half),
          }
          for (const [k, point] of flat.entries()) {
            expect(Math.hypot(point.x - middle.x, point.y - middle.y)).toBeCloseTo(radius, 6)
            if (k === 0) continue
            const before = flat[k - 1]!
            const chord = { x: (point.x + before.x) / 2 - middle.x, y: (point.y + before.y) / 2 - middle.y }
            // Distances are at most as many times longer as the longer radius.
            expect((radius - Math.hypot(chord.x, chord.y)) * Math.max(rx, ry)).toBeLessThan(0.1 + 1e-6)
          }
        },
      ),
      runs(100),
    )
  })

  it('are good to the tolerance after they are enlarged', () => {
    const d = 'M-1 0A1 1 0 0 1 1 0A1 1 0 0 1 -1 0Z'
    const [body] = bodiesOf(taken(`<g transform="scale(1000)"><path d="${d}"/></g>`, 0.01))
    const points: Point[] = body!.shape.vertices
    for (const [k, { x, y }] of points.entries()) {
      const next = points[(k + 1) % points.length]!
      expect(Math.hypot(x, y)).toBeCloseTo(1000, 9)
      expect(1000 - Math.hypot((x + next.x) / 2, (y + next.y) / 2)).toBeLessThanOrEqual(0.01 + 1e-9)
    }
  })
})

describe('hostile paths', () => {
  it('of very many points are refused as soon as there are too many', () => {
    const d = `M0 0${'c9e9 9e9 -9e9 9e9 0 0'.repeat(5000)}`
    expect(taken(`<path d="${d}"/>`, 1e-9).skipped[0]?.why).toMatch(/greater tolerance/)
  })
})
