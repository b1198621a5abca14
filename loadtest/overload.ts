// More than the service can do. The service is a process of its own, all traffic stays on the loopback address and ends by
// itself. The exit code is 1 if an aim was missed.
//
//   beside     64 clients send requests that take a worker about half a second, one sends light ones, one after another:
//              its slowest hundredth takes at most five times as long as alone.
//   arrivals   requests arrive at four times the rate that can be answered: the slowest hundredth of those accepted takes at most
//              three times as long as when idle, the others are refused with 503 at once, and memory does not grow.
//   unread     50 connections send 20,000 requests each and read nothing, to a service with a heap of 512 MB: it lives on with
//              less than 300 MB; then everything is read, and every answer is there, in order.
//
//   npm run bench:overload -- [--only=beside|arrivals|unread] [--seconds=60] [--clients=64] [--sockets=50] [--requests=20000]
//     [--server=PATH/dist/src/server.js]

import { parseArgs } from 'node:util'
import { endService, type Service, startService } from './measuring/service-process.ts'
import { type ArrivalsRun, measureArrivals } from './overload-arrivals.ts'
import { type BesideRun, measureBeside } from './overload-beside.ts'
import { measureUnread, type UnreadRun } from './overload-unread.ts'
import { saveResults, today } from './results.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '64' },
    sockets: { type: 'string', default: '50' },
    requests: { type: 'string', default: '20000' },
    save: { type: 'string', default: 'true' },
    server: { type: 'string', default: '' },
  },
})
const seconds = Math.min(Number(values.seconds), 300)
const clients = Math.min(Number(values.clients), 256)
const sockets = Math.min(Number(values.sockets), 200)
const requests = Math.min(Number(values.requests), 100_000)

const MOST_BESIDE = 5
const MOST_SLOWER = 3
const REFUSAL_MS = 100
const UNREAD_RSS_MIB = 300

let service: Service | undefined

async function withService<Run>(nodeOptions: string[], work: (service: Service) => Promise<Run>): Promise<Run> {
  service = await startService({}, { nodeOptions, script: values.server })
  try {
    return await work(service)
  } finally {
    await endService(service, 'SIGKILL')
    service = undefined
  }
}

const misses: string[] = []
const aim = (isMet: boolean, what: string) => {
  if (!isMet) misses.push(what)
}

function judgeBeside(run: BesideRun): void {
  console.log('beside', run)
  aim(
    run.besideP99Ms <= MOST_BESIDE * run.aloneP99Ms,
    `beside heavy ones p99 is ${run.besideP99Ms} ms, alone ${run.aloneP99Ms}`,
  )
  aim(
    run.lightFailures + run.heavyFailures === 0,
    `${run.lightFailures} light and ${run.heavyFailures} heavy ones failed`,
  )
}

function judgeArrivals(run: ArrivalsRun): void {
  console.log('arrivals', run)
  aim(
    run.acceptedP99Ms <= MOST_SLOWER * run.idleP99Ms,
    `accepted ones p99 is ${run.acceptedP99Ms} ms, idle ${run.idleP99Ms}`,
  )
  aim(run.refusedP99Ms <= REFUSAL_MS, `refusals take ${run.refusedP99Ms} ms`)
  aim(run.failures === 0, `${run.failures} were neither answered nor refused: ${run.kindsOfFailure.join(', ')}`)
  aim(run.accepted > 0 && run.refused > 0, `${run.accepted} accepted, ${run.refused} refused`)
  aim(run.lateRssMiB <= 1.2 * run.earlyRssMiB + 40, `memory grew from ${run.earlyRssMiB} to ${run.lateRssMiB} MiB`)
}

function judgeUnread(run: UnreadRun): void {
  console.log('unread', run)
  aim(run.unreadRssMiB < UNREAD_RSS_MIB, `${run.unreadRssMiB} MiB while nothing was read`)
  aim(run.isAlive, 'it did not live on')
  aim(run.inOrder === sockets * requests, `${run.inOrder} answers in order of ${sockets * requests}`)
}

const isAsked = (name: string) => values.only === '' || values.only === name

async function main(): Promise<void> {
  const beside = isAsked('beside') ? await withService([], ({ url }) => measureBeside(url, clients, 15)) : undefined
  if (beside !== undefined) judgeBeside(beside)
  const arrivals = isAsked('arrivals') ? await withService([], (own) => measureArrivals(own, seconds)) : undefined
  if (arrivals !== undefined) judgeArrivals(arrivals)
  const unread = isAsked('unread')
    ? await withService(['--max-old-space-size=512'], (own) => measureUnread(own, sockets, requests))
    : undefined
  if (unread !== undefined) judgeUnread(unread)
  if (
    beside !== undefined &&
    arrivals !== undefined &&
    unread !== undefined &&
    values.save === 'true' &&
    values.server === ''
  ) {
    const path = saveResults({ overload: { date: today(), beside, arrivals, unread } })
    console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
  }
  for (const miss of misses) console.log(`✗ ${miss}`)
  process.exitCode = misses.length === 0 ? 0 : 1
}

await main()
