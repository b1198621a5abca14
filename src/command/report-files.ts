// Reports of a check in the forms that other programs read from files: JUnit's XML, and SARIF.

import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { element } from '../pictures/xml.ts'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import type { CheckedLevel, Finding, ReportForm, Severity } from './findings.ts'
import { spokenPoint } from './findings.ts'

/**
 * A suite for each level, a case for each finding; of a level without any a case that passes.
 *
 * Source: the form that Jenkins, GitLab and others read (https://github.com/testmoapp/junitxml).
 */
export const JUNIT_REPORT: ReportForm = {
  end(levels) {
    const suites = levels.map(suiteOf)
    const all = { name: SERVICE_NAME, ...sumOf(suites) }
    const lines = suites.map(({ text }) => text)
    return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, `\n${lines.join('\n')}\n`)}\n`
  },
}

interface Suite {
  readonly tests: number
  readonly failures: number
  readonly errors: number
  readonly text: string
}

function sumOf(suites: readonly Suite[]): Record<'tests' | 'failures' | 'errors', number> {
  const sum = (count: 'tests' | 'failures' | 'errors') => suites.reduce((all, suite) => all + suite[count], 0)
  return { tests: sum('tests'), failures: sum('failures'), errors: sum('errors') }
}

function suiteOf(level: CheckedLevel): Suite {
  const { file } = level
  const caseOf = (name: string, content = '') => element('testcase', { name, classname: file }, content)
  const suite = (cases: readonly string[], failures: number, errors: number): Suite => {
    const counts = { tests: cases.length, failures, errors }
    return { ...counts, text: element('testsuite', { name: file, ...counts }, `\n${cases.join('\n')}\n`) }
  }
  if ('problem' in level) {
    return suite([caseOf('import', element('error', { message: level.problem, type: 'not checked' }))], 0, 1)
  }
  const { findings } = level
  if (findings.length === 0) return suite([caseOf('nothing found')], 0, 0)
  const cases = findings.map((finding) => {
    const { name, bodies, rule, severity, message, point } = finding
    const text = `${severity}: ${message}${point === null ? '' : ` At ${spokenPoint(point)}.`}`
    return caseOf(`${name}: ${bodies.join(', ')}`, element('failure', { message: text, type: rule }))
  })
  return suite(cases, findings.length, 0)
}

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' }
const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/**
 * One run with a result for each finding. Levels have no lines that a finding lies in: each is said to lie in the first, and its bodies are
 * logical locations.
 *
 * Source: SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
 */
export const SARIF_REPORT: ReportForm = {
  end(levels) {
    const results = levels.flatMap((level) =>
      'problem' in level ? [] : level.findings.map((finding) => resultOf(level.file, finding)),
    )
    const failures = levels.flatMap((level) =>
      'problem' in level
        ? [{ level: 'error', message: { text: level.problem }, locations: [{ physicalLocation: placeOf(level.file) }] }]
        : [],
    )
    const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }))
    const driver = { name: SERVICE_NAME, version: SERVICE_VERSION, rules }
    const invocations = [{ executionSuccessful: failures.length === 0, toolExecutionNotifications: failures }]
    return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver }, invocations, results }] })}\n`
  },
}

function resultOf(file: string, { name, rule, severity, bodies, message, point, measure }: Finding) {
  const logicalLocations = bodies.map((id) => ({ fullyQualifiedName: id, kind: 'object' }))
  return {
    ruleId: name,
    level: LEVELS[severity],
    message: { text: message },
    locations: [{ physicalLocation: placeOf(file), ...(bodies.length > 0 && { logicalLocations }) }],
    partialFingerprints: { 'bodies/v1': digestOf([name, ...bodies]) },
    properties: { rule, point, measure },
  }
}

/** A path of the file as a reference; of one below the working directory relative to it. */
function placeOf(file: string) {
  const uri = isAbsolute(file) ? pathToFileURL(file).href : file.split(/[\\/]/).map(encodeURIComponent).join('/')
  return { artifactLocation: { uri }, region: { startLine: 1 } }
}

/** Tells whether two runs speak of the same finding. */
function digestOf(words: readonly string[]): string {
  return createHash('sha256').update(words.join('\0')).digest('hex')
}
