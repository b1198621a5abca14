// Prints the totals of vitest JSON reports as one line: `N passed, N failed[, N skipped]`.
// Usage: node .ci/totals.mjs STATUS REPORT…, where STATUS is the exit status of the runs that wrote the reports.
// A test that several reports have counts once, and as failed if it failed in any.
// Exits with 1 when anything failed, no test ran, or a report is missing.

import { existsSync, readFileSync } from 'node:fs'

const [status = '0', ...paths] = process.argv.slice(2)

/** The outcome of each test, under its file, its name, and how many tests of that name came before it in the file. */
const outcomes = new Map()
let brokenFiles = 0
for (const path of paths.filter((path) => existsSync(path))) {
  for (const { name: file, status: fileStatus, assertionResults } of JSON.parse(readFileSync(path, 'utf8'))
    .testResults) {
    const counts = new Map()
    for (const { fullName, status: outcome } of assertionResults) {
      const count = counts.get(fullName) ?? 0
      counts.set(fullName, count + 1)
      const key = JSON.stringify([file, fullName, count])
      if (outcome === 'failed' || outcomes.get(key) !== 'failed') outcomes.set(key, outcome)
    }
    // A file that could not be loaded has failed without a single failed test in it.
    if (fileStatus === 'failed' && assertionResults.every(({ status: outcome }) => outcome !== 'failed')) brokenFiles++
  }
}

const all = [...outcomes.values()]
const passed = all.filter((outcome) => outcome === 'passed').length
let failed = all.filter((outcome) => outcome === 'failed').length + brokenFiles
const skipped = all.filter((outcome) => outcome !== 'passed' && outcome !== 'failed').length
// Something other than a test failed: types, lint, the OpenAPI checks, the installation.
if ((status !== '0' || paths.some((path) => !existsSync(path))) && failed === 0) failed++

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
