/**
 * The triangles of a placed mesh that a ray meets.
 *
 * Method: the tree is walked near to far in its own frame. A triangle is moved so that the ray begins at the origin and sheared so that the ray
 * goes along one axis; there three edge functions tell whether it passes between the edges (S. Woop, C. Benthin, I. Wald, "Watertight ray/triangle
 * intersection", Journal of Computer Graphics Techniques 2 (2013)). Each has a bound on its error; where one is within its bound, or the
 * place lies near an end of the ray, the triangle is cast at as a convex body, exactly and as a closed set. Corners are rounded alike
 * for all triangles round a vertex, so a ray cannot pass between two of them.
 * Frame: depths are lengths along the ray's largest axis, in units of the tree. Error bounds: all numbers are at most M, the reach of the mesh and the
 * distance of the ray's origin along an axis. A sheared coordinate is off by less than 16·u·M =: E, an edge function of such with the sum of sizes S by less
 * than 2·E·(S + E).
 */

import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk } from '../../containers/scratch.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { type Mesh, meshReach, type Placement, TREE_ORIGIN, TREE_SCALE } from '../mesh/mesh.ts'
import { MESH_DEPTH_COUNT, NODE_SIZE, POINT_ERROR, RECORD_SIZE, TREE_ERROR } from '../mesh/mesh-tree.ts'
import { MESH_RAY_UNDERFLOW } from '../tolerances.ts'
import type { RayHit } from './ray-convex.ts'
import type { Ray } from './ray-line.ts'

/** A triangle that the ray meets, or may meet. */
export interface MeshHit {
  triangle: number
  /** Rounding leaves open whether it does: `low` and `high` say where it might. */
  isOpen: boolean
  /** Its depth lies between these. */
  low: number
  high: number
  /** 1 where the triangle is seen counter-clockwise from the side the ray comes from, −1 clockwise. */
  facing: 1 | -1
  /** How it was closed, of an open one. */
  cast: RayHit | null
}

/** The hits that a walk has found, in no particular order; those behind the first `count` are spare. */
export interface MeshHits {
  count: number
  list: MeshHit[]
}

export function createMeshHits(): MeshHits {
  return { count: 0, list: [] }
}

/** Sets the depth of a hit that has been closed. */
export function narrow(hit: MeshHit, depth: number): void {
  hit.low = depth * (1 - DEPTH_ERROR)
  hit.high = depth * (1 + DEPTH_ERROR)
}

/** Looks at an open hit: narrows its place and returns true where the ray does meet the triangle. */
export type CloseHit = (hit: MeshHit) => boolean

/** The ray in the frame of the tree, and sheared in that of the world. */
interface Aim {
  /** Origin and direction in the tree's frame; a depth is a multiple of the direction. */
  tx: number
  ty: number
  tz: number
  ix: number
  iy: number
  iz: number
  /** The sides of boxes that the ray meets first: 0 or 3. */
  nearX: number
  nearY: number
  nearZ: number
  /** Axes of the tree: U and V across the direction's largest one, K, and the shears along that. */
  treeU: number
  treeV: number
  treeK: number
  leanU: number
  leanV: number
  /** By how much boxes are widened. */
  pad: number
  /** Axes of the world: u and v across the ray's largest one, k. */
  u: number
  v: number
  k: number
  shearU: number
  shearV: number
  /** ±1: the sign of the direction along k. */
  side: number
  /** The origin from the mesh's position. */
  origin: Float64Array
  scale: number
  /** E above. */
  error: number
  /** The depth at which the ray ends, and bounds on it. */
  maxLow: number
  maxHigh: number
}

const aim: Aim = {
  tx: 0,
  ty: 0,
  tz: 0,
  ix: 0,
  iy: 0,
  iz: 0,
  nearX: 0,
  nearY: 0,
  nearZ: 0,
  treeU: 0,
  treeV: 1,
  treeK: 2,
  leanU: 0,
  leanV: 0,
  pad: 0,
  u: 0,
  v: 1,
  k: 2,
  shearU: 0,
  shearV: 0,
  side: 1,
  origin: new Float64Array(3),
  scale: 1,
  error: 0,
  maxLow: 0,
  maxHigh: 0,
}

/** World length of a depth of 1. */
export function depthUnit(ray: Ray, mesh: Mesh): number {
  const size = Math.max(Math.abs(ray.dx), Math.abs(ray.dy), Math.abs(ray.dz))
  const x = ray.dx / size
  const y = ray.dy / size
  const z = ray.dz / size
  return Math.sqrt(x * x + y * y + z * z) / mesh.header[TREE_SCALE]
}

/** Where rounding of depths and of their comparison with lengths comes to. */
const DEPTH_ERROR = 32 * UNIT_ROUNDOFF

