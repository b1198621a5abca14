/**
 * Composite bodies: meshes, height fields and compounds as lists of parts, and what pair functions see of them: their leaves.
 *
 * A part is a convex body of its own, placed in the world, or a mesh that stands somewhere; parts are in the caller's order, those of
 * nested compounds one after the other. A leaf is a convex part, or one triangle of a mesh as a body of three core points. Leaves are
 * numbered from 0 to leafCount − 1 through all parts, triangles as the caller has them. A solid mesh is its triangles and what they
 * enclose: nothing is decomposed, so features are always the caller's own.
 * How to make one: `setPose` of the body; then `setMesh`; or `beginComposite`, `rootPlacement`, for each child `setChildPlacement` and
 * `addConvexPart` (and a `set…` function of `shapes.ts` on the slot) or `addMeshPart`, then `finishComposite`.
 * Boxes: one tree over the boxes of the parts, and each mesh has its own, in its own frame. `openNode` and `nodeBox` show them as
 * one tree: below the node of a part is the root of its mesh.
 * Frame: world axes. Boxes count from the composite body's position, and are widened outward: they only ever rule out what is apart
 * for certain. Where a child's position is a sum that no double holds, the child stands at the nearest doubles.
 */

import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk } from '../../containers/scratch.ts'
import { sumError } from '../../numeric/expansion.ts'
import { buildBoxTree, TREE_DEPTH_COUNT } from '../broad-phase/box-tree.ts'
import { createPlacedPoint } from '../mesh/exact-placed.ts'
import { type MeshSide, sideOfMesh } from '../mesh/in-mesh.ts'
import {
  createPlacement,
  MESH_BOX,
  type Mesh,
  meshReach,
  type Placement,
  putPlacedCorners,
  putPlacedVertex,
  TREE_ORIGIN,
  TREE_SCALE,
  turnBox,
  turnBoxBack,
  visitMesh,
} from '../mesh/mesh.ts'
import { NODE_SIZE, TREE_ERROR, triangleOf } from '../mesh/mesh-tree.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  COMPOSITE,
  type Composite,
  createBody,
  type Part,
  POSITION,
  RADIUS,
  REACH,
  ROTATION,
  reservePoints,
  setAligned,
  setPose,
  VERTICES,
  type Vector,
} from './body.ts'
import { kindOf } from './kinds.ts'
import { finishPoints } from './shapes.ts'

// Making one.

function createComposite(): Composite {
  const tree = buildBoxTree(new Float64Array(0), 0)
  return { partCount: 0, parts: [], leafCount: 0, nodeCount: 0, boxes: new Float64Array(6), tree }
}

/** The composite of `body`, without parts. */
export function beginComposite(body: Body): Composite {
  body.composite ??= createComposite()
  const { composite } = body
  for (let p = 0; p < composite.partCount; p++) composite.parts[p].mesh = null
  composite.partCount = 0
  return composite
}

/** The placement of what has the body's own pose. */
export function rootPlacement({ numbers }: Body, out: Placement): void {
  for (let k = 0; k < 3; k++) {
    out.position[k] = numbers[POSITION + k]
    out.position[k + 3] = 0
  }
  for (let k = 0; k < 9; k++) out.rotation[k] = numbers[ROTATION + k]
  out.turns = isTurn(out.rotation)
}

function isTurn(r: Float64Array): boolean {
  return !(r[0] === 1 && r[4] === 1 && r[8] === 1)
}

const childPose = createBody()

