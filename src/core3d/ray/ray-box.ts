/**
 * Ray against box.
 *
 * Method: slabs (T. L. Kay, J. T. Kajiya, "Ray tracing complex scenes", SIGGRAPH 1986) along the box's own axes, each crossing with a
 * bound on its error.
 */

import { type Body, REACH, ROTATION } from '../shape/body.ts'
import { RAY_PARALLEL_RATIO } from '../tolerances.ts'
import type { RayLine } from './ray-line.ts'
import { MISS, type RaySpan, setFace, setNormal, setPlace, settle, UNSURE, type Verdict } from './ray-span.ts'

export function rayBox(line: RayLine, { numbers, local }: Body, span: RaySpan): Verdict {
  const { ux, uy, uz, error } = line
  const reach = numbers[REACH]
  // Half of the way from the first corner to the last.
  const hx = numbers[local + 21] / 2
  const hy = numbers[local + 22] / 2
  const hz = numbers[local + 23] / 2
  const px = line.qx - hx
  const py = line.qy - hy
  const pz = line.qz - hz
  let enter = -Infinity
  let enterLow = -Infinity
  let enterHigh = -Infinity
  let enterNext = -Infinity
  let enterFace = -1
  let leave = Infinity
  let leaveLow = Infinity
  let leaveHigh = Infinity
  let leaveNext = Infinity
  let leaveFace = -1
  let isSure = true
  for (let k = 0; k < 3; k++) {
    const rx = numbers[ROTATION + k]
    const ry = numbers[ROTATION + 3 + k]
    const rz = numbers[ROTATION + 6 + k]
    const half = Math.abs(rx * hx + ry * hy + rz * hz)
    const slope = rx * ux + ry * uy + rz * uz
    const place = rx * px + ry * py + rz * pz
    const steep = Math.abs(slope)
    if (steep < RAY_PARALLEL_RATIO) {
      // Wherever it matters, the line is within four times the reach.
      const margin = error + 4 * RAY_PARALLEL_RATIO * reach
      const beyond = Math.abs(place) - half
      if (beyond > margin) return MISS
      if (beyond > -margin) isSure = false
      continue
    }
    const share = 1 / steep
    const slack = 2 * error * share
    const middle = slope > 0 ? -place * share : place * share
    const low = middle - half * share
    const high = middle + half * share
    if (low > enter) {
      enterNext = enterHigh
      enter = low
      enterFace = slope > 0 ? 2 * k : 2 * k + 1
    } else if (low + slack > enterNext) enterNext = low + slack
    if (low - slack > enterLow) enterLow = low - slack
    if (low + slack > enterHigh) enterHigh = low + slack
    if (high < leave) {
      leaveNext = leaveLow
      leave = high
      leaveFace = slope > 0 ? 2 * k + 1 : 2 * k
    } else if (high - slack < leaveNext) leaveNext = high - slack
    if (high - slack < leaveLow) leaveLow = high - slack
    if (high + slack < leaveHigh) leaveHigh = high + slack
  }
  if (enterLow > leaveHigh) return MISS
  if (!isSure || enterHigh > leaveLow || enterFace < 0 || leaveFace < 0) return UNSURE
  // Within rounding of an edge the exact test tells faces, edges and corners apart.
  if (enterNext >= enterLow || leaveNext <= leaveHigh) return UNSURE
  putEnd(numbers, span.enter, enter, enterLow, enterHigh, enterFace)
  putEnd(numbers, span.leave, leave, leaveLow, leaveHigh, leaveFace)
  return settle(line, span, reach)
}

function putEnd(
  numbers: Float64Array,
  end: RaySpan['enter'],
  at: number,
  low: number,
  high: number,
  face: number,
): void {
  setPlace(end, at, 0)
  end.low = low
  end.high = high
  setFace(end, face)
  const side = (face & 1) === 1 ? 1 : -1
  const column = ROTATION + (face >> 1)
  setNormal(end, side * numbers[column], side * numbers[column + 3], side * numbers[column + 6])
}
