// Prints the totals of a vitest JSON report as one line: `N passed, N failed[, N skipped]`.
// Usage: node .ci/totals.mjs REPORT STATUS, where STATUS is the exit status of the run that wrote the report.
// Exits with 1 when anything failed or no test ran.

import { existsSync, readFileSync } from 'node:fs'

const [reportPath = '', status = '0'] = process.argv.slice(2)
const files = existsSync(reportPath) ? JSON.parse(readFileSync(reportPath, 'utf8')).testResults : []

let passed = 0
let failed = 0
let skipped = 0
for (const file of files) {
  const failedBefore = failed
  for (const { status: outcome } of file.assertionResults) {
    if (outcome === 'passed') passed++
    else if (outcome === 'failed') failed++
    else skipped++
  }
  // A file that could not be loaded has failed without a single failed test in it.
  if (file.status === 'failed' && failed === failedBefore) failed++
}
// Something other than a test failed: types, lint, the OpenAPI checks, the installation.
if (status !== '0' && failed === 0) failed++

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
