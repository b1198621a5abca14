/**
 * Composite bodies: chains, regions and compounds as lists of parts, with one box tree over all their leaves.
 *
 * A part is a convex body of its own, or an outline (the edges of a chain or region). A leaf is what pair and ray
 * functions are run on: a convex part, or one edge of an outline, taken as a segment body. A solid outline (a region) is
 * its edges and what they enclose; no decomposition is needed to decide anything about it, so features are always the
 * user's own.
 * Frame: each part has a pose of its own (position as x + xLow, vertices rotated, as `body.ts` has them); leaf boxes are in
 * world axes relative to the composite body's position. The outer side of a solid outline lies to the right of its edges.
 */

import { buildBoxTree, createBoxTree } from '../broad-phase/box-tree.ts'
import { createOutline, type Outline } from '../outline/outline.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  COMPOSITE,
  COS,
  type Composite,
  createBody,
  finishPoints,
  isCored,
  type Part,
  putVertex,
  RADIUS,
  REACH,
  reserveNames,
  reservePoints,
  SIN,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from './body.ts'
import { kindOf, setBoxOfPoints } from './kinds.ts'
import { addToPosition, type Position } from './position.ts'

/** Where a part stands: position x + xLow, y + yLow (the low halves are what rounding of a sum of positions has cut off). */
export interface Pose extends Position {
  rotation: number
}

export function createComposite(): Composite {
  return {
    partCount: 0,
    parts: [],
    spareOutlines: [],
    leafCount: 0,
    leafPart: new Int32Array(16),
    leafEdge: new Int32Array(16),
    boxes: new Float64Array(64),
    tree: createBoxTree(),
    outer: null,
  }
}

export function createPose(): Pose {
  return { x: 0, xLow: 0, y: 0, yLow: 0, rotation: 0 }
}

/** Pose of a child at (x, y, rotation) in the frame of `parent`; sums of positions lose nothing while the parent is unrotated. */
export function setChildPose(out: Pose, parent: Pose, x: number, y: number, rotation: number): void {
  let turnedX = x
  let turnedY = y
  if (parent.rotation !== 0) {
    const cos = Math.cos(parent.rotation)
    const sin = Math.sin(parent.rotation)
    turnedX = cos * x - sin * y
    turnedY = sin * x + cos * y
  }
  addToPosition(out, parent, turnedX, turnedY)
  out.rotation = parent.rotation + rotation
}

/** Empties the composite of `body`, creating it if need be, and makes the body one. */
export function beginComposite(body: Body): Composite {
  body.composite ??= createComposite()
  const { composite } = body
  for (let i = 0; i < composite.partCount; i++) {
    const { outline } = composite.parts[i]
    if (outline !== null) composite.spareOutlines.push(outline)
    composite.parts[i].outline = null
  }
  composite.partCount = 0
  composite.leafCount = 0
  return composite
}

function addPart(composite: Composite, pose: Pose, path: readonly number[]): Part {
  if (composite.partCount === composite.parts.length) {
    composite.parts.push({ body: createBody(), outline: null, path, firstLeaf: 0 })
  }
  const part = composite.parts[composite.partCount++]
  part.path = path
  const { body } = part
  body.numbers[X] = pose.x
  body.numbers[Y] = pose.y
  body.numbers[X_LOW] = pose.xLow
  body.numbers[Y_LOW] = pose.yLow
  body.numbers[COS] = pose.rotation === 0 ? 1 : Math.cos(pose.rotation)
  body.numbers[SIN] = pose.rotation === 0 ? 0 : Math.sin(pose.rotation)
  return part
}

/** A slot for a convex part, its pose set: call one of the `set…` functions of shapes on it. */
export function addConvexPart(composite: Composite, pose: Pose, path: readonly number[]): Body {
  return addPart(composite, pose, path).body
}