/** The placement of a child with a pose in the frame of `parent`. Sums of positions lose nothing but what one low half cannot hold. */
export function setChildPlacement(
  out: Placement,
  parent: Placement,
  position: Vector,
  orientation?: readonly [number, number, number, number],
): void {
  setPose(childPose, { position: [0, 0, 0], orientation })
  const { numbers } = childPose
  const { rotation: r } = parent
  const child = numbers.subarray(ROTATION, ROTATION + 9)
  for (let k = 0; k < 3; k++) {
    const row = 3 * k
    const way = parent.turns ? r[row] * position[0] + r[row + 1] * position[1] + r[row + 2] * position[2] : position[k]
    const sum = parent.position[k] + way
    const rest = sumError(parent.position[k], way, sum) + parent.position[k + 3]
    out.position[k] = sum + rest
    out.position[k + 3] = sumError(sum, rest, out.position[k])
  }
  const turned = parent.turns ? new Float64Array(9) : child
  if (parent.turns) {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        turned[3 * i + j] = r[3 * i] * child[j] + r[3 * i + 1] * child[j + 3] + r[3 * i + 2] * child[j + 6]
      }
    }
  }
  out.rotation.set(turned)
  out.turns = isTurn(out.rotation)
}

function addPart(composite: Composite, mesh: Mesh | null, path: readonly number[]): Part {
  if (composite.partCount === composite.parts.length) {
    const placement = createPlacement()
    composite.parts.push({ body: createBody(), mesh, placement, path, firstLeaf: 0, firstNode: 0 })
  }
  const part = composite.parts[composite.partCount++]
  part.mesh = mesh
  part.path = path
  return part
}

/** A slot for a convex part, its pose set: call one of the `set…` functions of `shapes.ts` on it. */
export function addConvexPart(composite: Composite, placement: Placement, path: readonly number[]): Body {
  const { body } = addPart(composite, null, path)
  for (let k = 0; k < 3; k++) body.numbers[POSITION + k] = placement.position[k] + placement.position[k + 3]
  body.numbers.set(placement.rotation, ROTATION)
  setAligned(body)
  return body
}

/** The mesh is shared, not copied: it must not change while the body is in use. */
export function addMeshPart(composite: Composite, mesh: Mesh, placement: Placement, path: readonly number[]): void {
  const part = addPart(composite, mesh, path)
  const { position } = part.placement
  for (let k = 0; k < 3; k++) {
    // One double, as of convex parts: leaves have no more.
    position[k] = placement.position[k] + placement.position[k + 3]
    position[k + 3] = 0
  }
  part.placement.rotation.set(placement.rotation)
  part.placement.turns = placement.turns
}

const partBox = new Float64Array(6)

/** Makes the body one of the parts that have been added; its own pose is set. Cost O(parts · log parts). */
export function finishComposite(body: Body): void {
  const composite = body.composite as Composite
  const { partCount, parts } = composite
  body.kind = COMPOSITE
  body.isBox = false
  body.hull = null
  body.surface = null
  reservePoints(body, 0)
  if (composite.boxes.length < 6 * partCount) composite.boxes = new Float64Array(12 * partCount)
  let leafCount = 0
  let nodeCount = 2 * partCount - 1
  for (let p = 0; p < partCount; p++) {
    const part = parts[p]
    part.firstLeaf = leafCount
    part.firstNode = nodeCount
    leafCount += part.mesh === null ? 1 : part.mesh.triangleCount
    nodeCount += part.mesh === null ? 0 : part.mesh.nodeCount
    setPartBox(body, part, partBox)
    composite.boxes.set(partBox, 6 * p)
  }
  composite.leafCount = leafCount
  composite.nodeCount = nodeCount
  composite.tree = buildBoxTree(composite.boxes, partCount)
  const { numbers } = body
  const { boxes } = composite.tree
  numbers[RADIUS] = 0
  numbers[REACH] = 0
  for (let k = 0; k < 3; k++) {
    numbers[ANCHOR + k] = 0
    const middle = 0.5 * boxes[k] + 0.5 * boxes[k + 3]
    numbers[CENTER + k] = Number.isFinite(middle) ? middle : 0
    numbers[REACH] += Math.max(boxes[k + 3] - numbers[CENTER + k], numbers[CENTER + k] - boxes[k])
  }
}

