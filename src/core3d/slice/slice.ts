/**
 * The cut of a plane through a body of any kind.
 *
 * Method: meshes are asked for the triangles whose boxes meet the plane, by their trees; flat-sided convex bodies are the triangles of
 * their faces. Both give rings by `cut-triangles.ts`, or chains where there is no inside. Curved and rounded bodies: `cut-curved.ts`. Nothing
 * is joined here: the cut is the union of what the parts give. What lies in the plane belongs to the cut where the body lies below it;
 * points at which an edge or a segment alone meets the plane are left out.
 * Frame: in, the world; out, the plane's.
 */

import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk } from '../../containers/scratch.ts'
import { type Mesh, meshReach, type Placement, putPlacedCorners, TREE_ORIGIN, TREE_SCALE } from '../mesh/mesh.ts'
import { edgeClass, FLAT_EDGE } from '../mesh/mesh-check.ts'
import { MESH_DEPTH_COUNT, NODE_SIZE, TREE_ERROR, triangleOf } from '../mesh/mesh-tree.ts'
import { type Body, COMPOSITE, type Composite, HALFSPACE, isBare, POSITION, VERTICES } from '../shape/body.ts'
import { exactSurface } from '../shape/core-surface.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type CurvedCut, cutCurved } from './cut-curved.ts'
import { type CutChain, CutTriangles } from './cut-triangles.ts'
import type { CuttingPlane } from './cutting-plane.ts'

/** A ring: x, y of its points one after the other. */
export interface SolidCut {
  /** The cut is all that they wind around. */
  rings: readonly number[][]
  /** There is one ring, and it is convex and counter-clockwise, but for rounding. */
  isConvex: boolean
}

export interface Slice {
  solids: SolidCut[]
  chains: CutChain[]
  rounds: Extract<CurvedCut, { kind: 'circle' | 'ellipse' | 'capsule' }>[]
  /** Outlines of curved bodies stick out of rings nowhere by more. */
  error: number
}

/** How far rings may lie within a curved outline: a length; where it is null, that much of the outline's size. */
export interface Fineness {
  tolerance: number | null
  ratio: number
}

/** The cut, or null where the body has no end. */
export function slice(body: Body, plane: CuttingPlane, fineness: Fineness): Slice | null {
  const out: Slice = { solids: [], chains: [], rounds: [], error: 0 }
  if (body.kind !== COMPOSITE) return addConvex(body, plane, fineness, out) ? out : null
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { mesh, placement, body: own } = parts[p]
    spend(4)
    if (mesh !== null) addMesh(mesh, placement, plane, out)
    else if (!addConvex(own, plane, fineness, out)) return null
  }
  return out
}

const corners = new Float64Array(9)

function addMesh(mesh: Mesh, placement: Placement, plane: CuttingPlane, out: Slice): void {
  const cut = new CutTriangles(plane, placement.position)
  visitAcross(mesh, placement, plane, (first, end) => {
    spend(4 * (end - first))
    for (let record = first; record < end; record++) {
      const triangle = triangleOf(mesh.records, record)
      putPlacedCorners(mesh, placement, triangle, corners)
      let flat = 0
      for (let edge = 0; edge < 3; edge++) if (edgeClass(mesh.edges, triangle, edge) === FLAT_EDGE) flat |= 1 << edge
      cut.add(corners, flat)
    }
  })
  if (mesh.isSolid) addSolid(out, cut.rings(), false)
  else for (const chain of cut.chains()) out.chains.push(chain)
}

function addSolid(out: Slice, rings: readonly number[][], isConvex: boolean): void {
  if (rings.length > 0) out.solids.push({ rings, isConvex })
}

