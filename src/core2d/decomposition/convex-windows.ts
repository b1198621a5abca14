/**
 * Fewer convex pieces: takes neighbouring faces together, as many as the optimal partition can take, and cuts what they cover
 * anew if that needs fewer.
 *
 * Method: local search over windows. The faces of a window are joined along a tree of diagonals, so it has no holes, and its
 * outline may be a slit in places. A region without holes and with few vertices is one window, and so comes out optimal.
 */
import { spend } from '../../containers/budget.ts'
import { WINDOW_WORK_COUNT, WINDOW_WORK_PER_VERTEX_COUNT } from '../tolerances.ts'
import { type Faces, join, nameFace } from './convex-faces.ts'
import { fewestPieces, PARTITION_VERTEX_COUNT, type PartitionPiece, partitionWork } from './optimal-partition.ts'

/** After so much work it is looked at whether any is left. */
const WORK_PER_ROUND = 2 ** 16

/** The window in hand: half-edges around it, half-edges of the diagonals that were opened, and its faces. */
const ring: number[] = []
const opened: number[] = []
const members: number[] = []
const corners: number[] = []

/** Looks at windows until none gets better any more, or the work is used up. */
export function improveWindows(faces: Faces): void {
  const { first, faceCount, next } = faces
  /** Faces that have been at the centre of a window and have not changed since. */
  const isSettled = new Uint8Array(faceCount)
  let budget = Math.max(WINDOW_WORK_COUNT, WINDOW_WORK_PER_VERTEX_COUNT * next.length)
  let center = 0
  // how many faces in a row there was nothing to do for
  let idle = 0
  while (idle < faceCount && budget > 0) {
    const start = partitionWork()
    /** Vertices of windows: work as well. */
    let looks = 0
    while (idle < faceCount && partitionWork() - start + looks < WORK_PER_ROUND) {
      spend(1)
      const isOpen = first[center] >= 0 && isSettled[center] === 0
      if (isOpen && improveWindow(faces, center, isSettled)) idle = 0
      else idle++
      if (isOpen) looks += ring.length
      center = (center + 1) % faceCount
    }
    budget -= partitionWork() - start + looks
  }
}

/** Cuts the window around a face anew; whether that needs fewer pieces, or nothing has changed. */
function improveWindow(faces: Faces, center: number, isSettled: Uint8Array): boolean {
  isSettled[center] = 1
  openWindow(faces, center)
  for (let k = 0; k < ring.length; k++) corners[k] = faces.origin[ring[k]]
  corners.length = ring.length
  spend(2 * ring.length)
  const pieces = members.length > 1 ? fewestPieces(faces.vertices, corners, members.length) : null
  if (pieces === null) return false
  cutAnew(faces, pieces)
  for (const member of members) isSettled[member] = 0
  return true
}

/** Gathers the faces around `center`, nearest first, as long as they fit. */
function openWindow({ next, twin, face, first }: Faces, center: number): void {
  ring.length = 0
  opened.length = 0
  members.length = 0
  members.push(center)
  let at = first[center]
  do {
    ring.push(at)
    at = next[at]
  } while (at !== first[center])
  // Faces are looked at in the order in which they joined: their diagonals stand in the ring one after the other.
  const waiting = [...ring]
  for (let k = 0; k < waiting.length; k++) {
    const half = waiting[k]
    const other = twin[half]
    if (other < 0 || members.includes(face[other])) continue
    const around: number[] = []
    for (at = next[other]; at !== other && around.length < PARTITION_VERTEX_COUNT; at = next[at]) around.push(at)
    if (ring.length - 1 + around.length > PARTITION_VERTEX_COUNT) continue
    ring.splice(ring.indexOf(half), 1, ...around)
    members.push(face[other])
    opened.push(half)
    waiting.push(...around)
  }
}

/** Replaces the faces of the window by fewer. */
function cutAnew(faces: Faces, pieces: readonly PartitionPiece[]): void {
  const { origin, twin, next, first } = faces
  let used = 0
  /** Of each diagonal behind which pieces lie, by its ends, the half-edge that these have. */
  const behind = new Map<number, number>()
  pieces.forEach((piece, k) => {
    const from = piece[0]
    const to = piece[piece.length - 1]
    const closing = behind.get(from * ring.length + to) ?? ring[to]
    let last = closing
    for (let s = 1; s < piece.length; s++) {
      const i = piece[s - 1]
      const j = piece[s]
      let half = ring[i]
      if (j > i + 1) {
        half = opened[used++]
        const other = twin[half]
        origin[half] = corners[i]
        origin[other] = corners[j]
        behind.set(i * ring.length + j, other)
      }
      join(faces, last, half)
      last = half
    }
    join(faces, last, closing)
    nameFace(faces, members[k], closing)
  })
  for (const half of opened.slice(used)) {
    next[twin[half]] = -1
    next[half] = -1
  }
  for (const member of members.slice(pieces.length)) first[member] = -1
  faces.count -= members.length - pieces.length
}
