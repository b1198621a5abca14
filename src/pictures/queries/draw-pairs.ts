// Many bodies: overlapping pairs, a table of one measure of all pairs, and cells of a grid that they pass; in the plane and in space.

import type { Pairs3dRequest, Pairs3dResponse, PairsRequest, PairsResponse } from '../../../schemas/queries/pairs.ts'
import type {
  SectorBody,
  Sectors3dRequest,
  Sectors3dResponse,
  SectorsRequest,
  SectorsResponse,
} from '../../../schemas/queries/sectors.ts'
import type { Table3dRequest, Table3dResponse, TableRequest, TableResponse } from '../../../schemas/queries/table.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, type DrawnBox, type DrawnPart, isEmpty, partsBox } from '../outline.ts'
import { addKey, counted, type Picture, quantity, type ShapeMark } from '../picture.ts'
import { along } from '../pose.ts'
import type { View } from '../stand.ts'
import { type Canvas, planeCanvas, spaceCanvas } from './canvas.ts'

export const pairsDrawers = { table: drawTable, pairs: drawPairs, sectors: drawSectors }
export const pairsDrawers3d = { table: drawTable3d, pairs: drawPairs3d, sectors: drawSectors3d }

/** Maximum number of pairs joined by lines, and of pairs in the legend. */
const MOST_LINKS = 3000
const MOST_WRITTEN = 40

function drawPairs(request: PairsRequest, answer: PairsResponse): Picture {
  return drawBodies(planeCanvas(request.bodies), request, answer)
}

function drawPairs3d(request: Pairs3dRequest, answer: Pairs3dResponse, view: View): Picture {
  return drawBodies(spaceCanvas(request.bodies, view), request, answer)
}

function drawBodies<Body>(
  canvas: Canvas<unknown, Body, never>,
  { bodies, phase }: { bodies: readonly Body[]; phase?: PairsRequest['phase'] },
  answer: PairsResponse,
): Picture {
  const meeting = new Set(answer.pairs.flat())
  const marks = bodies.map((body, i) => canvas.addBody(body, meeting.has(i) ? 'meeting' : 'body', { name: `${i}` }))
  const picture = canvas.finish()
  tellPairs(picture, marks, phase, answer)
  return picture
}

function tellPairs(
  picture: Picture,
  marks: readonly ShapeMark[],
  phase: PairsRequest['phase'],
  { pairs, stats, truncated }: PairsResponse,
): void {
  linkPairs(picture, marks, pairs, 'meet')
  const boxes = phase === 'broad' ? 'Of the boxes of' : 'Of'
  const meet = pairs.length === 1 ? 'meets' : 'meet'
  picture.heading = `${boxes} ${counted(marks.length, 'body', 'bodies')}, ${counted(pairs.length, 'pair')} ${meet}.`
  if (truncated) picture.details.push('There are more pairs than were looked at.')
  picture.details.push(`Found by ${stats.method}: ${stats.reason}.`)
  if (pairs.length > 0) picture.legend.push(pairsText(pairs))
}

/** Joins the middles of pairs by lines. `meaning`: the relation that the lines show. */
function linkPairs(
  picture: Picture,
  marks: readonly ShapeMark[],
  pairs: readonly (readonly number[])[],
  meaning: string,
): void {
  const boxes = new Map<number, DrawnBox>()
  const boxOf = (index: number) => {
    const known = boxes.get(index) ?? partsBox(marks[index].parts)
    boxes.set(index, known)
    return known
  }
  for (const [i, j] of pairs.slice(0, MOST_LINKS)) {
    const p = middleOf(marks[i].parts, boxOf(i), boxOf(j))
    const q = middleOf(marks[j].parts, boxOf(j), boxOf(i))
    if (p !== null && q !== null) picture.strokes.push({ form: 'polyline', points: [p, q], role: 'link' })
  }
  if (pairs.length > 0) addKey(picture, 'link', meaning)
  if (pairs.length > MOST_LINKS) picture.details.push(`The first ${MOST_LINKS} pairs are joined by lines.`)
}

/** The middle of the parts; for a half-plane the point of its boundary nearest to the other body. null if there is none. */
function middleOf(parts: readonly DrawnPart[], box: DrawnBox, other: DrawnBox): Vec2 | null {
  if (!isEmpty(box)) return boxCentre(box)
  const [part] = parts
  if (part?.kind !== 'halfplane' || isEmpty(other)) return null
  const { x, y, nx, ny } = part
  const centre = boxCentre(other)
  return along(centre, { x: nx, y: ny }, (x - centre.x) * nx + (y - centre.y) * ny)
}

function pairsText(pairs: readonly (readonly number[])[]): string {
  const written = pairs.slice(0, MOST_WRITTEN).map(([i, j]) => `${i}–${j}`)
  const more = pairs.length > MOST_WRITTEN ? `, … and ${pairs.length - MOST_WRITTEN} more` : ''
  return `Pairs: ${written.join(', ')}${more}`
}

/** Maximum number of rows, and of columns, of a table that is drawn. */
const MOST_CELLS = 12
/** Maximum number of bodies whose paths are drawn. */
const MOST_WAYS = 60

const VERBS = {
  overlap: ['overlaps', 'overlap'],
  distance: ['is at distance 0', 'are at distance 0'],
  separation: ['meets', 'meet'],
  'time-of-impact': ['meets in time', 'meet in time'],
}
function drawTable(request: TableRequest, answer: TableResponse): Picture {
  return drawLists(planeCanvas([...request.a, ...request.b]), request, answer)
}

