// Casts a ray or a moving body at many targets: which targets are tried, which hits are kept, and their order.

import { checkLength, type DecodeProblem, under } from '../../wire/decode-problem.ts'

export interface Cast<Hit, Target> {
  targets: readonly Target[]
  mode: 'closest' | 'any' | 'all'
  /** Makes a target the one that is tried. */
  decode: (target: Target) => DecodeProblem | null
  /** Whether the target that was decoded last is hit. */
  meets: () => boolean
  /** How near the last hit is. */
  nearness: () => number
  encode: (target: number) => Hit
}

/** The problem of a list that is too long, or null. */
export function checkTargets(
  targets: readonly unknown[],
  { maxTargets: limit }: { maxTargets: number },
): DecodeProblem | null {
  return checkLength('targets', targets, 'too-many-targets', limit)
}

/**
 * The hits as the answer lists them, or the first problem, with pointers into the request. Checks every target, also where the answer
 * is known before the last one.
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
