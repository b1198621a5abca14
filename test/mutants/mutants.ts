// Mutation testing: small faults are put into src, one at a time, and the tests have to notice each.
//
//   npm run mutants -- [--count=20] [--seed=1] [--minutes=60] [--jobs=2] [--tests=quick|slow|all] [--in=src/core2d/] [--only=3,17]
//
// Files are chosen by their length, and changes within them at random, by the seed. One throw-away copy of the checkout holds all of
// them, each behind a switch; those of the playground, which browsers run, are written into it one after another. All tests are run
// once without any, which shows what each file of tests reaches, how long it takes, and whether it fails by itself. Each mutant is then
// tried by the files that reach it, the nearest first: by quick ones, and if all pass, by what `npm run test:all` adds. The first failure ends it, and so
// does a time limit, unless the same files fail without the mutant, or pass with it when they are run once more. A change that compiles to the same as the original is not a mutant.
// The report goes to standard output and, as JSON, to coverage/mutants.json.

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
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { transformSync } from 'esbuild'
import { distancesTo, isSlow, sourcesIn } from '../support/reaching.ts'
import { type Mutation, mutated, mutationsOf, switchable } from './mutate.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '2' },
    in: { type: 'string', default: 'src/' },
    only: { type: 'string' },
    tests: { type: 'string', default: 'all' },
  },
})
const count = Number(values.count)
const deadline = Date.now() + 60_000 * Number(values.minutes)
const only = values.only?.split(',').map(Number)

const ROOT = join(import.meta.dirname, '../..')
/** Seconds of test files that are run together: the nearest ones first, so that most mutants end soon. */
const BATCHES_S = [2, 20, Number.POSITIVE_INFINITY]
/** Tests may take so many times as long as without a mutant, and this much more, in milliseconds. */
const LIMIT_RATIO = 6
const LIMIT_MS = 60_000
/** Started within processes of their own: the switch is not in what they are built from. */
const IN_PLACE = /^src\/playground\//

interface Mutant extends Mutation {
  readonly number: number
  readonly path: string
}

interface Verdict {
  outcome: 'killed by quick tests' | 'killed by slow tests' | 'survived' | 'reached by no test'
  /** The test that failed, or that time ran out. */
  by?: string
}

interface FileResult {
  readonly seconds: number
  /** Name of the first test that fails. */
  readonly failure?: string
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

function chosenMutants(): Mutant[] {
  const random = randomNumbers(Number(values.seed))
  const sources = sourcesIn('src')
    .filter((path) => path.startsWith(values.in))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .map(({ path, text }) => ({ path, text, lineCount: text.split('\n').length }))
  const lineCount = sources.reduce((sum, source) => sum + source.lineCount, 0)
  const chosen: Mutant[] = []
  while (chosen.length < count) {
    let line = random() * lineCount
    const { path, text } = sources.find((source) => {
      line -= source.lineCount
      return line < 0
    })!
    const all = mutationsOf(path, text)
    const mutation = all[Math.floor(random() * all.length)]
    if (mutation === undefined || !isAnother(text, mutated(text, mutation))) continue
    const mutant = { ...mutation, path, number: chosen.length + 1 }
    const inFile = [...chosen.filter((other) => other.path === path), mutant]
    if (switchable(text, inFile) !== null) chosen.push(mutant)
  }
  return chosen
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

const CONFIG = 'vitest.mutants.config.ts'
/** Says in the environment, which worker threads and processes inherit, which file of tests runs. */
const SETUP = 'test/mutants/name-test.ts'

function writeSwitches(copy: string, mutants: readonly Mutant[]): void {
  writeFileSync(
    join(copy, CONFIG),
    `import { mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'
export default mergeConfig(config, { test: { setupFiles: ['${SETUP}'] } })
`,
  )
  writeFileSync(
    join(copy, SETUP),
    `import { expect } from 'vitest'
process.env.TANGENT_MUTANTS_TEST = expect.getState().testPath
globalThis.$mutant?.seen?.clear()
`,
  )
  for (const path of new Set(mutants.map((mutant) => mutant.path))) {
    if (IN_PLACE.test(path)) continue
    const inFile = mutants.filter((mutant) => mutant.path === path)
    writeFileSync(join(copy, path), switchable(readFileSync(join(ROOT, path), 'utf8'), inFile)!)
  }
}

let runs = 0

/** By test file, in the order of the report; null where time ran out. */
async function run(
  copy: string,
  files: readonly string[],
  { limitMs, env, workers, bail }: { limitMs: number; env: Record<string, string>; workers: number; bail: boolean },
): Promise<Map<string, FileResult> | null> {
  const report = join(copy, `coverage/mutants-${++runs}.json`)
  const options = [`--config=${CONFIG}`, `--maxWorkers=${workers}`, '--reporter=json', `--outputFile=${report}`]
  if (bail) options.push('--bail=1')
  const child = spawn(process.execPath, [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', ...options, ...files], {
    cwd: copy,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, ...env },
  })
  const exit = once(child, 'exit') as Promise<[number | null]>
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limitMs)
  const [status] = await exit
  clearTimeout(timer)
  if (!existsSync(report)) return status === 0 ? new Map() : null
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: {
      name: string
      status: string
      startTime: number
      endTime: number
      assertionResults: { status: string; fullName: string }[]
    }[]
  }
  rmSync(report)
  return new Map(
    testResults.map(({ name, status, startTime, endTime, assertionResults }) => {
      const failed = assertionResults.find((one) => one.status === 'failed')?.fullName
      const failure = failed ?? (status === 'failed' ? 'it does not load' : undefined)
      const seconds = (endTime - startTime) / 1000
      return [relative(copy, name), failure === undefined ? { seconds } : { seconds, failure }]
    }),
  )
}

