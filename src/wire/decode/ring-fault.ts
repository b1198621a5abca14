// What is said of rings that cross themselves or each other: both edges, and the place.

import type { OutlineFault } from '../../core2d/outline/ring-check.ts'
import type { DecodeProblem } from '../problems/decode-problem.ts'
import { shownPoint } from './shown-point.ts'

/**
 * The sentence and the places of two edges that cross or share a stretch. `pointer`: of a ring, relative to the shape; `starts`: the
 * first vertex of each ring, and the end of the last.
 */
export function describeCrossing(
  { kind, edgeA, edgeB, ringA, ringB, x, y }: OutlineFault,
  pointer: (ring: number) => string,
  starts: readonly number[],
): Pick<DecodeProblem, 'detail' | 'places'> {
  const place = shownPoint({ x, y })
  const crosses = kind === 'crossing'
  const both = `${edgeName('Edge', edgeA, ringA, starts)} and ${edgeName('edge', edgeB, ringB, starts)}`
  const deed = (other: number) => (crosses ? `crosses edge ${other} at` : `runs along edge ${other} from`)
  const one = (edge: number, ring: number, other: number) => ({
    pointer: `${pointer(ring)}/${edge - starts[ring]}`,
    detail: `Edge ${edge}, which starts here, ${deed(other)} ${place}.`,
  })
  return {
    detail: `${both} ${crosses ? `cross at ${place}` : `share a stretch that begins at ${place}`}.`,
    places: [one(edgeA, ringA, edgeB), one(edgeB, ringB, edgeA)],
  }
}

/** `starts`: as above. */
export function edgeName(word: string, edge: number, ring: number, starts: readonly number[]): string {
  const end = edge + 1 < starts[ring + 1] ? edge + 1 : starts[ring]
  const whose = ring === 0 ? '' : `of hole ${ring - 1}, `
  return `${word} ${edge} (${whose}from vertex ${edge} to ${end})`
}