/** A slot for an outline; `cos` and `sin` of the part's body are the rotation to give to `setRegion` or `setChain`. */
export function addOutlinePart(composite: Composite, pose: Pose, path: readonly number[]): Part & { outline: Outline } {
  const part = addPart(composite, pose, path)
  part.outline = composite.spareOutlines.pop() ?? createOutline()
  return part as Part & { outline: Outline }
}

/** Derives leaves, boxes and tree once all parts are set. `body` has its own pose. */
export function finishComposite(body: Body): void {
  const composite = body.composite as Composite
  body.kind = COMPOSITE
  body.count = 0
  body.numbers[RADIUS] = 0
  body.numbers[ANCHOR_X] = 0
  body.numbers[ANCHOR_Y] = 0
  let leafCount = 0
  for (let p = 0; p < composite.partCount; p++) {
    const { outline } = composite.parts[p]
    composite.parts[p].firstLeaf = leafCount
    leafCount += outline === null ? 1 : outline.edgeCount
  }
  reserveLeaves(composite, leafCount)
  composite.leafCount = leafCount
  const { leafPart, leafEdge, boxes } = composite
  let reach = 0
  for (let p = 0; p < composite.partCount; p++) {
    const { body: partBody, outline, firstLeaf } = composite.parts[p]
    const dx = partBody.numbers[X] - body.numbers[X] + partBody.numbers[X_LOW]
    const dy = partBody.numbers[Y] - body.numbers[Y] + partBody.numbers[Y_LOW]
    const edgeCount = outline === null ? 1 : outline.edgeCount
    for (let edge = 0; edge < edgeCount; edge++) {
      const leaf = firstLeaf + edge
      leafPart[leaf] = p
      leafEdge[leaf] = edge
      if (outline === null) setBodyBox(boxes, leaf, partBody, dx, dy)
      else setEdgeBox(boxes, leaf, outline, edge, dx, dy)
      const at = 4 * leaf
      const farX = Math.max(-boxes[at], boxes[at + 2])
      const farY = Math.max(-boxes[at + 1], boxes[at + 3])
      reach = Math.max(reach, Math.hypot(farX, farY))
    }
  }
  body.numbers[REACH] = reach
  composite.outer = null
  buildBoxTree(composite.tree, boxes, leafCount)
}

function reserveLeaves(composite: Composite, count: number): void {
  if (composite.leafPart.length >= count) return
  const capacity = 2 ** Math.ceil(Math.log2(count))
  composite.leafPart = new Int32Array(capacity)
  composite.leafEdge = new Int32Array(capacity)
  composite.boxes = new Float64Array(4 * capacity)
}

/** Boxes are widened by what rounding may have cut off: they only ever rule out what is apart for certain. */
function putBox(
  boxes: Float64Array,
  index: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  dx: number,
  dy: number,
): void {
  const size = Math.max(-minX, maxX, -minY, maxY) + Math.abs(dx) + Math.abs(dy)
  const pad = size < Infinity ? SEPARATION_ERROR_RATIO * size : 0
  boxes[4 * index] = minX + dx - pad
  boxes[4 * index + 1] = minY + dy - pad
  boxes[4 * index + 2] = maxX + dx + pad
  boxes[4 * index + 3] = maxY + dy + pad
}

function setEdgeBox(
  boxes: Float64Array,
  index: number,
  { vertices, edgeEnd }: Outline,
  edge: number,
  dx: number,
  dy: number,
): void {
  const i = 2 * edge
  const j = 2 * edgeEnd[edge]
  const ax = vertices[i]
  const ay = vertices[i + 1]
  const bx = vertices[j]
  const by = vertices[j + 1]
  putBox(boxes, index, Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by), dx, dy)
}

/** Box of a convex body, as `putBox` takes it: relative to the body's position, then moved by (dx, dy). */
export function setBodyBox(boxes: Float64Array, index: number, body: Body, dx: number, dy: number): void {
  // By name what most parts are: a call through the table is not inlined.
  if (isCored(body)) setBoxOfPoints(body, bodyBox)
  else kindOf(body).setBox(body, bodyBox)
  putBox(boxes, index, bodyBox[0], bodyBox[1], bodyBox[2], bodyBox[3], dx, dy)
}

