/**
 * Ray against sphere or point.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 2005, 5.3.2, with the discriminant as (r − h)(r + h), h the distance of the
 * centre from the ray's line, which does not cancel for far origins or grazing rays the way b² − 4ac does.
 */

import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { type Body, RADIUS } from '../shape/body.ts'
import type { RayLine } from './ray-line.ts'
import { MISS, type RaySpan, setFeature, setNormal, setPlace, settle, UNSURE, type Verdict } from './ray-span.ts'

export function raySphere(line: RayLine, { numbers }: Body, span: RaySpan): Verdict {
  const { ux, uy, uz, qx, qy, qz } = line
  const radius = numbers[RADIUS]
  const h = Math.sqrt(qx * qx + qy * qy + qz * qz)
  const error = 16 * UNIT_ROUNDOFF * h + line.floor
  const depth = radius - h
  if (depth < -error) return MISS
  if (depth <= 2 * error) return UNSURE
  const half = Math.sqrt(depth * (radius + h))
  const slack = (2 * error * (radius + h)) / half
  const { enter, leave } = span
  setPlace(enter, -half, slack)
  setPlace(leave, half, slack)
  setNormal(enter, (qx - half * ux) / radius, (qy - half * uy) / radius, (qz - half * uz) / radius)
  setNormal(leave, (qx + half * ux) / radius, (qy + half * uy) / radius, (qz + half * uz) / radius)
  setFeature(enter, -1, -1)
  setFeature(leave, -1, -1)
  return settle(line, span, radius)
}
