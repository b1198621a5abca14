// tangent check: levels against rules.

import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { SceneExportParameters } from '../../schemas/scenes/export.ts'
import { type FileKind, usualDown } from '../import/guessed-kind.ts'
import { drawFindings, pictureName } from './finding-pictures.ts'
import {
  type CheckedLevel,
  type Counts,
  countOf,
  type Finding,
  GITHUB_REPORT,
  JSON_REPORT,
  type ReportForm,
  SEVERITIES,
  type Severity,
  textReport,
} from './findings.ts'
import { dropScene, LEVEL_FLAGS, type OpenLevel, openLevel, queryString } from './level.ts'
import { OUTPUT, writeWhole } from './output.ts'
import { JUNIT_REPORT, SARIF_REPORT } from './report-files.ts'
import { accepted, answeredInLines, ask, type Service } from './service.ts'
import { type Asked, CLEAN, COULD_NOT, FOUND, type Subcommand } from './subcommand.ts'
import { type Colour, ProgressBar, painter, Refused, visible, writeTo } from './terminal.ts'
import { watchFiles } from './watch-files.ts'

export const check: Subcommand = {
  usage: 'FILE… [flags]',
  about:
    'Checks levels against rules, and ends with 1 if something is found. A rule is an object such as {"rule":"floating"}; without --rules, those that need nothing said are taken. Files that a level refers to are read beside it.',
  example: 'tangent check examples/levels/cellar.ldtk --rules examples/ci/rules.json',
  flags: [
    {
      name: 'rules',
      flag: 'rules',
      type: 'text',
      value: 'file',
      description:
        'A list of rules as JSON, or an object with rules and down, as the query lint takes it; $schema may lead editors to dist/openapi/lint-rules.schema.json.',
    },
    {
      name: 'report',
      flag: 'format',
      type: 'text',
      value: 'text|json|junit|sarif|github',
      description:
        'How findings are told: lines for people (the default), JSON, JUnit, SARIF, or annotations of GitHub.',
    },
    { ...OUTPUT, description: 'Write the report to this file instead of standard output.' },
    {
      name: 'severity',
      flag: 'severity',
      type: 'text',
      value: SEVERITIES.join('|'),
      description: 'The least severity that counts; findings below it are left out. warning when absent.',
    },
    {
      name: 'down',
      flag: 'down',
      type: 'text',
      value: 'x,y[,z]',
      description: 'Which way is down, unless the rules say it. When absent, as the format of the level has it.',
    },
    {
      name: 'svg',
      flag: 'svg',
      type: 'text',
      value: 'folder',
      description: 'Draw each finding into a file of this folder, which is made if it is not there.',
    },
    {
      name: 'fix',
      flag: 'fix',
      type: 'boolean',
      description:
        'Mend what can be mended and write the level back, if it is JSON or GeoJSON of which nothing was skipped. Of other formats the changes are told as operations, and the file stays as it is.',
    },
    { name: 'watch', flag: 'watch', type: 'boolean', description: 'Check again whenever a file changes, until ended.' },
    ...LEVEL_FLAGS,
  ],
  run: runCheck,
}

async function runCheck(asked: Asked): Promise<number> {
  const form = reportForm(asked)
  if (asked.operands.length === 0) throw new Refused('Name the files of levels; see tangent check --help.')
  leastOf(asked)
  const rules = await readRules(asked)
  const service = await asked.service()
  if (asked.values.get('watch')?.at(-1) !== 'true') return (await checkAll(asked, service, rules, form)).code
  let done: Done = { code: CLEAN, paths: [...asked.operands, ...(asked.values.get('rules') ?? [])], written: [] }
  let looks = new Map<string, string>()
  for await (const _ of watchFiles(() => done.paths, asked.ends.signal)) {
    const now = await looksOf(done.paths)
    // what is heard then is what was written here: rules that undo each other would have no end
    if (done.written.length > 0 && [...now].every(([path, look]) => looks.get(path) === look)) continue
    looks = now
    try {
      done = await checkAll(asked, service, await readRules(asked), form)
    } catch (error) {
      // rules that are being written
      if (!(error instanceof Refused)) throw error
      asked.ends.err.write(`tangent check: ${visible(error.message)}\n`)
      done = { ...done, code: COULD_NOT, written: [] }
    }
    for (const [path, look] of await looksOf(done.written)) looks.set(path, look)
  }
  return done.code
}

