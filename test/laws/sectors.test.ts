// Cells of grids: what passes them is what overlap says of each cell and each body, edge, triangle or child; full is what containment says.

import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SectorBody, Sectors3dRequest, SectorsRequest } from '../../schemas/queries/sectors.ts'
import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Body3d } from '../../schemas/shapes3d.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { overlapQuery } from '../../src/queries/stateless/overlap.ts'
import { sectorsQuery } from '../../src/queries/stateless/sectors.ts'
import { GRID, mixedBody, UNIFORM } from '../support/families/arbitraries.ts'
import { bodyOf3d, SHAPE_TYPES_3D } from '../support/families/arbitrary-shapes-3d.ts'
import { mixedComposite } from '../support/families/composite-arbitraries.ts'
import { unshrunk } from '../support/runs.ts'

const limits = queryLimits(loadConfig({}))

type Row = readonly [place: string, body: number, cover: string, parts: string]

function rowsOf(cells: readonly (readonly unknown[])[]): Row[] {
  return cells.flatMap((cell) =>
    (cell[cell.length - 1] as SectorBody[]).map(({ body, cover, parts }): Row => {
      return [cell.slice(0, -1).join(' '), body, cover, parts.join(' ')]
    }),
  )
}

function found<T>(answer: T | { code: string; detail: string }): T {
  if (answer !== null && typeof answer === 'object' && 'code' in answer) throw new Error(answer.detail)
  return answer as T
}

function cellsOf(answer: object): readonly (readonly unknown[])[] {
  return found(answer as { cells: unknown[][] }).cells
}

/** Edges without a length are none. */
function withLength(edges: Body2d[]): (Body2d | null)[] {
  const hasLength = ({ shape }: Body2d) =>
    shape.type === 'segment' && (shape.a.x !== shape.b.x || shape.a.y !== shape.b.y)
  return edges.map((edge) => (hasLength(edge) ? edge : null))
}

/** Each part as a body of its own that stands where it does in the whole. */
function partsOf({ shape, ...pose }: Body2d): (Body2d | null)[] {
  const edge = (a: { x: number; y: number }, b: { x: number; y: number }): Body2d => ({
    shape: { type: 'segment', a, b },
    ...pose,
  })
  const around = (ring: readonly { x: number; y: number }[]) => ring.map((p, i) => edge(p, ring[(i + 1) % ring.length]))
  switch (shape.type) {
    case 'chain':
      return withLength(shape.loop ? around(shape.vertices) : around(shape.vertices).slice(0, -1))
    case 'region':
      return withLength([shape.outer, ...(shape.holes ?? [])].flatMap(around))
    case 'compound':
      return shape.children.map((child) => ({ shape: { type: 'compound', children: [child] } as Shape2d, ...pose }))
    default:
      return []
  }
}

function meet(a: Body2d, b: Body2d): { overlap: boolean; aContainsB?: boolean } {
  return found(overlapQuery['2d'].answer({ a, b, explain: true }, limits)) as never
}

function expectedRows({ bodies, grid: { origin, cellSize, columns, rows } }: SectorsRequest): Row[] {
  const list: Row[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cell: Body2d = {
        shape: {
          type: 'aabb',
          min: { x: origin.x + column * cellSize, y: origin.y + row * cellSize },
          max: { x: origin.x + (column + 1) * cellSize, y: origin.y + (row + 1) * cellSize },
        },
      }
      bodies.forEach((body, index) => {
        const { overlap, aContainsB } = meet(body, cell)
        if (!overlap) return
        const parts = partsOf(body).flatMap((part, i) => (part !== null && meet(part, cell).overlap ? [i] : []))
        list.push([`${column} ${row}`, index, aContainsB ? 'full' : 'part', parts.join(' ')])
      })
    }
  }
  return list
}

