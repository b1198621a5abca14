/**
 * Bodies in solids: whether a solid mesh of one composite body holds a point, or a connected piece of another body.
 *
 * Method: the exact inside test of meshes (`mesh/in-mesh.ts`). A piece is a convex part, or triangles that share corners: where no
 * leaves meet, it lies in a solid or outside as a whole.
 * Frame: world; points count from the position of a body, and are taken exactly.
 */

import { spend } from '../../containers/budget.ts'
import { type Mesh, putPlacedVertex } from '../mesh/mesh.ts'
import {
  ANCHOR,
  type Body,
  CENTER,
  COMPOSITE,
  type Composite,
  createBody,
  HALFSPACE,
  type Part,
  POINTS,
  POSITION,
  reservePoints,
  VERTICES,
} from '../shape/body.ts'
import { partOfLeaf, sideOfSolids } from '../shape/composite.ts'
import { finishPoints } from '../shape/shapes.ts'
import { LEAF_PAIR_STEP_COUNT, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import {
  type CompositeFrame,
  createCompositeFrame,
  END,
  gapMeasure,
  leafPair,
  orderComposites,
  visitLeafPairs,
} from './composite-walk.ts'
import { meets } from './separate.ts'

/** Whether the leaf is of a solid. */
export function isSolidLeaf(body: Body, leaf: number): boolean {
  return body.kind === COMPOSITE && partOf(body.composite as Composite, leaf).mesh?.isSolid === true
}

function partOf(composite: Composite, leaf: number): Part {
  return composite.parts[partOfLeaf(composite, leaf)]
}

const probe = createBody()

function setProbe(body: Body, x: number, y: number, z: number, radius: number): void {
  reservePoints(probe, 1)
  for (let k = 0; k < 3; k++) probe.numbers[POSITION + k] = body.numbers[POSITION + k]
  probe.numbers[VERTICES] = x
  probe.numbers[VERTICES + 1] = y
  probe.numbers[VERTICES + 2] = z
  finishPoints(probe, radius)
}

/** Whether a core point of the guest lies inside a solid of the holder, exactly. */
export function isVertexHeld(holder: Body, guest: Body, i: number): boolean {
  return sideOfSolids(holder, guest, i) > 0
}

const shell = createCompositeFrame()

/** Whether a point that counts from the guest's position lies inside a solid of the holder by more than rounding. */
export function isClearlyHeld(holder: Body, guest: Body, x: number, y: number, z: number): boolean {
  setProbe(guest, x, y, z, 0)
  if (!isVertexHeld(holder, probe, 0)) return false
  const far = [0, 1, 2].reduce(
    (sum, k) => sum + Math.abs(guest.numbers[POSITION + k] - holder.numbers[POSITION + k]),
    0,
  )
  setProbe(guest, x, y, z, 4 * SEPARATION_ERROR_RATIO * (Math.abs(x) + Math.abs(y) + Math.abs(z) + far))
  orderComposites(holder, probe, shell)
  let meet = false
  // Asked within visits of near pairs, which do not nest.
  visitLeafPairs(shell, 0, gapMeasure(shell), (leafA, leafB) => {
    spend(LEAF_PAIR_STEP_COUNT)
    meet = meets(leafPair(shell, leafA, leafB))
    return meet ? END : 0
  })
  return !meet
}

/** Whether a solid of one body has a piece of the other inside, of bodies whose leaves do not meet, or only touch. */
export function holdsSomething(frame: CompositeFrame): boolean {
  return findHeldPoint(frame, null)
}

/** As `holdsSomething`; sets a point of the piece that comes first in order, if one is asked for. */
export function findHeldPoint({ first, second }: CompositeFrame, out: Float64Array | null): boolean {
  const isFirst = findHeldIn(first.body, second.body, out)
  return isFirst || findHeldIn(second.body, first.body, out)
}

function findHeldIn(holder: Body, guest: Body, out: Float64Array | null): boolean {
  if (!hasSolid(holder)) return false
  if (guest.kind !== COMPOSITE) return isPieceHeld(holder, guest, out, false)
  const { parts, partCount } = guest.composite as Composite
  let isFound = false
  for (let p = 0; p < partCount; p++) {
    const { mesh, body } = parts[p]
    if (mesh === null) isFound = isPieceHeld(holder, body, out, isFound) || isFound
    else {
      for (const vertex of piecesOf(mesh)) {
        setCorner(parts[p], mesh, vertex)
        isFound = isPieceHeld(holder, corner, out, isFound) || isFound
        if (isFound && out === null) return true
      }
    }
    if (isFound && out === null) return true
  }
  return isFound
}

const corner = createBody()

function setCorner({ placement }: Part, mesh: Mesh, vertex: number): void {
  reservePoints(corner, 1)
  for (let k = 0; k < 3; k++) corner.numbers[POSITION + k] = placement.position[k] + placement.position[k + 3]
  putPlacedVertex(mesh, placement, vertex, corner.numbers, VERTICES)
  finishPoints(corner, 0)
}

/** Whether any part of the body is a solid mesh. */
export function hasSolid({ kind, composite }: Body): boolean {
  if (kind !== COMPOSITE || composite === null) return false
  for (let p = 0; p < composite.partCount; p++) if (composite.parts[p].mesh?.isSolid === true) return true
  return false
}

/** Whether the first core point of a convex body, or its middle, lies inside; takes it if it comes before what is there. */
function isPieceHeld(holder: Body, guest: Body, out: Float64Array | null, hasOther: boolean): boolean {
  const { kind, numbers } = guest
  if (kind === HALFSPACE) return false
  spend(HOLDING_STEPS)
  const at = kind === POINTS ? VERTICES : CENTER
  const local = [0, 1, 2].map((k) => numbers[at + k] + (kind === POINTS ? 0 : numbers[ANCHOR + k]))
  setProbe(guest, local[0], local[1], local[2], 0)
  if (!isVertexHeld(holder, probe, 0)) return false
  if (out === null) return true
  const place = local.map((x, k) => numbers[POSITION + k] + x)
  const differing = place.findIndex((x, k) => x !== out[k])
  if (!hasOther || (differing >= 0 && place[differing] < out[differing])) out.set(place)
  return true
}

/** Steps of an inside test. */
const HOLDING_STEPS = 64

/** Of each mesh that was asked about, the least corner of every piece. */
const pieces = new WeakMap<Mesh, Uint32Array>()

/** One corner of every piece of the mesh: triangles that share corners are of one. Cost O(triangles), once. */
function piecesOf(mesh: Mesh): Uint32Array {
  const known = pieces.get(mesh)
  if (known !== undefined) return known
  const { triangles, triangleCount, vertexCount } = mesh
  spend(4 * triangleCount)
  const parent = new Int32Array(vertexCount).fill(-1)
  const rootOf = (vertex: number): number => {
    let root = vertex
    while (parent[root] >= 0 && parent[root] !== root) {
      const above = parent[parent[root]]
      parent[root] = above
      root = above
    }
    return root
  }
  for (let i = 0; i < 3 * triangleCount; i++) if (parent[triangles[i]] < 0) parent[triangles[i]] = triangles[i]
  for (let t = 0; t < 3 * triangleCount; t += 3) {
    for (let k = 1; k < 3; k++) {
      const a = rootOf(triangles[t])
      const b = rootOf(triangles[t + k])
      // The least corner is the root.
      if (a < b) parent[b] = a
      else parent[a] = b
    }
  }
  const found: number[] = []
  for (let vertex = 0; vertex < vertexCount; vertex++) if (parent[vertex] === vertex) found.push(vertex)
  const made = Uint32Array.from(found)
  pieces.set(mesh, made)
  return made
}
