// Keeps the levels of an LDtk project as scenes, in a service that it starts for itself: walls and entities are bodies,
// and every question is about bodies by their ids. Then the service is killed, started again, and asked the same.
//
//   npm run example:scene -- [path.ldtk] [--walls=name,name]

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { SceneLineOfSightResponse } from '../schemas/scenes/line-of-sight.ts'
import type { SceneMoveResponse } from '../schemas/scenes/move.ts'
import type { SceneNearestResponse } from '../schemas/scenes/nearest.ts'
import type { SceneOverlapResponse } from '../schemas/scenes/overlap.ts'
import type { SceneShapeCastResponse } from '../schemas/scenes/shape-cast.ts'
import { type Box, type Level, readLevels } from './ldtk.ts'
import { count, OWN_LEVEL, ROOT, round, runCommand, table } from './level-command.ts'
import { startOwnService } from './scene-service.ts'
import { ServiceError } from './service.ts'

/** Pixels that a body falls at most. */
const FALL = 10_000
const WALLS = { tags: { any: ['wall'] } }

/** A level as a scene: ids are names, numbered. */
interface Kept {
  level: Level
  sceneId: string
  bodies: { id: string }[]
  entityIds: string[]
}

interface Answers {
  overlap: SceneOverlapResponse
  nearest: SceneNearestResponse
  fall: SceneShapeCastResponse
  walk: SceneMoveResponse
  sight: SceneLineOfSightResponse
}

const named = (text: string) => text.replace(/[^A-Za-z0-9._:-]/g, '-')

function keptLevel(level: Level): Kept {
  const taken = new Set<string>()
  const body = (kind: string) => {
    return ({ identifier, min, max }: Box & { identifier: string }, i: number) => {
      // a wall and an entity may have one name
      const name = `${named(identifier)}-${i}`
      const id = taken.has(name) ? `${name}-${kind}` : name
      taken.add(id)
      const position = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2 }
      const shape = { type: 'box', width: max.x - min.x, height: max.y - min.y }
      // whatever a game calls its entities, only walls have the tag of walls
      return { id, shape, position, tags: [kind, `is:${identifier}`] }
    }
  }
  const entities = level.entities.map(body('entity'))
  const entityIds = entities.map(({ id }) => id)
  return { level, sceneId: named(level.identifier), bodies: [...level.walls.map(body('wall')), ...entities], entityIds }
}

async function send<Answer>(url: string, method: 'PUT' | 'POST', path: string, payload: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/2d/scenes/${path}`, { method, headers, body: JSON.stringify(payload) })
  const text = await response.text()
  if (!response.ok) throw new ServiceError(`${path} was answered with status ${response.status}: ${text}`)
  return JSON.parse(text)
}

async function keep(url: string, { sceneId, bodies }: Kept): Promise<void> {
  await send(url, 'PUT', sceneId, {})
  await send(url, 'POST', `${sceneId}/operations`, { operations: bodies.map((body) => ({ op: 'put', body })) })
}

/** What there is to ask about each entity, in one request for the whole level. */
async function ask(url: string, { sceneId, entityIds, level }: Kept): Promise<Answers[]> {
  const cell = level.grids[0]?.size ?? 1
  const [first] = entityIds
  const queries = entityIds.flatMap((bodyId) => [
    { op: 'overlap', bodyId },
    { op: 'nearest', bodyId, filter: WALLS },
    { op: 'shape-cast', bodyId, translation: { x: 0, y: FALL }, filter: WALLS, ignoreSeparating: true },
    { op: 'move', bodyId, translation: { x: 4 * cell, y: 0 }, filter: WALLS },
    { op: 'line-of-sight', bodyId: first, targets: [{ bodyId }], filter: WALLS },
  ])
  const { results } = await send<{ results: object[] }>(url, 'POST', `${sceneId}/batch`, { queries })
  const wrong = results.find((result) => 'code' in result)
  if (wrong !== undefined) throw new ServiceError(`${sceneId}: ${JSON.stringify(wrong)}`)
  return entityIds.map((_, i) => {
    const [overlap, nearest, fall, walk, sight] = results.slice(5 * i, 5 * i + 5)
    return { overlap, nearest, fall, walk, sight } as Answers
  })
}

function row(id: string, first: string, { overlap, nearest, fall, walk, sight }: Answers): string[] {
  const meets = overlap.bodies.map(
    ({ id: other, relation }) => `${relation === 'touching' ? 'touches' : 'in'} ${other}`,
  )
  const [near] = nearest.bodies
  const [ground] = fall.hits
  const { path, status } = walk
  const way = path[path.length - 1]!.x - path[0]!.x
  const [seen] = sight.sights
  return [
    id,
    meets.join(', ') || '-',
    near ? `${near.id}, ${round(near.distance)}` : '-',
    ground ? `${ground.id}, ${round(ground.distance)}` : 'nothing',
    `${round(way)}${status === 'completed' ? '' : `, ${status}`}`,
    id === first ? '-' : seen!.visible ? 'yes' : `behind ${seen!.occluders[0]!.id}`,
  ]
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { walls: { type: 'string' } } })
  const [file = OWN_LEVEL] = positionals
  const path = resolve(file === OWN_LEVEL ? ROOT : (process.env.INIT_CWD ?? '.'), file)
  const levels = await readLevels(
    path,
    values.walls?.split(',').map((name) => name.trim()),
  )
  const kept = levels.map(keptLevel)
  const directory = await mkdtemp(join(tmpdir(), 'tangent-level-'))
  let service = await startOwnService(directory)
  try {
    for (const each of kept) await keep(service.url, each)
    const before = await Promise.all(kept.map((each) => ask(service.url, each)))
    for (const [i, { level, bodies, entityIds, sceneId }] of kept.entries()) {
      const [first = ''] = entityIds
      console.log(
        `${i === 0 ? '' : '\n'}${level.identifier}: ${count(bodies.length, 'body', 'bodies')} in scene ${sceneId}`,
      )
      const headings = ['entity', 'meets', 'nearest wall', 'falls on', 'walks right', first && `seen by ${first}`]
      if (entityIds.length > 0) {
        console.log(table([headings, ...entityIds.map((id, k) => row(id, first, before[i]![k]!))]).join('\n'))
      }
    }
    await service.kill()
    service = await startOwnService(directory)
    const after = await Promise.all(kept.map((each) => ask(service.url, each)))
    await service.kill()
    const total = 5 * before.flat().length
    const same = JSON.stringify(after) === JSON.stringify(before)
    console.log(
      `\nkilled and started again: ${count(total, 'answer')}, ${same ? 'all the same' : 'WRONG: not the same'}`,
    )
    if (!same) process.exitCode = 1
  } finally {
    await service.kill()
    await rm(directory, { recursive: true, force: true })
  }
}

// what is started ends with this process, however that ends
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await runCommand(run)