/** How the files look from outside: another version of one looks otherwise. */
async function looksOf(paths: readonly string[]): Promise<Map<string, string>> {
  const looks = new Map<string, string>()
  for (const path of paths) {
    const there = await stat(path).catch(() => null)
    looks.set(path, there === null ? '' : `${there.ino} ${there.size} ${there.mtimeMs}`)
  }
  return looks
}

/** The index of the least severity that counts. */
function leastOf({ values }: Asked): number {
  const name = values.get('severity')?.at(-1) ?? 'warning'
  const least = SEVERITIES.indexOf(name as Severity)
  if (least >= 0) return least
  throw new Refused(`--severity must be one of ${SEVERITIES.join(', ')}, got ${JSON.stringify(name)}.`)
}

function reportForm({ values, ends }: Asked): ReportForm {
  const name = values.get('report')?.at(-1) ?? 'text'
  const paint = values.has(OUTPUT.name) ? (_: Colour, text: string) => text : painter(ends)
  const forms: Readonly<Record<string, ReportForm>> = {
    text: textReport(paint, values.get('fix')?.at(-1) === 'true'),
    json: JSON_REPORT,
    junit: JUNIT_REPORT,
    sarif: SARIF_REPORT,
    github: GITHUB_REPORT,
  }
  if (Object.hasOwn(forms, name)) return forms[name]
  throw new Refused(`--format must be one of ${Object.keys(forms).join(', ')}, got ${JSON.stringify(name)}.`)
}

/** The body of the query. */
type Rules = Readonly<Record<string, unknown>>

async function readRules({ values }: Asked): Promise<Rules> {
  const path = values.get('rules')?.at(-1)
  if (path === undefined) return {}
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refused(`The rules cannot be read from ${path} (${error.code}): check the path.`)
  })
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return { rules: value }
    if (typeof value === 'object' && value !== null) {
      // for editors
      const { $schema: _, ...rules } = value as Rules
      return rules
    }
  } catch (error) {
    throw new Refused(`${path} is no JSON: ${(error as Error).message}.`)
  }
  throw new Refused(`${path} must be a list of rules, or an object with rules.`)
}

/** What came of a check of all levels. */
interface Done {
  readonly code: number
  /** Of all files that were read, and of those that were mended. */
  readonly paths: readonly string[]
  readonly written: readonly string[]
}

/** Checks and reports all levels. */
async function checkAll(asked: Asked, service: Service, rules: Rules, form: ReportForm): Promise<Done> {
  const { operands, values, ends } = asked
  const levels: CheckedLevel[] = []
  const paths = new Set([...operands, ...(values.get('rules') ?? [])])
  const bar = new ProgressBar(ends)
  let report = ''
  const output = values.get(OUTPUT.name)?.at(-1)
  const tell = async (text: string) => {
    if (output !== undefined) report += text
    else if (text !== '') await writeTo(ends.out, text)
  }
  for (const [k, file] of operands.entries()) {
    const show = (stage: string) => bar.show(k, operands.length, `${file}: ${stage}`)
    show('reading')
    const level = await checkFile(asked, service, file, rules, {
      show,
      read: paths,
    })
    levels.push(level)
    bar.clear()
    if ('problem' in level) ends.err.write(`tangent check: ${visible(`${file}: ${level.problem}`)}\n`)
    await tell(form.of?.(level) ?? '')
  }
  await tell(form.end(levels))
  if (output !== undefined) await writeWhole(output, [Buffer.from(report)])
  const written = levels.filter((level) => 'fixed' in level && level.fixed > 0).map(({ file }) => file)
  return { code: codeOf(levels), paths: [...paths], written }
}

function codeOf(levels: readonly CheckedLevel[]): number {
  if (levels.some((level) => 'problem' in level)) return COULD_NOT
  return levels.some((level) => 'counts' in level && countOf(level.counts) > 0) ? FOUND : CLEAN
}

