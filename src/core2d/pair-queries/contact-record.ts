/** What a contact query answers. */

import { type ContactPoint, createContactPoint } from '../narrow-phase/manifold.ts'
import type { Relation } from '../narrow-phase/separation.ts'

export interface Contact {
  /** Exact sign of the separation: −1 overlapping, 0 touching, 1 apart. */
  relation: Relation
  /** Signed distance of the surfaces, negative for a penetration depth; −Infinity when nothing separates the pair. */
  separation: number
  hasNormal: boolean
  nx: number
  ny: number
  count: number
  points: [ContactPoint, ContactPoint]
  /** Shortest vector that, added to B, leaves the pair touching; zero when apart. */
  tx: number
  ty: number
  /** False where separation and translation of an overlapping concave pair are only the best bound found. */
  exact: boolean
}

export function createContact(): Contact {
  return {
    relation: 1,
    separation: 0,
    hasNormal: false,
    nx: 0,
    ny: 0,
    count: 0,
    points: [createContactPoint(), createContactPoint()],
    tx: 0,
    ty: 0,
    exact: true,
  }
}
