/**
 * Ray against segment: where its ends lie on different sides of the ray's line.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 5.1.9 (two segments by signed areas). A ray that meets the
 * segment's line at a small angle, or one of its ends, is left to the exact test.
 */
import type { Body } from '../shape/body.ts'
import { RAY_POINT_RATIO } from '../tolerances.ts'
import type { RayLine } from './ray-line.ts'
import { MISS, type RaySpan, setEnter, setLeave, settleSpan, UNSURE, type Verdict } from './ray-span.ts'

export function raySegment(line: RayLine, body: Body, span: RaySpan): Verdict {
  const { ux, uy, side, error } = line
  const { normals, local } = body
  const ex = local[2]
  const ey = local[3]
  const turn = ux * ey - uy * ex
  const endSide = side + turn
  if ((side > error && endSide > error) || (side < -error && endSide < -error)) return MISS
  if (Math.abs(side) <= error || Math.abs(endSide) <= error) return UNSURE
  const slack = (4 * error * body.reach) / Math.abs(turn)
  if (slack > RAY_POINT_RATIO * body.reach) return UNSURE
  const at = (-side / turn) * (ux * ex + uy * ey)
  // The ray meets edge 0, on the right of a → b, when it goes from right to left.
  const face = turn < 0 ? 0 : 1
  const nx = normals[2 * face]
  const ny = normals[2 * face + 1]
  setEnter(span, at, nx, ny, body.edgeFeatures[face])
  setLeave(span, at, -nx, -ny, body.edgeFeatures[1 - face])
  return settleSpan(line, span, slack, slack, body.reach)
}
