/**
 * A solid mesh as clouds of points whose hulls cover it: few of them that add little, or those that make it up.
 *
 * Method: top-down, then bottom-up. The part whose best cut saves most volume of its hulls is cut, again and again, and where no cut saves
 * much, the one with the greatest excess; more often than there may be pieces. Then the two whose common hull adds least become one, until there are few enough and as long as they
 * may add as much. The exact parts are cut along the planes of triangles until each is its own hull, and joined where the hull of two adds nothing.
 * Frame: coordinates below 2. Cost: the search for a cut for each part, and a hull for each pair of neighbours.
 */

import { spend } from '../../containers/budget.ts'
import { noteCount, noteStage } from '../../containers/progress.ts'
import { CUT_RADIUS, LEAST_EXCESS_RATIO, NEAR_PARTS } from '../tolerances.ts'
import { cutPart, mayCut, type Part, volumeOfPart } from './cell-cut.ts'
import { bestCut, bestExactCut, type FoundCut, refined } from './cut-search.ts'
import { type Cloud, cloudOfPart, joinedCloud, type Solid } from './part-hull.ts'

/** Parts are cut until there are so many for each piece, and at most so many, or until their hulls add so much less than they may. */
const PARTS_PER_PIECE = 3
const MOST_PARTS = 384
const FINER_SHARE = 0.35
/** Of the greatest excess: a cut that saves less saves nothing. */
const NEGLIGIBLE_SAVING_RATIO = 1 / 64

interface Node {
  part: Part
  cloud: Cloud
  excess: number
  /** Null for none, undefined as long as nobody has searched. */
  cut: FoundCut | null | undefined
}

/** At most `mostPieces` clouds, as few as do not add more than `mostAdded`, and no less than 0, to the volume of the solid. */
export function coveringParts(
  solid: Solid,
  whole: Part,
  isReflex: Uint8Array,
  mostPieces: number,
  mostAdded: number,
): Cloud[] {
  const nodes: Node[] = []
  const add = (part: Part): void => {
    const cloud = cloudOfPart(part, solid)
    if (cloud.isRounded.length === 0) return
    const excess = Math.max(0, cloud.volume - Math.abs(volumeOfPart(part)))
    nodes.push({
      part,
      cloud,
      excess,
      cut: excess > LEAST_EXCESS_RATIO * cloud.volume && mayCut(part) ? undefined : null,
    })
    noteCount('parts', nodes.length)
  }
  noteStage('cutting')
  add(whole)
  const enough = mostAdded * FINER_SHARE
  const most = Math.min(MOST_PARTS, Math.max(mostPieces, Math.min(PARTS_PER_PIECE * mostPieces, mostPieces + 64)))
  if (nodes.length > 0 && nodes[0].excess <= mostAdded) return nodes.map(({ cloud }) => cloud)
  while (nodes.length < most) {
    spend(nodes.length)
    let excess = 0
    for (const node of nodes) excess += node.excess
    if (excess <= enough) break
    const at = nextNode(nodes, ({ part, cloud }) => bestCut(part, cloud, solid, isReflex))
    if (at < 0) break
    const [{ part, cloud, cut }] = nodes.splice(at, 1)
    for (const half of cutPart(part, refined(part, cloud, solid, cut as FoundCut).plane)) add(half)
  }
  const spare = mostAdded - nodes.reduce((sum, { excess }) => sum + excess, 0)
  return joinParts(
    nodes.map(({ cloud }) => cloud),
    mostPieces,
    spare,
  )
}

/** The part to be cut next; −1 for none. No cut saves more than the excess: as long as one that is known saves more, no other is searched for. */
function nextNode(nodes: Node[], search: (node: Node) => FoundCut | null): number {
  for (;;) {
    spend(nodes.length)
    let best = -1
    let worst = -1
    let most = -1
    for (const [k, node] of nodes.entries()) {
      if (node.cut === null) continue
      const saving = node.cut === undefined ? node.excess : node.cloud.volume - node.cut.sum
      if (saving > most) {
        best = k
        most = saving
      }
      if (worst < 0 || node.excess > nodes[worst].excess) worst = k
    }
    if (best < 0) return -1
    const next = most < NEGLIGIBLE_SAVING_RATIO * nodes[worst].excess ? worst : best
    if (nodes[next].cut !== undefined) return next
    nodes[next].cut = search(nodes[next])
  }
}

