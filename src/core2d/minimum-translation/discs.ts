/**
 * Some discs within a body, and some points of it.
 *
 * Method: of a convex part the disc about its middle; of a region discs about those points of a coarse grid that lie deepest in
 * it, by the distance to its nearest edge. Points are taken from leaves here and there.
 * Frame: as `search-body.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { boxDistanceSquare, TREE_DEPTH_COUNT } from '../bvh/box-tree.ts'
import { type Body, HALFPLANE } from '../shape/body.ts'
import { isCurved, kindOf } from '../shape/kinds.ts'
import { placeInPart } from './part-in-outline.ts'
import type { SearchBody } from './search-body.ts'

export interface Discs {
  count: number
  x: Float64Array
  y: Float64Array
  /** 0 for points. */
  radius: Float64Array
}

const PART_COUNT = 16
const REGION_COUNT = 4
const PROBES_ACROSS = 8
const DISCS_PER_REGION = 16
const POINT_COUNT = 24
const CAPACITY = PART_COUNT + REGION_COUNT * DISCS_PER_REGION + POINT_COUNT + 3

export function createDiscs(): Discs {
  return {
    count: 0,
    x: new Float64Array(CAPACITY),
    y: new Float64Array(CAPACITY),
    radius: new Float64Array(CAPACITY),
  }
}

function addDisc(out: Discs, x: number, y: number, radius: number): void {
  if (out.count === CAPACITY) return
  out.x[out.count] = x
  out.y[out.count] = y
  out.radius[out.count++] = radius
}

export function collectDiscs(side: SearchBody, tolerance: number, out: Discs): void {
  const { partCount, parts, leafCount, leafPart, leafEdge } = side.view
  out.count = 0
  const partStep = Math.ceil(partCount / PART_COUNT)
  for (let p = 0; p < partCount; p += partStep) addPart(side, p, out)
  let regions = 0
  const regionStep = Math.ceil(side.solidCount / REGION_COUNT)
  for (let p = 0; p < partCount && side.solidCount > 0; p++) {
    if (parts[p].outline?.solid === true && regions++ % regionStep === 0) addRegion(side, p, tolerance, out)
  }
  const leafStep = Math.ceil(leafCount / POINT_COUNT)
  for (let leaf = 0; leaf < leafCount; leaf += leafStep) {
    const p = leafPart[leaf]
    const { outline, body } = parts[p]
    const edge = leafEdge[leaf]
    if (outline !== null) {
      const { vertices } = outline
      const x = vertices[2 * edge] - vertices[0]
      addDisc(out, side.baseX[p] + x, side.baseY[p] + (vertices[2 * edge + 1] - vertices[1]), 0)
    } else if (body.count > 1) addDisc(out, side.baseX[p], side.baseY[p], body.radius)
  }
}

/** A convex part: the disc about its middle. */
function addPart({ view, baseX, baseY }: SearchBody, p: number, out: Discs): void {
  const { body, outline } = view.parts[p]
  if (outline !== null || body.kind === HALFPLANE) return
  if (isCurved(body)) addDisc(out, baseX[p], baseY[p], kindOf(body).innerRadius(body, 0, 0))
  else addDisc(out, baseX[p] + body.centerX, baseY[p] + body.centerY, depthOf(body))
}

function depthOf({ count, normals, offsets, centerX, centerY, radius }: Body): number {
  let depth = count < 3 ? 0 : Infinity
  for (let k = 0; count > 2 && k < count; k++) {
    depth = Math.min(depth, offsets[k] - normals[2 * k] * centerX - normals[2 * k + 1] * centerY)
  }
  spend(count)
  return Math.max(depth, 0) + radius
}

const depths = new Float64Array(PROBES_ACROSS * PROBES_ACROSS)

/** The deepest points of a grid. */
function addRegion(side: SearchBody, p: number, tolerance: number, out: Discs): void {
  const { partBoxes } = side
  const minX = partBoxes[4 * p]
  const minY = partBoxes[4 * p + 1]
  const stepX = (partBoxes[4 * p + 2] - minX) / PROBES_ACROSS
  const stepY = (partBoxes[4 * p + 3] - minY) / PROBES_ACROSS
  const xOf = (probe: number): number => minX + ((probe % PROBES_ACROSS) + 0.5) * stepX
  const yOf = (probe: number): number => minY + (Math.floor(probe / PROBES_ACROSS) + 0.5) * stepY
  for (let probe = 0; probe < depths.length; probe++) {
    const x = xOf(probe)
    const y = yOf(probe)
    depths[probe] = placeInPart(side, p, x, y, tolerance) < 0 ? clearance(side, p, x, y) : 0
  }
  for (let k = 0; k < DISCS_PER_REGION; k++) {
    let deepest = 0
    for (let probe = 1; probe < depths.length; probe++) if (depths[probe] > depths[deepest]) deepest = probe
    if (!(depths[deepest] > 0)) return
    addDisc(out, xOf(deepest), yOf(deepest), depths[deepest])
    depths[deepest] = 0
  }
}

/** Nodes yet to visit: one more for each level, at most. */
const stack = new Int32Array(TREE_DEPTH_COUNT + 2)

/** Distance from a point to the nearest edge of the outline that is part `p`. Cost O(log n) as a rule. */
function clearance(side: SearchBody, p: number, px: number, py: number): number {
  const { view, shiftX, shiftY } = side
  const { boxes, child } = view.tree
  const bx = px - shiftX
  const by = py - shiftY
  let least = Infinity
  let visits = 0
  let top = 0
  stack[top++] = 0
  while (top > 0) {
    const node = stack[--top]
    visits++
    if (boxDistanceSquare(boxes, node, bx, by) >= least * least) continue
    const next = child[node]
    if (next >= 0) {
      const inOrder = boxDistanceSquare(boxes, next, bx, by) <= boxDistanceSquare(boxes, next + 1, bx, by)
      stack[top++] = inOrder ? next + 1 : next
      stack[top++] = inOrder ? next : next + 1
    } else if (view.leafPart[~next] === p) least = Math.min(least, distanceToEdge(side, p, ~next, px, py))
  }
  spend(visits)
  return least
}

function distanceToEdge({ view, baseX, baseY }: SearchBody, p: number, leaf: number, px: number, py: number): number {
  const { outline } = view.parts[p]
  if (outline === null) return Infinity
  const { vertices, edgeEnd } = outline
  const edge = view.leafEdge[leaf]
  const end = edgeEnd[edge]
  const ex = vertices[2 * end] - vertices[2 * edge]
  const ey = vertices[2 * end + 1] - vertices[2 * edge + 1]
  const x = px - (baseX[p] + (vertices[2 * edge] - vertices[0]))
  const y = py - (baseY[p] + (vertices[2 * edge + 1] - vertices[1]))
  const length = vectorLength(ex, ey)
  if (length === 0) return vectorLength(x, y)
  const along = Math.min(Math.max((x * ex + y * ey) / length, 0), length)
  return vectorLength(x - (along * ex) / length, y - (along * ey) / length)
}
