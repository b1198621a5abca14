import type { Quaternion, Vec3 } from '../../../schemas/vector.ts'
import { finite } from '../encode/finite.ts'

export function encodeVec3(x: number, y: number, z: number): Vec3 {
  return { x: finite(x), y: finite(y), z: finite(z) }
}

export function encodeQuaternion([x, y, z, w]: readonly [number, number, number, number]): Quaternion {
  return { x: finite(x), y: finite(y), z: finite(z), w: finite(w) }
}
