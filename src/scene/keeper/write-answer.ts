/**
 * What of the answer to a write with a key is remembered, beside the version: what its entry says, or the settings of the scene that it
 * leaves, which are the same wherever the entry is applied.
 */

import type { Scene } from '../state/scene.ts'
import type { SceneSummary } from '../store/store.ts'
import type { Entry } from '../table/operation.ts'
import { summaryOf } from './scene-summary.ts'

/** Answers that are longer are not remembered: then the answer is made of the scene as it is. */
export const LONGEST_ANSWER = 2 ** 18

/** `scene`: as the entry leaves it. Null: nothing. */
export function answerOf(scene: Scene, { key }: Entry): string | null {
  if (key?.answer === undefined) return null
  return key.answer === true ? JSON.stringify({ ...summaryOf(scene), digest: undefined }) : key.answer
}

/** The settings as they were remembered. */
export function answeredSummary(answer: string): SceneSummary {
  return JSON.parse(answer) as SceneSummary
}
