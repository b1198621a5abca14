/**
 * One body of a pair as the search for the minimum translation sees it: its parts placed in the pair's frame, and its leaves
 * as point loops (`leaf-loop.ts`). A curve becomes a polygon around it.
 * Frame: world axes, origin at the anchor of the first body's first part.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import type { BoxTree } from '../broad-phase/box-tree.ts'
import { treeOf } from '../narrow-phase/outer-leaves.ts'
import type { Outline } from '../outline/outline.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  CENTER_X,
  CENTER_Y,
  COS,
  type Composite,
  ELLIPSE,
  HALFPLANE,
  isCurved,
  LOCAL,
  RADIUS,
  REACH,
  RX,
  RY,
  SIN,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { createBoundaryPoint } from '../shape/ellipse.ts'
import { curveOf } from '../shape/kinds.ts'
import { compensatedOffset } from '../shape/position.ts'
import { ELLIPSE_SIDE_COUNT, PLAIN_CORNER_COUNT, PLAIN_PART_COUNT } from '../tolerances.ts'
import {
  CONVEX,
  createLeaf,
  type Leaf,
  LINE_WORK,
  orderEdges,
  reserveLeaf,
  SOLID,
  setCone,
  setJoint,
} from './leaf-loop.ts'

export interface SearchBody {
  view: Composite
  /** The tree of the leaves that the search looks at: outer ones with bounds. */
  tree: BoxTree
  /** 1 for the pair's first body, −1 for the second, whose loops are turned over in the Minkowski difference. */
  sign: 1 | -1
  /** The origin of the composite's boxes. */
  shiftX: number
  shiftY: number
  /** Anchor of each part: its first core point, of an outline its first vertex. */
  baseX: Float64Array
  baseY: Float64Array
  /** Unit normals to the right of the outlines' edges, by leaf. */
  normals: Float64Array
  /** A disc around each leaf but half-planes. */
  centers: Float64Array
  radii: Float64Array
  /** Boxes of the parts. */
  partBoxes: Float64Array
  /** Bound on the coordinates of all bounded parts. */
  reach: number
  solidCount: number
  halfplaneCount: number
  curveCount: number
  /** Parts that are no outlines. */
  convexCount: number
  /** Whether any outline touches itself. */
  touching: boolean
  /** Whether there are few parts, and each is an outline or has few corners and no skin. */
  plain: boolean
  leaf: Leaf
}

export function createSearchBody(view: Composite, sign: 1 | -1): SearchBody {
  return {
    view,
    tree: view.tree,
    sign,
    shiftX: 0,
    shiftY: 0,
    baseX: new Float64Array(4),
    baseY: new Float64Array(4),
    normals: new Float64Array(32),
    centers: new Float64Array(32),
    radii: new Float64Array(16),
    partBoxes: new Float64Array(16),
    reach: 0,
    solidCount: 0,
    halfplaneCount: 0,
    curveCount: 0,
    convexCount: 0,
    touching: false,
    plain: true,
    leaf: createLeaf(),
  }
}

function anchorX({ body, outline }: Composite['parts'][number]): number {
  return outline === null ? body.numbers[ANCHOR_X] : outline.vertices[0]
}

function anchorY({ body, outline }: Composite['parts'][number]): number {
  return outline === null ? body.numbers[ANCHOR_Y] : outline.vertices[1]
}

/** Leaves and parts for which a side keeps its memory. */
const KEPT_COUNT = 2 ** 14

/** Gives back what a large body needed. */
export function forgetSearchBody(side: SearchBody, nothing: Composite): void {
  const { sign, radii, baseX } = side
  if (radii.length > KEPT_COUNT || baseX.length > KEPT_COUNT) Object.assign(side, createSearchBody(nothing, sign))
}

/**
 * Places `body`, seen as `view` and of which `outer` is the tree of the outer leaves, in the frame of the composite `origin`.
 * Cost O(leaves).
 */
