/**
 * Whether boxes in line with the axes, parts of a compound, hold such a box together, where no one of them does alone.
 *
 * Method: what a part leaves of the box is up to six boxes, of which the next parts leave less. Along each axis the sides, exact sums of
 * position and corner, are put in order once and stand for themselves by their ranks, so nothing is rounded. Closed boxes that cover all but
 * sides cover these too: only pieces with an extent wherever the box has one count.
 * Frame: world axes. Cost: O(parts) steps for each piece, of the parts that are near.
 */

import { spend } from '../../containers/budget.ts'
import { expansionDifference, expansionOf, expansionSign, expansionSum } from '../../numeric/expansion.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { type Body, type Composite, isBare, POSITION, VERTICES } from '../shape/body.ts'
import { boxFrom, partOfLeaf, visitLeaves } from '../shape/composite.ts'

/** Ranks of least x, y, z, greatest x, y, z. */
type Ranks = number[]

/** Whether it is a box in line with the axes, without a skin. */
export function isPlainBox(body: Body): boolean {
  return body.isBox && body.aligned && isBare(body)
}

const near = new Float64Array(6)

/** Whether the plain boxes among the parts of the holder hold the guest, which is one. */
export function boxesHold(holder: Body, guest: Body): boolean {
  const { parts } = holder.composite as Composite
  const bodies = [guest]
  boxFrom(holder, guest, near)
  visitLeaves(holder, near, (leaf) => {
    spend(1)
    const { mesh, body } = parts[partOfLeaf(holder.composite as Composite, leaf)]
    if (mesh === null && isPlainBox(body)) bodies.push(body)
    return false
  })
  const [box, ...tiles] = ranksOf(bodies)
  return isCovered(box, tiles)
}

function isCovered(box: Ranks, tiles: readonly Ranks[]): boolean {
  const waiting = [{ piece: box, from: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { piece, from } = next
    let at = from
    while (at < tiles.length && !reachesInto(tiles[at], piece)) at++
    spend(1 + at - from)
    if (at === tiles.length) return false
    for (let k = 0; k < 3; k++) {
      if (piece[k] < tiles[at][k]) waiting.push({ piece: withSide(piece, k + 3, tiles[at][k]), from: at + 1 })
      if (piece[k + 3] > tiles[at][k + 3]) waiting.push({ piece: withSide(piece, k, tiles[at][k + 3]), from: at + 1 })
      piece[k] = Math.max(piece[k], tiles[at][k])
      piece[k + 3] = Math.min(piece[k + 3], tiles[at][k + 3])
    }
  }
  return true
}

/** Whether a tile has more in common with a piece than sides of it; of a flat one, all of its thickness. */
function reachesInto(tile: Ranks, piece: Ranks): boolean {
  for (let k = 0; k < 3; k++) {
    const isFlat = piece[k] === piece[k + 3]
    if (isFlat ? tile[k] > piece[k] || tile[k + 3] < piece[k] : tile[k] >= piece[k + 3] || tile[k + 3] <= piece[k]) {
      return false
    }
  }
  return true
}

function withSide(piece: Ranks, side: number, rank: number): Ranks {
  const changed = [...piece]
  changed[side] = rank
  return changed
}

/** A side of a body's box: position + corner. */
interface BoxSide {
  body: number
  side: number
  place: number
  corner: number
}

function ranksOf(bodies: readonly Body[]): Ranks[] {
  const ranks = bodies.map((): Ranks => [0, 0, 0, 0, 0, 0])
  for (let k = 0; k < 3; k++) {
    const sides: BoxSide[] = []
    for (const [body, { numbers, count }] of bodies.entries()) {
      spend(count)
      const corners = Array.from({ length: count }, (_, i) => numbers[VERTICES + 3 * i + k])
      const place = numbers[POSITION + k]
      sides.push({ body, side: k, place, corner: Math.min(...corners) })
      sides.push({ body, side: k + 3, place, corner: Math.max(...corners) })
    }
    spend(sides.length * Math.ceil(Math.log2(sides.length)))
    sides.sort(order)
    let rank = 0
    for (const [i, { body, side }] of sides.entries()) {
      if (i > 0 && order(sides[i - 1], sides[i]) < 0) rank++
      ranks[body][side] = rank
    }
  }
  return ranks
}

/** The sign of the difference of two sides, exactly. */
function order(a: BoxSide, b: BoxSide): number {
  const rough = a.place - b.place + (a.corner - b.corner)
  const size = Math.abs(a.place) + Math.abs(b.place) + Math.abs(a.corner) + Math.abs(b.corner)
  if (Math.abs(rough) > 4 * UNIT_ROUNDOFF * size) return rough
  const sum = ({ place, corner }: BoxSide) => expansionSum(expansionOf(place), expansionOf(corner))
  return expansionSign(expansionDifference(sum(a), sum(b)))
}
