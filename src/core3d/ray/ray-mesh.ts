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
import {
  MESH_DEPTH_COUNT,
  NODE_SIZE,
  RECORD_SIZE,
  RECORD_STEP,
  TREE_ERROR,
  TREELET_SIZE,
  touchTreelet,
} from '../mesh/mesh-tree.ts'
import { MESH_RAY_UNDERFLOW, RECORD_ERROR_STEPS } from '../tolerances.ts'
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
  /** What `touchTreelet` has read. */
  touched: number
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
  touched: 0,
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
  const { nodes, links, records } = mesh
  const { treeU, treeV, treeK, leanU, leanV } = aim
  const treeOU = treeU === 0 ? aim.tx : treeU === 1 ? aim.ty : aim.tz
  const treeOV = treeV === 0 ? aim.tx : treeV === 1 ? aim.ty : aim.tz
  const treeOK = treeK === 0 ? aim.tx : treeK === 1 ? aim.ty : aim.tz
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
  const outX = ix * stretch
  const outY = iy * stretch
  const outZ = iz * stretch
  let limit = maxHigh
  const lastLead = links.length - TREELET_SIZE
  try {
    let top = 1
    let steps = 0
    // The first pair of the treelet that the walk is in.
    let lead = -TREELET_SIZE
    let touched = 0
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
          // Sheared places of corners are linear in their steps.
          const lowK = nodes[at + treeK]
          const stepU = (nodes[at + 3 + treeU] - nodes[at + treeU]) * RECORD_STEP
          const stepV = (nodes[at + 3 + treeV] - nodes[at + treeV]) * RECORD_STEP
          const stepK = (nodes[at + 3 + treeK] - lowK) * RECORD_STEP
          const leanStepU = leanU * stepK
          const leanStepV = leanV * stepK
          const lowU = nodes[at + treeU] - treeOU - leanU * (lowK - treeOK)
          const lowV = nodes[at + treeV] - treeOV - leanV * (lowK - treeOK)
          const doubt = 2 * (pad + RECORD_ERROR_STEPS * (stepU + stepV + stepK))
          const end = RECORD_SIZE * (first + count)
          for (let record = RECORD_SIZE * first; record < end; record += RECORD_SIZE) {
            const ak = records[record + treeK]
            const bk = records[record + 3 + treeK]
            const ck = records[record + 6 + treeK]
            const au = records[record + treeU] * stepU - leanStepU * ak + lowU
            const av = records[record + treeV] * stepV - leanStepV * ak + lowV
            const bu = records[record + 3 + treeU] * stepU - leanStepU * bk + lowU
            const bv = records[record + 3 + treeV] * stepV - leanStepV * bk + lowV
            const cu = records[record + 6 + treeU] * stepU - leanStepU * ck + lowU
            const cv = records[record + 6 + treeV] * stepV - leanStepV * ck + lowV
            const size = Math.abs(au) + Math.abs(av) + Math.abs(bu) + Math.abs(bv) + Math.abs(cu) + Math.abs(cv)
            const bound = 2 * doubt * (size + doubt)
            const a = cu * bv - cv * bu
            const b = au * cv - av * cu
            const c = bu * av - bv * au
            const isRight = +(a < -bound) | +(b < -bound) | +(c < -bound)
            const isLeft = +(a > bound) | +(b > bound) | +(c > bound)
            if ((isRight & isLeft) !== 0) continue
            const triangle = records[record + 9] + 2 ** 16 * records[record + 10]
            if (!testTriangle(mesh, placement, triangle, limit, out, close)) continue
            if (isFirst && out.list[out.count - 1].high < limit) limit = out.list[out.count - 1].high
          }
          break
        }
        const a = NODE_SIZE * first
        const b = a + NODE_SIZE
        if ((a - lead) >>> 0 >= TREELET_SIZE && a < lastLead) {
          lead = a
          touched ^= touchTreelet(links, a)
        }
        // Where something is not a number, a box is looked into.
        const aInX = (nodes[a + nearX] - enterX) * ix
        const aInY = (nodes[a + 1 + nearY] - enterY) * iy
        const aInZ = (nodes[a + 2 + nearZ] - enterZ) * iz
        const aOutX = (nodes[a + 3 - nearX] - leaveX) * outX
        const aOutY = (nodes[a + 4 - nearY] - leaveY) * outY
        const aOutZ = (nodes[a + 5 - nearZ] - leaveZ) * outZ
        const bInX = (nodes[b + nearX] - enterX) * ix
        const bInY = (nodes[b + 1 + nearY] - enterY) * iy
        const bInZ = (nodes[b + 2 + nearZ] - enterZ) * iz
        const bOutX = (nodes[b + 3 - nearX] - leaveX) * outX
        const bOutY = (nodes[b + 4 - nearY] - leaveY) * outY
        const bOutZ = (nodes[b + 5 - nearZ] - leaveZ) * outZ
        // Bits, not `||` or the least and the greatest: a processor foresees few of the many branches that those make.
        const missesA =
          +(aInX > aOutY) |
          +(aInX > aOutZ) |
          +(aInX > limit) |
          +(aOutX < 0) |
          (+(aInY > aOutX) | +(aInY > aOutZ) | +(aInY > limit) | +(aOutY < 0)) |
          (+(aInZ > aOutX) | +(aInZ > aOutY) | +(aInZ > limit) | +(aOutZ < 0))
        const missesB =
          +(bInX > bOutY) |
          +(bInX > bOutZ) |
          +(bInX > limit) |
          +(bOutX < 0) |
          (+(bInY > bOutX) | +(bInY > bOutZ) | +(bInY > limit) | +(bOutY < 0)) |
          (+(bInZ > bOutX) | +(bInZ > bOutY) | +(bInZ > limit) | +(bOutZ < 0))
        if ((missesA & missesB) !== 0) break
        if ((missesA | missesB) !== 0) {
          node = first + missesA
          continue
        }
        let aEnter = aInX
        if (aInY > aEnter) aEnter = aInY
        if (aInZ > aEnter) aEnter = aInZ
        let bEnter = bInX
        if (bInY > bEnter) bEnter = bInY
        if (bInZ > bEnter) bEnter = bInZ
        const isSecondNearer = +(aEnter > bEnter)
        waiting[top] = first + 1 - isSecondNearer
        keys[top++] = isSecondNearer !== 0 ? aEnter : bEnter
        node = first + isSecondNearer
      }
    }
    spend(steps)
    aim.touched = touched
  } finally {
    endWalk()
  }
}

/** Appends the triangle where the ray meets it, at most at the depth `limit`; whether it did. */
function testTriangle(
  mesh: Mesh,
  { rotation: r, turns }: Placement,
  triangle: number,
  limit: number,
  out: MeshHits,
  close: CloseHit,
): boolean {
  const { vertices, triangles } = mesh
  const { origin, scale, u, v, k, shearU, shearV, side, error } = aim
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