export function setSearchBody(side: SearchBody, body: Body, view: Composite, outer: BoxTree, origin: Composite): void {
  const first = origin.parts[0]
  const { numbers } = first.body
  const x = numbers[X]
  const xLow = numbers[X_LOW]
  const y = numbers[Y]
  const yLow = numbers[Y_LOW]
  const originX = anchorX(first)
  const originY = anchorY(first)
  side.view = view
  side.leaf.index = -1
  side.shiftX = compensatedOffset(x, originX, body.numbers[X], 0, 0 - xLow)
  side.shiftY = compensatedOffset(y, originY, body.numbers[Y], 0, 0 - yLow)
  side.reach = 0
  side.solidCount = 0
  side.halfplaneCount = 0
  side.curveCount = 0
  side.convexCount = 0
  side.touching = false
  side.plain = view.partCount <= PLAIN_PART_COUNT
  const { partCount, leafCount, parts } = view
  spend(leafCount)
  if (side.baseX.length < partCount) {
    side.baseX = new Float64Array(2 * partCount)
    side.baseY = new Float64Array(2 * partCount)
    side.partBoxes = new Float64Array(8 * partCount)
  }
  if (side.radii.length < leafCount) {
    side.normals = new Float64Array(4 * leafCount)
    side.centers = new Float64Array(4 * leafCount)
    side.radii = new Float64Array(2 * leafCount)
  }
  for (let p = 0; p < partCount; p++) {
    const part = parts[p]
    const { outline } = part
    side.baseX[p] = compensatedOffset(x, originX, part.body.numbers[X], anchorX(part), part.body.numbers[X_LOW] - xLow)
    side.baseY[p] = compensatedOffset(y, originY, part.body.numbers[Y], anchorY(part), part.body.numbers[Y_LOW] - yLow)
    if (outline !== null) {
      setEdges(side, p, outline, part.firstLeaf)
      if (outline.solid) side.solidCount++
      if (outline.touchesItself) side.touching = true
    } else if (part.body.kind === HALFPLANE) side.halfplaneCount++
    else if (isCurved(part.body)) side.curveCount++
    if (outline === null && !isPlain(part.body)) side.plain = false
    if (outline === null) {
      side.convexCount++
      setDisc(side, p, part.firstLeaf, part.body)
    }
    setPartBox(side, p, outline === null ? 1 : outline.edgeCount)
  }
  side.tree = side.halfplaneCount === 0 ? outer : boundedTree(view, outer)
}

function isPlain(body: Body): boolean {
  const { count, numbers } = body
  const radius = numbers[RADIUS]
  return !isCurved(body) && count <= PLAIN_CORNER_COUNT && radius === 0
}

/** The tree without leaves that have no bounds: those forbid half-planes of translations, which are no pairs of leaves. */
function boundedTree(view: Composite, { child, nodeCount }: BoxTree): BoxTree {
  const leaves: number[] = []
  for (let node = 0; node < nodeCount; node++) {
    if (child[node] < 0 && view.boxes[4 * ~child[node]] !== -Infinity) leaves.push(~child[node])
  }
  return treeOf(view, leaves)
}

function setEdges(side: SearchBody, p: number, outline: Outline, firstLeaf: number): void {
  const { normals, centers, radii } = side
  const { vertices, edgeEnd, edgeCount } = outline
  for (let edge = 0; edge < edgeCount; edge++) {
    const end = edgeEnd[edge]
    const ex = vertices[2 * end] - vertices[2 * edge]
    const ey = vertices[2 * end + 1] - vertices[2 * edge + 1]
    const length = vectorLength(ex, ey)
    const leaf = firstLeaf + edge
    normals[2 * leaf] = length > 0 ? ey / length : 0
    normals[2 * leaf + 1] = length > 0 ? -ex / length : 0
    centers[2 * leaf] = side.baseX[p] + (vertices[2 * edge] - vertices[0]) + ex / 2
    centers[2 * leaf + 1] = side.baseY[p] + (vertices[2 * edge + 1] - vertices[1]) + ey / 2
    radii[leaf] = length / 2
  }
}

