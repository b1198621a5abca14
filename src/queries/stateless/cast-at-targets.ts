// What a ray and a moving body have in common when they are cast at many bodies: which targets are
// tried, which hits are kept, and their order.

import type { Body2d } from '../../../schemas/shapes2d.ts'
import { createSlot, decodeBody, type ShapeLimits } from '../../wire/bodies/body.ts'
import { type DecodeProblem, problemAt, under } from '../../wire/problems/decode-problem.ts'

export interface CastLimits extends ShapeLimits {
  maxTargets: number
}

export interface Cast<Hit, Target = Body2d> {
  targets: readonly Target[]
  mode: 'closest' | 'any' | 'all'
  /** Makes a target the one that is tried. */
  decode: (target: Target) => DecodeProblem | null
  /** Whether that is hit. */
  meets: () => boolean
  /** Of the target that was last met: how near, and the hit. */
  nearness: () => number
  encode: (target: number) => Hit
}

/** The target that is being tried. */
export const targetBody = createSlot()

/** Puts targets into `targetBody`. */
export function decodeTarget(limits: CastLimits) {
  return (target: Body2d): DecodeProblem | null => decodeBody(target, targetBody, limits)
}

/** The problem of a list that is too long, or null. */
export function checkTargets(
  targets: readonly unknown[],
  { maxTargets: limit }: { maxTargets: number },
): DecodeProblem | null {
  const actual = targets.length
  if (actual <= limit) return null
  const detail = `targets must have at most ${limit} items, got ${actual}.`
  return problemAt('/targets', 'too-many-targets', detail, { limit, actual })
}

/**
 * The hits as the answer lists them, or the first problem, with pointers into the request. Every target is checked, also
 * where the answer is known before the last one.
 */
export function castAtTargets<Hit, Target>({
  targets,
  mode,
  decode,
  meets,
  nearness,
  encode,
}: Cast<Hit, Target>): { hits: Hit[] } | DecodeProblem {
  const found: { at: number; hit: Hit }[] = []
  for (let i = 0; i < targets.length; i++) {
    const problem = decode(targets[i])
    if (problem !== null) return under(`/targets/${i}`, problem)
    if (mode === 'any' && found.length > 0) continue
    if (!meets()) continue
    const at = nearness()
    if (mode === 'closest' && found.length > 0) {
      if (found[0].at <= at) continue
      found.length = 0
    }
    found.push({ at, hit: encode(i) })
  }
  // stable: ties stay in the order of the targets
  return { hits: found.sort((a, b) => a.at - b.at).map(({ hit }) => hit) }
}
