// Writes the committed results into README, between the markers `<!-- results -->` and `<!-- /results -->`.
//
//   npm run bench:table

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type KernelRow, RESULTS_FOLDER, type Results } from './results.ts'

const README = resolve(import.meta.dirname, '../README.md')
const MARKERS = /(<!-- results -->\n)[\s\S]*?(<!-- \/results -->)/

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
const table = (head: string[], rows: string[][]) =>
  [row(head), row(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(row)].join('\n')

/** Operations that no other library here has, on large shapes. */
const isAlone = ({ nanoseconds }: KernelRow) => Object.keys(nanoseconds).length === 1

function concaveTable({ rows }: NonNullable<Results['kernels']>): string {
  return table(
    ['ms per operation', 'tangent'],
    rows.filter(isAlone).map(({ kernel, nanoseconds }) => [kernel, String(nanoseconds.tangent! / 1e6)]),
  )
}

function kernelTable(kernels: NonNullable<Results['kernels']>): string {
  const rows = kernels.rows.filter((row) => !isAlone(row))
  const libraries = [...new Set(rows.flatMap(({ nanoseconds }) => Object.keys(nanoseconds)))]
  return table(
    ['ns per operation', ...libraries],
    rows.map(({ kernel, nanoseconds }) => [
      kernel,
      ...libraries.map((library) => nanoseconds[library]?.toLocaleString('en') ?? '–'),
    ]),
  )
}

/** The size at which libraries are compared here; the results hold the others too. */
const COMPARED_BOXES = 100_000

function broadPhaseTable({ rows }: NonNullable<Results['broadPhase']>): string {
  const compared = rows.filter(({ boxes }) => boxes === COMPARED_BOXES)
  const libraries = [...new Set(compared.flatMap(({ nanoseconds }) => Object.keys(nanoseconds)))]
  return table(
    [`ns, ${COMPARED_BOXES.toLocaleString('en')} boxes`, ...libraries],
    compared.map(({ operation, nanoseconds }) => [
      operation,
      ...libraries.map((library) => nanoseconds[library]?.toLocaleString('en') ?? '–'),
    ]),
  )
}

function broadPhaseSizes({ rows }: NonNullable<Results['broadPhase']>): string {
  const sizes = [...new Set(rows.map(({ boxes }) => boxes))]
  const operations = [...new Set(rows.map(({ operation }) => operation))]
  const value = (name: string, size: number) =>
    rows.find(({ boxes, operation }) => boxes === size && operation === name)?.nanoseconds.tangent
  return table(
    ['ns, tangent', ...sizes.map((size) => `${size.toLocaleString('en')} boxes`)],
    operations.map((name) => [name, ...sizes.map((size) => value(name, size)?.toLocaleString('en') ?? '–')]),
  )
}

function routeTable({ rows }: NonNullable<Results['http']>): string {
  return table(
    ['one request', 'requests/s', 'p50 ms', 'p99 ms', 'bare echo, requests/s', 'ratio'],
    rows.map(({ route, service, echo, ratio }) => [
      route,
      service.requestsPerSecond.toLocaleString('en'),
      String(service.p50Ms),
      String(service.p99Ms),
      echo.requestsPerSecond.toLocaleString('en'),
      ratio.toFixed(2),
    ]),
  )
}

function batchTable({ rows }: NonNullable<Results['batch']>): string {
  return table(
    ['batch of 1,000', 'KB in', 'KB out', 'ms', 'JSON alone, ms', 'ratio'],
    rows.map(({ op, requestBytes, responseBytes, milliseconds, jsonMilliseconds, ratio }) => [
      op,
      (requestBytes / 1000).toFixed(0),
      (responseBytes / 1000).toFixed(0),
      milliseconds.toFixed(2),
      jsonMilliseconds.toFixed(2),
      ratio.toFixed(2),
    ]),
  )
}

function streamSentence({ queries, seconds, peakRssMiB, probes, slowestProbeMs }: NonNullable<Results['stream']>) {
  return `A stream of ${queries.toLocaleString('en')} queries through one connection: ${seconds} s, at most ${peakRssMiB} MiB of memory; meanwhile the slowest of ${probes.toLocaleString('en')} answers of \`/livez\` took ${slowestProbeMs} ms.`
}

function section({ machine, kernels, broadPhase, batch, stream, http }: Results): string {
  const { processor, cores, memoryGiB, node } = machine
  const parts = [`**${processor}, ${cores} cores, ${memoryGiB} GiB, Node ${node}**`]
  if (kernels) parts.push(`Kernels, ${kernels.date}:`, kernelTable(kernels))
  if (kernels?.rows.some(isAlone)) parts.push(concaveTable(kernels))
  if (broadPhase)
    parts.push(`Broad phases, ${broadPhase.date}:`, broadPhaseTable(broadPhase), broadPhaseSizes(broadPhase))
  if (batch)
    parts.push(`Batches against JSON.parse and JSON.stringify of their bodies, ${batch.date}:`, batchTable(batch))
  if (stream) parts.push(streamSentence(stream))
  if (http)
    parts.push(`HTTP, ${http.connections} connections, client on the same cores, ${http.date}:`, routeTable(http))
  return parts.join('\n\n')
}

const sections = readdirSync(RESULTS_FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => section(JSON.parse(readFileSync(resolve(RESULTS_FOLDER, name), 'utf8'))))
const readme = readFileSync(README, 'utf8')
if (!MARKERS.test(readme)) throw new Error('README.md has no markers for the results')
writeFileSync(
  README,
  readme.replace(MARKERS, (_, open, close) => `${open}\n${sections.join('\n\n')}\n\n${close}`),
)
