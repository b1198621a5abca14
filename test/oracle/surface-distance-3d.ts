/**
 * How far a point lies from the surface of a ball, capsule, box, cylinder, cone or ellipsoid, negative inside: closed forms in the
 * body's own axes, in doubles, which the code under test does not use.
 */
import type { CaseBody, CaseShape, Triple } from '../support/convex-cases-3d.ts'

export function surfaceDistance({ shape, position, orientation = [0, 0, 0, 1] }: CaseBody, point: Triple): number {
  const away: Triple = [point[0] - position[0], point[1] - position[1], point[2] - position[2]]
  return ownDistance(shape, turnedBack(orientation, away))
}

/** No point of the body is farther from its position. */
export function reachOf({ type, radius = 0, height = 0, radii, size, a, b }: CaseShape): number {
  if (type === 'capsule') return Math.max(Math.hypot(...(a as Triple)), Math.hypot(...(b as Triple))) + radius
  if (type === 'ellipsoid') return Math.max(...(radii as Triple))
  return Math.hypot(radius, height / 2) + Math.hypot(...(size ?? [0, 0, 0])) / 2
}

export function turnedBack([qx, qy, qz, qw]: readonly number[], [x, y, z]: Triple): Triple {
  const s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw)
  return [
    x * (1 - s * (qy * qy + qz * qz)) + y * s * (qx * qy + qw * qz) + z * s * (qx * qz - qw * qy),
    x * s * (qx * qy - qw * qz) + y * (1 - s * (qx * qx + qz * qz)) + z * s * (qy * qz + qw * qx),
    x * s * (qx * qz + qw * qy) + y * s * (qy * qz - qw * qx) + z * (1 - s * (qx * qx + qy * qy)),
  ]
}

function ownDistance(shape: CaseShape, p: Triple): number {
  const { type, radius = 0, height = 0, axis = 'y' } = shape
  if (type === 'point') return Math.hypot(...p)
  if (type === 'sphere') return Math.hypot(...p) - radius
  if (type === 'capsule') return toSegment(p, shape.a as Triple, shape.b as Triple) - radius
  if (type === 'box') {
    const over = (shape.size as Triple).map((size, k) => Math.abs(p[k]) - size / 2)
    return outside(over) - radius
  }
  if (type === 'ellipsoid') return toEllipsoid(shape.radii as Triple, p)
  const k = { x: 0, y: 1, z: 2 }[axis]
  const far = Math.hypot(p[(k + 1) % 3], p[(k + 2) % 3])
  if (type === 'cylinder') return outside([far - radius, Math.abs(p[k]) - height / 2])
  const rim: Triple = [radius, -height / 2, 0]
  const away = Math.min(
    toSegment([far, p[k], 0], rim, [0, height / 2, 0]),
    toSegment([far, p[k], 0], [0, -height / 2, 0], rim),
  )
  return Math.abs(p[k]) <= height / 2 && far * height <= radius * (height / 2 - p[k]) ? -away : away
}

/** Of a product of intervals, by how far each is left. */
function outside(over: readonly number[]): number {
  const out = Math.hypot(...over.map((x) => Math.max(x, 0)))
  return out > 0 ? out : Math.max(...over)
}

function toSegment(p: Triple, a: Triple, b: Triple): number {
  const edge = b.map((x, k) => x - a[k])
  const square = edge.reduce((sum, x) => sum + x * x, 0)
  const along = edge.reduce((sum, x, k) => sum + x * (p[k] - a[k]), 0)
  const t = square > 0 ? Math.max(0, Math.min(1, along / square)) : 0
  return Math.hypot(...p.map((x, k) => x - a[k] - t * edge[k]))
}

/** The nearest point is x with x_k = p_k r_k² / (t + r_k²): halving finds t, counted from where the first of these would be infinite. */
function toEllipsoid(radii: Triple, p: Triple): number {
  const least = Math.min(...radii)
  const over = radii.map((r) => (r - least) * (r + least))
  const excess = (t: number): number =>
    p.reduce((sum, x, k) => sum + (x === 0 ? 0 : ((radii[k] * x) / (t + over[k])) ** 2), 0) - 1
  const isInside = excess(least * least) < 0
  let low = isInside ? 0 : least * least
  let high = isInside ? least * least : least * least + Math.max(...radii) * Math.hypot(...p)
  for (let step = 0; step < 1100; step++) {
    const middle = low === 0 ? high / 2 : (low + high) / 2
    if (middle === low || middle === high || middle < 1e-300) break
    if (excess(middle) > 0) low = middle
    else high = middle
  }
  const near = p.map((x, k) => (x === 0 ? 0 : (radii[k] * radii[k] * x) / (high + over[k])))
  if (high < 1e-290) {
    const k = radii.indexOf(least)
    const rest = near.reduce((sum, x, i) => sum + (i === k ? 0 : (x / radii[i]) ** 2), 0)
    near[k] = least * Math.sqrt(Math.max(0, 1 - rest))
  }
  return (isInside ? -1 : 1) * Math.hypot(...near.map((x, k) => x - p[k]))
}
