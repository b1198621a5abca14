/**
 * The triangles of a placed mesh that may lie within some distance of a convex body.
 *
 * Method: the tree is walked near to far, by the distances of its boxes from the body's. Most triangles of a leaf that is near enough are
 * passed over because all their corners lie too far along the direction from the body to the leaf. Of each other the point nearest to the body's
 * middle is found (C. Ericson, "Real-Time Collision Detection", 5.1.5): no corner is nearer along the direction of that point than the triangle is,
 * and the body reaches no farther that way than its box.
 * Frame: a body counts from the position of the mesh, in world axes. Inside, all is in the frame of the tree, triangles from the body's middle.
 * Error bounds: the middle and the sides of boxes are off by less than E, which is `SEPARATION_ERROR_RATIO` of the sum of their sizes and
 * `TREE_ERROR`, twice. Corners of records are off by half a step along each axis besides, which moves no distance by more than the sum of the three.
 * Heights along a unit vector are off by `ROUNDING` of the sum of the coordinates.
 */

import { spend } from '../../containers/budget.ts'
import { beginWalk, endWalk } from '../../containers/scratch.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { NEAR_EXTENT, RECORD_ERROR_STEPS, SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type Mesh, meshReach, type Placement, TREE_ORIGIN, TREE_SCALE, turnBoxBack } from './mesh.ts'
import {
  MESH_DEPTH_COUNT,
  NODE_SIZE,
  RECORD_SIZE,
  RECORD_STEP,
  TREE_ERROR,
  TREELET_SIZE,
  touchTreelet,
  triangleOf,
} from './mesh-tree.ts'

/** A convex body as this walk sees it. */
export interface NearBody {
  /** A point in its middle. */
  center: Float64Array
  /** It lies in the ball of this radius about the middle. */
  radius: number
  /** It is that ball. */
  isBall: boolean
  /** Its box, from its middle: least x, y, z and greatest x, y, z. */
  box: Float64Array
}

export function createNearBody(): NearBody {
  return { center: new Float64Array(3), radius: 0, isBall: false, box: new Float64Array(6) }
}

/**
 * Given a triangle and bounds on its distance from the body, returns the new limit: triangles farther away are left out. `high` is Infinity
 * unless the body is a ball; of a ball that the triangle cuts the bounds are less than 0, by how deep its middle lies.
 */
export type NearVisit = (triangle: number, low: number, high: number) => number

/** The body in the frame of the tree: its middle, the box about that, and E. */
const own = {
  x: 0,
  y: 0,
  z: 0,
  lowX: 0,
  lowY: 0,
  lowZ: 0,
  highX: 0,
  highY: 0,
  highZ: 0,
  radius: 0,
  isBall: false,
  error: 0,
  /** Products of its lengths do not overflow. */
  isInRange: true,
  /** What `touchTreelet` has read. */
  touched: 0,
}

/** Of the triangle looked at last: bounds on its distance, of a ball from the middle. */
const bounds = { low: 0, high: 0 }

const turned = new Float64Array(6)

function setOwn({ center, radius, isBall, box }: NearBody, mesh: Mesh, { rotation: r }: Placement): void {
  const { header } = mesh
  const scale = header[TREE_SCALE]
  const [x, y, z] = center
  own.x = (r[0] * x + r[3] * y + r[6] * z - header[TREE_ORIGIN]) * scale
  own.y = (r[1] * x + r[4] * y + r[7] * z - header[TREE_ORIGIN + 1]) * scale
  own.z = (r[2] * x + r[5] * y + r[8] * z - header[TREE_ORIGIN + 2]) * scale
  const size = (Math.abs(x) + Math.abs(y) + Math.abs(z) + radius + 3 * meshReach(mesh)) * scale
  own.radius = radius * scale
  own.isBall = isBall
  own.error = 2 * (SEPARATION_ERROR_RATIO * size + TREE_ERROR)
  if (isBall) turned.fill(0)
  else turnBoxBack(r, box, turned)
  own.lowX = turned[0] * scale
  own.lowY = turned[1] * scale
  own.lowZ = turned[2] * scale
  own.highX = turned[3] * scale
  own.highY = turned[4] * scale
  own.highZ = turned[5] * scale
  own.isInRange = size < NEAR_EXTENT
}

/** Roundings of squares and of sums of them. */
const ROUNDING = 16 * UNIT_ROUNDOFF

/**
 * Calls `visit` for all triangles that are no farther from the body than the limit, and some that are, nearer ones first as a rule, until the limit
 * is −Infinity. Returns the limit. A visit may walk trees itself, but not this way.
 */