const whole = fc.integer({ min: -8, max: 4 })
const grids = fc.oneof(
  fc.record({
    origin: fc.record({ x: whole, y: whole }),
    cellSize: fc.constantFrom(0.5, 1, 2, 3),
    columns: fc.integer({ min: 1, max: 7 }),
    rows: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({
    origin: fc.record({ x: UNIFORM.coordinate, y: UNIFORM.coordinate }),
    cellSize: fc.constantFrom(0.1, 0.7, 1.3),
    columns: fc.integer({ min: 1, max: 6 }),
    rows: fc.integer({ min: 1, max: 6 }),
  }),
)

const scenes: Record<string, Arbitrary<Body2d[]>> = {
  'convex bodies': fc.array(mixedBody(), { minLength: 1, maxLength: 4 }),
  composites: fc.array(mixedComposite(), { minLength: 1, maxLength: 2 }),
}

describe.each(Object.entries(scenes))('cells that %s pass', (_name, scene) => {
  it('are those that overlap says, with their edges, and full where they are contained', () => {
    let full = 0
    let cells = 0
    fc.assert(
      fc.property(scene, grids, (bodies, grid) => {
        // what has no edge with a length is a point, which any of them may name
        const arePoints = bodies.map((body) => partsOf(body).length > 0 && partsOf(body).every((part) => part === null))
        const rows = rowsOf(cellsOf(sectorsQuery['2d'].answer({ bodies, grid }, limits))).map(
          ([place, body, cover, parts]): Row => [place, body, cover, arePoints[body] ? '' : parts],
        )
        expect(rows).toEqual(expectedRows({ bodies, grid }))
        full += rows.filter(([, , cover]) => cover === 'full').length
        cells += rows.length
      }),
      unshrunk(600),
    )
    expect(full).toBeGreaterThan(10)
    expect(cells).toBeGreaterThan(10 * 10)
  })
})

describe('cells as narrow as the last place', () => {
  it('beside a region, whose middles round to its edge, are not full', () => {
    const outer = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 1, y: 1 },
      { x: 0, y: 1 },
    ]
    const grid = { origin: { x: 1, y: 0.5 }, cellSize: 2 ** -52, columns: 1, rows: 1 }
    const bodies: Body2d[] = [{ shape: { type: 'region', outer } }]
    const rows = rowsOf(cellsOf(sectorsQuery['2d'].answer({ bodies, grid }, limits)))
    expect(rows).toEqual([['0 0', 0, 'part', '1']])
    expect(rows).toEqual(expectedRows({ bodies, grid }))
  })
})

const triple = (values: Arbitrary<number>) => fc.record({ x: values, y: values, z: values })
const gridOfSpace = fc.record({
  origin: triple(fc.integer({ min: -4, max: 2 })),
  cellSize: fc.constantFrom(0.5, 1, 2, 3),
  columns: fc.integer({ min: 1, max: 4 }),
  rows: fc.integer({ min: 1, max: 3 }),
  layers: fc.integer({ min: 1, max: 3 }),
})

function expectedRows3d(
  bodies: Body3d[],
  { origin, cellSize, columns, rows, layers }: Sectors3dRequest['grid'],
  partsOf: (body: Body3d) => Body3d[],
): Row[] {
  const ask = (a: Body3d, b: Body3d) =>
    found(overlapQuery['3d'].answer({ a, b, explain: true }, limits)) as { overlap: boolean; aContainsB?: boolean }
  const corner = (c: number, r: number, l: number) => ({
    x: origin.x + c * cellSize,
    y: origin.y + r * cellSize,
    z: origin.z + l * cellSize,
  })
  const list: Row[] = []
  for (let layer = 0; layer < layers; layer++) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const min = corner(column, row, layer)
        const cell: Body3d = { shape: { type: 'aabb', min, max: corner(column + 1, row + 1, layer + 1) } }
        bodies.forEach((body, i) => {
          const { overlap, aContainsB } = ask(body, cell)
          if (!overlap) return
          const parts = partsOf(body).flatMap((part, k) => (ask(part, cell).overlap ? [k] : []))
          list.push([`${column} ${row} ${layer}`, i, aContainsB ? 'full' : 'part', parts.join(' ')])
        })
      }
    }
  }
  return list
}

