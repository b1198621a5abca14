// A picture for each finding: the scene around it, with its bodies standing out.

import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Finding } from './findings.ts'
import type { OpenLevel, PlacedScene } from './level.ts'
import { writeWhole } from './output.ts'
import { accepted, answered, ask, type Service } from './service.ts'
import { Refused } from './terminal.ts'

/** Most pictures of a level, and most bodies that stand out in one. */
const MOST_PICTURES = 1000
const MOST_BODIES = 16
/** How much is seen around the smallest body of a finding, in its own size. */
const AROUND_RATIO = 3

/** Files are called `<level>-<number>-<rule>.svg`. Nothing is drawn of a level without findings. */
export async function drawFindings(
  service: Service,
  { scene, kind }: OpenLevel,
  folder: string,
  file: string,
  findings: readonly Finding[],
): Promise<void> {
  if (findings.length === 0) return
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Refused(`The folder ${folder} cannot be made (${error.code}): name another with --svg.`)
  })
  const isDown = scene.dimension === 2 && kind.format !== 'geojson' && kind.format !== 'json'
  for (const [k, finding] of findings.slice(0, MOST_PICTURES).entries()) {
    const { bodies, rule } = finding
    const query = new URLSearchParams()
    if (bodies.length > 0) query.set('highlight', bodies.slice(0, MOST_BODIES).join(','))
    if (isDown) query.set('yDown', 'true')
    const bounds = scene.dimension === 2 ? await boundsAround(service, scene, finding) : null
    if (bounds !== null) query.set('bounds', bounds.join(','))
    const picture = await ask(service, 'GET', `${scene.path}/render.svg?${query}`)
    const name = `${basename(file)}-${k + 1}-${rule}.svg`
    await writeWhole(join(folder, name), await accepted(picture))
  }
}

type Box = [minX: number, minY: number, maxX: number, maxY: number]

interface Corner {
  readonly x: number | null
  readonly y: number | null
}

/** Around the smallest of its bodies and its point; null where nothing of it has an extent. */
async function boundsAround(service: Service, scene: PlacedScene, { bodies, point }: Finding): Promise<Box | null> {
  let least: Box | null = null
  for (const id of bodies.slice(0, MOST_BODIES)) {
    const box = await boxOf(service, scene, id)
    if (box !== null && (least === null || sizeOf(box) < sizeOf(least))) least = box
  }
  if (least === null) return null
  const { x, y } = (point ?? { x: least[0], y: least[1] }) as { x: number; y: number }
  const [minX, minY, maxX, maxY] = [
    Math.min(least[0], x),
    Math.min(least[1], y),
    Math.max(least[2], x),
    Math.max(least[3], y),
  ]
  const around = (AROUND_RATIO * Math.max(maxX - minX, maxY - minY)) / 2
  return around > 0 ? [minX - around, minY - around, maxX + around, maxY + around] : null
}

const sizeOf = ([minX, minY, maxX, maxY]: Box) => Math.max(maxX - minX, maxY - minY)

async function boxOf(service: Service, { path }: PlacedScene, id: string): Promise<Box | null> {
  const found = await ask(service, 'GET', `${path}/bodies/${encodeURIComponent(id)}?content=true`)
  const { body } = await answered<{ body: { shape: object; position?: object; rotation?: number } }>(found)
  const { shape, position, rotation } = body
  const asked = { body: { shape, ...(position && { position }), ...(rotation !== undefined && { rotation }) } }
  const { min, max } = await answered<{ min: Corner; max: Corner }>(await ask(service, 'POST', '/v1/2d/bounds', asked))
  const box = [min.x, min.y, max.x, max.y]
  return box.every((side) => side !== null) ? (box as Box) : null
}