export function visitNear(mesh: Mesh, placement: Placement, body: NearBody, limit: number, visit: NearVisit): number {
  setOwn(body, mesh, placement)
  const { nodes, links, records, header } = mesh
  const { radius, isBall, error } = own
  const scale = header[TREE_SCALE]
  const skin = isBall ? radius : 0
  const lowX = own.x + own.lowX
  const lowY = own.y + own.lowY
  const lowZ = own.z + own.lowZ
  const highX = own.x + own.highX
  const highY = own.y + own.highY
  const highZ = own.z + own.highZ
  const stack = beginWalk(MESH_DEPTH_COUNT + 2)
  const { nodes: waiting, keys } = stack
  let left = limit
  let reach = reachOf(left, scale, skin + error)
  let square = reach * reach
  const lastLead = links.length - TREELET_SIZE
  try {
    let top = 1
    let steps = 0
    // The first pair of the treelet that the walk is in.
    let lead = -TREELET_SIZE
    let touched = 0
    waiting[0] = 0
    keys[0] = 0
    while (top > 0) {
      if (keys[--top] > square) continue
      let node = waiting[top]
      for (;;) {
        steps++
        const at = NODE_SIZE * node
        const first = links[at + 6]
        const count = links[at + 7]
        if (count > 0) {
          spend(steps + 2 * count)
          steps = 0
          setLeaf(nodes, at)
          const { alongX, alongY, alongZ, begin } = leaf
          const slack = error + leaf.error
          let leafReach = reach + leaf.error
          let leafSquare = leafReach * leafReach
          let far = leafReach - begin
          for (let record = first; record < first + count; record++) {
            const i = RECORD_SIZE * record
            const one = alongX * records[i] + alongY * records[i + 1] + alongZ * records[i + 2]
            const two = alongX * records[i + 3] + alongY * records[i + 4] + alongZ * records[i + 5]
            const three = alongX * records[i + 6] + alongY * records[i + 7] + alongZ * records[i + 8]
            if (one > far && two > far && three > far) continue
            if (!boundTriangle(records, i, leafReach, leafSquare)) continue
            left = visit(
              triangleOf(records, record),
              (bounds.low - skin - slack) / scale,
              (bounds.high - skin + slack) / scale,
            )
            if (left === -Infinity) return left
            reach = reachOf(left, scale, skin + error)
            leafReach = reach + leaf.error
            leafSquare = leafReach * leafReach
            far = leafReach - begin
          }
          square = reach * reach
          break
        }
        const a = NODE_SIZE * first
        const b = a + NODE_SIZE
        if ((a - lead) >>> 0 >= TREELET_SIZE && a < lastLead) {
          lead = a
          touched ^= touchTreelet(links, a)
        }
        // Of two sides that boxes may be apart by, one is not above 0: t + |t| is twice what is.
        const aX = twiceGap(nodes[a] - highX, lowX - nodes[a + 3])
        const aY = twiceGap(nodes[a + 1] - highY, lowY - nodes[a + 4])
        const aZ = twiceGap(nodes[a + 2] - highZ, lowZ - nodes[a + 5])
        const bX = twiceGap(nodes[b] - highX, lowX - nodes[b + 3])
        const bY = twiceGap(nodes[b + 1] - highY, lowY - nodes[b + 4])
        const bZ = twiceGap(nodes[b + 2] - highZ, lowZ - nodes[b + 5])
        const aGap = 0.25 * (aX * aX + aY * aY + aZ * aZ)
        const bGap = 0.25 * (bX * bX + bY * bY + bZ * bZ)
        const missesA = aGap > square
        const missesB = bGap > square
        if (missesA) {
          if (missesB) break
          node = first + 1
        } else if (missesB) node = first
        else if (aGap > bGap) {
          waiting[top] = first
          keys[top++] = aGap
          node = first + 1
        } else {
          waiting[top] = first + 1
          keys[top++] = bGap
          node = first
        }
      }
    }
    spend(steps)
    own.touched = touched
    return left
  } finally {
    endWalk()
  }
}

/** Twice what boxes are apart by along an axis, of the two differences of their sides, of which one is not above 0; without a branch. */
function twiceGap(over: number, under: number): number {
  return over + Math.abs(over) + (under + Math.abs(under))
}

/** The limit in the tree's units, widened. */
function reachOf(limit: number, scale: number, slack: number): number {
  return Math.max(limit * scale + slack, slack) * (1 + ROUNDING)
}

/**
 * Of the leaf looked at: its least corner from the body's middle, the steps of its records, and by how much those may move a point; and how far a step
 * leads along the direction from the body to the leaf, and the least corner from where the body ends that way, less what rounding comes to.
 */
const leaf = { x: 0, y: 0, z: 0, stepX: 0, stepY: 0, stepZ: 0, error: 0, alongX: 0, alongY: 0, alongZ: 0, begin: 0 }