function setDisc(side: SearchBody, p: number, leaf: number, body: Body): void {
  const { count, numbers } = body
  const radius = numbers[RADIUS]
  const centerX = numbers[CENTER_X]
  const centerY = numbers[CENTER_Y]
  const curved = isCurved(body)
  const x = curved ? 0 : centerX
  const y = curved ? 0 : centerY
  let reach = 0
  for (let i = 0; i < count; i++)
    reach = Math.max(reach, vectorLength(numbers[LOCAL + 2 * i] - x, numbers[LOCAL + 2 * i + 1] - y))
  side.centers[2 * leaf] = side.baseX[p] + x
  side.centers[2 * leaf + 1] = side.baseY[p] + y
  // The polygon that stands for a curve reaches a little farther.
  side.radii[leaf] = curved ? 2 * body.numbers[REACH] : reach + radius
}

function setPartBox(side: SearchBody, p: number, leafCount: number): void {
  const { view, partBoxes, shiftX, shiftY } = side
  const { boxes } = view
  const { firstLeaf, body, outline } = view.parts[p]
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (let i = 4 * firstLeaf; i < 4 * (firstLeaf + leafCount); i += 4) {
    if (boxes[i] < minX) minX = boxes[i]
    if (boxes[i + 1] < minY) minY = boxes[i + 1]
    if (boxes[i + 2] > maxX) maxX = boxes[i + 2]
    if (boxes[i + 3] > maxY) maxY = boxes[i + 3]
  }
  partBoxes[4 * p] = minX + shiftX
  partBoxes[4 * p + 1] = minY + shiftY
  partBoxes[4 * p + 2] = maxX + shiftX
  partBoxes[4 * p + 3] = maxY + shiftY
  const reach =
    outline === null
      ? Math.abs(side.baseX[p]) + Math.abs(side.baseY[p]) + body.numbers[REACH]
      : Math.max(-partBoxes[4 * p], partBoxes[4 * p + 2], -partBoxes[4 * p + 1], partBoxes[4 * p + 3])
  if (reach > side.reach) side.reach = reach
}

/** Fills `side.leaf` with a leaf that is no half-plane. */
export function readLeaf(side: SearchBody, index: number): Leaf {
  const { leaf, view } = side
  if (leaf.index === index) return leaf
  leaf.index = index
  const p = view.leafPart[index]
  leaf.part = p
  const { outline, body } = view.parts[p]
  if (outline !== null) readEdge(side, leaf, outline, index)
  else if (body.kind === ELLIPSE) readEllipse(side, leaf, body)
  else if (isCurved(body)) readTangents(side, leaf, body)
  else readPoints(side, leaf, body)
  return leaf
}

function readPoints({ baseX, baseY, sign }: SearchBody, leaf: Leaf, body: Body): void {
  const { count, normals, numbers } = body
  const radius = numbers[RADIUS]
  reserveLeaf(leaf, count)
  const { x, y, nx, ny } = leaf
  for (let i = 0; i < count; i++) {
    x[i] = baseX[leaf.part] + numbers[LOCAL + 2 * i]
    y[i] = baseY[leaf.part] + numbers[LOCAL + 2 * i + 1]
    nx[i] = numbers[normals + 2 * i]
    ny[i] = numbers[normals + 2 * i + 1]
  }
  leaf.radius = radius
  leaf.outline = CONVEX
  leaf.flat = radius === 0 && count < 3
  leaf.ownsEnd = false
  orderEdges(leaf, sign)
}