/** The level, or why it cannot be checked: others still can. */
async function checkFile(
  asked: Asked,
  service: Service,
  file: string,
  rules: Rules,
  { show, read }: { show: (stage: string) => void; read: Set<string> },
): Promise<CheckedLevel> {
  try {
    const open = await openLevel(service, file, asked, show)
    for (const path of open.level.paths) read.add(path)
    try {
      // rules that need nothing said have no use for it
      const down = downOf(asked, open.kind)
      const said = asked.values.has('rules') && down !== undefined ? { down } : {}
      return await checkOpen(asked, service, file, open, { ...said, ...rules }, show)
    } finally {
      await dropScene(service, open.scene)
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { file, problem: error.message }
  }
}

interface LintAnswer {
  readonly findings: readonly Finding[]
  readonly counts: Counts
  readonly fixed?: number
}

/** Each fix may make room for another. */
const MOST_ROUNDS = 8

async function checkOpen(
  asked: Asked,
  service: Service,
  file: string,
  open: OpenLevel,
  request: Rules,
  show: (stage: string) => void,
): Promise<CheckedLevel> {
  const { values } = asked
  const lint = async (query: string): Promise<LintAnswer> => {
    const headers = { 'content-type': 'application/json', accept: 'application/x-ndjson' }
    const path = `${open.scene.path}/lint${query}`
    return answeredInLines(await service.request('POST', path, headers, JSON.stringify(request)), show)
  }
  let answer = await lint('')
  let fixed: number | undefined
  if (values.get('fix')?.at(-1) === 'true' && canWriteBack(asked, open)) {
    fixed = 0
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const mended = (await lint('?fix=true')).fixed ?? 0
      if (mended === 0) break
      fixed += mended
    }
    if (fixed > 0) {
      answer = await lint('')
      await writeBack(asked, service, file, open)
    }
  }
  const { findings, counts } = upTo(answer, leastOf(asked))
  const folder = values.get('svg')?.at(-1)
  if (folder !== undefined) await drawFindings(service, open, folder, pictureName(file, asked.operands), findings)
  const { bodies, skipped } = open.report
  const checked = { file, dimension: open.scene.dimension, bodies, skipped: skipped.length, findings, counts }
  return fixed === undefined ? checked : { ...checked, fixed }
}

function upTo({ findings, counts }: LintAnswer, least: number): Pick<LintAnswer, 'findings' | 'counts'> {
  const counted = SEVERITIES.map((name, k) => [name, k <= least ? counts[name] : 0])
  return {
    findings: findings.filter(({ severity }) => SEVERITIES.indexOf(severity) <= least),
    counts: Object.fromEntries(counted) as unknown as Counts,
  }
}

/** Which way is down: what is said, or usual in files of the format. Undefined where nobody knows. */
function downOf({ values }: Asked, kind: FileKind): object | undefined {
  const { dimension } = kind
  const said = values.get('down')?.at(-1)
  if (said !== undefined) {
    const [x, y, z] = said.split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
    const down = dimension === 2 ? { x, y } : { x, y, z }
    if (Object.values(down).every(Number.isFinite) && (dimension === 3 || z === undefined)) return down
    throw new Refused(`--down must be ${dimension} numbers with commas between, got ${JSON.stringify(said)}.`)
  }
  return usualDown(kind, { yUp: values.get('yUp')?.at(-1) === 'true', up: values.get('up')?.at(-1) })
}

const FRAME = ['yUp', 'scale', 'offsetX', 'offsetY']

/** Whether the file comes back from the scene with all that is in it. */
function canWriteBack({ values }: Asked, { kind: { dimension, format }, report }: OpenLevel): boolean {
  if (format === 'json') return !['offsetZ', 'up', ...FRAME].some((name) => values.has(name))
  return dimension === 2 && format === 'geojson' && report.skipped.length === 0
}

async function writeBack({ values }: Asked, service: Service, file: string, { scene, kind }: OpenLevel): Promise<void> {
  const framed = new Map([...values].filter(([name]) => FRAME.includes(name)))
  const said = new Map([...framed, ['format', [kind.format as string]]])
  if (kind.format === 'geojson') said.set('source', [values.get('source')?.at(-1) ?? basename(file)])
  const query = queryString({ values: said }, SceneExportParameters)
  await writeWhole(file, await accepted(await ask(service, 'GET', `${scene.path}/export${query}`)))
}