/** Makes the body, whose pose is set, a mesh. Cost O(1): the mesh is shared, not copied. */
export function setMesh(body: Body, mesh: Mesh): void {
  const composite = beginComposite(body)
  rootPlacement(body, ownPlacement)
  addMeshPart(composite, mesh, ownPlacement, NO_PATH)
  finishComposite(body)
}

/** The union of several bodies: a compound of all their parts, which it shares with them; of one body, that itself. */
export function unionOf(bodies: readonly Body[]): Body {
  if (bodies.length === 1) return bodies[0]
  const union = createBody()
  const composite = beginComposite(union)
  // Boxes count from here.
  for (let k = 0; k < 3; k++) union.numbers[POSITION + k] = bodies[0].numbers[POSITION + k]
  for (const body of bodies) {
    spend(1)
    if (body.kind === COMPOSITE) {
      const { parts, partCount } = body.composite as Composite
      spend(partCount)
      for (let p = 0; p < partCount; p++) composite.parts.push({ ...parts[p] })
    } else {
      composite.parts.push({
        body,
        mesh: null,
        placement: createPlacement(),
        path: NO_PATH,
        firstLeaf: 0,
        firstNode: 0,
      })
    }
  }
  composite.partCount = composite.parts.length
  finishComposite(union)
  return union
}

const ownPlacement = createPlacement()
const NO_PATH: readonly number[] = []

/** The position of the part from that of the body, along axis k. */
function partOffset(body: Body, { position }: Placement, k: number): number {
  return position[k] - body.numbers[POSITION + k] + position[k + 3]
}

function setPartBox(body: Body, part: Part, box: Float64Array): void {
  const { mesh, placement, body: own } = part
  if (mesh === null) kindOf(own).setBox(own, box)
  else turnBox(placement.rotation, mesh.header, MESH_BOX, box)
  // Vertices may be larger than the sides that turning leaves of them.
  const reach = mesh === null ? 0 : 3 * meshReach(mesh)
  for (let k = 0; k < 3; k++) {
    const offset =
      mesh === null ? own.numbers[POSITION + k] - body.numbers[POSITION + k] : partOffset(body, placement, k)
    const size = Math.max(-box[k], box[k + 3]) + Math.abs(offset) + reach
    const pad = size < Infinity ? SEPARATION_ERROR_RATIO * size : 0
    box[k] += offset - pad
    box[k + 3] += offset + pad
  }
}

// Leaves.

