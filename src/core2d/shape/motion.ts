/**
 * Motion of a body: constant velocity of its position, constant angular velocity about its position (its local origin).
 * Units: length per second, radians per second, counter-clockwise positive. Frame: world.
 */
import { type Body, COMPOSITE, reservePoints, shareConvex } from './body.ts'
import { copyLengths, isCored, kindOf } from './kinds.ts'

export interface Motion {
  vx: number
  vy: number
  spin: number
}

export function createMotion(): Motion {
  return { vx: 0, vy: 0, spin: 0 }
}

/** The convex body as it stands at time t if it does not spin, in `slot`; shares its arrays. */
export function moveAlong(body: Body, { vx, vy }: Motion, t: number, slot: Body): Body {
  if (t === 0 || (vx === 0 && vy === 0)) return body
  shareConvex(body, slot)
  slot.x = body.x + t * vx
  slot.y = body.y + t * vy
  return slot
}

/** Whether spinning moves any point of the body's surface: a circle about its own centre looks the same all the time. */
export function isMovedBySpin(body: Body, pivot: Body): boolean {
  if (body.kind === COMPOSITE || !kindOf(body).isRound(body)) return true
  return (
    body.x - pivot.x + (body.xLow - pivot.xLow) + body.anchorX !== 0 ||
    body.y - pivot.y + (body.yLow - pivot.yLow) + body.anchorY !== 0
  )
}

/**
 * Writes the convex body `body` as it stands at time `t` into `slot`, and returns that. The pivot is the body itself, or
 * the composite whose leaf it is. Cost O(vertices).
 */
export function moveTurning(body: Body, motion: Motion, pivot: Body, t: number, slot: Body): Body {
  const angle = motion.spin * t
  const cos = angle === 0 ? 1 : Math.cos(angle)
  const sin = angle === 0 ? 0 : Math.sin(angle)
  const armX = body.x - pivot.x + (body.xLow - pivot.xLow)
  const armY = body.y - pivot.y + (body.yLow - pivot.yLow)
  if (body.count > 0) reservePoints(slot, body.count)
  slot.kind = body.kind
  slot.radius = body.radius
  slot.count = body.count
  slot.xLow = body.xLow
  slot.yLow = body.yLow
  slot.x = body.x + (motion.vx * t + ((cos - 1) * armX - sin * armY))
  slot.y = body.y + (motion.vy * t + ((cos - 1) * armY + sin * armX))
  turnBody(body, cos, sin, slot)
  if (isCored(body)) {
    for (let i = 0; i < 2 * body.count; i += 2) {
      const x = body.vertices[i]
      const y = body.vertices[i + 1]
      slot.vertices[i] = cos * x - sin * y
      slot.vertices[i + 1] = sin * x + cos * y
    }
    slot.anchorX = slot.vertices[0]
    slot.anchorY = slot.vertices[1]
    slot.namedInOrder = 0
    for (let i = 0; i < body.count; i++) {
      slot.offsets[i] = body.offsets[i]
      slot.vertexFeatures[i] = body.vertexFeatures[i]
      slot.edgeFeatures[i] = body.edgeFeatures[i]
    }
  } else {
    slot.anchorX = 0
    slot.anchorY = 0
    copyLengths(body, slot)
  }
  slot.reach = body.reach
  return slot
}

/** Writes into `out` what turning by (cos, sin) changes, the position and `vertices` aside. Cost O(vertices). */
export function turnBody(body: Body, cos: number, sin: number, out: Body): void {
  const { count } = body
  out.cos = cos * body.cos - sin * body.sin
  out.sin = sin * body.cos + cos * body.sin
  if (count === 0) {
    out.normalX = cos * body.normalX - sin * body.normalY
    out.normalY = sin * body.normalX + cos * body.normalY
    out.unitX = cos * body.unitX - sin * body.unitY
    out.unitY = sin * body.unitX + cos * body.unitY
    return
  }
  const { local, normals } = body
  const outLocal = out.local
  const outNormals = out.normals
  for (let i = 0; i < 2 * count; i += 2) {
    const x = local[i]
    const y = local[i + 1]
    outLocal[i] = cos * x - sin * y
    outLocal[i + 1] = sin * x + cos * y
    const nx = normals[i]
    const ny = normals[i + 1]
    outNormals[i] = cos * nx - sin * ny
    outNormals[i + 1] = sin * nx + cos * ny
  }
  out.centerX = cos * body.centerX - sin * body.centerY
  out.centerY = sin * body.centerX + cos * body.centerY
}
