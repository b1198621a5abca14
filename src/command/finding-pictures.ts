// A picture for each finding: the scene around it, with its bodies standing out.

import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Finding } from './findings.ts'
import { dropScene, newScene, type OpenLevel, type PlacedScene } from './level.ts'
import { writeWhole } from './output.ts'
import { accepted, answered, ask, type Service } from './service.ts'
import { Refused } from './terminal.ts'

/** Most pictures of a level, most bodies of a finding that stand out in one, and most others around them in space. */
const MOST_PICTURES = 1000
const MOST_BODIES = 16
const MOST_AROUND = 64
/** How much is seen around the smallest body of a finding, in its own size. */
const AROUND_RATIO = 3

/** What the pictures of a file are called after: its name, or its path where another of the files has that name. */
export function pictureName(file: string, files: readonly string[]): string {
  const isAlone = files.every((other) => other === file || basename(other) !== basename(file))
  return isAlone ? basename(file) : file.replace(/^[./\\]+/, '').replace(/[\\/]+/g, '-')
}

/** Files are called `<name>-<number>-<rule>.svg`. Nothing is drawn of a level without findings. */
export async function drawFindings(
  service: Service,
  { scene, kind }: OpenLevel,
  folder: string,
  name: string,
  findings: readonly Finding[],
): Promise<void> {
  if (findings.length === 0) return
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Refused(`The folder ${folder} cannot be made (${error.code}): name another with --svg.`)
  })
  const isDown = scene.dimension === 2 && kind.format !== 'geojson' && kind.format !== 'json'
  for (const [k, finding] of findings.slice(0, MOST_PICTURES).entries()) {
    const query = new URLSearchParams(isDown ? { yDown: 'true' } : {})
    const bodies = await bodiesOf(service, scene, finding)
    if (bodies.length > 0) query.set('highlight', bodies.map(({ id }) => id).join(','))
    const box = await boxAround(service, scene, bodies, finding)
    const path = join(folder, `${name}-${k + 1}-${finding.rule}.svg`)
    const draw = async ({ path: shown }: PlacedScene) =>
      writeWhole(path, await accepted(await ask(service, 'GET', `${shown}/render.svg?${query}`)))
    if (box === null) await draw(scene)
    else if (scene.dimension === 2) {
      query.set('bounds', [...box.min, ...box.max].join(','))
      await draw(scene)
    } else await withPart(service, [...bodies, ...(await bodiesIn(service, scene, box))], draw)
  }
}

interface Body {
  readonly id: string
  readonly shape: object
  readonly position?: object
  /** In the plane. */
  readonly rotation?: number
  /** In space. */
  readonly orientation?: object
}

interface Box {
  readonly min: readonly number[]
  readonly max: readonly number[]
}

async function bodiesOf(service: Service, { path }: PlacedScene, { bodies }: Finding): Promise<Body[]> {
  const found: Body[] = []
  for (const id of bodies.slice(0, MOST_BODIES)) {
    const answer = await ask(service, 'GET', `${path}/bodies/${encodeURIComponent(id)}?content=true`)
    found.push((await answered<{ body: Body }>(answer)).body)
  }
  return found
}

/** Around the smallest of the bodies and the point; null where nothing of it has an extent. */
async function boxAround(
  service: Service,
  { dimension }: PlacedScene,
  bodies: readonly Body[],
  { point }: Finding,
): Promise<Box | null> {
  let least: Box | null = null
  for (const body of bodies) {
    const box = await boxOf(service, dimension, body)
    if (box !== null && (least === null || sizeOf(box) < sizeOf(least))) least = box
  }
  if (least === null) return null
  const seen = point === null ? least.min : Object.values(point)
  const min = least.min.map((side, k) => Math.min(side, seen[k]))
  const max = least.max.map((side, k) => Math.max(side, seen[k]))
  const around = (AROUND_RATIO * sizeOf({ min, max })) / 2
  return around > 0 ? { min: min.map((side) => side - around), max: max.map((side) => side + around) } : null
}

const sizeOf = ({ min, max }: Box) => Math.max(...max.map((side, k) => side - min[k]))

/** Null of a body without an end. */
async function boxOf(
  service: Service,
  dimension: 2 | 3,
  { shape, position, rotation, orientation }: Body,
): Promise<Box | null> {
  // a motion would make the box longer
  const body = { shape, position, rotation, orientation }
  const answer = await ask(service, 'POST', `/v1/${dimension}d/bounds`, { body })
  const { min, max } = await answered<Record<'min' | 'max', Record<string, number | null>>>(answer)
  const sides = [Object.values(min), Object.values(max)]
  if (sides.flat().some((side) => side === null)) return null
  return { min: sides[0] as number[], max: sides[1] as number[] }
}

/** Those that are all in the box: walls around it would hide what is in it. */
async function bodiesIn(service: Service, { path }: PlacedScene, box: Box): Promise<Body[]> {
  const query = new URLSearchParams({ content: 'true', limit: String(MOST_AROUND) })
  for (const [k, axis] of ['X', 'Y', 'Z'].entries()) {
    query.set(`min${axis}`, String(box.min[k]))
    query.set(`max${axis}`, String(box.max[k]))
  }
  const { bodies } = await answered<{ bodies: Body[] }>(await ask(service, 'GET', `${path}/bodies?${query}`))
  const inside: Body[] = []
  for (const body of bodies) {
    const own = await boxOf(service, 3, body)
    if (own?.min.every((side, k) => side >= box.min[k] && own.max[k] <= box.max[k])) inside.push(body)
  }
  return inside
}

/** Does the work with a scene of these bodies, as pictures of space have no frame. */
async function withPart(
  service: Service,
  bodies: readonly Body[],
  work: (scene: PlacedScene) => Promise<void>,
): Promise<void> {
  const part = await newScene(service, 3)
  try {
    const operations = [...new Map(bodies.map((body) => [body.id, { op: 'put', body }])).values()]
    await answered(await ask(service, 'POST', `${part.path}/operations`, { operations }))
    await work(part)
  } finally {
    await dropScene(service, part)
  }
}
