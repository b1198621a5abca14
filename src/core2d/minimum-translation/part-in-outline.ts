/**
 * Whether a part stands wholly within a solid outline of the other body, clear of its edges.
 *
 * Method: asked only where no edge of the outline crosses the part; then one point of the part that is clear of the outline
 * by more than rounding tells for all of it (crossing number over the box tree). Of two regions whose outlines do not cross, the
 * loops of one tell: each lies within the other, around it, or apart.
 * Frame: as `search-body.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import type { Outline } from '../outline/outline.ts'
import { type Body, CENTER_X, CENTER_Y, HALFPLANE, LOCAL } from '../shape/body.ts'
import type { SearchBody } from './search-body.ts'

/** −1 clear inside, 1 clear outside, 0 nearer to an edge than the clearance. */
export type PartPlace = -1 | 0 | 1

/** Nodes yet to visit: one more for each level, at most. */
const stack = new Int32Array(TREE_DEPTH_COUNT + 2)

/** Where (px, py) lies from the solid outline of part `p`. Cost O(log n) and the edges to the right of the point. */
export function placeInPart(side: SearchBody, p: number, px: number, py: number, clearance: number): PartPlace {
  const { view, shiftX, shiftY } = side
  const { tree, leafPart } = view
  const { boxes, child } = tree
  // In the frame of the boxes.
  const bx = px - shiftX
  const by = py - shiftY
  let inside = false
  let top = 0
  stack[top++] = 0
  while (top > 0) {
    spend(1)
    const node = stack[--top]
    const at = 4 * node
    if (boxes[at + 2] < bx - clearance || boxes[at + 1] > by + clearance || boxes[at + 3] < by - clearance) continue
    const next = child[node]
    if (next >= 0) {
      stack[top++] = next
      stack[top++] = next + 1
      continue
    }
    const leaf = ~next
    if (leafPart[leaf] !== p) continue
    const crossing = crossEdge(side, p, leaf, px, py, clearance)
    if (crossing < 0) return 0
    if (crossing > 0) inside = !inside
  }
  return inside ? -1 : 1
}

/** 1 when the ray from the point to the right crosses the edge, 0 when not, −1 when the point is too near to it. */
function crossEdge(side: SearchBody, p: number, leaf: number, px: number, py: number, clearance: number): -1 | 0 | 1 {
  const { baseX, baseY, normals, view } = side
  const { vertices, edgeEnd } = view.parts[p].outline as Outline
  const edge = leaf - view.parts[p].firstLeaf
  const end = edgeEnd[edge]
  const ax = baseX[p] + (vertices[2 * edge] - vertices[0]) - px
  const ay = baseY[p] + (vertices[2 * edge + 1] - vertices[1]) - py
  const bx = baseX[p] + (vertices[2 * end] - vertices[0]) - px
  const by = baseY[p] + (vertices[2 * end + 1] - vertices[1]) - py
  const nx = normals[2 * leaf]
  const ny = normals[2 * leaf + 1]
  const beforeA = ax * -ny + ay * nx
  const beyondB = bx * -ny + by * nx
  const height = -(nx * ax + ny * ay)
  const distance = beforeA > 0 ? vectorLength(ax, ay) : beyondB < 0 ? vectorLength(bx, by) : Math.abs(height)
  if (distance <= clearance) return -1
  if (ay > 0 === by > 0) return 0
  // To the right of a rising edge is its outer side.
  return height > 0 !== by > ay ? 1 : 0
}

let pointX = 0
let pointY = 0

/** Sets probe `index` of part `q`, which is convex. False when there are no more. */
function setProbe({ baseX, baseY }: SearchBody, q: number, body: Body, index: number): boolean {
  const { count, numbers } = body
  const centerX = numbers[CENTER_X]
  const centerY = numbers[CENTER_Y]
  const flat = count === 1 || count === 2
  if (index > (flat ? count : 0)) return false
  pointX = baseX[q]
  pointY = baseY[q]
  if (count === 0) return true
  pointX += index === 0 ? centerX : numbers[LOCAL + 2 * index - 2]
  pointY += index === 0 ? centerY : numbers[LOCAL + 2 * index - 1]
  return true
}

/** Whether part `q` of `guest`, moved by (tx, ty), has its box on part `p` of `host`. */
function boxesMeet(host: SearchBody, p: number, guest: SearchBody, q: number, tx: number, ty: number): boolean {
  const a = host.partBoxes
  const b = guest.partBoxes
  const i = 4 * p
  const j = 4 * q
  return a[i] <= b[j + 2] + tx && b[j] + tx <= a[i + 2] && a[i + 1] <= b[j + 3] + ty && b[j + 1] + ty <= a[i + 3]
}

function isHalfplane({ view }: SearchBody, q: number): boolean {
  return view.parts[q].outline === null && view.parts[q].body.kind === HALFPLANE
}

/**
 * Where part `q` of `guest`, moved by (tx, ty), lies from the solid outline that is part `p` of `host`, no edge of which
 * crosses it; 0 when it is nowhere clear of the outline.
 */
export function placeOfPart(
  host: SearchBody,
  p: number,
  guest: SearchBody,
  q: number,
  tx: number,
  ty: number,
  clearance: number,
): PartPlace {
  // No outline holds what has no bounds; a half-plane's anchor need not even lie in it.
  if (isHalfplane(guest, q) || !boxesMeet(host, p, guest, q, tx, ty)) return 1
  const { body, outline } = guest.view.parts[q]
  if (outline !== null) return placeOfOutline(host, p, guest, q, outline, tx, ty, clearance)
  for (let index = 0; setProbe(guest, q, body, index); index++) {
    const place = placeInPart(host, p, pointX + tx, pointY + ty, clearance)
    if (place !== 0) return place
  }
  return 0
}

/** Of a region that touches itself one loop may lie within the host where another does not. */
function placeOfOutline(
  host: SearchBody,
  p: number,
  guest: SearchBody,
  q: number,
  outline: Outline,
  tx: number,
  ty: number,
  clearance: number,
): PartPlace {
  const { edgeEnd, edgeCount, loops } = outline
  let least: PartPlace = 0
  for (const first of loops) {
    let place: PartPlace = 0
    let edge = first
    do {
      for (let share = 1 / 2; share >= 0 && place === 0; share -= 1 / 2) {
        setEdgeProbe(guest, q, outline, edge, share)
        place = placeInPart(host, p, pointX + tx, pointY + ty, clearance)
      }
      edge = edgeEnd[edge]
    } while (place === 0 && edge !== first && edge < edgeCount)
    if (place < 0) return -1
    if (place > 0) least = 1
  }
  return least
}

/** Sets the probe that lies on an edge at `share` of its length. */
function setEdgeProbe(
  { baseX, baseY }: SearchBody,
  q: number,
  { vertices, edgeEnd }: Outline,
  edge: number,
  share: number,
): void {
  const end = edgeEnd[edge]
  const ax = vertices[2 * edge]
  const ay = vertices[2 * edge + 1]
  pointX = baseX[q] + (ax - vertices[0]) + share * (vertices[2 * end] - ax)
  pointY = baseY[q] + (ay - vertices[1]) + share * (vertices[2 * end + 1] - ay)
}
