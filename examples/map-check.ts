// Checks a Quake map against a running Tangent: which entities stand in a brush and how deep, how far the nearest brush is,
// what a ray straight down hits, and how far a player falls who starts there. Every brush is asked about as the hull of its corners; the boxes of brushes only choose
// what need not be asked. Every answer comes from the service over HTTP, and what it says of points in brushes, of rays and of
// falls is checked against the planes of the brushes.
//
//   npm run example:map -- [path.map] [--all] [--url=http://127.0.0.1:3000]

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Box, fallOnto, grown } from './box-fall.ts'
import { cornersOf, distanceBefore, holds, type Solid, solidOf } from './brush-corners.ts'
import { count, ROOT, round, runCommand, table } from './level-command.ts'
import { type Brush, type Point, type PointEntity, readMap } from './quake-map.ts'
import { connect, type Service, ServiceError } from './service.ts'

const OWN_MAP = 'examples/levels/cellar.map'
/** What one request holds at most, in characters: half of what a service that is configured by nobody takes. */
const REQUEST_SIZE = 4_000_000

/** A brush as the service is asked about it. */
interface Hull extends Box {
  brush: Brush
  solid: Solid
  corners: Point[]
  /** Its body as JSON: it is sent as often as it is asked about. */
  body: string
}

interface Finding {
  entity: PointEntity
  /** The brushes its box overlaps, and those that hold its origin. */
  overlapped: { hull: Hull; depth: number }[]
  holding: Hull[]
  nearest: { hull: Hull; distance: number } | null
  below: { hull: Hull; distance: number } | null
  /** What stops the box of a player who starts there, and after how much; undefined where none does. */
  fall: Finding['below'] | undefined
}

/** As the game sets them, about the origin. */
const PLAYER: Box = { min: { x: -16, y: -16, z: -24 }, max: { x: 16, y: 16, z: 32 } }
const ITEM: Box = { min: { x: -16, y: -16, z: 0 }, max: { x: 16, y: 16, z: 56 } }
const CORNER_ITEM: Box = { min: { x: 0, y: 0, z: 0 }, max: { x: 32, y: 32, z: 56 } }

/** The box of an entity about its origin, or null: lights, sounds and marks are points. */
function boxOf(classname: string): Box | null {
  if (/^(info_player_|monster_|item_(key|artifact|sigil))/.test(classname)) return PLAYER
  if (/^item_(health|shells|spikes|rockets|cells)/.test(classname)) return CORNER_ITEM
  return /^(item|weapon)_/.test(classname) ? ITEM : null
}

const plus = (p: Point, q: Point): Point => ({ x: p.x + q.x, y: p.y + q.y, z: p.z + q.z })
const boxAt = (box: Box, at: Point): Box => ({ min: plus(at, box.min), max: plus(at, box.max) })
const aabb = ({ min, max }: Box) => JSON.stringify({ shape: { type: 'aabb', min, max } })
const pointAt = (position: Point) => JSON.stringify({ shape: { type: 'point' }, position })

function boundsOf({ classname, origin }: PointEntity): Box {
  const box = boxOf(classname)
  return box === null ? { min: origin, max: origin } : boxAt(box, origin)
}

function bodyOf(entity: PointEntity): string {
  return boxOf(entity.classname) === null ? pointAt(entity.origin) : aabb(boundsOf(entity))
}

function hullOf(brush: Brush): Hull | string {
  if (brush.foreign !== null) return `it is a ${brush.foreign}, which has no planes`
  const solid = solidOf(brush.faces)
  if (typeof solid === 'string') return solid
  const points = cornersOf(solid)
  if (typeof points === 'string') return points
  const along = (axis: keyof Point) => points.map((point) => point[axis])
  const least = (axis: keyof Point) => Math.min(...along(axis))
  const most = (axis: keyof Point) => Math.max(...along(axis))
  return {
    brush,
    solid,
    corners: points,
    body: JSON.stringify({ shape: { type: 'hull', points } }),
    min: { x: least('x'), y: least('y'), z: least('z') },
    max: { x: most('x'), y: most('y'), z: most('z') },
  }
}

const AXES = ['x', 'y', 'z'] as const

/**
 * What rounding may move a face by, as a share of the largest coordinate: corners are rounded, and so are points that editors write.
 * Who is no deeper in a brush touches it.
 */
const ROUNDING_RATIO = 1e-10

function roundingOf({ min, max }: Box): number {
  return ROUNDING_RATIO * Math.max(1, ...AXES.flatMap((axis) => [Math.abs(min[axis]), Math.abs(max[axis])]))
}

/** How far two boxes are apart. */
function gap(a: Box, b: Box): number {
  return Math.hypot(...AXES.map((axis) => Math.max(0, a.min[axis] - b.max[axis], b.min[axis] - a.max[axis])))
}