function setLeaf(nodes: Float32Array, at: number): void {
  const x = nodes[at] - own.x
  const y = nodes[at + 1] - own.y
  const z = nodes[at + 2] - own.z
  const sideX = nodes[at + 3] - nodes[at]
  const sideY = nodes[at + 4] - nodes[at + 1]
  const sideZ = nodes[at + 5] - nodes[at + 2]
  leaf.x = x
  leaf.y = y
  leaf.z = z
  leaf.stepX = sideX * RECORD_STEP
  leaf.stepY = sideY * RECORD_STEP
  leaf.stepZ = sideZ * RECORD_STEP
  leaf.error = RECORD_ERROR_STEPS * (leaf.stepX + leaf.stepY + leaf.stepZ)
  const toX = x + 0.5 * sideX
  const toY = y + 0.5 * sideY
  const toZ = z + 0.5 * sideZ
  // Of a body in the leaf's midst this is not a number, and none is passed over.
  const inverse = 1 / Math.sqrt(toX * toX + toY * toY + toZ * toZ)
  const nx = toX * inverse
  const ny = toY * inverse
  const nz = toZ * inverse
  const support =
    nx * (nx > 0 ? own.highX : own.lowX) + ny * (ny > 0 ? own.highY : own.lowY) + nz * (nz > 0 ? own.highZ : own.lowZ)
  const rest = ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z) + 8)
  leaf.alongX = nx * leaf.stepX
  leaf.alongY = ny * leaf.stepY
  leaf.alongZ = nz * leaf.stepZ
  leaf.begin = nx * x + ny * y + nz * z - support - rest
}

/** Sets `bounds`; false where the triangle is farther than `reach`, whose square is given, from a ball's middle or from another body. */
function boundTriangle(records: Uint16Array, at: number, reach: number, square: number): boolean {
  bounds.low = 0
  bounds.high = Infinity
  if (!own.isInRange) return true
  const i = records[at]
  const j = records[at + 1]
  const k = records[at + 2]
  const { stepX, stepY, stepZ } = leaf
  const ax = leaf.x + i * stepX
  const ay = leaf.y + j * stepY
  const az = leaf.z + k * stepZ
  const ux = (records[at + 3] - i) * stepX
  const uy = (records[at + 4] - j) * stepY
  const uz = (records[at + 5] - k) * stepZ
  const vx = (records[at + 6] - i) * stepX
  const vy = (records[at + 7] - j) * stepY
  const vz = (records[at + 8] - k) * stepZ
  const ua = -(ux * ax + uy * ay + uz * az)
  const va = -(vx * ax + vy * ay + vz * az)
  let gap = 0
  if (own.isBall) {
    // As seen from the middle towards a, the triangle begins there.
    const aa = ax * ax + ay * ay + az * az
    const begin = aa - Math.max(ua, va, 0)
    if (begin > 0 && begin * begin > square * aa) return false
  } else {
    const gapX = Math.max(ax + Math.min(ux, vx, 0) - own.highX, own.lowX - ax - Math.max(ux, vx, 0), 0)
    const gapY = Math.max(ay + Math.min(uy, vy, 0) - own.highY, own.lowY - ay - Math.max(uy, vy, 0), 0)
    const gapZ = Math.max(az + Math.min(uz, vz, 0) - own.highZ, own.lowZ - az - Math.max(uz, vz, 0), 0)
    gap = gapX * gapX + gapY * gapY + gapZ * gapZ
    if (gap > square) return false
  }
  // The nearest point of the triangle is a + s·u + t·v.
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  const ub = ua - uu
  const vb = va - uv
  const uc = ua - uv
  const vc = va - vv
  const overU = ua * vb - ub * va
  const overV = uc * va - ua * vc
  const over = ub * vc - uc * vb
  let s = 0
  let t = 0
  if (ua > 0 || va > 0) {
    if (ub >= 0 && vb <= ub) s = 1
    else if (overU <= 0 && ua >= 0 && ub <= 0) s = ua / uu
    else if (vc >= 0 && uc <= vc) t = 1
    else if (overV <= 0 && va >= 0 && vc <= 0) t = va / vv
    else if (over <= 0 && vb >= ub && uc >= vc) {
      t = (vb - ub) / (vb - ub + (uc - vc))
      s = 1 - t
    } else {
      const sum = over + overV + overU
      s = overV / sum
      t = overU / sum
    }
  }
  const x = ax + s * ux + t * vx
  const y = ay + s * uy + t * vy
  const z = az + s * uz + t * vz
  const distance = Math.sqrt(x * x + y * y + z * z)
  const ahead = (ax * x + ay * y + az * z + Math.min(ux * x + uy * y + uz * z, vx * x + vy * y + vz * z, 0)) / distance
  const rest = ROUNDING * (Math.abs(ax) + Math.abs(ay) + Math.abs(az) + 4)
  if (own.isBall) {
    bounds.low = ahead - rest
    bounds.high = distance + rest
  } else {
    // How far the body's box reaches that way, from its middle.
    const support =
      x * (x > 0 ? own.highX : own.lowX) + y * (y > 0 ? own.highY : own.lowY) + z * (z > 0 ? own.highZ : own.lowZ)
    bounds.low = Math.max(Math.sqrt(gap), ahead - Math.min(support / distance, own.radius)) - rest
  }
  return !(bounds.low > reach)
}
