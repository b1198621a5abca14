// POST /v1/2d/sectors and /v1/3d/sectors: which cells of a grid does each body pass through?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { index, real, word } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { MAX_PAIRED_BODIES } from './pairs.ts'

/** Cells of a grid, whether anything passes them or not. */
export const MAX_SECTORS = 10_000_000

/** How a body passes a cell. */
export const passage = {
  cover: word(['part', 'full'], 'full: the body holds the whole closed cell; part: it only passes through it.'),
  count: index(
    'How many parts of the body pass through the cell: edges of chains and regions, triangles of meshes, children of compounds; a convex body is one part. 0 where the cell lies within the body and no edge or triangle of it passes through the cell.',
  ),
  parts: Type.Array(index('Index of an edge, a triangle, or a child.'), {
    description:
      'Those parts, ascending: edges of a chain or region as features number them, triangles of a mesh, children of a compound. Empty for a convex body, which has no parts.',
  }),
}

const SectorBody = Type.Object(
  { body: index('Index of the body in the list of the request.'), ...passage },
  named('SectorBody', 'A body in a cell of a grid.'),
)
export type SectorBody = Static<typeof SectorBody>

function cells(description: string) {
  return Type.Integer({ format: 'int32', minimum: 1, maximum: MAX_SECTORS, description })
}

function sectors<B extends TSchema, G extends TSchema>(
  { tag, body, inSpace }: { tag: string; body: B; inSpace: string },
  grid: G,
  places: number,
  examples: Examples,
) {
  const request = Type.Object(
    {
      bodies: Type.Array(reference(body), {
        maxItems: MAX_PAIRED_BODIES,
        description: 'The bodies; answers name them by their index in this list.',
      }),
      grid: reference(grid),
    },
    named(`Sectors${tag}Request`, `A grid of cells, and bodies${inSpace} that pass through them.`, examples.request),
  )
  const response = Type.Object(
    {
      cells: Type.Array(
        Type.Array(Type.Unknown({ description: 'A coordinate, or last the list of SectorBody.' }), {
          minItems: places + 1,
          maxItems: places + 1,
          description: `A cell: column, row${places > 2 ? ', layer' : ''}, each from 0, and the list of the bodies in it (each a SectorBody), by index.`,
        }),
        {
          description: `The cells that any body passes, by ${places > 2 ? 'layer, row and column' : 'row and column'}; a cell is closed, and a body that touches it passes it.`,
        },
      ),
    },
    named(`Sectors${tag}Response`, `The cells that bodies${inSpace} pass through.`, examples.response),
  )
  return { request, response }
}

const cellSize = real('Side of the cells, a length.', { exclusiveMinimum: 0 })

export const SectorGrid = Type.Object(
  {
    origin: reference(plane.vector, 'The corner of cell (0, 0) with the least coordinates.'),
    cellSize,
    columns: cells('Cells along x.'),
    rows: cells('Cells along y.'),
  },
  named(
    'SectorGrid',
    'Square cells of equal size. Line i along an axis is at origin + i · cellSize, as doubles are multiplied and added.',
  ),
)

export const SectorGrid3d = Type.Object(
  {
    origin: reference(space.vector, 'The corner of cell (0, 0, 0) with the least coordinates.'),
    cellSize,
    columns: cells('Cells along x.'),
    rows: cells('Cells along y.'),
    layers: cells('Cells along z.'),
  },
  named(
    'SectorGrid3d',
    'Cubic cells of equal size. Plane i along an axis is at origin + i · cellSize, as doubles are multiplied and added.',
  ),
)

export const { request: SectorsRequest, response: SectorsResponse } = sectors(plane, SectorGrid, 2, {
  request: {
    'wall-and-ball': {
      bodies: [
        {
          shape: {
            type: 'chain',
            vertices: [
              { x: 0.5, y: 0.5 },
              { x: 2.5, y: 0.5 },
              { x: 2.5, y: 1.5 },
            ],
          },
        },
        { shape: { type: 'circle', radius: 1.5 }, position: { x: 0.5, y: 0.5 } },
      ],
      grid: { origin: { x: 0, y: 0 }, cellSize: 1, columns: 3, rows: 3 },
    },
  },
  response: [
    {
      cells: [
        [
          0,
          0,
          [
            { body: 0, cover: 'part', count: 1, parts: [0] },
            { body: 1, cover: 'full', count: 1, parts: [] },
          ],
        ],
        [
          1,
          0,
          [
            { body: 0, cover: 'part', count: 1, parts: [0] },
            { body: 1, cover: 'part', count: 1, parts: [] },
          ],
        ],
        [
          2,
          0,
          [
            { body: 0, cover: 'part', count: 2, parts: [0, 1] },
            { body: 1, cover: 'part', count: 1, parts: [] },
          ],
        ],
        [0, 1, [{ body: 1, cover: 'part', count: 1, parts: [] }]],
        [1, 1, [{ body: 1, cover: 'part', count: 1, parts: [] }]],
        [2, 1, [{ body: 0, cover: 'part', count: 1, parts: [1] }]],
        [0, 2, [{ body: 1, cover: 'part', count: 1, parts: [] }]],
      ],
    },
  ],
})
export type SectorsRequest = Static<typeof SectorsRequest>
export type SectorsResponse = Static<typeof SectorsResponse>

export const { request: Sectors3dRequest, response: Sectors3dResponse } = sectors(space, SectorGrid3d, 3, {
  request: {
    'box-on-a-grid': {
      bodies: [{ shape: { type: 'box', size: { x: 2, y: 1, z: 0.5 } }, position: { x: 1, y: 0.5, z: 0.25 } }],
      grid: { origin: { x: 0, y: 0, z: 0 }, cellSize: 0.5, columns: 2, rows: 1, layers: 2 },
    },
  },
  response: [
    {
      cells: [
        [0, 0, 0, [{ body: 0, cover: 'full', count: 1, parts: [] }]],
        [1, 0, 0, [{ body: 0, cover: 'full', count: 1, parts: [] }]],
        [0, 0, 1, [{ body: 0, cover: 'part', count: 1, parts: [] }]],
        [1, 0, 1, [{ body: 0, cover: 'part', count: 1, parts: [] }]],
      ],
    },
  ],
})
export type Sectors3dRequest = Static<typeof Sectors3dRequest>
export type Sectors3dResponse = Static<typeof Sectors3dResponse>