function setAim(ray: Ray, mesh: Mesh, { position, rotation: r }: Placement): void {
  const { header } = mesh
  const scale = header[TREE_SCALE]
  const { dx, dy, dz, ox, oy, oz } = ray
  const sizeX = Math.abs(dx)
  const sizeY = Math.abs(dy)
  const sizeZ = Math.abs(dz)
  const k = sizeX >= sizeY && sizeX >= sizeZ ? 0 : sizeY >= sizeZ ? 1 : 2
  const size = k === 0 ? sizeX : k === 1 ? sizeY : sizeZ
  const x = dx / size
  const y = dy / size
  const z = dz / size
  const { origin } = aim
  origin[0] = ox - position[0] - position[3]
  origin[1] = oy - position[1] - position[4]
  origin[2] = oz - position[2] - position[5]
  // Three roundings of numbers no larger than these.
  const far =
    Math.max(
      Math.abs(ox - position[0]),
      Math.abs(oy - position[1]),
      Math.abs(oz - position[2]),
      Math.abs(origin[0]),
      Math.abs(origin[1]),
      Math.abs(origin[2]),
    ) * scale
  const largest = far + 2 * meshReach(mesh) * scale
  aim.scale = scale
  aim.error = 16 * UNIT_ROUNDOFF * largest
  aim.pad = 64 * UNIT_ROUNDOFF * largest + TREE_ERROR
  aim.k = k
  aim.u = k === 2 ? 0 : k + 1
  aim.v = k === 0 ? 2 : k - 1
  const along = k === 0 ? x : k === 1 ? y : z
  aim.side = along
  aim.shearU = (k === 0 ? y : k === 1 ? z : x) * along
  aim.shearV = (k === 0 ? z : k === 1 ? x : y) * along
  const tx = r[0] * x + r[3] * y + r[6] * z
  const ty = r[1] * x + r[4] * y + r[7] * z
  const tz = r[2] * x + r[5] * y + r[8] * z
  aim.tx = (r[0] * origin[0] + r[3] * origin[1] + r[6] * origin[2] - header[TREE_ORIGIN]) * scale
  aim.ty = (r[1] * origin[0] + r[4] * origin[1] + r[7] * origin[2] - header[TREE_ORIGIN + 1]) * scale
  aim.tz = (r[2] * origin[0] + r[5] * origin[1] + r[8] * origin[2] - header[TREE_ORIGIN + 2]) * scale
  const sx = Math.abs(tx)
  const sy = Math.abs(ty)
  const sz = Math.abs(tz)
  const treeK = sx >= sy && sx >= sz ? 0 : sy >= sz ? 1 : 2
  aim.treeK = treeK
  aim.treeU = treeK === 2 ? 0 : treeK + 1
  aim.treeV = treeK === 0 ? 2 : treeK - 1
  aim.leanU = treeK === 0 ? ty / tx : treeK === 1 ? tz / ty : tx / tz
  aim.leanV = treeK === 0 ? tz / tx : treeK === 1 ? tx / ty : ty / tz
  // of −0 as of 0
  aim.ix = 1 / (tx + 0)
  aim.iy = 1 / (ty + 0)
  aim.iz = 1 / (tz + 0)
  aim.nearX = tx < 0 ? 3 : 0
  aim.nearY = ty < 0 ? 3 : 0
  aim.nearZ = tz < 0 ? 3 : 0
  const end = ray.maxDistance / depthUnit(ray, mesh)
  aim.maxLow = end * (1 - DEPTH_ERROR)
  aim.maxHigh = end * (1 + DEPTH_ERROR)
}

/**
 * Fills `out` with the triangles that the ray meets: all of them, or, if `isFirst`, at least those that none of the others lies before for
 * certain. Open hits are closed by `close` as they are found.
 */
