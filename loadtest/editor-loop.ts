// The loop of somebody who makes levels: a project of LDtk is imported, entities are dragged with a dry run for every frame, each
// is dropped by a write, the project is saved as the editor would save it, and imported again. Nothing may be lost, and the second
// import must find nothing to do. Figures are the times of dry runs, from outside, while frames come at a steady rate.
//
//   npm run bench:editor-loop -- PROJECT.ldtk [--entities=200] [--rate=60] [--frames=15] [--url=http://127.0.0.1:3000]
//
// Without --url a service of its own is started, with a store on the disk. All traffic stays on the loopback address.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { seeded } from './measuring/random-body.ts'
import { endService, startService, temporaryDirectory } from './measuring/service-process.ts'
import { answerOf } from './rounds.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    entities: { type: 'string', default: '200' },
    rate: { type: 'string', default: '60' },
    frames: { type: 'string', default: '15' },
    url: { type: 'string' },
  },
})
const [path] = positionals
if (path === undefined) throw new Error('usage: bench:editor-loop -- PROJECT.ldtk')
const entityCount = Math.min(Number(values.entities), 5000)
const frameMs = 1000 / Number(values.rate)
const frames = Math.min(Number(values.frames), 1000)

const SCENE = '/v1/2d/scenes/editor-loop'
const between = seeded()
const whole = (low: number, high: number) => Math.floor(between(low, high + 1))

interface Entity {
  iid: string
  px: [number, number]
}
interface Project {
  levels: { pxWid: number; pxHei: number; layerInstances: { __identifier: string; entityInstances: Entity[] }[] }[]
}
interface Report {
  version: number
  bodies: number
  added: number
  updated: number
  removed: number
}
interface Placed {
  id: string
  position: { x: number; y: number }
}

const project = JSON.parse(readFileSync(path, 'utf8')) as Project
const disk = temporaryDirectory()
const own = values.url === undefined ? await startService({ SCENE_STORE: 'file', DATA_DIR: disk.directory }) : null
const service = values.url ?? (own as { url: string }).url
try {
  await run()
} finally {
  if (own !== null) await endService(own)
  disk.remove()
}

async function run(): Promise<void> {
  const [level] = project.levels
  const layer = level.layerInstances.find(({ entityInstances }) => entityInstances.length > 0)
  if (layer === undefined) throw new Error('the first level has no entities')
  const dragged = Array.from({ length: entityCount }, (): Entity => {
    const [model] = layer.entityInstances
    return { ...model, iid: randomUUID(), px: [whole(0, level.pxWid), whole(0, level.pxHei)] }
  })
  layer.entityInstances.push(...dragged)

  await send('DELETE', SCENE, null)
  await send('PUT', SCENE, '{}')
  const first = await importProject()
  const before = await positions()
  const events = await countEvents()
  const times: number[] = []
  for (const entity of dragged) await drag(entity, `${layer.__identifier}:${entity.iid}`, before, times)
  const seen = await events()

  const after = await positions()
  const second = await importProject()
  const { length: lost } = [...before.keys()].filter((id) => after.get(id) !== before.get(id))
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(2)
  console.log(`${first.bodies} bodies imported, ${dragged.length} entities dragged, ${times.length} dry runs`)
  console.log(`dry run: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`)
  console.log(`lost or misplaced: ${lost + Math.abs(after.size - before.size)}`)
  console.log(`imported again: ${second.added} added, ${second.updated} updated, ${second.removed} removed`)
  if (seen !== null) console.log(`writes seen as events: ${seen} of ${dragged.length}`)
  const isWhole = lost === 0 && after.size === before.size && second.added + second.updated + second.removed === 0
  if (!isWhole || (seen !== null && seen !== dragged.length)) process.exitCode = 1
}

/** Drags an entity a few pixels a frame, drops it, and writes that into the project and into what is expected. */
async function drag(entity: Entity, id: string, expected: Map<string, string>, times: number[]): Promise<void> {
  const [x, y] = (expected.get(id) as string).split(',').map(Number)
  const [dx, dy] = [whole(-3, 3), whole(-3, 3)]
  let due = performance.now()
  for (let frame = 1; frame <= frames; frame++) {
    const position = { x: x + dx * frame, y: y + dy * frame }
    const begun = performance.now()
    await answerOf(`${service}${SCENE}/operations?dryRun=true`, { operations: [{ op: 'move', id, position }] })
    times.push(performance.now() - begun)
    due += frameMs
    await sleep(Math.max(0, due - performance.now()))
  }
  const position = { x: x + dx * frames, y: y + dy * frames }
  await answerOf(`${service}${SCENE}/operations`, { operations: [{ op: 'move', id, position }] })
  entity.px = [entity.px[0] + dx * frames, entity.px[1] + dy * frames]
  expected.set(id, `${position.x},${position.y}`)
}

async function importProject(): Promise<Report> {
  const text = await send('POST', `${SCENE}/import?format=ldtk&source=level`, JSON.stringify(project))
  return JSON.parse(text) as Report
}

/** Of all bodies, by id. */
async function positions(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = JSON.parse(await send('GET', `${SCENE}/bodies?limit=1000${from}`, null)) as {
      bodies: Placed[]
      next: string | null
    }
    for (const { id, position = { x: 0, y: 0 } } of page.bodies) found.set(id, `${position.x},${position.y}`)
    cursor = page.next
  }
  return found
}

async function send(method: string, where: string, body: string | null): Promise<string> {
  const headers: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' }
  const response = await fetch(service + where, { method, headers, body })
  const text = await response.text()
  if (response.ok || (method === 'DELETE' && response.status === 404)) return text
  throw new Error(`${method} ${where}: ${text}`)
}

/** Subscribes to the scene; tells how many writes came, once all have, or null where the service sends no events. */
async function countEvents(): Promise<() => Promise<number | null>> {
  const agent = new Agent()
  const state = { count: 0, isThere: false }
  await new Promise<void>((resolve, reject) => {
    const asked = request(`${service}${SCENE}/events`, { agent }, (response) => {
      state.isThere = response.statusCode === 200
      response.setEncoding('utf8').on('data', (text: string) => {
        state.count += text.match(/^event: operations$/gm)?.length ?? 0
      })
      response.on('error', () => undefined)
      resolve()
    })
    asked.on('error', reject).end()
  })
  return async () => {
    await sleep(500)
    agent.destroy()
    return state.isThere ? state.count : null
  }
}