function drawTable3d(request: Table3dRequest, answer: Table3dResponse, view: View): Picture {
  return drawLists(spaceCanvas([...request.a, ...request.b], view), request, answer)
}

interface Lists<Body> {
  a: readonly Body[]
  b: readonly Body[]
  duration?: number
}

function drawLists<Body>(canvas: Canvas<unknown, Body, never>, lists: Lists<Body>, answer: TableResponse): Picture {
  if (answer.measure === 'time-of-impact') addWays(canvas, lists)
  const marksA = lists.a.map((body, i) => canvas.addBody(body, 'a', { name: `a${i}` }))
  const marksB = lists.b.map((body, j) => canvas.addBody(body, 'b', { name: `b${j}` }))
  const picture = canvas.finish()
  tellTable(picture, marksA, marksB, answer)
  return picture
}

/** Adds the table, and joins overlapping pairs by lines. */
function tellTable(
  picture: Picture,
  a: readonly ShapeMark[],
  b: readonly ShapeMark[],
  { measure, values }: TableResponse,
): void {
  const pairs: number[][] = []
  let count = 0
  values.forEach((row, i) => {
    row.forEach((value, j) => {
      if (!meets(value, measure)) return
      count++
      if (pairs.length <= MOST_LINKS) pairs.push([i, a.length + j])
    })
  })
  linkPairs(picture, [...a, ...b], pairs, VERBS[measure][1])
  picture.heading = `Of ${counted(a.length * b.length, 'pair')}, ${count} ${VERBS[measure][count === 1 ? 0 : 1]}.`
  if (a.length > MOST_CELLS || b.length > MOST_CELLS || a.length === 0 || b.length === 0) return
  picture.table = [
    ['', ...b.map((_, j) => `b${j}`)],
    ...values.map((row, i) => [`a${i}`, ...row.map((value) => cellText(value))]),
  ]
}

type Value = TableResponse['values'][number][number]

function meets(value: Value, measure: TableResponse['measure']): boolean {
  if (typeof value === 'boolean') return value
  // A null time is no impact; a null separation is an overlap that no translation resolves.
  if (measure === 'time-of-impact') return value !== null
  return value === null || value <= 0
}

function cellText(value: Value): string {
  if (value === null) return '–'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : quantity(value)
}

function addWays<Body>(canvas: Canvas<unknown, Body, never>, { a, b, duration = 0 }: Lists<Body>): void {
  const bodies = [...a, ...b]
  if (bodies.length > MOST_WAYS || !bodies.some(canvas.isMoving)) return
  const until = canvas.shownTime(bodies, duration)
  for (const body of a) canvas.addCourse({ body, until, ghost: 'a-ghost', path: 'path-a' })
  for (const body of b) canvas.addCourse({ body, until, ghost: 'b-ghost', path: 'path-b' })
  addKey(canvas.picture, 'a-ghost', 'on the way')
}

/** Maximum number of cells that are drawn. */
const MOST_DRAWN_CELLS = 2000

function drawSectors({ bodies, grid }: SectorsRequest, answer: SectorsResponse): Picture {
  const { origin, cellSize } = grid
  const lineAt = (from: number, index: number) => from + index * cellSize
  return drawCells(planeCanvas(bodies), bodies, answer, ([column, row]) => ({
    shape: {
      type: 'aabb' as const,
      min: { x: lineAt(origin.x, column), y: lineAt(origin.y, row) },
      max: { x: lineAt(origin.x, column + 1), y: lineAt(origin.y, row + 1) },
    },
  }))
}

function drawSectors3d({ bodies, grid }: Sectors3dRequest, answer: Sectors3dResponse, view: View): Picture {
  const { origin, cellSize } = grid
  const cornerAt = (column: number, row: number, layer: number) => ({
    x: origin.x + column * cellSize,
    y: origin.y + row * cellSize,
    z: origin.z + layer * cellSize,
  })
  return drawCells(spaceCanvas(bodies, view), bodies, answer, ([column, row, layer]) => ({
    shape: { type: 'aabb' as const, min: cornerAt(column, row, layer), max: cornerAt(column + 1, row + 1, layer + 1) },
  }))
}

function drawCells<Body>(
  canvas: Canvas<unknown, Body, never>,
  bodies: readonly Body[],
  { cells }: { cells: readonly (readonly unknown[])[] },
  cellAt: (place: readonly number[]) => Body,
): Picture {
  bodies.forEach((body, i) => {
    canvas.addBody(body, 'body', { name: `${i}` })
  })
  let held = 0
  for (const [index, cell] of cells.entries()) {
    const isFull = (cell[cell.length - 1] as readonly SectorBody[]).some(({ cover }) => cover === 'full')
    if (isFull) held++
    if (index < MOST_DRAWN_CELLS) canvas.addBody(cellAt(cell as readonly number[]), isFull ? 'sector-full' : 'sector')
  }
  const picture = canvas.finish()
  picture.heading = `${counted(bodies.length, 'body', 'bodies')}: ${counted(cells.length, 'cell')}, ${held} of them covered.`
  if (cells.length > held) addKey(picture, 'sector', 'passed')
  if (held > 0) addKey(picture, 'sector-full', 'covered by a body')
  if (cells.length > MOST_DRAWN_CELLS) picture.details.push(`The first ${MOST_DRAWN_CELLS} cells are drawn.`)
  return picture
}