export function meshHits(
  ray: Ray,
  mesh: Mesh,
  placement: Placement,
  isFirst: boolean,
  out: MeshHits,
  close: CloseHit,
): void {
  out.count = 0
  setAim(ray, mesh, placement)
  const { nodes, links, points, records } = mesh
  const { treeU, treeV, treeK, leanU, leanV } = aim
  const treeOU = treeU === 0 ? aim.tx : treeU === 1 ? aim.ty : aim.tz
  const treeOV = treeV === 0 ? aim.tx : treeV === 1 ? aim.ty : aim.tz
  const treeOK = treeK === 0 ? aim.tx : treeK === 1 ? aim.ty : aim.tz
  const doubt = 2 * (aim.pad + POINT_ERROR)
  const { ix, iy, iz, nearX, nearY, nearZ, pad, maxHigh } = aim
  const enterX = aim.tx + (ix < 0 ? -pad : pad)
  const enterY = aim.ty + (iy < 0 ? -pad : pad)
  const enterZ = aim.tz + (iz < 0 ? -pad : pad)
  const leaveX = aim.tx - (ix < 0 ? -pad : pad)
  const leaveY = aim.ty - (iy < 0 ? -pad : pad)
  const leaveZ = aim.tz - (iz < 0 ? -pad : pad)
  const stack = beginWalk(MESH_DEPTH_COUNT + 2)
  const { nodes: waiting, keys } = stack
  // Roundings of a box's depths, which are differences times an inverse.
  const stretch = 1 + DEPTH_ERROR
  let limit = maxHigh
  try {
    let top = 1
    let steps = 0
    waiting[0] = 0
    keys[0] = -Infinity
    while (top > 0) {
      if (keys[--top] > limit) continue
      let node = waiting[top]
      for (;;) {
        steps++
        const at = NODE_SIZE * node
        const first = links[at + 6]
        const count = links[at + 7]
        if (count > 0) {
          steps += count
          for (let record = first; record < first + count; record++) {
            const i = 3 * records[RECORD_SIZE * record]
            const j = 3 * records[RECORD_SIZE * record + 1]
            const l = 3 * records[RECORD_SIZE * record + 2]
            const ak = points[i + treeK] - treeOK
            const bk = points[j + treeK] - treeOK
            const ck = points[l + treeK] - treeOK
            const au = points[i + treeU] - treeOU - leanU * ak
            const av = points[i + treeV] - treeOV - leanV * ak
            const bu = points[j + treeU] - treeOU - leanU * bk
            const bv = points[j + treeV] - treeOV - leanV * bk
            const cu = points[l + treeU] - treeOU - leanU * ck
            const cv = points[l + treeV] - treeOV - leanV * ck
            const size = Math.abs(au) + Math.abs(av) + Math.abs(bu) + Math.abs(bv) + Math.abs(cu) + Math.abs(cv)
            const bound = 2 * doubt * (size + doubt)
            const a = cu * bv - cv * bu
            const b = au * cv - av * cu
            const c = bu * av - bv * au
            if ((a < -bound || b < -bound || c < -bound) && (a > bound || b > bound || c > bound)) continue
            if (!testTriangle(mesh, placement, record, limit, out, close)) continue
            if (isFirst && out.list[out.count - 1].high < limit) limit = out.list[out.count - 1].high
          }
          break
        }
        const a = NODE_SIZE * first
        const b = a + NODE_SIZE
        // Where something is not a number, a box is looked into.
        let aEnter = (nodes[a + nearX] - enterX) * ix
        const aEnterY = (nodes[a + 1 + nearY] - enterY) * iy
        const aEnterZ = (nodes[a + 2 + nearZ] - enterZ) * iz
        let aLeave = (nodes[a + 3 - nearX] - leaveX) * ix
        const aLeaveY = (nodes[a + 4 - nearY] - leaveY) * iy
        const aLeaveZ = (nodes[a + 5 - nearZ] - leaveZ) * iz
        if (aEnterY > aEnter) aEnter = aEnterY
        if (aEnterZ > aEnter) aEnter = aEnterZ
        if (aLeaveY < aLeave) aLeave = aLeaveY
        if (aLeaveZ < aLeave) aLeave = aLeaveZ
        let bEnter = (nodes[b + nearX] - enterX) * ix
        const bEnterY = (nodes[b + 1 + nearY] - enterY) * iy
        const bEnterZ = (nodes[b + 2 + nearZ] - enterZ) * iz
        let bLeave = (nodes[b + 3 - nearX] - leaveX) * ix
        const bLeaveY = (nodes[b + 4 - nearY] - leaveY) * iy
        const bLeaveZ = (nodes[b + 5 - nearZ] - leaveZ) * iz
        if (bEnterY > bEnter) bEnter = bEnterY
        if (bEnterZ > bEnter) bEnter = bEnterZ
        if (bLeaveY < bLeave) bLeave = bLeaveY
        if (bLeaveZ < bLeave) bLeave = bLeaveZ
        const missesA = aEnter > aLeave * stretch || aLeave < 0 || aEnter > limit
        const missesB = bEnter > bLeave * stretch || bLeave < 0 || bEnter > limit
        if (missesA) {
          if (missesB) break
          node = first + 1
        } else if (missesB) node = first
        else if (aEnter > bEnter) {
          waiting[top] = first
          keys[top++] = aEnter
          node = first + 1
        } else {
          waiting[top] = first + 1
          keys[top++] = bEnter
          node = first
        }
      }
    }
    spend(steps)
  } finally {
    endWalk()
  }
}

