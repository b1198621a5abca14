// Sectors of a scene: the cells of a grid that bodies pass through.

import type { SceneSectorBody } from '../../../schemas/scenes/sectors.ts'
import { addBody, addKey, counted, createPictureAt } from '../picture.ts'
import { type SceneDrawing, tellTruncated } from './question.ts'

type Cell = readonly [column: number, row: number, bodies: readonly SceneSectorBody[]]

export const sectorsDrawing: SceneDrawing<'sectors'> = {
  *involved(_request, { cells }) {
    for (const cell of cells as readonly unknown[] as readonly Cell[]) for (const { id } of cell[2]) yield [id, 'met']
  },
  draw({ request, answer, tally }) {
    const { origin, cellSize } = request.grid
    const picture = createPictureAt(origin)
    const lineAt = (from: number, index: number) => from + index * cellSize
    const cells = answer.cells as readonly unknown[] as readonly Cell[]
    let held = 0
    for (const [column, row, bodies] of cells) {
      const isFull = bodies.some(({ cover }) => cover === 'full')
      if (isFull) held++
      const shape = {
        type: 'aabb' as const,
        min: { x: lineAt(origin.x, column), y: lineAt(origin.y, row) },
        max: { x: lineAt(origin.x, column + 1), y: lineAt(origin.y, row + 1) },
      }
      addBody(picture, { shape }, isFull ? 'sector-full' : 'sector')
    }
    const { count } = tally.cells
    picture.heading = count === 0 ? 'No body passes through a cell.' : `Bodies pass through ${counted(count, 'cell')}.`
    if (count > 0) addKey(picture, 'met', 'passes through cells')
    if (cells.length > held) addKey(picture, 'sector', 'passed')
    if (held > 0) addKey(picture, 'sector-full', 'covered by a body')
    if (count > cells.length) picture.details.push(`The first ${cells.length} of them are drawn.`)
    tellTruncated(picture, answer)
    return picture
  },
}
