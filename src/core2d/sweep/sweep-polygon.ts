/**
 * Linear sweep of two polygons without skins: the path against their Minkowski difference, whose faces are met one by one
 * in a walk around both outlines and never stored.
 *
 * Method: as `ray/ray-polygon.ts`, a clip by half-planes (M. Cyrus, J. Beck, 1978), each face with its error bound. Where
 * rounding leaves a decision open, the caller goes on with the exact way.
 * Frame: world axes, B's anchor at (dx, dy) from A's; `motion` has A's velocity less B's.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import type { Meeting } from '../ray/crossing-time.ts'
import { HIT, MISS, UNSURE, type Verdict } from '../ray/ray-span.ts'
import type { Body } from '../shape/body.ts'
import type { RelativeMotion } from '../shape/displacement.ts'
import { following } from '../shape/edge.ts'
import type { Frame } from '../shape/frame.ts'
import { bottomVertex, topVertex } from '../shape/minkowski-difference.ts'
import { RAY_PARALLEL_RATIO, RAY_POINT_RATIO } from '../tolerances.ts'
import type { Sweep } from './sweep-span.ts'

export function sweepPolygons(a: Body, b: Body, frame: Frame, motion: RelativeMotion, out: Sweep): Verdict {
  const { dx, dy, error } = frame
  const { duration } = motion
  const vx = motion.ax - motion.bx
  const vy = motion.ay - motion.by
  const speed = vectorLength(vx, vy)
  const ux = vx / speed
  const uy = vy / speed
  const normalsA = a.normals
  const normalsB = b.normals
  const countA = a.count
  const countB = b.count
  let i = topVertex(a)
  let j = bottomVertex(b)
  let leftA = countA
  let leftB = countB
  // Distances along the path; a face's index is B's edge, or countB + A's.
  let enter = -Infinity
  let enterHigh = -Infinity
  let enterFace = -1
  let enterVertex = 0
  let leave = Infinity
  let leaveLow = Infinity
  let leaveFace = -1
  let leaveVertex = 0
  while (leftA > 0 || leftB > 0) {
    let takesB = leftA === 0
    if (leftA > 0 && leftB > 0) {
      // Edges of −A have the normals of A, reversed. Directions from 0 to half a turn come before the others.
      const ax = -normalsA[2 * i]
      const ay = -normalsA[2 * i + 1]
      const bx = normalsB[2 * j]
      const by = normalsB[2 * j + 1]
      const lateA = ax < 0 || (ax === 0 && ay > 0)
      const lateB = bx < 0 || (bx === 0 && by > 0)
      takesB = lateA !== lateB ? lateA : bx * ay - by * ax >= 0
    }
    let nx: number
    let ny: number
    let height: number
    let face: number
    let vertex: number
    if (takesB) {
      nx = normalsB[2 * j]
      ny = normalsB[2 * j + 1]
      height = nx * (a.local[2 * i] - dx) + ny * (a.local[2 * i + 1] - dy) - b.offsets[j]
      face = j
      vertex = i
      j = j + 1 === countB ? 0 : j + 1
      leftB--
    } else {
      nx = -normalsA[2 * i]
      ny = -normalsA[2 * i + 1]
      height = -nx * (dx + b.local[2 * j]) - ny * (dy + b.local[2 * j + 1]) - a.offsets[i]
      face = countB + i
      vertex = j
      i = i + 1 === countA ? 0 : i + 1
      leftA--
    }
    const slope = nx * ux + ny * uy
    if (slope < -RAY_PARALLEL_RATIO) {
      if (height + error <= -enterHigh * slope) continue
      const share = -1 / slope
      const at = height * share
      if (at > enter) {
        enter = at
        enterFace = face
        enterVertex = vertex
      }
      enterHigh = Math.max(enterHigh, at + error * share)
    } else if (slope > RAY_PARALLEL_RATIO) {
      if (height + error <= -leaveLow * slope) continue
      const share = -1 / slope
      const at = height * share
      if (at < leave) {
        leave = at
        leaveFace = face
        leaveVertex = vertex
      }
      leaveLow = Math.min(leaveLow, at + error * share)
    } else if (height > 2 * error) return MISS
    else if (height > -2 * error) return UNSURE
  }
  const rounding = 8 * UNIT_ROUNDOFF * (Math.abs(enter) + Math.abs(leave))
  const enterSlack = enterHigh - enter + rounding
  const leaveSlack = leave - leaveLow + rounding
  const end = duration * speed
  if (enter - leave > enterSlack + leaveSlack || leave < -leaveSlack || enter > end + enterSlack) return MISS
  if (!(enterHigh + rounding < leaveLow) || Math.abs(enter) <= enterSlack || leave <= leaveSlack) return UNSURE
  if (enter > end - enterSlack || Math.abs(leave - end) <= leaveSlack) return UNSURE
  if (Math.max(enterSlack, leaveSlack) > RAY_POINT_RATIO * (a.reach + b.reach)) return UNSURE
  out.inside = enter < 0
  out.enter = enter / speed
  out.leave = leave / speed
  out.exits = leave < end
  setMeeting(a, b, leaveFace, leaveVertex, out.end)
  return setFace(a, b, frame, ux, uy, enter, enterFace, enterVertex, enterSlack, out)
}

function setMeeting(a: Body, b: Body, face: number, vertex: number, out: Meeting): void {
  const ofB = face < b.count
  const edge = ofB ? face : face - b.count
  const next = following(ofB ? b : a, edge)
  out.a0 = ofB ? vertex : edge
  out.a1 = ofB ? vertex : next
  out.b0 = ofB ? edge : vertex
  out.b1 = ofB ? next : vertex
}

/** Normal and features of the face that is met; within rounding of its ends another face may be nearer the truth. */
function setFace(
  a: Body,
  b: Body,
  { dx, dy, error }: Frame,
  ux: number,
  uy: number,
  enter: number,
  face: number,
  vertex: number,
  slack: number,
  out: Sweep,
): Verdict {
  const ofB = face < b.count
  const owner = ofB ? b : a
  const edge = ofB ? face : face - b.count
  const next = edge + 1 === owner.count ? 0 : edge + 1
  const other = ofB ? a : b
  const nx = owner.normals[2 * edge]
  const ny = owner.normals[2 * edge + 1]
  // The other body's vertex in the frame of the face's owner, when they touch.
  const side = ofB ? 1 : -1
  const x = other.local[2 * vertex] + side * (ux * enter - dx)
  const y = other.local[2 * vertex + 1] + side * (uy * enter - dy)
  const past = (y - owner.local[2 * edge + 1]) * nx - (x - owner.local[2 * edge]) * ny
  const left = (owner.local[2 * next + 1] - y) * nx - (owner.local[2 * next] - x) * ny
  if (Math.min(past, left) <= 4 * (slack + error)) return UNSURE
  out.nx = side * -nx
  out.ny = side * -ny
  setMeeting(a, b, face, vertex, out)
  out.featureA = ofB ? a.vertexFeatures[vertex] : a.edgeFeatures[edge]
  out.featureB = ofB ? b.edgeFeatures[edge] : b.vertexFeatures[vertex]
  return HIT
}
