// Checks a level made with LDtk against a running Tangent: which entities overlap walls, how far each is from its
// nearest wall, and what lies straight below it. Every answer comes from the service over HTTP.
//
//   npm run example:level -- [path.ldtk] [--walls=name,name] [--url=http://127.0.0.1:3000]

import type { DistanceRequest, DistanceResponse } from '../schemas/distance.ts'
import type { OverlapRequest, OverlapResponse } from '../schemas/overlap.ts'
import type { RayCastRequest, RayCastResponse } from '../schemas/ray-cast.ts'
import type { Box, Entity, Level, Wall } from './ldtk.ts'
import { levelCommand, round, table } from './level-command.ts'
import type { Service } from './service.ts'

/** LDtk boxes stand in the level's own frame, so the body needs no position. */
const body = ({ min, max }: Box) => ({ shape: { type: 'aabb' as const, min, max } })

interface Finding {
  entity: Entity
  meets: { wall: Wall; relation: OverlapResponse['relation'] }[]
  nearest: { wall: Wall; distance: number } | null
  below: { identifier: string; distance: number } | null
}

async function checkEntity(service: Service, entity: Entity, level: Level): Promise<Finding> {
  const a = body(entity)
  const distances = await Promise.all(
    level.walls.map(async (wall) => {
      const { distance } = await service.ask<DistanceRequest, DistanceResponse>('distance', { a, b: body(wall) })
      return { wall, distance }
    }),
  )
  // Distance is 0 exactly when two bodies meet, so only those pairs are left to be told apart: touching or overlapping?
  const meets = await Promise.all(
    distances
      .filter(({ distance }) => distance === 0)
      .map(async ({ wall }) => {
        const { relation } = await service.ask<OverlapRequest, OverlapResponse>('overlap', { a, b: body(wall) })
        return { wall, relation }
      }),
  )
  const others = [...level.walls, ...level.entities.filter((other) => other !== entity)]
  const { hits } = await service.ask<RayCastRequest, RayCastResponse>('ray-cast', {
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

await levelCommand(async (level, service) => {
  const findings = await Promise.all(level.entities.map((entity) => checkEntity(service, entity, level)))
  return findings.length > 0 ? table([HEADINGS, ...findings.map(row)]) : []
})
