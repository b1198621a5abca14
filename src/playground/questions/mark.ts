// What is drawn of an answer: plain values, in the world frame. drawing/mark-layer.ts draws them, test/playground reads them.

import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../sketch/vector.ts'

export type Mark =
  /** `name`: what kind of point, where it is not just one of the answer. */
  | { kind: 'point'; at: Vec2; name?: string; label?: string }
  /** `name`: what the arrow is, such as normal or translation. */
  | { kind: 'arrow'; name: string; from: Vec2; to: Vec2; label?: string }
  /** Of a direction alone: drawn as long as a thumb, whatever the zoom. */
  | { kind: 'normal'; at: Vec2; along: Vec2; label?: string }
  | { kind: 'line'; name: string; points: readonly Vec2[]; closed?: boolean; radius?: number; label?: string }
  /** A straight line without ends, through a point. */
  | { kind: 'axis'; at: Vec2; along: Vec2; label?: string }
  /** A body where it is not. */
  | { kind: 'ghost'; name: string; body: MovingBody2d; label?: string }
  | { kind: 'box'; min: Corner; max: Corner; label?: string }
  /** A body that is shown to be concerned. */
  | { kind: 'highlight'; id: string }

/** A side without an end is null. */
export interface Corner {
  x: number | null
  y: number | null
}
