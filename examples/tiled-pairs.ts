// All overlapping pairs of a large world, asked of a running Tangent by every method: the wall cells of an LDtk project, each a box
// of its own, are laid side by side again and again, as levels are in a GridVania world, until there are enough. Cells that
// share an edge or a corner touch, so there are about four pairs to a box.
//
//   npm run example:pairs -- [path.ldtk] [--boxes=50000] [--walls=name,name] [--url=http://127.0.0.1:3000]

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { PairsRequest, PairsResponse } from '../schemas/queries/pairs.ts'
import { isWall } from './cell-outlines.ts'
import { type Box, LdtkError, type Level, readLevels } from './ldtk.ts'
import { count, round, runCommand, table } from './level-command.ts'
import { connect, ServiceError } from './service.ts'

const ROOT = resolve(import.meta.dirname, '..')
const OWN_LEVEL = 'examples/levels/cellar.ldtk'
const METHODS = ['auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force'] as const

/** Every wall cell of every level, the levels in a row. */
function cellsOf(levels: Level[]): Box[] {
  const cells: Box[] = []
  let left = 0
  for (const { grids } of levels) {
    const right = Math.max(0, ...grids.map(({ x, columns, size }) => x + columns * size))
    for (const grid of grids) {
      for (let row = 0; row < grid.rows; row++) {
        for (let column = 0; column < grid.columns; column++) {
          if (!isWall(grid, column, row)) continue
          const min = { x: left + grid.x + column * grid.size, y: grid.y + row * grid.size }
          cells.push({ min, max: { x: min.x + grid.size, y: min.y + grid.size } })
        }
      }
    }
    left += right
  }
  return cells
}

/** So many boxes: copies of the cells in rows and columns, each beside the next, as many rows as make the world about square. */
function tile(cells: Box[], boxes: number): Box[] {
  const width = Math.max(...cells.map(({ max }) => max.x))
  const height = Math.max(...cells.map(({ max }) => max.y))
  const copies = Math.ceil(boxes / cells.length)
  const columns = Math.ceil(Math.sqrt((copies * height) / width))
  return Array.from({ length: boxes }, (_, i) => {
    const copy = Math.floor(i / cells.length)
    const { min, max } = cells[i % cells.length]!
    const x = width * (copy % columns)
    const y = height * Math.floor(copy / columns)
    return { min: { x: min.x + x, y: min.y + y }, max: { x: max.x + x, y: max.y + y } }
  })
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { boxes: { type: 'string' }, walls: { type: 'string' }, url: { type: 'string' } },
  })
  const { boxes = '50000', walls, url = process.env.TANGENT_URL ?? 'http://127.0.0.1:3000' } = values
  // npm runs scripts in the package's folder; INIT_CWD is where the user stood.
  const [file = OWN_LEVEL] = positionals
  const path = resolve(file === OWN_LEVEL ? ROOT : (process.env.INIT_CWD ?? '.'), file)
  const cells = cellsOf(
    await readLevels(
      path,
      walls?.split(',').map((name) => name.trim()),
    ),
  )
  if (cells.length === 0) throw new LdtkError(`${file} has no wall cells`)
  const bodies = tile(cells, Number(boxes)).map(({ min, max }) => ({ shape: { type: 'aabb' as const, min, max } }))
  console.log(
    `${file}: ${count(cells.length, 'wall cell')}, laid side by side to ${count(bodies.length, 'box', 'boxes')}\n`,
  )

  const service = connect(url.replace(/\/+$/, ''))
  const rows = [['method', 'done by', 'pairs', 'box tests', 'narrow tests', 'ms']]
  const answers = new Set<string>()
  for (const method of METHODS) {
    const started = performance.now()
    const { pairs, stats, truncated } = await service.ask<PairsRequest, PairsResponse>('pairs', { bodies, method })
    const milliseconds = performance.now() - started
    answers.add(JSON.stringify(pairs))
    rows.push([
      method,
      stats.method,
      `${pairs.length.toLocaleString('en')}${truncated ? ' and more' : ''}`,
      stats.boxTests.toLocaleString('en'),
      stats.narrowTests.toLocaleString('en'),
      round(milliseconds),
    ])
  }
  console.log(table(rows).join('\n'))
  if (answers.size > 1) throw new ServiceError('\nThe methods did not answer with the same pairs.')
  console.log('\nEvery method answered with the same pairs.')
}

await runCommand(run)
