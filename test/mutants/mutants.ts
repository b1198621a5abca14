// Mutation testing: small faults are put into src, one at a time, and the tests have to notice each.
//
//   npm run mutants -- [--count=20] [--seed=1] [--minutes=60] [--workers=3] [--quick-only] [--in=src/core2d/]
//
// Files are chosen by their length, and changes within them at random, by the seed. Each mutant is tried in a throw-away copy of the
// checkout, first by the quick tests that import the file, the nearest first, then by the slow ones; the first failure ends it, and
// so does a time limit, which counts as a failure. A mutant that compiles to the same as the original is not counted.
// A test that fails without the mutant too is left out from then on. The report goes to standard output and, as JSON, to coverage/mutants.json.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { transformSync } from 'esbuild'
import { distancesTo, isSlow, sourcesIn } from '../support/reaching.ts'
import { type Mutation, mutated, mutationsOf } from './mutate.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
    workers: { type: 'string', default: '3' },
    in: { type: 'string', default: 'src/' },
    'quick-only': { type: 'boolean', default: false },
  },
})
const count = Number(values.count)
const deadline = Date.now() + 60_000 * Number(values.minutes)

const ROOT = join(import.meta.dirname, '../..')
/** Test files that are run together: the nearest ones first, so that most mutants end soon. */
const BATCHES = [15, 60, Number.POSITIVE_INFINITY]
/** Of one batch. Without a mutant the longest takes about a third of it. */
const LIMIT_MS = 10 * 60_000
/** Starts the whole service: what is imported says nothing about what such a test runs. */
const STARTS_SERVICE = /^test\/support\/services\/bundled\.ts$/

interface Mutant extends Mutation {
  readonly path: string
}

/** Why tests failed, and in which file, if that is known. */
interface Failure {
  readonly reason: string
  readonly file?: string
}

interface Verdict {
  readonly outcome: 'killed by quick tests' | 'killed by slow tests' | 'survived'
  /** The test that failed, or that time ran out. */
  readonly by?: string
}

/** Numbers from 0 to 1. Mulberry32, by T. Ettinger. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = randomNumbers(Number(values.seed))
const sources = sourcesIn('src')
  .filter((path) => path.startsWith(values.in))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  .map(({ path, text }) => ({ path, text, lineCount: text.split('\n').length }))
const lineCount = sources.reduce((sum, source) => sum + source.lineCount, 0)

/** The next mutant that differs from the original when both are compiled. */
function nextMutant(): Mutant {
  for (;;) {
    let line = random() * lineCount
    const { path, text } = sources.find((source) => {
      line -= source.lineCount
      return line < 0
    })!
    const all = mutationsOf(path, text)
    const mutation = all[Math.floor(random() * all.length)]
    if (mutation !== undefined && isAnother(text, mutated(text, mutation))) return { ...mutation, path }
  }
}

function isAnother(original: string, changed: string): boolean {
  const compiled = (text: string) => transformSync(text, { loader: 'ts', minify: true }).code
  try {
    return compiled(original) !== compiled(changed)
  } catch {
    // it does not compile: no test is needed to notice
    return false
  }
}

/** A copy of what git knows, with the packages that are installed here. */
function copyOfCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'tangent-mutants-'))
  const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const path of paths
    .toString()
    .split('\0')
    .filter((path) => existsSync(join(ROOT, path)) && path !== '')) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    copyFileSync(join(ROOT, path), join(copy, path))
  }
  for (const folder of ['node_modules', 'loadtest/node_modules']) {
    if (existsSync(join(ROOT, folder))) symlinkSync(join(ROOT, folder), join(copy, folder))
  }
  return copy
}

/** Null if all pass. */
async function failureOf(copy: string, tests: readonly string[]): Promise<Failure | null> {
  const report = join(copy, 'coverage/mutant.json')
  rmSync(report, { force: true })
  const options = ['--bail=1', `--maxWorkers=${values.workers}`, '--reporter=json', `--outputFile=${report}`]
  const args = [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', ...options, ...tests]
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', detached: true })
  const exit = once(child, 'exit') as Promise<[number | null]>
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), LIMIT_MS)
  const [status] = await exit
  clearTimeout(timer)
  if (status === 0) return null
  if (status === null) return { reason: 'time ran out' }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[]
  }
  for (const { name, status: fileStatus, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed')
    const file = name.slice(copy.length + 1)
    if (failed !== undefined) return { reason: `${file}: ${failed.fullName}`, file }
    if (fileStatus === 'failed') return { reason: `${file} did not load`, file }
  }
  return { reason: `vitest ended with ${status}` }
}

/** Files with a test that fails without any mutant. */
const failing = new Set<string>()

/** `restore`: takes the mutant out, for as long as what it returns has not been called. */
async function verdictOn(copy: string, { path }: Mutant, restore: () => () => void): Promise<Verdict> {
  const distances = distancesTo(path)
  const starting = distancesTo(STARTS_SERVICE)
  for (const test of starting.keys()) if (!distances.has(test)) distances.set(test, Number.POSITIVE_INFINITY)
  const nearest = [...distances].sort(([, a], [, b]) => a - b).map(([test]) => test)
  for (const kind of ['quick', 'slow'] as const) {
    if (kind === 'slow' && values['quick-only']) break
    const tests = nearest.filter((test) => isSlow(test) === (kind === 'slow'))
    for (const size of BATCHES) {
      const batch = tests.splice(0, size)
      for (;;) {
        const files = batch.filter((file) => !failing.has(file))
        const failure = files.length === 0 ? null : await failureOf(copy, files)
        if (failure === null) break
        const putBack = restore()
        const isMutant = failure.file === undefined || (await failureOf(copy, [failure.file])) === null
        putBack()
        if (isMutant) return { outcome: `killed by ${kind} tests`, by: failure.reason }
        console.log(`     without a mutant, too: ${failure.reason}`)
        failing.add(failure.file!)
      }
    }
  }
  return { outcome: 'survived' }
}

const copy = copyOfCheckout()
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const results: (Mutant & Verdict & { seconds: number })[] = []
for (let n = 0; n < count && Date.now() < deadline; n++) {
  const mutant = nextMutant()
  const place = join(copy, mutant.path)
  const text = readFileSync(place, 'utf8')
  const apply = () => writeFileSync(place, mutated(text, mutant))
  const startedAt = Date.now()
  apply()
  const verdict = await verdictOn(copy, mutant, () => {
    writeFileSync(place, text)
    return apply
  })
  writeFileSync(place, text)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  results.push({ ...mutant, ...verdict, seconds })
  console.log(`${n + 1}. ${verdict.outcome}, ${seconds} s: ${mutant.path}:${mutant.line} ${mutant.description}`)
  if (verdict.by !== undefined) console.log(`     ${verdict.by}`)
}

mkdirSync(join(ROOT, 'coverage'), { recursive: true })
writeFileSync(join(ROOT, 'coverage/mutants.json'), JSON.stringify(results, null, 1))
const share = (outcomes: readonly string[]) => {
  const met = results.filter(({ outcome }) => outcomes.includes(outcome)).length
  return `${met} of ${results.length} (${((100 * met) / Math.max(1, results.length)).toFixed(0)} %)`
}
console.log(`\nKilled by quick tests: ${share(['killed by quick tests'])}`)
console.log(`Killed by all tests:   ${share(['killed by quick tests', 'killed by slow tests'])}`)
for (const { outcome, path, line, description } of results) {
  if (outcome === 'survived') console.log(`Survived: ${path}:${line} ${description}`)
}