const bodyBox = new Float64Array(4)

/** Any body as a composite: its own, or, for a convex body, `slot` with that body as the one part. */
export function viewAsComposite(body: Body, slot: Composite): Composite {
  if (body.kind === COMPOSITE) return body.composite as Composite
  slot.partCount = 1
  slot.leafCount = 1
  slot.parts[0] = { body, outline: null, path: NO_PATH, firstLeaf: 0 }
  slot.leafPart[0] = 0
  slot.leafEdge[0] = 0
  setBodyBox(slot.boxes, 0, body, body.numbers[X_LOW], body.numbers[Y_LOW])
  buildBoxTree(slot.tree, slot.boxes, 1)
  slot.outer = slot.tree
  return slot
}

const NO_PATH: readonly number[] = []

/** Whether a region in the body touches itself. */
export function touchesItself({ kind, composite }: Body): boolean {
  if (kind !== COMPOSITE || composite === null) return false
  for (let p = 0; p < composite.partCount; p++) if (composite.parts[p].outline?.touchesItself === true) return true
  return false
}

/** The body of a leaf: the convex part itself, or the edge, written into `slot`. */
export function leafBody(composite: Composite, leaf: number, slot: Body): Body {
  const part = composite.parts[composite.leafPart[leaf]]
  const { outline, body } = part
  if (outline === null) return body
  setEdgeBody(outline, composite.leafEdge[leaf], body, slot)
  return slot
}

/** Writes edge `edge` of an outline that stands at the pose of `pose` into `slot`, with the user's names. */
export function setEdgeBody(outline: Outline, edge: number, pose: Body, slot: Body): void {
  const { vertices, edgeEnd, vertexNames, edgeNames } = outline
  const end = edgeEnd[edge]
  slot.numbers[X] = pose.numbers[X]
  slot.numbers[Y] = pose.numbers[Y]
  slot.numbers[X_LOW] = pose.numbers[X_LOW]
  slot.numbers[Y_LOW] = pose.numbers[Y_LOW]
  // The vertices are turned already.
  slot.numbers[COS] = 1
  slot.numbers[SIN] = 0
  reservePoints(slot, 2)
  reserveNames(slot, 2)
  putVertex(slot, 0, vertices[2 * edge], vertices[2 * edge + 1], 0)
  putVertex(slot, 1, vertices[2 * end], vertices[2 * end + 1], 1)
  slot.vertexFeatures[0] = vertexNames[edge]
  slot.vertexFeatures[1] = vertexNames[end]
  slot.edgeFeatures[0] = edgeNames[edge]
  slot.edgeFeatures[1] = edgeNames[edge]
  // An outline that is a single point has one edge, from that point to itself.
  slot.count = end === edge ? 1 : 2
  slot.numbers[RADIUS] = 0
  finishPoints(slot)
}

// Several bodies taken as one: the set that they cover together.

/**
 * One composite of all the bodies' parts, in their order; it shares them, so they must stay as they are. A single body is returned
 * as it is. Frame: world, the union's position is the origin. Cost O(leaves · log leaves).
 */
export function unionOf(bodies: readonly Body[]): Body {
  if (bodies.length === 1) return bodies[0]
  const union = createBody()
  const composite = beginComposite(union)
  for (const body of bodies) {
    if (body.kind !== COMPOSITE) {
      composite.parts.push({ body, outline: null, path: NO_PATH, firstLeaf: 0 })
      continue
    }
    const { parts, partCount } = body.composite as Composite
    for (const part of parts.slice(0, partCount)) composite.parts.push({ ...part })
  }
  composite.partCount = composite.parts.length
  finishComposite(union)
  return union
}

/** How many parts of a union a body takes. */
export function partCountOf({ kind, composite }: Body): number {
  return kind === COMPOSITE ? (composite as Composite).partCount : 1
}
