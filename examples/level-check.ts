// Checks a level made with LDtk against a running Tangent: which entities overlap walls, how far each is from its
// nearest wall, and what lies straight below it. The level is kept as a scene while it is asked about, so it is sent once,
// whatever the number of entities. Every answer comes from the service over HTTP.
//
//   npm run example:level -- [path.ldtk] [--walls=name,name] [--url=http://127.0.0.1:3000]

import type { SceneNearestResponse } from '../schemas/scenes/nearest.ts'
import type { SceneOverlapResponse } from '../schemas/scenes/overlap.ts'
import type { SceneRayCastResponse } from '../schemas/scenes/ray-cast.ts'
import type { Box, Entity, Level } from './ldtk.ts'
import { levelCommand, round, table } from './level-command.ts'
import { inParts, type Service, ServiceError } from './service.ts'

/** Seconds after which the service forgets the scene, should this process not come to deleting it. */
const TTL = 300
/** What one request holds at most: the limits of a service that is configured by nobody. */
const OPERATIONS = 10_000
const QUERIES = 3000

const WALLS = { tags: { any: ['wall'] } }

interface Finding {
  entity: Entity
  overlap: SceneOverlapResponse
  nearest: SceneNearestResponse
  below: SceneRayCastResponse
}

/** Ids that sort as the level lists them. */
const idOf = (kind: string, index: number) => `${kind}-${String(index).padStart(7, '0')}`

/** LDtk boxes stand in the level's own frame, so a body needs no position. */
function put(kind: string) {
  return ({ min, max }: Box, index: number) => {
    return { op: 'put', body: { id: idOf(kind, index), shape: { type: 'aabb', min, max }, tags: [kind] } }
  }
}

function questions({ min, max }: Entity, index: number): object[] {
  const bodyId = idOf('entity', index)
  const ray = { origin: { x: (min.x + max.x) / 2, y: max.y }, direction: { x: 0, y: 1 } }
  return [
    { op: 'overlap', bodyId, filter: WALLS },
    { op: 'nearest', bodyId, filter: WALLS, limit: 1 },
    { op: 'ray-cast', ray, filter: { ids: { exclude: [bodyId] } } },
  ]
}

async function check({ walls, entities }: Level, service: Service): Promise<Finding[]> {
  if (entities.length === 0) return []
  const { id } = await service.ask<object, { id: string }>('scenes', { ttl: TTL })
  try {
    const puts = [...walls.map(put('wall')), ...entities.map(put('entity'))]
    for (const operations of inParts(puts, OPERATIONS)) await service.ask(`scenes/${id}/operations`, { operations })
    const answers: object[] = []
    for (const queries of inParts(entities.flatMap(questions), QUERIES)) {
      const { results } = await service.ask<object, { results: object[] }>(`scenes/${id}/batch`, { queries })
      answers.push(...results)
    }
    const wrong = answers.find((answer) => 'code' in answer)
    if (wrong !== undefined) throw new ServiceError(`a query was answered with ${JSON.stringify(wrong)}`)
    return entities.map((entity, i) => {
      const [overlap, nearest, below] = answers.slice(3 * i, 3 * i + 3)
      return { entity, overlap, nearest, below } as Finding
    })
  } finally {
    await service.remove(`scenes/${id}`)
  }
}

const HEADINGS = ['entity', 'at', 'size', 'walls', 'nearest wall', 'straight down']

function row({ walls, entities }: Level, { entity, overlap, nearest, below }: Finding): string[] {
  const nameOf = (id: string) => {
    const index = Number(id.slice(id.indexOf('-') + 1))
    return (id.startsWith('wall') ? walls : entities)[index]!.identifier
  }
  const met = (wanted: 'overlapping' | 'touching') => {
    const met = overlap.bodies.filter(({ relation }) => relation === wanted)
    return [...new Set(met.map(({ id }) => nameOf(id)))].join(', ')
  }
  const { identifier, min, max } = entity
  const overlapping = met('overlapping')
  const touching = met('touching')
  const [wall] = nearest.bodies
  const [hit] = below.hits ?? []
  return [
    identifier,
    `${round(min.x)}, ${round(min.y)}`,
    `${round(max.x - min.x)} x ${round(max.y - min.y)}`,
    overlapping !== '' ? `overlaps ${overlapping}` : touching !== '' ? `touches ${touching}` : '-',
    wall ? `${nameOf(wall.id)}, ${round(wall.distance)}` : '-',
    hit ? `${nameOf(hit.id)}, ${round(hit.distance)}` : 'nothing',
  ]
}

await levelCommand(async (level, service) => {
  const findings = await check(level, service)
  return findings.length > 0 ? table([HEADINGS, ...findings.map((finding) => row(level, finding))]) : []
})
