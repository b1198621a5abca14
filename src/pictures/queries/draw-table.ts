// One measure of every pair of two lists of bodies: the bodies, and the table if it is small.

import type { TableRequest, TableResponse } from '../../../schemas/queries/table.ts'
import { addBody, addKey, createPicture, type Picture, type ShapeMark } from '../marks/picture.ts'
import { counted, quantity } from '../marks/picture-text.ts'
import { linkPairs, MOST_LINKS } from './draw-pairs.ts'
import { addCourse, isMoving, shownTime } from './ghosts.ts'

/** Rows and columns of a table that is written out. */
const MOST_WRITTEN = 12
/** Bodies whose ways are drawn. */
export const MOST_WAYS = 60

const VERBS = {
  overlap: ['overlaps', 'overlap'],
  distance: ['is at distance 0', 'are at distance 0'],
  separation: ['meets', 'meet'],
  'time-of-impact': ['meets in time', 'meet in time'],
}
export function drawTable({ a, b, duration = 0 }: TableRequest, { measure, values }: TableResponse): Picture {
  const picture = createPicture([...a, ...b])
  if (measure === 'time-of-impact') addWays(picture, { a, b, duration })
  const marksA = a.map((body, i) => addBody(picture, body, 'a', { name: `a${i}` }))
  const marksB = b.map((body, j) => addBody(picture, body, 'b', { name: `b${j}` }))
  tellTable(picture, marksA, marksB, { measure, values } as TableResponse)
  return picture
}

/** What is written of a table, and lines between those that meet; in the plane or in space. */
export function tellTable(
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
  if (a.length > MOST_WRITTEN || b.length > MOST_WRITTEN || a.length === 0 || b.length === 0) return
  picture.table = [
    ['', ...b.map((_, j) => `b${j}`)],
    ...values.map((row, i) => [`a${i}`, ...row.map((value) => cellText(value))]),
  ]
}

type Value = TableResponse['values'][number][number]

function meets(value: Value, measure: TableResponse['measure']): boolean {
  if (typeof value === 'boolean') return value
  // Without a time nothing meets; without a separation nothing parts.
  if (measure === 'time-of-impact') return value !== null
  return value === null || value <= 0
}

function cellText(value: Value): string {
  if (value === null) return '–'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : quantity(value)
}

function addWays(picture: Picture, { a, b, duration }: Required<Pick<TableRequest, 'a' | 'b' | 'duration'>>): void {
  const bodies = [...a, ...b]
  if (bodies.length > MOST_WAYS || !bodies.some(isMoving)) return
  const until = shownTime(picture, bodies, duration)
  for (const body of a) addCourse(picture, { body, until, ghost: 'a-ghost', path: 'path-a' })
  for (const body of b) addCourse(picture, { body, until, ghost: 'b-ghost', path: 'path-b' })
  addKey(picture, 'a-ghost', 'on the way')
}
