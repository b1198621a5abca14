// The query lint of a scene: its findings, numbered where they are.

import type { Severity } from '../../../schemas/scenes/lint.ts'
import { addKey, counted } from '../picture.ts'
import { type SceneDrawing, tellTruncated } from './question.ts'

/** Findings with a number, and lines of the legend. */
const MOST_NUMBERED = 60
const MOST_LISTED = 12
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']

export const lintDrawing: SceneDrawing<'lint'> = {
  *involved(_request, { findings }) {
    for (const { bodies } of findings) for (const [k, id] of bodies.entries()) yield [id, k === 0 ? 'met' : 'touched']
  },
  draw({ answer }, open) {
    const { findings, counts } = answer
    const first = findings.find(({ point }) => point !== null)?.point ?? null
    const canvas = open(first)
    const { picture } = canvas
    for (const [k, { point }] of findings.slice(0, MOST_NUMBERED).entries()) {
      if (point === null) continue
      canvas.addDot(point, 'refused')
      canvas.addLabel(point, `${k + 1}`)
    }
    const told = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) =>
      severity === 'info' ? `${counts.info} info` : counted(counts[severity], severity),
    )
    picture.heading = told.length === 0 ? 'No rule is broken.' : `${told.join(', ')}.`
    for (const [k, { message, severity }] of findings.slice(0, MOST_LISTED).entries()) {
      picture.legend.push(`${k + 1}. ${severity}: ${message}`)
    }
    if (findings.length > MOST_LISTED) picture.legend.push(`… and ${findings.length - MOST_LISTED} more`)
    if (findings.length > 0) {
      addKey(picture, 'refused', 'where a rule is broken')
      addKey(picture, 'met', 'the first body of a finding')
      if (findings.some(({ bodies }) => bodies.length > 1)) addKey(picture, 'touched', 'the other ones')
    }
    tellTruncated(picture, answer)
    return canvas
  },
}
