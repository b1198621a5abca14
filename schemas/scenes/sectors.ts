// POST /v1/2d/scenes/{sceneId}/sectors and /v1/3d/…: which cells of a grid do bodies of a scene pass through?

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Examples, plane, space } from '../dimensions.ts'
import { passage, SectorGrid, SectorGrid3d } from '../queries/sectors.ts'
import { named, reference } from '../reference.ts'
import { bodyName, selection, truncated, version } from './probe.ts'

const SceneSectorBody = Type.Object(
  { id: bodyName('The body.'), ...passage },
  named('SceneSectorBody', 'A body of the scene in a cell of a grid.'),
)
export type SceneSectorBody = Static<typeof SceneSectorBody>

/** `places`: numbers that name a cell. */
function sceneSectors<G extends TSchema>({ tag }: { tag: string }, grid: G, places: number, examples: Examples) {
  const isSpace = places > 2
  const request = Type.Object(
    { grid: reference(grid), ...selection },
    named(`SceneSectors${tag}Request`, 'A grid of cells. The limit counts cells.', examples.request),
  )
  const response = Type.Object(
    {
      version,
      cells: Type.Array(
        Type.Array(Type.Unknown({ description: 'A coordinate, or last the list of SceneSectorBody.' }), {
          minItems: places + 1,
          maxItems: places + 1,
          description: `A cell: column, row${isSpace ? ', layer' : ''}, each from 0, and the list of the bodies in it (each a SceneSectorBody), by id.`,
        }),
        {
          description: `The cells that any body passes, by ${isSpace ? 'layer, row and column' : 'row and column'}; a cell is closed, and a body that touches it passes it.`,
        },
      ),
      truncated: { ...truncated, description: 'True when cells were left out: the last ones.' },
    },
    named(`SceneSectors${tag}Response`, 'The cells that bodies of the scene pass through.', examples.response),
  )
  return { request, response }
}

const part = (id: string) => ({ id, cover: 'part', count: 1, parts: [] })

export const { request: SceneSectorsRequest, response: SceneSectorsResponse } = sceneSectors(plane, SectorGrid, 2, {
  request: {
    'static-map': {
      grid: { origin: { x: 0, y: -1 }, cellSize: 4, columns: 3, rows: 2 },
      filter: { ids: { exclude: ['hero'] } },
    },
    'first-cells': { grid: { origin: { x: -10, y: -1 }, cellSize: 1, columns: 20, rows: 10 }, limit: 2 },
  },
  response: [
    {
      version: 2,
      cells: [
        [0, 0, [part('floor')]],
        [1, 0, [part('crate'), part('floor')]],
        [2, 0, [part('crate'), part('floor')]],
      ],
      truncated: false,
    },
  ],
})
export type SceneSectorsResponse = Static<typeof SceneSectorsResponse>

export const { request: SceneSectors3dRequest, response: SceneSectors3dResponse } = sceneSectors(
  space,
  SectorGrid3d,
  3,
  {
    request: {
      'static-map': {
        grid: { origin: { x: 0, y: -1, z: 0 }, cellSize: 4, columns: 3, rows: 2, layers: 1 },
        filter: { ids: { exclude: ['hero'] } },
      },
    },
    response: [
      {
        version: 2,
        cells: [
          [0, 0, 0, [part('floor')]],
          [1, 0, 0, [part('crate'), part('floor')]],
          [2, 0, 0, [part('crate'), part('floor')]],
        ],
        truncated: false,
      },
    ],
  },
)