/** Appends the triangle where the ray meets it, at most at the depth `limit`; whether it did. */
function testTriangle(
  mesh: Mesh,
  { rotation: r, turns }: Placement,
  record: number,
  limit: number,
  out: MeshHits,
  close: CloseHit,
): boolean {
  const { vertices, records, triangles } = mesh
  const { origin, scale, u, v, k, shearU, shearV, side, error } = aim
  const triangle = records[RECORD_SIZE * record + 3]
  const i = 3 * triangles[3 * triangle]
  const j = 3 * triangles[3 * triangle + 1]
  const l = 3 * triangles[3 * triangle + 2]
  let au: number
  let av: number
  let ak: number
  let bu: number
  let bv: number
  let bk: number
  let cu: number
  let cv: number
  let ck: number
  if (turns) {
    const ru = 3 * u
    const rv = 3 * v
    const rk = 3 * k
    const ax = vertices[i]
    const ay = vertices[i + 1]
    const az = vertices[i + 2]
    const bx = vertices[j]
    const by = vertices[j + 1]
    const bz = vertices[j + 2]
    const cx = vertices[l]
    const cy = vertices[l + 1]
    const cz = vertices[l + 2]
    au = r[ru] * ax + r[ru + 1] * ay + r[ru + 2] * az
    av = r[rv] * ax + r[rv + 1] * ay + r[rv + 2] * az
    ak = r[rk] * ax + r[rk + 1] * ay + r[rk + 2] * az
    bu = r[ru] * bx + r[ru + 1] * by + r[ru + 2] * bz
    bv = r[rv] * bx + r[rv + 1] * by + r[rv + 2] * bz
    bk = r[rk] * bx + r[rk + 1] * by + r[rk + 2] * bz
    cu = r[ru] * cx + r[ru + 1] * cy + r[ru + 2] * cz
    cv = r[rv] * cx + r[rv + 1] * cy + r[rv + 2] * cz
    ck = r[rk] * cx + r[rk + 1] * cy + r[rk + 2] * cz
  } else {
    au = vertices[i + u]
    av = vertices[i + v]
    ak = vertices[i + k]
    bu = vertices[j + u]
    bv = vertices[j + v]
    bk = vertices[j + k]
    cu = vertices[l + u]
    cv = vertices[l + v]
    ck = vertices[l + k]
  }
  const ou = origin[u]
  const ov = origin[v]
  const ok = origin[k]
  ak = (ak - ok) * scale
  bk = (bk - ok) * scale
  ck = (ck - ok) * scale
  au = (au - ou) * scale - shearU * ak
  av = (av - ov) * scale - shearV * ak
  bu = (bu - ou) * scale - shearU * bk
  bv = (bv - ov) * scale - shearV * bk
  cu = (cu - ou) * scale - shearU * ck
  cv = (cv - ov) * scale - shearV * ck
  const size = Math.abs(au) + Math.abs(av) + Math.abs(bu) + Math.abs(bv) + Math.abs(cu) + Math.abs(cv)
  const bound = 2 * error * (size + error) + MESH_RAY_UNDERFLOW
  const a = cu * bv - cv * bu
  const b = au * cv - av * cu
  const c = bu * av - bv * au
  const least = Math.min(a, b, c)
  const greatest = Math.max(a, b, c)
  if (least < -bound && greatest > bound) return false
  let low: number
  let high: number
  let isOpen = false
  if (least > bound || greatest < -bound) {
    const sum = a + b + c
    const depth = (side * (a * ak + b * bk + c * ck)) / sum
    const far = Math.abs(ak) + Math.abs(bk) + Math.abs(ck)
    const slack = (4 * bound * far) / Math.abs(sum) + error + 16 * UNIT_ROUNDOFF * far
    low = depth - slack
    high = depth + slack
    if (high < 0 || low > limit) return false
    // Near its ends the ray is cut off exactly.
    isOpen = low < 0 || high > aim.maxLow
  } else {
    low = side > 0 ? Math.min(ak, bk, ck) : -Math.max(ak, bk, ck)
    high = side > 0 ? Math.max(ak, bk, ck) : -Math.min(ak, bk, ck)
    low -= error
    high += error
    if (high < 0 || low > limit) return false
    isOpen = true
  }
  const hit = nextHit(out)
  hit.triangle = triangle
  hit.isOpen = isOpen
  hit.cast = null
  hit.low = low
  hit.high = high
  hit.facing = a + b + c < 0 === side < 0 ? 1 : -1
  if (isOpen && !close(hit)) return false
  out.count++
  return true
}

function nextHit(out: MeshHits): MeshHit {
  if (out.count === out.list.length)
    out.list.push({ triangle: 0, isOpen: false, low: 0, high: 0, facing: 1, cast: null })
  return out.list[out.count]
}
