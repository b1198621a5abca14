// What a check of levels found, and the forms in which people and programs read it.

import { SERVICE_VERSION } from '../version.ts'
import type { Dimension } from './level.ts'
import { type Colour, visible } from './terminal.ts'

export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** As the scene query lint answers it, in either dimension. */
export interface Finding {
  readonly rule: string
  readonly name: string
  readonly severity: Severity
  readonly bodies: readonly string[]
  readonly point: Readonly<Record<string, number>> | null
  readonly measure: number | null
  readonly message: string
  readonly fix: { readonly kind: string; readonly operations: readonly object[] } | null
}

export type Counts = Readonly<Record<Severity, number>>

/** A level and what was found in it; or why it could not be checked. */
export type CheckedLevel =
  | {
      readonly file: string
      readonly dimension: Dimension
      readonly bodies: number
      /** What the import left out. */
      readonly skipped: number
      readonly findings: readonly Finding[]
      /** Of all, those that are not listed among them. */
      readonly counts: Counts
      /** Findings that were mended. */
      readonly fixed?: number
    }
  | { readonly file: string; readonly problem: string }

/** How a report is written: after each level, and at the end about all. */
export interface ReportForm {
  of?(level: CheckedLevel): string
  end(levels: readonly CheckedLevel[]): string
}

type Paint = (colour: Colour, text: string) => string

export function totalOf(levels: readonly CheckedLevel[]): Counts {
  const sum = (severity: Severity) =>
    levels.reduce((count, level) => count + ('problem' in level ? 0 : level.counts[severity]), 0)
  return { error: sum('error'), warning: sum('warning'), info: sum('info') }
}

export function countOf({ error, warning, info }: Counts): number {
  return error + warning + info
}

export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

function spokenCounts(counts: Counts): string {
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) =>
    counted(counts[severity], severity),
  )
  return parts.length === 0 ? 'nothing found' : parts.join(', ')
}

/** Coordinates as people read them. */
export function spokenPoint(point: Finding['point']): string {
  if (point === null) return ''
  return Object.values(point)
    .map((coordinate) => String(Number(coordinate.toPrecision(7))))
    .join(', ')
}

const COLOURS: Readonly<Record<Severity, Colour>> = { error: 'red', warning: 'yellow', info: 'blue' }
const SEVERITY_WIDTH = 7

/** Lines for people. `showsOperations`: whether fixes are told as operations of a write. */
export function textReport(paint: Paint, showsOperations: boolean): ReportForm {
  const lineOf = ({ severity, name, point, message, fix }: Finding) => {
    const place = point === null ? '' : `${spokenPoint(point)}: `
    const mend = fix === null ? '' : ` ${paint('dim', `(fix: ${fix.kind})`)}`
    const line = `  ${paint(COLOURS[severity], severity.padEnd(SEVERITY_WIDTH))} ${paint('bold', visible(name))}  ${place}${visible(message)}${mend}`
    if (!showsOperations || fix === null) return line
    return [line, ...fix.operations.map((operation) => `          ${JSON.stringify(operation)}`)].join('\n')
  }
  return {
    of(level) {
      if ('problem' in level) return `${paint('bold', visible(level.file))}: ${paint('red', 'not checked')}\n`
      const { file, bodies, findings, counts, fixed } = level
      const mended = fixed === undefined ? '' : `${fixed} mended, `
      const head = `${paint('bold', visible(file))}: ${counted(bodies, 'body', 'bodies')}, ${mended}${spokenCounts(counts)}`
      const more = countOf(counts) - findings.length
      const rest = more > 0 ? [`  and ${more} more`] : []
      return `${[head, ...findings.map(lineOf), ...rest].join('\n')}\n`
    },
    end(levels) {
      if (levels.length < 2) return ''
      const failed = levels.filter((level) => 'problem' in level).length
      const unread = failed === 0 ? '' : `, ${failed} not checked`
      return `${levels.length} levels, ${spokenCounts(totalOf(levels))}${unread}\n`
    },
  }
}

/** One document for programs; findings as the service answers them. */
export const JSON_REPORT: ReportForm = {
  end: (levels) => `${JSON.stringify({ version: SERVICE_VERSION, levels, counts: totalOf(levels) })}\n`,
}

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/**
 * Workflow commands, which GitHub shows as annotations of the file.
 *
 * Source: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */
export const GITHUB_REPORT: ReportForm = {
  of(level) {
    if ('problem' in level) return workflowCommand('error', { file: level.file, title: 'not checked' }, level.problem)
    return level.findings
      .map(({ severity, name, message }) =>
        workflowCommand(COMMANDS[severity], { file: level.file, line: '1', title: name }, message),
      )
      .join('')
  },
  end: (levels) => `${counted(levels.length, 'level')}: ${spokenCounts(totalOf(levels))}\n`,
}

function workflowCommand(command: string, properties: Readonly<Record<string, string>>, message: string): string {
  const fields = Object.entries(properties).map(([name, value]) => `${name}=${visible(escaped(value, /[%\r\n:,]/g))}`)
  return `::${command} ${fields.join(',')}::${visible(escaped(message, /[%\r\n]/g))}\n`
}

function escaped(text: string, letters: RegExp): string {
  return text.replace(letters, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
