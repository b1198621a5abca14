// Counts the files, functions and calls of ours that one warm request runs through, by V8's precise coverage.
//
//   npm run ways -- [ROOT] [--list=NAME]
//
// ROOT is a checkout. Its sources are compiled file by file into `loadtest/dist/` (node build.mjs --benches), since the bundle that
// `npm start` runs has neither our files nor our functions apart from those of packages. Each request goes over a kept connection to a service in this process and
// is repeated until its code is warm; then a few more are counted, and of these the one that ran the fewest functions, since timers run too. `--list` names the functions of the request called NAME.

import { Agent, request as send } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: 'string' } } })
const dist = resolve(positionals[0] ?? '.', 'loadtest/dist')
const WARM_UP = 50
const ROUNDS = 10

const circle = (x: number) => ({ shape: { type: 'circle', radius: 1 }, position: { x, y: 0 } })
const sphere = (x: number) => ({ shape: { type: 'sphere', radius: 1 }, position: { x, y: 0, z: 0 } })
const ray = { origin: { x: -5, y: 0 }, direction: { x: 1, y: 0 } }
const scene = '/v1/2d/scenes/ways'

const REQUESTS: readonly [name: string, method: string, path: string, body: object][] = [
  ['distance of two circles', 'POST', '/v1/2d/distance', { a: circle(0), b: circle(3) }],
  ['distance of two spheres', 'POST', '/v1/3d/distance', { a: sphere(0), b: sphere(3) }],
  [
    'shape cast in space',
    'POST',
    '/v1/3d/shape-cast',
    { body: sphere(0), translation: { x: 9, y: 0, z: 0 }, targets: [sphere(5)] },
  ],
  ['batch of one', 'POST', '/v1/2d/batch', { queries: [{ op: 'distance', a: circle(0), b: circle(3) }] }],
  ['put', 'POST', `${scene}/operations`, { operations: [{ op: 'put', body: { id: 'a', ...circle(0) } }] }],
  ['scene ray that hits', 'POST', `${scene}/ray-cast`, { ray }],
  ['scene overlap', 'POST', `${scene}/overlap`, { body: circle(0.5) }],
]

const { buildApp } = await import(pathToFileURL(resolve(dist, 'src/app.js')).href)
const { loadConfig } = await import(pathToFileURL(resolve(dist, 'src/config.js')).href)
const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function ask(method: string, path: string, body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = send({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode as number))
    })
    sent.on('error', reject).end(JSON.stringify(body))
  })
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

interface Way {
  readonly files: Map<string, string[]>
  functions: number
  calls: number
}

/** Functions that have run since this was last asked. */
async function takeWay(): Promise<Way> {
  const way: Way = { files: new Map(), functions: 0, calls: 0 }
  const { result } = await session.post('Profiler.takePreciseCoverage')
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue
    const path = relative(dist, fileURLToPath(url))
    if (!/^(src|schemas)\//.test(path)) continue
    for (const { functionName, ranges } of functions) {
      const [{ startOffset, count }] = ranges
      if (count === 0 || (startOffset === 0 && functionName === '')) continue
      const names = way.files.get(path) ?? []
      way.files.set(path, names)
      names.push(functionName || '(anonymous)')
      way.functions++
      way.calls += count
    }
  }
  return way
}

await ask('PUT', scene, {})
console.log('files  functions  calls  request')
for (const [name, method, path, body] of REQUESTS) {
  for (let i = 0; i < WARM_UP; i++) await ask(method, path, body)
  await takeWay()
  let status = 0
  const ways: Way[] = []
  for (let i = 0; i < ROUNDS; i++) {
    status = await ask(method, path, body)
    ways.push(await takeWay())
  }
  const { files, functions, calls } = ways.reduce((least, way) => (way.functions < least.functions ? way : least))
  const figures = [files.size, functions, calls].map((figure) => String(figure).padStart(5))
  console.log(`${figures.join('   ')}  ${name}${status < 300 ? '' : ` (${status})`}`)
  if (flags.list !== name) continue
  for (const [file, names] of [...files].sort()) console.log(`        ${file}: ${names.join(', ')}`)
}
agent.destroy()
await app.close()