/** Clouds whose hulls are the solid and do not overlap, but for what rounding of their corners makes. */
export function exactParts(solid: Solid, whole: Part, isReflex: Uint8Array): Cloud[] {
  const clouds: Cloud[] = []
  const waiting = [whole]
  noteStage('cutting')
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    noteCount('parts', clouds.length + 1 + waiting.length)
    const cloud = cloudOfPart(part, solid)
    if (cloud.volume === 0) continue
    const cut = mayCut(part) ? bestExactCut(part, cloud, solid, isReflex) : null
    if (cut === null) clouds.push(cloud)
    else waiting.push(...cutPart(part, cut.plane))
  }
  return joinExactly(clouds)
}

// Joining.

interface Joint {
  a: number
  b: number
  cloud: Cloud
  /** What the hull of both has more than their hulls. */
  added: number
}

/** Joins the cheapest pair while there are more than so many, or while it adds no more than is to spare. */
function joinParts(clouds: Cloud[], mostPieces: number, spare: number): Cloud[] {
  let left = spare
  return joined(clouds, (joint, count) => {
    if (count <= mostPieces && joint.added > left) return false
    left -= joint.added
    return true
  })
}

/** Joins pairs that are convex together. */
function joinExactly(clouds: Cloud[]): Cloud[] {
  return joined(clouds, ({ added, cloud }) => added <= EXACT_SLACK * cloud.volume)
}

/** Of the volume of a hull: what its rounded corners may be off. */
const EXACT_SLACK = 64 * CUT_RADIUS

function joined(clouds: Cloud[], isWanted: (joint: Joint, count: number) => boolean): Cloud[] {
  const list: (Cloud | null)[] = [...clouds]
  let count = list.length
  noteStage('joining')
  noteCount('parts', count)
  const boxes = list.map((cloud) => boxOf(cloud as Cloud))
  const joints: Joint[] = []
  const tryPair = (a: number, b: number): void => {
    const [one, two] = [list[a] as Cloud, list[b] as Cloud]
    const cloud = joinedCloud(one, two)
    joints.push({ a, b, cloud, added: cloud.volume - one.volume - two.volume })
  }
  const tryAll = (isAny: boolean): void => {
    for (let a = 0; a < list.length; a++) {
      if (list[a] === null) continue
      for (let b = a + 1; b < list.length; b++) {
        spend(1)
        if (list[b] !== null && (isAny || boxesMeet(boxes[a], boxes[b]))) tryPair(a, b)
      }
    }
  }
  tryAll(false)
  for (let isAny = false; count > 1; ) {
    let best = -1
    spend(joints.length)
    for (let k = 0; k < joints.length; k++) if (best < 0 || joints[k].added < joints[best].added) best = k
    if (best < 0) {
      // Parts that are nowhere near each other may have to be joined too.
      if (isAny) break
      isAny = true
      tryAll(true)
      continue
    }
    const joint = joints[best]
    if (!isWanted(joint, count)) break
    const { a, b, cloud } = joint
    list[a] = null
    list[b] = null
    noteCount('parts', --count)
    list.push(cloud)
    boxes.push(boxOf(cloud))
    for (let k = joints.length - 1; k >= 0; k--) {
      const { a: c, b: d } = joints[k]
      if (c !== a && c !== b && d !== a && d !== b) continue
      joints[k] = joints[joints.length - 1]
      joints.pop()
    }
    const at = list.length - 1
    for (let c = 0; c < at; c++) {
      spend(1)
      if (list[c] !== null && (isAny || boxesMeet(boxes[c], boxes[at]))) tryPair(c, at)
    }
  }
  return list.filter((cloud) => cloud !== null)
}

/** Least x, y, z, greatest x, y, z. */
function boxOf({ points }: Cloud): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (let i = 0; i < points.length; i++) {
    box[i % 3] = Math.min(box[i % 3], points[i])
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], points[i])
  }
  return box
}

function boxesMeet(a: readonly number[], b: readonly number[]): boolean {
  return [0, 1, 2].every((k) => a[k] <= b[k + 3] + NEAR_PARTS && b[k] <= a[k + 3] + NEAR_PARTS)
}