/** The box and all that is below it. */
const downFrom = ({ min, max }: Box): Box => ({ min: { ...min, z: -Infinity }, max })

interface Cast {
  hits: { target: number; distance: number }[]
}

/** Asks as few batches as hold all the queries, each given as JSON. */
async function askAll<Answer>(service: Service, queries: readonly string[]): Promise<Answer[]> {
  const parts: string[][] = []
  let size = Infinity
  for (const query of queries) {
    if (size + query.length > REQUEST_SIZE) {
      parts.push([])
      size = 0
    }
    parts.at(-1)!.push(query)
    size += query.length
  }
  const answers = await Promise.all(
    parts.map((part) => service.askText<{ results: Answer[] }>('batch', `{"queries":[${part.join(',')}]}`)),
  )
  const results = answers.flatMap((answer) => answer.results)
  const wrong = results.find((answer) => (answer as { op: string }).op === 'problem')
  if (wrong !== undefined) throw new ServiceError(`a query was answered with ${JSON.stringify(wrong)}`)
  return results
}

/** How far each pair is apart; negative for how deep they overlap. */
async function separations(service: Service, pairs: [body: string, hull: Hull][]): Promise<number[]> {
  const queries = pairs.map(([body, hull]) => `{"op":"contact","a":${body},"b":${hull.body}}`)
  const answers = await askAll<{ separation: number | null }>(service, queries)
  return answers.map(({ separation }) => separation ?? Infinity)
}

async function distances(service: Service, pairs: [body: string, hull: Hull][]): Promise<number[]> {
  const queries = pairs.map(([body, hull]) => `{"op":"distance","a":${body},"b":${hull.body}}`)
  const answers = await askAll<{ distance: number }>(service, queries)
  return answers.map(({ distance }) => distance)
}

/** The brushes that each entity stands in, deepest first, of those whose boxes its box meets. */
async function overlapped(service: Service, entities: PointEntity[], hulls: Hull[]): Promise<Finding['overlapped'][]> {
  const near = entities.map((entity) => hulls.filter((hull) => gap(boundsOf(entity), hull) === 0))
  const found = await separations(
    service,
    near.flatMap((hulls, i) => hulls.map((hull): [string, Hull] => [bodyOf(entities[i]!), hull])),
  )
  let at = 0
  return near.map((hulls) => {
    const depths = hulls.map((hull) => ({ hull, depth: -found[at++]! }))
    return depths.filter(({ hull, depth }) => depth > roundingOf(hull)).sort((a, b) => b.depth - a.depth)
  })
}

/** The nearest brush of each entity: first the one whose box is nearest, then all whose boxes are nearer than that turned out to be. */
async function nearest(service: Service, entities: PointEntity[], hulls: Hull[]): Promise<Finding['nearest'][]> {
  const boxes = entities.map(boundsOf)
  const bodies = entities.map(bodyOf)
  const gaps = boxes.map((box) => hulls.map((hull) => gap(box, hull)))
  const first = gaps.map((own) => own.indexOf(Math.min(...own)))
  const bounds = await distances(
    service,
    first.map((index, i) => [bodies[i]!, hulls[index]!]),
  )
  const nearer = gaps.map((own, i) => hulls.filter((_, k) => k !== first[i] && own[k]! < bounds[i]!))
  const found = await distances(
    service,
    nearer.flatMap((hulls, i) => hulls.map((hull): [string, Hull] => [bodies[i]!, hull])),
  )
  let at = 0
  return nearer.map((others, i) => {
    let least = { hull: hulls[first[i]!]!, distance: bounds[i]! }
    for (const hull of others) {
      const distance = found[at++]!
      if (distance < least.distance) least = { hull, distance }
    }
    return least
  })
}

/** The first brush that each is stopped by on its way down; `query` is the cast without its targets. */
async function below(
  service: Service,
  asked: { box: Box; query: string }[],
  hulls: Hull[],
): Promise<Finding['below'][]> {
  const targets = asked.map(({ box }) => hulls.filter((hull) => gap(downFrom(box), hull) === 0))
  const some = asked.flatMap(({ query }, i) => (targets[i]!.length === 0 ? [] : [{ query, targets: targets[i]! }]))
  const answers = await askAll<Cast>(
    service,
    some.map(({ query, targets }) => `{${query},"targets":[${targets.map(({ body }) => body).join(',')}]}`),
  )
  let at = 0
  return targets.map((hulls) => {
    const hit = hulls.length === 0 ? undefined : answers[at++]!.hits[0]
    return hit === undefined ? null : { hull: hulls[hit.target]!, distance: hit.distance }
  })
}

