// POST /v1/2d/scenes/{sceneId}/sectors: which cells of a grid do bodies of a scene pass through?

import { type Static, Type } from '@sinclair/typebox'
import { passage, SectorGrid } from '../queries/sectors.ts'
import { named, reference } from '../reference.ts'
import { bodyName, selection, truncated, version } from './probe.ts'

export const SceneSectorsRequest = Type.Object(
  { grid: reference(SectorGrid), ...selection },
  named('SceneSectorsRequest', 'A grid of cells. The limit counts cells.', {
    'static-map': {
      grid: { origin: { x: 0, y: -1 }, cellSize: 4, columns: 3, rows: 2 },
      filter: { ids: { exclude: ['hero'] } },
    },
    'first-cells': { grid: { origin: { x: -10, y: -1 }, cellSize: 1, columns: 20, rows: 10 }, limit: 2 },
  }),
)
export type SceneSectorsRequest = Static<typeof SceneSectorsRequest>

const SceneSectorBody = Type.Object(
  { id: bodyName('The body.'), ...passage },
  named('SceneSectorBody', 'A body of the scene in a cell of a grid.'),
)
export type SceneSectorBody = Static<typeof SceneSectorBody>

export const SceneSectorsResponse = Type.Object(
  {
    version,
    cells: Type.Array(
      Type.Array(Type.Unknown({ description: 'A coordinate, or last the list of SceneSectorBody.' }), {
        minItems: 3,
        maxItems: 3,
        description:
          'A cell: column, row, each from 0, and the list of the bodies in it (each a SceneSectorBody), by id.',
      }),
      {
        description:
          'The cells that any body passes, by row and column; a cell is closed, and a body that touches it passes it.',
      },
    ),
    truncated: { ...truncated, description: 'True when cells were left out: the last ones.' },
  },
  named('SceneSectorsResponse', 'The cells that bodies of the scene pass through.', [
    {
      version: 2,
      cells: [
        [0, 0, [{ id: 'floor', cover: 'part', count: 1, parts: [] }]],
        [
          1,
          0,
          [
            { id: 'crate', cover: 'part', count: 1, parts: [] },
            { id: 'floor', cover: 'part', count: 1, parts: [] },
          ],
        ],
        [
          2,
          0,
          [
            { id: 'crate', cover: 'part', count: 1, parts: [] },
            { id: 'floor', cover: 'part', count: 1, parts: [] },
          ],
        ],
      ],
      truncated: false,
    },
  ]),
)
export type SceneSectorsResponse = Static<typeof SceneSectorsResponse>