/** The tangent polygon whose sides touch the ellipse at equal steps of its parameter, the tips of the axes among them. */
function readEllipse({ baseX, baseY, sign }: SearchBody, leaf: Leaf, body: Body): void {
  const count = ELLIPSE_SIDE_COUNT
  reserveLeaf(leaf, count)
  const { x, y, nx, ny } = leaf
  const { numbers } = body
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const rx = numbers[RX]
  const ry = numbers[RY]
  const stretch = 1 / Math.cos(Math.PI / count)
  for (let i = 0; i < count; i++) {
    const angle = (Math.PI * (2 * i - 1)) / count
    const u = stretch * rx * Math.cos(angle)
    const v = stretch * ry * Math.sin(angle)
    x[i] = baseX[leaf.part] + (cos * u - sin * v)
    y[i] = baseY[leaf.part] + (sin * u + cos * v)
    const middle = angle + Math.PI / count
    const n = Math.cos(middle) * Math.min(ry / rx, 1)
    const m = Math.sin(middle) * Math.min(rx / ry, 1)
    const length = vectorLength(n, m)
    nx[i] = (cos * n - sin * m) / length
    ny[i] = (sin * n + cos * m) / length
  }
  leaf.radius = 0
  leaf.outline = CONVEX
  leaf.flat = false
  leaf.ownsEnd = false
  orderEdges(leaf, sign)
}

const rim = createBoundaryPoint()

/** The polygon of the tangents at even angles. */
function readTangents({ baseX, baseY, sign }: SearchBody, leaf: Leaf, body: Body): void {
  const count = ELLIPSE_SIDE_COUNT
  reserveLeaf(leaf, count)
  const { x, y, nx, ny } = leaf
  const turn = (2 * Math.PI) / count
  let height = curveOf(body).support(body, Math.cos(turn), -Math.sin(turn), rim)
  for (let i = 0; i < count; i++) {
    const cos = Math.cos(i * turn)
    const sin = Math.sin(i * turn)
    const before = height
    height = curveOf(body).support(body, cos, sin, rim)
    // Where this tangent meets the one before it.
    const along = (height * Math.cos(turn) - before) / Math.sin(turn)
    x[i] = baseX[leaf.part] + (cos * height - sin * along)
    y[i] = baseY[leaf.part] + (sin * height + cos * along)
    nx[i] = cos
    ny[i] = sin
  }
  leaf.radius = 0
  leaf.outline = CONVEX
  leaf.flat = false
  leaf.ownsEnd = false
  orderEdges(leaf, sign)
}

function readEdge(side: SearchBody, leaf: Leaf, outline: Outline, index: number): void {
  const { baseX, baseY, normals, radii, view } = side
  const { vertices, edgeEnd, edgeBefore, edgeCount } = outline
  const { firstLeaf } = view.parts[leaf.part]
  const edge = index - firstLeaf
  const end = edgeEnd[edge]
  const nx = normals[2 * index]
  const ny = normals[2 * index + 1]
  const single = nx === 0 && ny === 0
  const { x, y } = leaf
  x[0] = baseX[leaf.part] + (vertices[2 * edge] - vertices[0])
  y[0] = baseY[leaf.part] + (vertices[2 * edge + 1] - vertices[1])
  x[1] = baseX[leaf.part] + (vertices[2 * end] - vertices[0])
  y[1] = baseY[leaf.part] + (vertices[2 * end + 1] - vertices[1])
  leaf.nx[0] = nx
  leaf.ny[0] = ny
  leaf.nx[1] = -nx
  leaf.ny[1] = -ny
  leaf.count = single ? 1 : 2
  leaf.radius = 0
  leaf.flat = single
  leaf.outline = single ? CONVEX : outline.solid ? SOLID : LINE_WORK
  const before = edgeBefore[edge]
  const after = end < edgeCount ? end : -1
  leaf.ownsEnd = after < 0
  const length = 2 * radii[index]
  if (before < 0) setCone(leaf, 0, -nx, -ny, length, nx, ny, length)
  else {
    const k = firstLeaf + before
    setJoint(leaf, 0, normals[2 * k], normals[2 * k + 1], 2 * radii[k], nx, ny, length)
  }
  if (after < 0) setCone(leaf, 1, nx, ny, length, -nx, -ny, length)
  else {
    const k = firstLeaf + after
    setJoint(leaf, 1, nx, ny, length, normals[2 * k], normals[2 * k + 1], 2 * radii[k])
  }
  orderEdges(leaf, side.sign)
}
