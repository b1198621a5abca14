import type { Vec2 } from '../../../schemas/vector.ts'
import { finite } from './finite.ts'

export function encodeVec2(x: number, y: number): Vec2 {
  return { x: finite(x), y: finite(y) }
}