/** Which part a leaf is of. Cost O(log parts). */
export function partOfLeaf({ parts, partCount }: Composite, leaf: number): number {
  let low = 0
  let high = partCount - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (parts[middle].firstLeaf <= leaf) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * The leaf as a convex body: a convex part itself, or `slot` filled with the triangle, its corners in the caller's order from the
 * least on, so that it does not matter with which one the caller begins, and named by the caller's indices of them. Of a mesh that is turned all triangles round a vertex have the same rounded corner there.
 * Precondition: `body` is composite.
 */
export function setLeaf(body: Body, leaf: number, slot: Body): Body {
  const composite = body.composite as Composite
  const part = composite.parts[composite.partCount === 1 ? 0 : partOfLeaf(composite, leaf)]
  if (part.mesh === null) return part.body
  setTriangleLeaf(part.mesh, part.placement, leaf - part.firstLeaf, slot)
  return slot
}

/** Fills `slot` with a triangle of a mesh that stands there. */
function setTriangleLeaf(mesh: Mesh, placement: Placement, triangle: number, slot: Body): void {
  const { triangles } = mesh
  const at = 3 * triangle
  const first = leastCorner(triangles[at], triangles[at + 1], triangles[at + 2])
  reservePoints(slot, 3)
  const { numbers, names } = slot
  for (let k = 0; k < 3; k++) numbers[POSITION + k] = placement.position[k] + placement.position[k + 3]
  for (let k = 0; k < 9; k++) numbers[ROTATION + k] = k % 4 === 0 ? 1 : 0
  slot.aligned = true
  for (let corner = 0; corner < 3; corner++) {
    const vertex = triangles[at + ((first + corner) % 3)]
    names[corner] = vertex
    putPlacedVertex(mesh, placement, vertex, numbers, VERTICES + 3 * corner)
  }
  finishPoints(slot, 0)
}

/** The corner from which on three vertices come first in order; of a repeated one its first, so that it stands twice in front. */
function leastCorner(p: number, q: number, r: number): number {
  const least = Math.min(p, q, r)
  if (r === least && q !== least) return 2
  return p === least ? 0 : 1
}

/** A leaf as the caller knows it. */
export interface LeafOwner {
  /** The part's place in `composite.parts`. */
  part: number
  /** The indices of the children that lead to it; none of what is no compound. */
  path: readonly number[]
  /** The caller's triangle; −1 where the leaf is a convex part. */
  triangle: number
  /** Its group; null without. */
  group: number | null
  /** Whether the leaf is of a solid mesh. */
  isSolid: boolean
}

export function createLeafOwner(): LeafOwner {
  return { part: 0, path: NO_PATH, triangle: -1, group: null, isSolid: false }
}

/** Fills `out`. Precondition: `body` is composite. */
export function leafOwner(body: Body, leaf: number, out: LeafOwner): void {
  const composite = body.composite as Composite
  out.part = partOfLeaf(composite, leaf)
  const { mesh, path, firstLeaf } = composite.parts[out.part]
  const triangle = leaf - firstLeaf
  out.path = path
  out.triangle = mesh === null ? -1 : (mesh.names?.[triangle] ?? triangle)
  out.group = mesh?.groups?.[triangle] ?? null
  out.isSolid = mesh?.isSolid ?? false
}

/** The box of a leaf. */
export function leafBox(body: Body, leaf: number, box: Float64Array): void {
  const composite = body.composite as Composite
  const p = partOfLeaf(composite, leaf)
  const { mesh, placement, firstLeaf } = composite.parts[p]
  if (mesh === null) {
    for (let k = 0; k < 6; k++) box[k] = composite.boxes[6 * p + k]
    return
  }
  box.fill(Infinity, 0, 3)
  box.fill(-Infinity, 3, 6)
  putPlacedCorners(mesh, placement, leaf - firstLeaf, corners)
  for (let i = 0; i < 9; i++) {
    const k = i % 3
    box[k] = Math.min(box[k], corners[i])
    box[k + 3] = Math.max(box[k + 3], corners[i])
  }
  for (let k = 0; k < 3; k++) {
    const offset = partOffset(body, placement, k)
    const pad = SEPARATION_ERROR_RATIO * (Math.max(-box[k], box[k + 3]) + Math.abs(offset))
    box[k] += offset - pad
    box[k + 3] += offset + pad
  }
}

const corners = new Float64Array(9)

// Nodes: of the tree over the parts, and below those of each mesh. Node 0 is the root.

/** The children of a node: up to two nodes, or some leaves. */
export interface OpenedNode {
  nodeCount: number
  nodes: Int32Array
  leafCount: number
  leaves: Int32Array
}

export function createOpenedNode(): OpenedNode {
  return { nodeCount: 0, nodes: new Int32Array(2), leafCount: 0, leaves: new Int32Array(8) }
}

/** Sets `out` to what lies directly below the node: two nodes, one (a mesh below its part), or one to seven leaves. */
export function openNode(body: Body, node: number, out: OpenedNode): void {
  const composite = body.composite as Composite
  const { tree, parts } = composite
  out.nodeCount = 0
  out.leafCount = 0
  if (node < tree.nodeCount) {
    const first = tree.child[node]
    if (first >= 0) {
      out.nodeCount = 2
      out.nodes[0] = first
      out.nodes[1] = first + 1
      return
    }
    const part = parts[~first]
    if (part.mesh === null) {
      out.leafCount = 1
      out.leaves[0] = part.firstLeaf
    } else {
      out.nodeCount = 1
      out.nodes[0] = part.firstNode
    }
    return
  }
  const { mesh, firstNode, firstLeaf } = parts[partOfNode(composite, node)]
  const { links, records } = mesh as Mesh
  const at = NODE_SIZE * (node - firstNode)
  const from = links[at + 6]
  const count = links[at + 7]
  if (count === 0) {
    out.nodeCount = 2
    out.nodes[0] = firstNode + from
    out.nodes[1] = firstNode + from + 1
    return
  }
  out.leafCount = count
  for (let i = 0; i < count; i++) out.leaves[i] = firstLeaf + triangleOf(records, from + i)
}

/** Which part a node of a mesh is of. */
function partOfNode({ parts, partCount }: Composite, node: number): number {
  let low = 0
  let high = partCount - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (parts[middle].firstNode <= node) low = middle
    else high = middle - 1
  }
  // parts that are no meshes have no nodes: the last of those that begin there has
  return low
}

