// Regions that are turned by odd angles and stand far away come back from a file as regions, of the same area: rounding may not make
// rings cross that touch, or that nearly do.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ImportFormat } from '../../schemas/scenes/import.ts'
import type { RegionShape } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { createOutline } from '../../src/core2d/outline/outline.ts'
import { setRegion } from '../../src/core2d/outline/region.ts'
import { createOutlineFault } from '../../src/core2d/outline/ring-check.ts'
import { flatGeometry } from '../../src/export/geojson.ts'
import { svgElement } from '../../src/export/svg.ts'
import { PLAIN_FRAME } from '../../src/import/body-in-frame.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { importFile } from '../support/imported-file.ts'
import { unshrunk } from '../support/runs.ts'

function isRegion(rings: readonly (readonly Vec2[])[]): boolean {
  const points = Float64Array.from(rings.flat().flatMap(({ x, y }) => [x, y]))
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1]! + ring.length)
  return setRegion(createOutline(), points, starts, rings.length, 0, createOutlineFault())
}

const ringsOf = ({ outer, holes = [] }: RegionShape): readonly (readonly Vec2[])[] => [outer, ...holes]

function areaOf(shape: RegionShape): number {
  const areas = ringsOf(shape).map((ring) => {
    const [o] = ring as [Vec2]
    let twice = 0
    for (const [k, p] of ring.entries()) {
      const q = ring[(k + 1) % ring.length]!
      twice += (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x)
    }
    return Math.abs(twice) / 2
  })
  return areas[0]! - areas.slice(1).reduce((sum, area) => sum + area, 0)
}

const coordinate = fc.integer({ min: -9, max: 9 })
const grid = fc.record({ x: coordinate, y: coordinate })
const share = fc.double({ min: 0.01, max: 0.99, noNaN: true })
const between = (a: Vec2, b: Vec2, t: number): Vec2 => ({ x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) })

/** Polygons of grid points, among which vertices lie on other edges often. */
const polygon = fc.array(grid, { minLength: 3, maxLength: 9 }).map((outer): RegionShape => ({ type: 'region', outer }))
/** Goes back close beside its first edge. */
const notched = fc
  .tuple(grid, grid, grid, share, share)
  .map(
    ([a, c, e, t, u]): RegionShape => ({ type: 'region', outer: [a, c, between(between(a, c, t), e, u * 1e-13), e] }),
  )
/** Boxes with holes that touch their sides, or each other. */
const holed = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 3 }),
    fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
  )
  .map(([columns, rows, isThere]): RegionShape => {
    const holes = Array.from({ length: columns * rows }, (_, k) => {
      const [x, y] = [6 * (k % columns), 6 * Math.floor(k / columns)]
      return [
        { x: x + 3, y },
        { x, y: y + 2 },
        { x: x + 3, y: y + 6 },
        { x: x + 6, y: y + 2 },
      ]
    }).filter((_, k) => isThere[k])
    const outer = [
      { x: 0, y: 0 },
      { x: 6 * columns, y: 0 },
      { x: 6 * columns, y: 6 * rows },
      { x: 0, y: 6 * rows },
    ]
    return { type: 'region', outer, holes }
  })
const region = fc.oneof(polygon, notched, holed).filter((shape) => isRegion(ringsOf(shape)) && areaOf(shape) > 1e-9)
const angle = fc.double({ min: -7, max: 7, noNaN: true })
const away = fc.double({ min: -1, max: 1, noNaN: true })
const pose = fc
  .tuple(angle, away, away, fc.integer({ min: 0, max: 9 }))
  .map(([turn, x, y, far]) => ({ x: x * 10 ** far, y: y * 10 ** far, angle: turn }))

const WINDOW = { minX: 0, minY: 0, maxX: 1, maxY: 1 }
const formats: Record<
  string,
  { format: ImportFormat; write(shape: RegionShape, at: { x: number; y: number; angle: number }): string }
> = {
  svg: {
    format: 'svg',
    write: (shape, at) =>
      `<svg xmlns="http://www.w3.org/2000/svg">${svgElement({ shape, pose: at }, '', WINDOW)}</svg>`,
  },
  geojson: {
    format: 'geojson',
    write: (shape, at) => {
      const { type, rings } = flatGeometry({ shape, pose: at }, { tolerance: 1, mostChords: 16 })!
      return JSON.stringify({ type, coordinates: rings.map((ring) => ring.map(({ x, y }) => [x, y])) })
    },
  },
}

it.each(Object.keys(formats))('%s', (name) => {
  const { format, write } = formats[name]!
  let crossed = 0
  fc.assert(
    fc.property(region, pose, (shape, at) => {
      const [cos, sin] = [Math.cos(at.angle), Math.sin(at.angle)]
      const place = (p: Vec2) => ({ x: cos * p.x - sin * p.y, y: sin * p.x + cos * p.y })
      if (!isRegion(ringsOf(shape).map((ring) => ring.map(place)))) crossed++
      const file = importFile({
        kind: 'import',
        files: { main: { name: '', bytes: Buffer.from(write(shape, at)) }, others: [] },
        options: { dimension: 2, format, source: 'a', merge: true, tolerance: 0.05, frame: PLAIN_FRAME, repair: false },
        limits: SCHEMA_LIMITS,
        mostBodies: 9,
        mostPieces: 9,
      })
      if (isProblem(file)) throw new Error(file.detail)
      expect(file.skipped).toEqual([])
      expect(file.bodies).toHaveLength(1)
      const back = JSON.parse(file.bodies[0]!.form)
      const kept = back.type === 'polygon' ? { type: 'region', outer: back.vertices } : back
      expect(kept.type).toBe('region')
      expect(Math.abs(areaOf(kept as RegionShape) - areaOf(shape))).toBeLessThan(
        1e-13 * 400 * (1 + Math.hypot(at.x, at.y)),
      )
    }),
    unshrunk(600),
  )
  expect(crossed).toBeGreaterThan(5)
})