describe('cells of space', () => {
  const convex = fc.constantFrom(...SHAPE_TYPES_3D).chain((type) => bodyOf3d(type, GRID)) as Arbitrary<Body3d>

  it('are those that overlap says', () => {
    fc.assert(
      fc.property(fc.array(convex, { minLength: 1, maxLength: 3 }), gridOfSpace, (bodies, grid) => {
        const rows = rowsOf(cellsOf(sectorsQuery['3d'].answer({ bodies, grid }, limits)))
        expect(rows).toEqual(expectedRows3d(bodies, grid, () => []))
      }),
      unshrunk(300),
    )
  })

  it('that compounds pass are those that overlap says, with their children, and full where these hold them together', () => {
    const size = triple(fc.integer({ min: 2, max: 5 }))
    const place = triple(fc.integer({ min: -4, max: 0 }))
    /** A box, or a half or both of one that is cut along the diagonals of two faces: less one edge of four corners. */
    const child = fc
      .record({ size, position: place, missing: fc.constantFrom([-1], [0], [3], [0, 3], [0, 3]) })
      .map(({ size: { x, y, z }, position, missing }): Body3d[] =>
        missing.map((edge) => {
          const corners = [0, 1, 2, 3, 4, 5, 6, 7].filter((i) => (i & 3) !== edge)
          const at = (i: number) => ({ x: i & 1 ? x : 0, y: i & 2 ? y : 0, z: i & 4 ? z : 0 })
          return { shape: { type: 'hull', points: corners.map(at) }, position }
        }),
      )
    const compound = fc
      .array(fc.oneof({ weight: 6, arbitrary: child }, { weight: 1, arbitrary: fc.tuple(convex) }), {
        minLength: 1,
        maxLength: 9,
      })
      .map((children): Body3d => ({ shape: { type: 'compound', children: children.flat() } as Body3d['shape'] }))
    const childrenOf = ({ shape }: Body3d): Body3d[] => (shape.type === 'compound' ? (shape.children as Body3d[]) : [])
    let shared = 0
    fc.assert(
      fc.property(compound, gridOfSpace, (body, grid) => {
        const rows = rowsOf(cellsOf(sectorsQuery['3d'].answer({ bodies: [body], grid }, limits)))
        expect(rows).toEqual(expectedRows3d([body], grid, childrenOf))
        const alone = childrenOf(body).flatMap((own) =>
          rowsOf(cellsOf(sectorsQuery['3d'].answer({ bodies: [own], grid }, limits))),
        )
        const isAlone = (cell: string) => alone.some(([other, , cover]) => other === cell && cover === 'full')
        shared += rows.filter(([cell, , cover]) => cover === 'full' && !isAlone(cell)).length
      }),
      unshrunk(300),
    )
    expect(shared).toBeGreaterThan(0)
  })

  // Corner i of a box has bit k set where it is on the greater side of axis k.
  const FACES = [
    0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
  ]

  it('that a solid mesh passes are those of the box whose surface it is, with its triangles', () => {
    const half = triple(fc.integer({ min: 1, max: 6 }).map((n) => n / 2))
    fc.assert(
      fc.property(half, triple(GRID.coordinate), gridOfSpace, fc.boolean(), (size, position, grid, solid) => {
        const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [
          i & 1 ? size.x : -size.x,
          i & 2 ? size.y : -size.y,
          i & 4 ? size.z : -size.z,
        ])
        const place = (i: number) => ({ x: vertices[3 * i], y: vertices[3 * i + 1], z: vertices[3 * i + 2] })
        const triangles = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((t): Body3d => {
          const [a, b, c] = FACES.slice(3 * t, 3 * t + 3).map(place)
          return { shape: { type: 'triangle', a, b, c }, position }
        })
        const box: Body3d = {
          shape: { type: 'box', size: { x: 2 * size.x, y: 2 * size.y, z: 2 * size.z } },
          position,
        }
        const mesh: Body3d = { shape: { type: 'mesh', vertices, triangles: FACES, solid }, position }
        const rows = rowsOf(cellsOf(sectorsQuery['3d'].answer({ bodies: [mesh], grid }, limits)))
        const expected = expectedRows3d([box], grid, () => triangles)
        if (solid) expect(rows).toEqual(expected)
        else
          expect(rows.map(([place, , , parts]) => `${place}: ${parts}`)).toEqual(
            expected.filter(([, , , parts]) => parts !== '').map(([place, , , parts]) => `${place}: ${parts}`),
          )
      }),
      unshrunk(400),
    )
  })
})
