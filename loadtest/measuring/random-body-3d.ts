// Seeded random bodies in space, of size about 1: the sibling of random-body.ts.

import type { Body3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../schemas/vector.ts'
import type { Between } from './random-body.ts'

/** Uniform over all turns: Shoemake's method. */
function orientation(between: Between): Quaternion {
  const u = between(0, 1)
  const first = between(0, 2 * Math.PI)
  const second = between(0, 2 * Math.PI)
  const low = Math.sqrt(1 - u)
  const high = Math.sqrt(u)
  return { x: low * Math.sin(first), y: low * Math.cos(first), z: high * Math.sin(second), w: high * Math.cos(second) }
}

/** Within a cube of this half-size: small enough for many of the pairs to meet. */
const FIELD = 2

export function placed(between: Between, shape: Shape3d): Body3d {
  const position = { x: between(-FIELD, FIELD), y: between(-FIELD, FIELD), z: between(-FIELD, FIELD) }
  return { shape, position, orientation: orientation(between) }
}

export const sphere = (between: Between): Body3d => placed(between, { type: 'sphere', radius: between(0.5, 1.5) })

export const box = (between: Between): Body3d =>
  placed(between, { type: 'box', size: { x: between(0.6, 2), y: between(0.6, 2), z: between(0.6, 2) } })

export function capsule(between: Between): Body3d {
  const y = between(0.3, 1)
  return placed(between, {
    type: 'capsule',
    a: { x: 0, y: -y, z: 0 },
    b: { x: 0, y, z: 0 },
    radius: between(0.2, 0.6),
  })
}

/** Along its own y axis. */
export const cylinder = (between: Between): Body3d =>
  placed(between, { type: 'cylinder', radius: between(0.3, 1), height: between(0.6, 2) })

/** So many points on an ellipsoid of an aspect up to 2.5, all of them corners. */
export function hull(between: Between, count = 8): Body3d {
  const rx = between(0.5, 1.5)
  const ry = rx / between(1, 2.5)
  const rz = rx / between(1, 2.5)
  const points: Vec3[] = Array.from({ length: count }, () => {
    const z = between(-1, 1)
    const angle = between(-Math.PI, Math.PI)
    const ring = Math.sqrt(1 - z * z)
    return { x: rx * ring * Math.cos(angle), y: ry * ring * Math.sin(angle), z: rz * z }
  })
  return placed(between, { type: 'hull', points })
}
