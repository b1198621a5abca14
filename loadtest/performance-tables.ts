// Writes the committed results between markers (`<!-- results -->` to `<!-- /results -->`) into the page beside them, and their summary
// into docs/performance.md.
//
//   npm run bench:table

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BatchRow, type KernelRow, type Load, RESULTS_FOLDER, type Results, type RouteRow } from './results.ts'

const ALL = resolve(RESULTS_FOLDER, 'README.md')
const SUMMARY = resolve(import.meta.dirname, '../docs/performance.md')

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

/** Of the kernels the rows that the summary shows. */
const SHOWN = [
  'polygon(8)–polygon(8) contact',
  'box–box contact',
  'polygon(8)–circle contact',
  'distance of apart polygons(8)',
  'ray–polygon(8)',
  'time of impact, polygon(8)–polygon(8)',
  'time of impact with spin, polygon(8)–polygon(8)',
  'box–box contact, meeting',
  'hull(32)–hull(32) contact, meeting',
  'hull(32)–hull(32) distance, apart',
  'ray–hull(8)',
  'sphere–box linear cast',
  'hull(8)–hull(8) linear cast',
  'box–box cast with spin',
]
const PEERS = ['planck', 'SAT.js', 'Rapier', 'Jolt', 'cannon-es']

function peerTable({ mixedKernels, kernels3d }: Results): string {
  const rowsOf = (dimension: string, kernels?: { rows: KernelRow[] }) =>
    (kernels?.rows ?? [])
      .filter(({ kernel }) => SHOWN.includes(kernel))
      .map(({ kernel, nanoseconds }) => [
        `${dimension} ${kernel}`,
        ...['tangent', ...PEERS].map((library) => {
          const value = nanoseconds[library] ?? nanoseconds[`${library}, raw call`]
          return value?.toLocaleString('en') ?? '–'
        }),
      ])
  return table(['ns', 'Tangent', ...PEERS], [...rowsOf('2D', mixedKernels), ...rowsOf('3D', kernels3d)])
}

function meshTable({ machine, meshes }: Results): string {
  if (meshes === undefined) return ''
  const { rows, service, date } = meshes
  const libraries = [...new Set(rows.flatMap(({ nanoseconds }) => Object.keys(nanoseconds)))]
  const rays = table(
    [`${machine.processor}, ns, ${date}`, ...libraries],
    rows.map(({ model, question, nanoseconds }) => [
      `${model}, ${question}`,
      ...libraries.map((library) => nanoseconds[library]?.toLocaleString('en') ?? '–'),
    ]),
  )
  if (service === undefined) return rays
  const { batchMicrosecondsPerRay, coldMilliseconds } = service
  return `${rays}\n\nOver HTTP, in batches of 1,000 rays at the dragon by \`ref\` a ray takes ${batchMicrosecondsPerRay} µs; a ray at 1,000 triangles that come with it takes ${coldMilliseconds} ms.`
}

function costTable({ machine, http, scenes, batch, batch3d, stream, sceneWrites }: Results): string {
  const { processor, cores, memoryGiB, node } = machine
  const rows: string[][] = []
  const perSecond = (route: string, { service, echo }: RouteRow) =>
    rows.push([
      route,
      `${service.requestsPerSecond.toLocaleString('en')} requests/s`,
      `echo: ${echo.requestsPerSecond.toLocaleString('en')} requests/s`,
    ])
  const batchRow = (title: string, of?: { rows: BatchRow[] }) => {
    for (const { op, milliseconds, jsonMilliseconds } of of?.rows ?? [])
      if (op === 'contact')
        rows.push([title, `${milliseconds.toFixed(1)} ms`, `JSON alone: ${jsonMilliseconds.toFixed(1)} ms`])
  }
  if (http) for (const row of http.rows) perSecond(row.route, row)
  if (scenes)
    for (const row of scenes.rows) perSecond(`${row.route}, ${scenes.bodies.toLocaleString('en')} bodies`, row)
  batchRow('batch of 1,000 contacts, 2D', batch)
  batchRow('batch of 1,000 contacts, 3D', batch3d)
  if (stream) rows.push(['stream of 1,000,000 queries', `${stream.seconds} s`, `at most ${stream.peakRssMiB} MiB`])
  if (sceneWrites)
    rows.push([
      'one body written, by 64 writers at once',
      `${sceneWrites.manyWriters.toLocaleString('en')} writes/s`,
      `one writer: ${sceneWrites.oneWriter.toLocaleString('en')} writes/s`,
    ])
  return table([`${processor}, ${cores} cores, ${memoryGiB} GiB, Node ${node}`, 'cost', 'beside it'], rows)
}

function write(path: string, parts: Record<string, string>): void {
  let page = readFileSync(path, 'utf8')
  for (const [name, text] of Object.entries(parts)) {
    const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`)
    if (!marked.test(page)) throw new Error(`${path} has no markers for ${name}`)
    page = page.replace(marked, (_, open, close) => `${open}\n${text}\n\n${close}`)
  }
  writeFileSync(path, page)
}

const machines = readdirSync(RESULTS_FOLDER)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name): Results => JSON.parse(readFileSync(resolve(RESULTS_FOLDER, name), 'utf8')))
write(ALL, { results: machines.map(section).join('\n\n') })
write(SUMMARY, {
  costs: machines.map(costTable).join('\n\n'),
  peers: machines.map(peerTable).join('\n\n'),
  meshes: machines.map(meshTable).join('\n\n'),
})
