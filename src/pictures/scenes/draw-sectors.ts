// Sectors of a scene: the cells of a grid that bodies pass through.

import type { SceneSectorBody } from '../../../schemas/scenes/sectors.ts'
import { addKey, counted } from '../picture.ts'
import { type SceneDrawing, tellTruncated } from './question.ts'

/** Column, row, in space layer, and the bodies. */
type Cell = readonly [...place: number[], bodies: readonly SceneSectorBody[]]

const bodiesOf = (cell: Cell) => cell[cell.length - 1] as readonly SceneSectorBody[]

export const sectorsDrawing: SceneDrawing<'sectors'> = {
  *involved(_request, { cells }) {
    for (const cell of cells as readonly unknown[] as readonly Cell[])
      for (const { id } of bodiesOf(cell)) yield [id, 'met']
  },
  draw({ request, answer, tally }, open) {
    const { origin, cellSize } = request.grid
    const canvas = open(origin)
    const { picture } = canvas
    const from = canvas.numbers(origin)
    const cells = answer.cells as readonly unknown[] as readonly Cell[]
    let held = 0
    for (const cell of cells) {
      const isFull = bodiesOf(cell).some(({ cover }) => cover === 'full')
      if (isFull) held++
      const corner = (next: number) =>
        canvas.vector(from.map((side, k) => side + ((cell[k] as number) + next) * cellSize))
      canvas.addBody(canvas.aabb(corner(0), corner(1)), isFull ? 'sector-full' : 'sector')
    }
    const { count } = tally.cells
    picture.heading = count === 0 ? 'No body passes through a cell.' : `Bodies pass through ${counted(count, 'cell')}.`
    if (count > 0) addKey(picture, 'met', 'passes through cells')
    if (cells.length > held) addKey(picture, 'sector', 'passed')
    if (held > 0) addKey(picture, 'sector-full', 'covered by a body')
    if (count > cells.length) picture.details.push(`The first ${cells.length} of them are drawn.`)
    tellTruncated(picture, answer)
    return canvas
  },
}
