// A level check in motion: throws a ball from the middle of each entity of an LDtk level and follows it for three seconds
// as it bounces off the walls, which are merged into regions first. The ways come from the service over HTTP; that no
// ball ever enters a wall is then checked here, cell by cell.
//
//   npm run example:motion -- [path.ldtk] [--walls=name,name] [--seed=1] [--url=http://127.0.0.1:3000]

import type { DistanceRequest, DistanceResponse } from '../schemas/queries/distance.ts'
import type { TrajectoryRequest, TrajectoryResponse } from '../schemas/queries/trajectory.ts'
import { type Ball, checkPath, type PathCheck } from './ball-path.ts'
import { type CellRegion, cellOutlines } from './cell-outlines.ts'
import type { Entity, Level } from './ldtk.ts'
import { count, levelCommand, round, table } from './level-command.ts'
import type { Service } from './service.ts'

const SECONDS = 3
const MAX_BOUNCES = 10_000
/** Of the ball's radius: how deep it may be in a wall, and how far from where its velocity leads. */
const LIMIT_RATIO = 1e-9
/** Of a cell. */
const LARGEST_RADIUS = 0.45
const SMALLEST_RADIUS = 0.02
/** Cells per second. */
const SLOWEST = 4
const FASTEST = 24

const wall = ({ outer, holes }: CellRegion) => ({ shape: { type: 'region' as const, outer, holes } })

interface Throw {
  entity: Entity
  ball: Ball | null
  answer: TrajectoryResponse | null
  check: PathCheck | null
}

/** The largest of some radii, each half of the one before, with which the ball starts free; null in or on a wall. */
async function freeRadius(service: Service, position: Ball['position'], walls: CellRegion[], largest: number) {
  const distances = await Promise.all(
    walls.map((region) =>
      service.ask<DistanceRequest, DistanceResponse>('distance', {
        a: { shape: { type: 'point' }, position },
        b: wall(region),
      }),
    ),
  )
  const free = Math.min(...distances.map(({ distance }) => distance))
  let radius = largest
  while (radius >= free && radius >= largest * SMALLEST_RADIUS) radius /= 2
  return radius < free ? radius : null
}

async function throwFrom(
  entity: Entity,
  level: Level,
  walls: CellRegion[],
  between: Between,
  service: Service,
): Promise<Throw> {
  const cell = level.grids[0]?.size ?? 1
  const angle = between(-Math.PI, Math.PI)
  const speed = cell * between(SLOWEST, FASTEST)
  const position = { x: (entity.min.x + entity.max.x) / 2, y: (entity.min.y + entity.max.y) / 2 }
  const radius = await freeRadius(service, position, walls, cell * LARGEST_RADIUS)
  if (radius === null) return { entity, ball: null, answer: null, check: null }
  const ball = { radius, position, velocity: { x: speed * Math.cos(angle), y: speed * Math.sin(angle) } }
  const answer = await service.ask<TrajectoryRequest, TrajectoryResponse>('trajectory', {
    body: { shape: { type: 'circle', radius }, position, velocity: ball.velocity },
    obstacles: walls.map(wall),
    duration: SECONDS,
    maxBounces: MAX_BOUNCES,
  })
  return { entity, ball, answer, check: checkPath(ball, answer, level.grids) }
}

const fixed = (value: number) => value.toFixed(3).replace(/^-(0\.000)$/, '$1')
const ratio = (value: number) => value.toExponential(1)

function lines({ entity, ball, answer, check }: Throw): string[] {
  if (ball === null || answer === null || check === null) return [`${entity.identifier} starts in a wall: not thrown`]
  const { radius, velocity, position } = ball
  const speed = Math.hypot(velocity.x, velocity.y)
  const { bounces, end, status } = answer
  const direction = `${fixed(velocity.x / speed)}, ${fixed(velocity.y / speed)}`
  const path = [
    ['0.000', fixed(position.x), fixed(position.y), 'thrown'],
    ...bounces.map(({ time, normal, obstacle }, i) => [
      fixed(time),
      fixed(check.centers[i + 1]!.x),
      fixed(check.centers[i + 1]!.y),
      `off wall ${obstacle} along ${fixed(normal.x)}, ${fixed(normal.y)}`,
    ]),
    [fixed(end.time), fixed(end.position.x), fixed(end.position.y), status],
  ]
  const failed = check.deepest > LIMIT_RATIO || check.astray > LIMIT_RATIO
  if (failed) process.exitCode = 1
  return [
    `${entity.identifier}: a ball of radius ${round(radius)} at ${round(speed)} a second along ${direction}`,
    ...table([['time', 'x', 'y', ''], ...path]),
    failed
      ? `  WRONG: ${ratio(check.deepest)} of its radius in a wall, ${ratio(check.astray)} astray`
      : `  ${count(bounces.length, 'bounce')}, never in a wall`,
  ]
}

/** The worst of all balls, as numbers. */
function verdict(throws: Throw[]): string {
  const checks = throws.flatMap(({ check }) => (check ? [check] : []))
  const bounceCount = throws.reduce((sum, { answer }) => sum + (answer?.bounces.length ?? 0), 0)
  const deepest = Math.max(0, ...checks.map((check) => check.deepest))
  const astray = Math.max(0, ...checks.map((check) => check.astray))
  const wrong = checks.filter((check) => check.deepest > LIMIT_RATIO || check.astray > LIMIT_RATIO).length
  return [
    `${count(checks.length, 'ball')}, ${count(bounceCount, 'bounce')}, ${wrong === 0 ? 'none' : wrong} in a wall:`,
    `at worst ${ratio(deepest)} of the radius deep, ${ratio(astray)} astray`,
  ].join(' ')
}

type Between = (low: number, high: number) => number

/** Tommy Ettinger's mulberry32. */
function seeded(seed: number): Between {
  let state = seed
  return (low, high) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return low + (high - low) * (((t ^ (t >>> 14)) >>> 0) / 2 ** 32)
  }
}

await levelCommand(
  async (level, service, { seed }) => {
    const between = seeded(Number(seed))
    const walls = level.grids.flatMap(cellOutlines)
    const throws = await Promise.all(level.entities.map((entity) => throwFrom(entity, level, walls, between, service)))
    const holeCount = walls.reduce((sum, { holes }) => sum + holes.length, 0)
    return [
      `walls: ${count(walls.length, 'region')} with ${count(holeCount, 'hole')}, seed ${seed}`,
      ...throws.flatMap(lines),
      ...(throws.length > 0 ? [verdict(throws)] : []),
    ]
  },
  { seed: '1' },
)