const mutants = chosenMutants()
const copy = copyOfCheckout()
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
writeSwitches(copy, mutants)

const reachedBy = new Map<number, Set<string>>(mutants.map(({ number }) => [number, new Set()]))
const secondsOf = new Map<string, number>()
/** Files with a test that fails without any mutant. */
const failing = new Set<string>()

/** Of random tests: as the scripts of package.json have it. */
const RUNS = { quick: { TANGENT_RUNS: '' }, slow: { TANGENT_RUNS: '0.33' } }
/** Quick files that are run again with more random runs. */
const laws = new Set([...distancesTo('test/support/runs.ts').keys()].filter((file) => !isSlow(file)))

/** What the tests of one kind reach, how long they take, and which fail. */
async function lookAround(kind: 'quick' | 'slow'): Promise<void> {
  const report = join(copy, `coverage/reached-${kind}.txt`)
  mkdirSync(dirname(report), { recursive: true })
  writeFileSync(report, '')
  const projects = kind === 'quick' ? ['quick', 'isolated'] : ['slow', 'alone', 'laws']
  for (const file of laws) secondsOf.delete(file)
  const results = await run(
    copy,
    projects.map((name) => `--project=${name}`),
    { limitMs: 45 * 60_000, env: { ...RUNS[kind], TANGENT_MUTANTS_REACHED: report }, workers: 3, bail: false },
  )
  if (results === null) throw new Error(`The ${kind} tests did not end`)
  for (const [file, { seconds, failure }] of results) {
    secondsOf.set(file, seconds)
    if (failure === undefined) continue
    failing.add(file)
    console.log(`Without a mutant, too: ${file}: ${failure}`)
  }
  for (const line of readFileSync(report, 'utf8').split('\n')) {
    const [test, number] = line.split(' ')
    if (number !== undefined) reachedBy.get(Number(number))?.add(relative(copy, test!))
  }
}

/** Those that reach it, the nearest first. What stands outside of functions is reached when a module is loaded, which happens once. */
function testsOf({ number, path }: Mutant, kind: 'quick' | 'slow'): string[] {
  const distances = distancesTo(path)
  const reaching = IN_PLACE.test(path) ? distances.keys() : reachedBy.get(number)!
  const far = Number.POSITIVE_INFINITY
  const isLoaded = isOutsideFunctions.has(number) ? [...distances.keys()] : []
  const pages = IN_PLACE.test(path) ? [...secondsOf.keys()].filter((file) => file.startsWith('test/playground/')) : []
  return [...new Set([...reaching, ...isLoaded, ...pages])]
    .filter(
      (file) =>
        secondsOf.has(file) &&
        !failing.has(file) &&
        (kind === 'quick' ? !isSlow(file) : isSlow(file) || laws.has(file)),
    )
    .sort((a, b) => (distances.get(a) ?? far) - (distances.get(b) ?? far) || secondsOf.get(a)! - secondsOf.get(b)!)
}

const isOutsideFunctions = new Set(mutants.filter((mutant) => mutant.isOutsideFunctions).map(({ number }) => number))

