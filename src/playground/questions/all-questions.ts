// Every question that can be asked here.

import type { Sketch } from '../sketch/sketch.ts'
import { listQuestions } from './list-questions.ts'
import { motionQuestions } from './motion-questions.ts'
import { pairQuestions } from './pair-questions.ts'
import type { Question } from './question.ts'
import { rayQuestions } from './ray-questions.ts'
import { sceneQuestions } from './scene-questions.ts'
import { shapeQuestions } from './shape-questions.ts'

export const plainQuestions: readonly Question[] = [
  ...pairQuestions,
  ...rayQuestions,
  ...motionQuestions,
  ...shapeQuestions,
  ...listQuestions,
]
export { sceneQuestions }

export const questionsFor = ({ scene }: Sketch): readonly Question[] =>
  scene === null ? plainQuestions : sceneQuestions

/** The first one where the sketch names none that it may. */
export function questionOf(sketch: Sketch): Question {
  const questions = questionsFor(sketch)
  return questions.find(({ name }) => name === sketch.question) ?? questions[0]!
}