async function check(service: Service, entities: PointEntity[], hulls: Hull[]): Promise<Finding[]> {
  if (entities.length === 0 || hulls.length === 0) return []
  const rays = entities.map(({ origin }) => ({
    box: { min: origin, max: origin },
    query: `"op":"ray-cast","ray":${JSON.stringify({ origin, direction: { x: 0, y: 0, z: -1 } })}`,
  }))
  const starts = entities.filter(isStart)
  const lowest = Math.min(...hulls.map(({ min }) => min.z))
  const falls = starts.map((entity) => {
    const box = boundsOf(entity)
    // down to the lowest brush and through it
    const translation = { x: 0, y: 0, z: Math.min(0, lowest - box.max.z) }
    return { box, query: `"op":"shape-cast","body":${aabb(box)},"translation":${JSON.stringify(translation)}` }
  })
  // One after another: each is spread over all workers as it is, and more at a time would be turned away where others ask too.
  const boxed = await overlapped(service, entities, hulls)
  const holding = await meeting(service, entities, hulls)
  const near = await nearest(service, entities, hulls)
  const hit = await below(service, rays, hulls)
  const fallen = await below(service, falls, hulls)
  const fallOf = new Map(starts.map((entity, i) => [entity, fallen[i]!]))
  return entities.map((entity, i) => ({
    entity,
    overlapped: boxed[i]!,
    holding: holding[i]!,
    nearest: near[i]!,
    below: hit[i]!,
    fall: fallOf.get(entity),
  }))
}

/** The brushes that hold the origin of each entity, their surfaces included. */
async function meeting(service: Service, entities: PointEntity[], hulls: Hull[]): Promise<Hull[][]> {
  const near = entities.map(({ origin }) => hulls.filter((hull) => gap({ min: origin, max: origin }, hull) === 0))
  const queries = near.flatMap((hulls, i) =>
    hulls.map((hull) => `{"op":"overlap","a":${pointAt(entities[i]!.origin)},"b":${hull.body}}`),
  )
  const answers = await askAll<{ overlap: boolean }>(service, queries)
  let at = 0
  return near.map((hulls) => hulls.filter(() => answers[at++]!.overlap))
}

/** Where a player comes into the game. */
const isStart = ({ classname }: PointEntity) => /^info_player_/.test(classname)

/** What the planes say otherwise than the service, a line each. */
function contradictions(findings: Finding[], hulls: Hull[]): string[] {
  const lines: string[] = []
  for (const { entity, holding, below, fall } of findings) {
    for (const hull of hulls) {
      const said = holding.includes(hull)
      if (holds(hull.solid, entity.origin) === said) continue
      if (Math.abs(distanceBefore(hull.solid, entity.origin)) > roundingOf(hull)) {
        lines.push(`${nameOf(entity)} is ${said ? 'not ' : ''}in brush ${hull.brush.number} by its planes`)
      }
    }
    const said = below?.distance ?? Infinity
    const found = firstBelow(entity.origin, hulls, 0)
    if (differ(found, said) && !grazes(said, (slack) => firstBelow(entity.origin, hulls, slack))) {
      lines.push(`the ray down from ${nameOf(entity)} hits at ${found} by the planes, ${said} was answered`)
    }
    if (fall === undefined) continue
    const answered = fall?.distance ?? Infinity
    const fallen = firstUnder(entity, hulls, 0)
    if (differ(fallen, answered) && !grazes(answered, (slack) => firstUnder(entity, hulls, slack))) {
      lines.push(`the player at ${nameOf(entity)} falls ${fallen} by the planes, ${answered} was answered`)
    }
  }
  return lines
}

const differ = (found: number, said: number) => Math.abs(found - said) > 1e-9 * Math.max(1, said) && found !== said

/** Whether it lies between what is found where all brushes are larger by what rounding may do, and where they are smaller. */
function grazes(said: number, found: (slack: number) => number): boolean {
  const [near, far] = [found(1), found(-1)]
  return (near <= said || !differ(near, said)) && (said <= far || !differ(far, said))
}

/** How far the player falls who starts there; of brushes whose faces lie farther out by so often what rounding may do. */
function firstUnder(entity: PointEntity, hulls: Hull[], slack: number): number {
  const below = downFrom(boundsOf(entity))
  const under = hulls.filter((hull) => gap(below, hull) <= Math.max(0, slack * roundingOf(hull)))
  return Math.min(
    ...under.map((hull) => {
      const planes = grown(hull.solid, hull.corners, PLAYER).map(({ normal, offset }) => {
        return { normal, offset: offset + slack * roundingOf(hull) * Math.hypot(...normal) }
      })
      return fallOnto(planes, entity.origin)
    }),
  )
}