/** Why tests fail because of a mutant, or undefined. */
async function failureOf(mutant: Mutant, files: string[], kind: 'quick' | 'slow'): Promise<string | undefined> {
  const isOn = { ...RUNS[kind], TANGENT_MUTANT: String(mutant.number) }
  const limitMs = LIMIT_MS + LIMIT_RATIO * 1000 * files.reduce((sum, file) => sum + secondsOf.get(file)!, 0)
  for (;;) {
    const left = files.filter((file) => !failing.has(file))
    if (left.length === 0) return undefined
    const options = { limitMs, workers: 1, bail: true }
    const results = await run(copy, left, { ...options, env: isOn })
    const failed = [...(results ?? [])].find(([, { failure }]) => failure !== undefined)
    if (results !== null && failed === undefined) return undefined
    const suspects = failed === undefined ? left : [failed[0]]
    const restore = withoutChange(mutant)
    const plain = await run(copy, suspects, { ...options, env: RUNS[kind] })
    restore()
    let fails = plain === null ? suspects : suspects.filter((file) => plain.get(file)?.failure !== undefined)
    if (fails.length === 0) {
      if (failed === undefined) return 'time ran out'
      const again = await run(copy, suspects, { ...options, env: isOn })
      if (again === null || again.get(failed[0])?.failure !== undefined) return `${failed[0]}: ${failed[1].failure}`
      fails = suspects
    }
    console.log(`Not because of the mutant: ${fails.join(' ')}`)
    for (const file of fails) failing.add(file)
  }
}

/** Takes a change that is not behind a switch out again; returns what puts it back. */
function withoutChange({ path }: Mutant): () => void {
  if (!IN_PLACE.test(path)) return () => {}
  const place = join(copy, path)
  const changed = readFileSync(place)
  copyFileSync(join(ROOT, path), place)
  return () => writeFileSync(place, changed)
}

async function tryOne(mutant: Mutant, kind: 'quick' | 'slow'): Promise<void> {
  const startedAt = Date.now()
  const place = join(copy, mutant.path)
  if (IN_PLACE.test(mutant.path)) writeFileSync(place, mutated(readFileSync(place, 'utf8'), mutant))
  const tests = testsOf(mutant, kind)
  const tried = tests.length
  let by: string | undefined
  for (const most of BATCHES_S) {
    const batch: string[] = []
    for (let seconds = 0; tests.length > 0 && seconds < most; ) {
      seconds += secondsOf.get(tests[0]!)!
      batch.push(tests.shift()!)
    }
    by = await failureOf(mutant, batch, kind)
    if (by !== undefined) break
  }
  if (IN_PLACE.test(mutant.path)) copyFileSync(join(ROOT, mutant.path), place)
  const verdict = verdicts.get(mutant.number)!
  if (by !== undefined) Object.assign(verdict, { outcome: `killed by ${kind} tests`, by })
  else if (tried > 0) verdict.outcome = 'survived'
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const name = `${mutant.number}. ${mutant.path}:${mutant.line} ${mutant.description}`
  console.log(`${name}\n     ${by === undefined ? `survived ${tried} ${kind} files` : `killed by ${by}`}, ${seconds} s`)
}

const verdicts = new Map<number, Verdict>(mutants.map(({ number }) => [number, { outcome: 'reached by no test' }]))
const tried = mutants.filter(({ number }) => only === undefined || only.includes(number))
const met = new Set<number>()

for (const kind of ['quick', 'slow'] as const) {
  if (values.tests !== 'all' && values.tests !== kind) continue
  await lookAround(kind)
  const left = tried.filter(({ number }) => !verdicts.get(number)!.outcome.startsWith('killed'))
  const jobs = async (queue: Mutant[]) => {
    for (let next = queue.shift(); next !== undefined && Date.now() < deadline; next = queue.shift()) {
      await tryOne(next, kind)
      met.add(next.number)
    }
  }
  const switched = left.filter(({ path }) => !IN_PLACE.test(path))
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => jobs(switched)))
  await jobs(left.filter(({ path }) => IN_PLACE.test(path)))
  report()
}

function report(): void {
  const results = tried
    .filter(({ number }) => met.has(number))
    .map(({ number, path, line, description }) => ({ number, path, line, description, ...verdicts.get(number)! }))
  mkdirSync(join(ROOT, 'coverage'), { recursive: true })
  writeFileSync(join(ROOT, 'coverage/mutants.json'), JSON.stringify(results, null, 1))
  const share = (...outcomes: string[]) => {
    const those = results.filter(({ outcome }) => outcomes.includes(outcome)).length
    return `${those} of ${results.length} (${((100 * those) / Math.max(1, results.length)).toFixed(1)} %)`
  }
  console.log(`\nKilled by quick tests: ${share('killed by quick tests')}`)
  console.log(`Killed by all tests:   ${share('killed by quick tests', 'killed by slow tests')}`)
  for (const { number, outcome, path, line, description } of results) {
    if (!outcome.startsWith('killed')) console.log(`${outcome}: ${number}. ${path}:${line} ${description}`)
  }
}
