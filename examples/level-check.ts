// Checks a level made with LDtk against a running Tangent: which entities overlap walls, how far each is from its
// nearest wall, and what lies straight below it. Every answer comes from the service over HTTP.
//
//   npm run example:level -- [path.ldtk] [--walls=name,name] [--url=http://127.0.0.1:3000]

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { DistanceRequest, DistanceResponse } from '../schemas/distance.ts'
import type { OverlapRequest, OverlapResponse } from '../schemas/overlap.ts'
import type { RayCastRequest, RayCastResponse } from '../schemas/ray-cast.ts'
import { type Box, type Entity, LdtkError, type Level, readLevels, type Wall } from './ldtk.ts'

const ROOT = resolve(import.meta.dirname, '..')
const OWN_LEVEL = 'examples/levels/cellar.ldtk'
/** Requests under way at once: enough to keep the service busy, few enough to stay polite. */
const CONCURRENT_REQUESTS = 16

class ServiceError extends Error {}

let requestCount = 0
let free = CONCURRENT_REQUESTS
const waiting: (() => void)[] = []

async function ask<Question, Answer>(url: string, query: string, question: Question): Promise<Answer> {
  if (free > 0) free--
  else await new Promise<void>((resume) => waiting.push(resume))
  try {
    requestCount++
    const response = await post(`${url}/v1/2d/${query}`, JSON.stringify(question))
    const text = await response.text()
    if (!response.ok) throw new ServiceError(`${query} was answered with status ${response.status}: ${text}`)
    return JSON.parse(text)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}

async function post(url: string, text: string): Promise<Response> {
  try {
    return await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text })
  } catch {
    const { origin } = new URL(url)
    throw new ServiceError(
      `Nothing answers at ${origin}: start the service with "npm start", or name another with --url.`,
    )
  }
}

/** LDtk boxes stand in the level's own frame, so the body needs no position. */
const body = ({ min, max }: Box) => ({ shape: { type: 'aabb' as const, min, max } })

interface Finding {
  entity: Entity
  meets: { wall: Wall; relation: OverlapResponse['relation'] }[]
  nearest: { wall: Wall; distance: number } | null
  below: { identifier: string; distance: number } | null
}

async function checkEntity(url: string, entity: Entity, level: Level): Promise<Finding> {
  const a = body(entity)
  const distances = await Promise.all(
    level.walls.map(async (wall) => {
      const { distance } = await ask<DistanceRequest, DistanceResponse>(url, 'distance', { a, b: body(wall) })
      return { wall, distance }
    }),
  )
  // Distance is 0 exactly when two bodies meet, so only those pairs are left to be told apart: touching or overlapping?
  const meets = await Promise.all(
    distances
      .filter(({ distance }) => distance === 0)
      .map(async ({ wall }) => {
        const { relation } = await ask<OverlapRequest, OverlapResponse>(url, 'overlap', { a, b: body(wall) })
        return { wall, relation }
      }),
  )
  const others = [...level.walls, ...level.entities.filter((other) => other !== entity)]
  const { hits } = await ask<RayCastRequest, RayCastResponse>(url, 'ray-cast', {
    ray: { origin: { x: (entity.min.x + entity.max.x) / 2, y: entity.max.y }, direction: { x: 0, y: 1 } },
    targets: others.map(body),
  })
  return {
    entity,
    meets,
    nearest: distances.reduce<Finding['nearest']>(
      (best, it) => (best && best.distance <= it.distance ? best : it),
      null,
    ),
    below: hits[0] ? { identifier: others[hits[0].target]!.identifier, distance: hits[0].distance } : null,
  }
}

const HEADINGS = ['entity', 'at', 'size', 'walls', 'nearest wall', 'straight down']

const round = (value: number) => String(Number(value.toFixed(2)))
const names = (walls: Wall[]) => [...new Set(walls.map(({ identifier }) => identifier))].join(', ')

function row({ entity: { identifier, min, max }, meets, nearest, below }: Finding): string[] {
  const overlapping = meets.filter(({ relation }) => relation === 'overlapping').map(({ wall }) => wall)
  const touching = meets.filter(({ relation }) => relation === 'touching').map(({ wall }) => wall)
  return [
    identifier,
    `${round(min.x)}, ${round(min.y)}`,
    `${round(max.x - min.x)} x ${round(max.y - min.y)}`,
    overlapping.length > 0
      ? `overlaps ${names(overlapping)}`
      : touching.length > 0
        ? `touches ${names(touching)}`
        : '-',
    nearest ? `${nearest.wall.identifier}, ${round(nearest.distance)}` : '-',
    below ? `${below.identifier}, ${round(below.distance)}` : 'nothing',
  ]
}

function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  return rows.map((cells) => `  ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd()).join('\n')
}

const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** Like "2 levels, 146 wall cells (138 stone, 8 water), 12 entities". */
function summary(levels: Level[]): string {
  const cells = new Map<string, number>()
  for (const { identifier, cellCount } of levels.flatMap(({ walls }) => walls)) {
    cells.set(identifier, (cells.get(identifier) ?? 0) + cellCount)
  }
  const total = [...cells.values()].reduce((a, b) => a + b, 0)
  const kinds = [...cells].map(([identifier, cellCount]) => `${cellCount.toLocaleString('en')} ${identifier}`)
  const entities = levels.flatMap((level) => level.entities)
  return [
    count(levels.length, 'level'),
    `${count(total, 'wall cell')}${kinds.length > 1 ? ` (${kinds.join(', ')})` : ''}`,
    count(entities.length, 'entity', 'entities'),
  ].join(', ')
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { url: { type: 'string' }, walls: { type: 'string' } },
  })
  const url = (values.url ?? process.env.TANGENT_URL ?? 'http://127.0.0.1:3000').replace(/\/+$/, '')
  // npm runs scripts in the package's folder; INIT_CWD is where the user stood.
  const [file = OWN_LEVEL] = positionals
  const path = resolve(file === OWN_LEVEL ? ROOT : (process.env.INIT_CWD ?? '.'), file)
  const levels = await readLevels(
    path,
    values.walls?.split(',').map((name) => name.trim()),
  )

  const started = performance.now()
  console.log(`${file}: ${summary(levels)}`)
  for (const level of levels) {
    console.log(`\n${level.identifier}: ${summary([level]).replace(/^1 level, /, '')}`)
    const findings = await Promise.all(level.entities.map((entity) => checkEntity(url, entity, level)))
    if (findings.length > 0) console.log(table([HEADINGS, ...findings.map(row)]))
  }
  console.log(`\n${count(requestCount, 'request')} in ${round(performance.now() - started)} ms`)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof LdtkError || error instanceof ServiceError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
