// The query `sectors`: which cells of a grid bodies pass through, and which of their edges or triangles do.

import { MAX_SECTORS, type SectorBody } from '../../../schemas/queries/sectors.ts'
import { finishAtOnce, Pace } from '../../containers/budget.ts'
import { PassedCells } from '../../core/passed-cells.ts'
import { type SectorGrid, type SectorShapes, TooManyPassages } from '../../core/sectors.ts'
import { PLANE_SECTORS } from '../../core2d/queries/sectors.ts'
import { SPACE_SECTORS } from '../../core3d/queries/sectors.ts'
import {
  checkLength,
  type DecodeProblem,
  inRange,
  MAX_COORDINATE,
  problemAt,
  under,
} from '../../wire/decode-problem.ts'
import type { QueryLimits } from '../ask/query.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

/** A grid of either dimension. */
export interface WireGrid {
  origin: { x: number; y: number; z?: number }
  cellSize: number
  columns: number
  rows: number
  layers?: number
}

interface Request<Wire> {
  bodies: readonly Wire[]
  grid: WireGrid
}

function query<K extends Kinds>(
  { createSlot, decodeBody, details, problems }: Geometry<K>,
  shapes: SectorShapes<K['body']>,
) {
  const slot = createSlot()
  return {
    tag: 'many' as const,
    summary: 'Which cells of a grid do bodies pass through?',
    description:
      'Lists, for each cell of a grid that anything passes, the bodies in it, and which of their edges or triangles pass through it: what bodies that move over a static map look their neighbours up in. Cells are closed: touching counts, exactly as overlap of the cell and the body has it. cover is full where the body holds the whole cell; in space, a cell that only several children of a compound hold together is part.',
    advice: `Ask for fewer cells at a time, or for shapes with fewer ${details}.`,
    problems: [...problems, 'too-many-bodies' as const, 'too-many-cells' as const],
    answer({ bodies, grid }: Request<K['wire']>, limits: QueryLimits) {
      const cells = gridOf(grid)
      const problem = checkLength('bodies', bodies, 'too-many-bodies', limits.maxBodies) ?? checkGrid(cells)
      if (problem !== null) return problem
      const passed = new PassedCells(cells, limits.maxPairs)
      for (let i = 0; i < bodies.length; i++) {
        const wrong = decodeBody(bodies[i], slot, limits)
        if (wrong !== null) return under(`/bodies/${i}`, wrong)
        try {
          passed.add(i, slot, shapes)
        } catch (error) {
          if (error instanceof TooManyPassages) return tooManyPassages(limits.maxPairs, `The first ${i + 1} bodies`)
          throw error
        }
      }
      const encode = (body: number, cover: 'part' | 'full', count: number, parts: number[]): SectorBody => {
        return { body, cover, count, parts }
      }
      return { cells: finishAtOnce(passed.list(encode, Infinity, new Pace())).cells }
    },
  }
}

export function gridOf({ origin, cellSize, columns, rows, layers }: WireGrid): SectorGrid {
  return layers === undefined
    ? { origin: [origin.x, origin.y], cellSize, counts: [columns, rows] }
    : { origin: [origin.x, origin.y, origin.z ?? 0], cellSize, counts: [columns, rows, layers] }
}

export function checkGrid({ origin, cellSize, counts }: SectorGrid): DecodeProblem | null {
  const actual = counts.reduce((product, count) => product * count, 1)
  if (actual > MAX_SECTORS) {
    const detail = `grid must have at most ${MAX_SECTORS} cells, got ${counts.join(' · ')}.`
    return problemAt('/grid', 'too-many-cells', detail, { limit: MAX_SECTORS, actual })
  }
  for (const [k, count] of counts.entries()) {
    const end = origin[k] + count * cellSize
    if (inRange(origin[k]) && inRange(end)) continue
    const detail = `grid must not reach beyond ${MAX_COORDINATE} along ${'xyz'[k]}, reaches ${end}.`
    return problemAt('/grid', 'coordinate-out-of-range', detail)
  }
  return null
}

/** `bodies`: which, as the subject of a sentence. */
export function tooManyPassages(limit: number, bodies: string): DecodeProblem {
  const detail = `${bodies} pass through cells more than ${limit} times, counted for each edge or triangle.`
  return problemAt('/grid', 'too-many-cells', detail, { limit, actual: limit + 1 })
}

export const sectorsQuery: InBoth<'sectors'> = {
  '2d': query(PLANE, PLANE_SECTORS),
  '3d': query(SPACE, SPACE_SECTORS),
}