/** Calls `visit` for the leaves of the mesh's tree whose boxes meet the plane, with their first record and the one after their last. */
function visitAcross(
  mesh: Mesh,
  { position, rotation: r }: Placement,
  plane: CuttingPlane,
  visit: (first: number, end: number) => void,
): void {
  const { header, nodes, links } = mesh
  // Heights in the frame of the tree: base + slope · point, all of it times the scale.
  const scale = header[TREE_SCALE]
  const slope = [0, 1, 2].map((k) => plane.normal[0] * r[k] + plane.normal[1] * r[k + 3] + plane.normal[2] * r[k + 6])
  let base = 0
  let size = 3 * meshReach(mesh)
  for (let k = 0; k < 3; k++) {
    const height = plane.normal[k] * (position[k] - plane.origin[k])
    base += height + slope[k] * header[TREE_ORIGIN + k]
    size += Math.abs(position[k]) + Math.abs(plane.origin[k])
  }
  base *= scale
  const pad = 2 * SEPARATION_ERROR_RATIO * size * scale + 3 * TREE_ERROR
  const low = slope.map((along, k) => (along > 0 ? k : k + 3))
  const { nodes: stack } = beginWalk(MESH_DEPTH_COUNT + 2)
  try {
    let top = 1
    stack[0] = 0
    while (top > 0) {
      spend(1)
      const at = NODE_SIZE * stack[--top]
      let least = base
      let greatest = base
      for (let k = 0; k < 3; k++) {
        least += slope[k] * nodes[at + low[k]]
        greatest += slope[k] * nodes[at + 2 * k + 3 - low[k]]
      }
      if (least > pad || greatest < -pad) continue
      const first = links[at + 6]
      const count = links[at + 7]
      if (count === 0) {
        stack[top++] = first + 1
        stack[top++] = first
      } else visit(first, first + count)
    }
  } finally {
    endWalk()
  }
}

/** False where the body has no end. */
function addConvex(body: Body, plane: CuttingPlane, { tolerance, ratio }: Fineness, out: Slice): boolean {
  if (body.kind === HALFSPACE) return false
  if (isBare(body)) {
    addFlatSided(body, plane, out)
    return true
  }
  const cut = cutCurved(body, plane, tolerance, ratio)
  if (cut === null) return true
  switch (cut.kind) {
    case 'ring':
      addSolid(out, [cut.points.flat()], true)
      out.error = Math.max(out.error, cut.error)
      break
    case 'segment':
      out.chains.push({ points: cut.ends.flat(), isLoop: false })
      break
    default:
      out.rounds.push(cut)
  }
  return true
}

/** Faces as fans of triangles, whose inner edges are flat. */
function addFlatSided(body: Body, plane: CuttingPlane, out: Slice): void {
  if (body.count < 3 || !crosses(body, plane)) return
  const { dimension, starts, corners: around } = exactSurface(body)
  if (dimension < 2) return
  const { numbers } = body
  const cut = new CutTriangles(plane, numbers.subarray(POSITION, POSITION + 3))
  // Both faces of what is flat are one.
  const faceCount = dimension === 2 ? 1 : starts.length - 1
  for (let f = 0; f < faceCount; f++) {
    spend(4 * (starts[f + 1] - starts[f]))
    for (let c = starts[f] + 1; c + 1 < starts[f + 1]; c++) {
      const fan = [around[starts[f]], around[c], around[c + 1]]
      for (let i = 0; i < 9; i++) corners[i] = numbers[VERTICES + 3 * fan[Math.floor(i / 3)] + (i % 3)]
      const isFirst = c === starts[f] + 1
      const isLast = c + 2 === starts[f + 1]
      cut.add(corners, (isFirst ? 0 : 1) | (isLast ? 0 : 4))
    }
  }
  if (dimension === 3) addSolid(out, cut.rings(), true)
  else for (const chain of cut.chains()) out.chains.push(chain)
}

/** Whether core points lie on both sides. */
function crosses({ numbers, count }: Body, plane: CuttingPlane): boolean {
  const position = numbers.subarray(POSITION, POSITION + 3)
  spend(count)
  const isFirstAbove = plane.isAbove(position, numbers, VERTICES)
  for (let i = 1; i < count; i++) if (plane.isAbove(position, numbers, VERTICES + 3 * i) !== isFirstAbove) return true
  return false
}