/** How far down the first brush is, by clipping the ray to the planes of each; `slack` as above. */
function firstBelow(origin: Point, hulls: Hull[], slack: number): number {
  let first = Infinity
  for (const hull of hulls) {
    const { min, max, solid } = hull
    const skin = slack * roundingOf(hull)
    const reach = Math.max(0, skin)
    if (origin.x < min.x - reach || origin.x > max.x + reach || origin.y < min.y - reach) continue
    if (origin.y > max.y + reach || origin.z < min.z - reach) continue
    let enter = 0
    let leave = Infinity
    for (const { normal, offset } of solid.planes) {
      const [x, y, z] = normal.map(Number) as [number, number, number]
      const unit = 2 ** solid.scale
      const height = x * origin.x + y * origin.y + z * origin.z - Number(offset) / unit - skin * Math.hypot(x, y, z)
      if (z > 0) enter = Math.max(enter, height / z)
      else if (z < 0) leave = Math.min(leave, height / z)
      else if (height > 0) leave = -Infinity
    }
    if (enter <= leave) first = Math.min(first, enter)
  }
  return first
}

const nameOf = ({ classname, line }: PointEntity) => `${classname} (line ${line})`
const brushName = ({ brush: { number, classname } }: Hull) =>
  classname === 'worldspawn' ? `brush ${number}` : `brush ${number} of a ${classname}`
const at = ({ x, y, z }: Point) => [x, y, z].map(round).join(', ')

/** What rounds to 0 is no touch. */
const shallow = (depth: number) => (depth < 0.005 ? depth.toExponential(1) : round(depth))

const HEADINGS = ['entity', 'at', 'stands in', 'nearest brush', 'straight down', 'player falls']

function row({ entity, overlapped, nearest, below, fall }: Finding): string[] {
  const found = (what: Finding['below']) =>
    what === null ? 'nothing' : `${brushName(what.hull)}, ${round(what.distance)}`
  const [first, ...more] = overlapped
  return [
    entity.classname,
    at(entity.origin),
    first === undefined
      ? '-'
      : `${brushName(first.hull)}, ${shallow(first.depth)} deep${more.length > 0 ? `, and ${more.length} more` : ''}`,
    found(nearest),
    found(below),
    fall === undefined ? '-' : found(fall),
  ]
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { url: { type: 'string' }, all: { type: 'boolean', default: false } },
  })
  const url = values.url ?? process.env.TANGENT_URL ?? 'http://127.0.0.1:3000'
  // npm runs scripts in the package's folder; INIT_CWD is where the user stood.
  const [file = OWN_MAP] = positionals
  const path = resolve(file === OWN_MAP ? ROOT : (process.env.INIT_CWD ?? '.'), file)
  const started = performance.now()
  const { brushes, entities } = await readMap(path)
  const read = performance.now()
  const tried = brushes.map(hullOf)
  const hulls = tried.filter((hull) => typeof hull !== 'string')
  console.log(
    `${file}: ${count(brushes.length, 'brush', 'brushes')}, ${count(entities.length, 'point entity', 'point entities')}`,
  )
  for (const [number, hull] of tried.entries()) {
    if (typeof hull === 'string') console.log(`  brush ${number} (line ${brushes[number]!.line}) is no hull: ${hull}`)
  }
  const formed = performance.now()
  const service = connect(url.replace(/\/+$/, ''), '3d')
  const findings = await check(service, entities, hulls)
  const asked = performance.now()

  const isShown = ({ entity, overlapped }: Finding) =>
    values.all || overlapped.length > 0 || boxOf(entity.classname) !== null
  const shown = findings.filter(isShown)
  if (shown.length > 0) console.log(`\n${table([HEADINGS, ...shown.map(row)]).join('\n')}`)
  const hidden = findings.length - shown.length
  if (hidden > 0) console.log(`  ${count(hidden, 'entity', 'entities')} without a box, in no brush: shown with --all`)

  const wrong = contradictions(findings, hulls)
  for (const line of wrong) console.log(`WRONG: ${line}`)
  const missing = hulls.length === 0 ? 'the map has no brush that is a hull' : 'the map has no point entity'
  const isEmpty = findings.length === 0
  if (wrong.length > 0 || isEmpty) process.exitCode = 1
  const checked = performance.now()
  console.log(
    `\n${count(hulls.length, 'hull')}, ${count(findings.filter(({ overlapped }) => overlapped.length > 0).length, 'entity', 'entities')} in brushes`,
  )
  if (isEmpty) console.error(`nothing was checked: ${missing}`)
  else console.log(`the planes of the brushes ${wrong.length === 0 ? 'say the same' : 'say otherwise'}`)
  console.log(
    `read in ${round(read - started)} ms, corners in ${round(formed - read)} ms, ${count(service.requestCount(), 'request')} in ${round(asked - formed)} ms, checked in ${round(checked - asked)} ms`,
  )
})
