/** Levels of square tiles: generated ones, and those of an LDtk project beside the repository when it is there. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readLevels } from '../../../examples/ldtk.ts'
import { seededRandom } from '../../support/families/box-sets.ts'

export interface TileLevel {
  name: string
  columns: number
  rows: number
  size: number
  x: number
  y: number
  /** Row by row. */
  solid: boolean[]
}

const PLATFORMER = fileURLToPath(
  new URL('../../../../shared/data/ldtk/Typical_2D_platformer_example.ldtk', import.meta.url),
)
export const platformerPresent = existsSync(PLATFORMER)

export async function platformerLevels(): Promise<TileLevel[]> {
  const levels = await readLevels(PLATFORMER, ['dirt', 'stone'])
  return levels.flatMap(({ identifier, grids }) =>
    grids.map(({ columns, rows, size, cells, x, y }) => ({
      name: identifier,
      columns,
      rows,
      size,
      x,
      y,
      solid: Array.from({ length: columns * rows }, (_, i) => cells[i] !== 0),
    })),
  )
}

/** Noise with long floors and walls in it. */
export function generatedLevel(seed: number, size: number): TileLevel {
  const random = seededRandom(seed)
  const columns = 40
  const rows = 30
  const solid = Array.from({ length: columns * rows }, () => random() < 0.12)
  for (let k = 0; k < 14; k++) {
    const length = 3 + Math.floor(12 * random())
    const start = Math.floor(random() * columns * rows)
    for (let i = 0; i < length; i++) solid[(start + i * (k % 2 === 0 ? 1 : columns)) % solid.length] = true
  }
  return { name: `generated ${seed}`, columns, rows, size, x: 0, y: 0, solid }
}

export function isSolid({ columns, rows, solid }: TileLevel, column: number, row: number): boolean {
  return column < 0 || row < 0 || column >= columns || row >= rows || solid[row * columns + column]
}

/** The solid tiles and a frame of them around the level, as bodies. */
export function tileBodies(level: TileLevel) {
  const { columns, rows, size, x, y } = level
  const bodies = []
  for (let row = -1; row <= rows; row++) {
    for (let column = -1; column <= columns; column++) {
      if (!isSolid(level, column, row)) continue
      const position = { x: x + size * (column + 0.5), y: y + size * (row + 0.5) }
      bodies.push({ id: `tile-${column + 1}-${row + 1}`, shape: { type: 'box', width: size, height: size }, position })
    }
  }
  return bodies
}

/** Runs of tiles whose top (towards lower y) is level, with `clear` free tiles above: their left end and length. */
export function flatFloors(level: TileLevel, clear: number, least: number) {
  const floors: { column: number; row: number; length: number }[] = []
  for (let row = clear; row <= level.rows; row++) {
    let length = 0
    for (let column = 0; column <= level.columns; column++) {
      let isFloor = column < level.columns && isSolid(level, column, row)
      for (let above = 1; above <= clear; above++) isFloor &&= !isSolid(level, column, row - above)
      if (isFloor) {
        length++
        continue
      }
      if (length >= least) floors.push({ column: column - length, row, length })
      length = 0
    }
  }
  return floors
}