/** The box of a node. */
export function nodeBox(body: Body, node: number, box: Float64Array): void {
  const composite = body.composite as Composite
  const { tree, parts } = composite
  if (node < tree.nodeCount) {
    for (let k = 0; k < 6; k++) box[k] = tree.boxes[6 * node + k]
    return
  }
  const { mesh, placement, firstNode } = parts[partOfNode(composite, node)]
  const { header, nodes } = mesh as Mesh
  const at = NODE_SIZE * (node - firstNode)
  const size = 1 / header[TREE_SCALE]
  for (let k = 0; k < 3; k++) {
    own[k] = header[TREE_ORIGIN + k] + (nodes[at + k] - TREE_ERROR) * size
    own[k + 3] = header[TREE_ORIGIN + k] + (nodes[at + 3 + k] + TREE_ERROR) * size
  }
  turnBox(placement.rotation, own, 0, box)
  const far = ownSize()
  for (let k = 0; k < 3; k++) {
    const offset = partOffset(body, placement, k)
    const pad = SEPARATION_ERROR_RATIO * (far + Math.abs(offset))
    box[k] += offset - pad
    box[k + 3] += offset + pad
  }
}

const own = new Float64Array(6)

function ownSize(): number {
  let size = 0
  for (let k = 0; k < 6; k++) size = Math.max(size, Math.abs(own[k]))
  return 3 * size
}

/**
 * Calls `visit` for all leaves that meet the box, and some that do not (least x, y, z, greatest x, y, z from the body's position; sides may be
 * infinite), each once, in no particular order, until it returns true; whether it did. A visit may walk trees itself.
 */
export function visitLeaves(body: Body, box: Float64Array, visit: (leaf: number) => boolean): boolean {
  const { tree, parts } = body.composite as Composite
  if (tree.nodeCount === 0) return false
  const { nodes: stack } = beginWalk(TREE_DEPTH_COUNT + 2)
  try {
    let top = 1
    stack[0] = 0
    while (top > 0) {
      spend(1)
      const node = stack[--top]
      if (!meetsAt(tree.boxes, 6 * node, box)) continue
      const first = tree.child[node]
      if (first >= 0) {
        stack[top++] = first + 1
        stack[top++] = first
        continue
      }
      const { mesh, firstLeaf } = parts[~first]
      if (mesh === null ? visit(firstLeaf) : visitTriangles(body, ~first, box, visit)) return true
    }
    return false
  } finally {
    endWalk()
  }
}

function meetsAt(boxes: Float64Array, at: number, box: Float64Array): boolean {
  for (let k = 0; k < 3; k++) if (boxes[at + k] > box[k + 3] || boxes[at + 3 + k] < box[k]) return false
  return true
}

/** The box in the frame of a mesh's tree. */
const asked = new Float64Array(6)

