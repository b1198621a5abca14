// Writes the committed results into docs/performance.md, between the markers `<!-- results -->` and `<!-- /results -->`.
//
//   npm run bench:table

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type KernelRow, type Load, RESULTS_FOLDER, type Results } from './results.ts'

const PAGE = resolve(import.meta.dirname, '../docs/performance.md')
const MARKERS = /(<!-- results -->\n)[\s\S]*?(<!-- \/results -->)/

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
const table = (head: string[], rows: string[][]) =>
  [row(head), row(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(row)].join('\n')

/** Operations that no other library here has, on large shapes. */
const isAlone = ({ nanoseconds }: KernelRow) => Object.keys(nanoseconds).length === 1

function concaveTable({ rows }: NonNullable<Results['kernels']>): string {
  return table(
    ['µs per operation', 'tangent'],
    rows.filter(isAlone).map(({ kernel, nanoseconds }) => [kernel, (nanoseconds.tangent! / 1000).toLocaleString('en')]),
  )
}

function kernelTable(kernels: { rows: KernelRow[] }): string {
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

/**
 * What a request takes on average: each connection asks again as soon as it is answered, so by Little's law that is the
 * number of connections over the rate. Percentiles were counted in whole milliseconds, which says nothing of most.
 */
function meanMicroseconds(connections: number, { requestsPerSecond }: Load): string {
  return Math.round((1e6 * connections) / requestsPerSecond).toLocaleString('en')
}

function routeTable({ connections, rows }: NonNullable<Results['http']>): string {
  return table(
    ['one request', 'requests/s', 'mean µs', 'p99 ms', 'bare echo, requests/s', 'bare echo, mean µs', 'ratio'],
    rows.map(({ route, service, echo, ratio }) => [
      route,
      service.requestsPerSecond.toLocaleString('en'),
      meanMicroseconds(connections, service),
      String(service.p99Ms),
      echo.requestsPerSecond.toLocaleString('en'),
      meanMicroseconds(connections, echo),
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
  return `A stream of ${queries.toLocaleString('en')} queries through one connection takes ${seconds} s and at most ${peakRssMiB} MiB of memory. Meanwhile, the slowest of ${probes.toLocaleString('en')} answers of \`/livez\` took ${slowestProbeMs} ms.`
}

function section({
  machine,
  kernels,
  mixedKernels,
  kernels3d,
  broadPhase,
  batch,
  batch3d,
  stream,
  http,
}: Results): string {
  const { processor, cores, memoryGiB, node } = machine
  const parts = [`### ${processor}, ${cores} cores, ${memoryGiB} GiB, Node ${node}`]
  if (kernels) parts.push(`2D kernels, ${kernels.date}:`, kernelTable(kernels))
  if (kernels?.rows.some(isAlone)) parts.push(concaveTable(kernels))
  if (mixedKernels) {
    const { date, pairs } = mixedKernels
    parts.push(
      `2D kernels in a mixed load, ${pairs.toLocaleString('en')} distinct pairs each, one process per library, ${date}:`,
      kernelTable(mixedKernels),
    )
  }
  if (kernels3d) {
    const { date, pairs } = kernels3d
    parts.push(
      `3D kernels, ${pairs.toLocaleString('en')} distinct pairs each, one process per library, ${date}:`,
      kernelTable(kernels3d),
    )
  }
  if (broadPhase)
    parts.push(`Broad phases, ${broadPhase.date}:`, broadPhaseTable(broadPhase), broadPhaseSizes(broadPhase))
  if (batch)
    parts.push(
      `Batches, compared with JSON.parse and JSON.stringify of their bodies, ${batch.date}:`,
      batchTable(batch),
    )
  if (batch3d) parts.push(`3D batches, ${batch3d.date}:`, batchTable(batch3d))
  if (stream) parts.push(streamSentence(stream))
  if (http)
    parts.push(`HTTP, ${http.connections} connections, client on the same cores, ${http.date}:`, routeTable(http))
  return parts.join('\n\n')
}

const sections = readdirSync(RESULTS_FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => section(JSON.parse(readFileSync(resolve(RESULTS_FOLDER, name), 'utf8'))))
const page = readFileSync(PAGE, 'utf8')
if (!MARKERS.test(page)) throw new Error('docs/performance.md has no markers for the results')
writeFileSync(
  PAGE,
  page.replace(MARKERS, (_, open, close) => `${open}\n${sections.join('\n\n')}\n\n${close}`),
)