function visitTriangles(body: Body, p: number, box: Float64Array, visit: (leaf: number) => boolean): boolean {
  const { parts, boxes } = body.composite as Composite
  const { mesh, firstLeaf } = parts[p]
  const { records } = mesh as Mesh
  if (!setAsked(body, parts[p], boxes, 6 * p, box)) return false
  return visitMesh(mesh as Mesh, asked, (first, end) => {
    for (let i = first; i < end; i++) if (visit(firstLeaf + triangleOf(records, i))) return true
    return false
  })
}

/** Sets `asked` to a box about the given one, as far as it meets that of the part, which begins at `at`; false where it does not. */
function setAsked(body: Body, part: Part, boxes: Float64Array, at: number, box: Float64Array): boolean {
  const { mesh, placement } = part
  const { header } = mesh as Mesh
  let far = 0
  for (let k = 0; k < 3; k++) {
    const offset = partOffset(body, placement, k)
    own[k] = Math.max(box[k], boxes[at + k]) - offset
    own[k + 3] = Math.min(box[k + 3], boxes[at + 3 + k]) - offset
    if (own[k] > own[k + 3]) return false
    far += Math.abs(offset)
  }
  far = SEPARATION_ERROR_RATIO * (far + ownSize() + 3 * meshReach(mesh as Mesh))
  const scale = header[TREE_SCALE]
  const pad = far * scale + TREE_ERROR
  turnBoxBack(placement.rotation, own, asked)
  for (let k = 0; k < 3; k++) {
    asked[k] = (asked[k] - header[TREE_ORIGIN + k]) * scale - pad
    asked[k + 3] = (asked[k + 3] - header[TREE_ORIGIN + k]) * scale + pad
  }
  return true
}

const otherBox = new Float64Array(6)

/** The box of any body, as boxes of `body` count: from the position of `body`, widened by what rounding may have cut off. */
export function boxFrom(body: Body, other: Body, box: Float64Array): void {
  kindOf(other).setBox(other, otherBox)
  for (let k = 0; k < 3; k++) {
    const offset = other.numbers[POSITION + k] - body.numbers[POSITION + k]
    const size = Math.abs(offset)
    box[k] = otherBox[k] + offset
    box[k + 3] = otherBox[k + 3] + offset
    const pad = SEPARATION_ERROR_RATIO * (size + finite(otherBox[k]) + finite(otherBox[k + 3]))
    box[k] -= pad
    box[k + 3] += pad
  }
}

function finite(value: number): number {
  return Math.abs(value) < Infinity ? Math.abs(value) : 0
}

// Solids.

const placed = createPlacedPoint()

/**
 * Where core point `i` of another body lies in the solid meshes of a composite one: 1 inside one, 0 on the surface of one, −1 outside of
 * all, exactly. Convex parts and meshes that are not solid do not count. Cost: for each solid mesh whose box holds it, a column of
 * boxes through it.
 */
export function sideOfSolids(body: Body, other: Body, i: number): MeshSide {
  const { parts, partCount, boxes } = body.composite as Composite
  let side: MeshSide = -1
  for (let k = 0; k < 3; k++) {
    placed.sum[k] = other.numbers[POSITION + k]
    placed.sum[k + 3] = other.numbers[VERTICES + 3 * i + k]
    const offset = placed.sum[k] - body.numbers[POSITION + k] + placed.sum[k + 3]
    const pad = SEPARATION_ERROR_RATIO * (Math.abs(placed.sum[k] - body.numbers[POSITION + k]) + Math.abs(offset))
    otherBox[k] = offset - pad
    otherBox[k + 3] = offset + pad
  }
  for (let p = 0; p < partCount && side < 1; p++) {
    const { mesh, placement } = parts[p]
    if (mesh === null || !mesh.isSolid || !meetsAt(boxes, 6 * p, otherBox)) continue
    const own = sideOfMesh(mesh, placement, placed)
    if (own > side) side = own
  }
  return side
}
