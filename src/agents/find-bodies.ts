// The tool that lists and finds bodies: by id, by a part of it or of a tag, by tag and by box.

import { checkArguments } from './arguments.ts'
import { limitField, SCENE, type Schema, toolInput } from './input-schemas.ts'
import {
  type Arguments,
  answered,
  ask,
  briefly,
  type FoundScene,
  findScene,
  type Surroundings,
  type Tool,
} from './tool.ts'

const USUAL_BODIES = 20
/** Bodies of a page, and pages that are looked through for a word. */
const PAGE = 1000
const MOST_PAGES = 20
/** Letters of a shape that is told whole. */
const SHORT_SHAPE = 200

interface Corner {
  readonly x: number
  readonly y: number
  readonly z?: number
}

interface Asked {
  readonly scene: string
  readonly id?: string
  readonly contains?: string
  readonly tag?: string
  readonly box?: { readonly min: Corner; readonly max: Corner }
  readonly limit?: number
  readonly cursor?: string
}

export interface Body {
  readonly id: string
  readonly shape: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

interface Page {
  readonly version: number
  readonly bodies: readonly Body[]
  readonly next: string | null
}

const POINT: Schema = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: 'number' }, z: { type: 'number', description: '3D only.' } },
  required: ['x', 'y'],
}
export const BOX: Schema = {
  type: 'object',
  properties: { min: POINT, max: POINT },
  required: ['min', 'max'],
}

export const findBodies: Tool = {
  name: 'find_bodies',
  title: 'Find bodies',
  description:
    'Bodies of the scene with their shapes, positions, tags and boxes: all, or those with a tag, in a box, or with a word in their ids or tags. With id one body, as a whole with its data.',
  input: toolInput(
    {
      scene: SCENE,
      id: { type: 'string', description: 'The body of this id, told as a whole.' },
      contains: { type: 'string', description: 'Part of the id or of a tag, in capitals or not, such as chest.' },
      tag: { type: 'string', description: 'Only bodies with this tag; open_level counts the tags.' },
      box: { ...BOX, description: 'Only bodies whose boxes meet this one.' },
      limit: limitField(USUAL_BODIES),
      cursor: { type: 'string', description: 'The next of the answer before.' },
    },
    ['scene'],
  ),
  isReading: true,
  async run(args: Arguments, around: Surroundings) {
    const asked = checkArguments<Asked>('find_bodies', args)
    const scene = await findScene(around, asked.scene)
    if (asked.id !== undefined) {
      const path = `${scene.path}/bodies/${encodeURIComponent(asked.id)}`
      const { version, body } = await answered<{ version: number; body: Body }>(await ask(around, 'GET', path))
      const [box] = await boxesOf(around, scene, [body])
      return briefly({ version, body, box })
    }
    const { version, bodies, next } = await pageOf(around, scene, asked)
    const boxes = await boxesOf(around, scene, bodies)
    return briefly({ version, bodies: bodies.map((body, k) => ({ ...summary(body), box: boxes[k] })), next })
  },
}

/** A page of those that are asked for. For a word some thousand bodies are looked at. */
async function pageOf(around: Surroundings, { path }: FoundScene, asked: Asked): Promise<Page> {
  const { contains, tag, box, limit = USUAL_BODIES, cursor } = asked
  const query = new URLSearchParams()
  if (tag !== undefined) query.set('tag', tag)
  for (const [end, corner] of Object.entries(box ?? {})) {
    for (const [axis, value] of Object.entries(corner)) query.set(`${end}${axis.toUpperCase()}`, String(value))
  }
  if (cursor !== undefined) query.set('cursor', cursor)
  const read = async () => answered<Page>(await ask(around, 'GET', `${path}/bodies?${query}`))
  query.set('limit', String(limit))
  if (contains === undefined) return read()
  query.set('limit', String(PAGE))
  const found: Body[] = []
  const part = contains.toLowerCase()
  let page: Page
  let pages = 0
  do {
    page = await read()
    found.push(...page.bodies.filter((body) => isNamed(body, part)))
    query.set('cursor', page.next ?? '')
    pages++
  } while (page.next !== null && found.length < limit && pages < MOST_PAGES)
  return { version: page.version, bodies: found.slice(0, MOST_FOUND), next: page.next }
}

/** Whether the text, in small letters, is part of the id or of a tag. */
function isNamed({ id, tags = [] }: Body, part: string): boolean {
  return [id, ...(tags as readonly string[])].some((text) => text.toLowerCase().includes(part))
}

/** Those of the last page are told all: a cursor leads behind it. */
const MOST_FOUND = 200

/** A body in short: a long shape by its kind and what it has lists of. */
function summary({ shape, data: _, ...body }: Body): object {
  if (JSON.stringify(shape).length <= SHORT_SHAPE) return { ...body, shape }
  const fields = Object.entries(shape).map(([name, value]) => [name, Array.isArray(value) ? value.length : value])
  const short = fields.filter(([, value]) => typeof value !== 'object')
  return { ...body, shape: { ...Object.fromEntries(short), summary: 'Lists are told by their lengths; ask by id.' } }
}

/** The box around each body, as the service finds it; null where it has none. */
async function boxesOf(
  around: Surroundings,
  { dimension }: FoundScene,
  bodies: readonly Body[],
): Promise<(object | null)[]> {
  if (bodies.length === 0) return []
  const queries = bodies.map(({ shape, position, rotation, orientation }) => ({
    op: 'bounds',
    body: { shape, position, rotation, orientation },
  }))
  const { results } = await answered<{ results: { op: string; min?: object; max?: object }[] }>(
    await ask(around, 'POST', `/v1/${dimension}d/batch`, { value: { queries } }),
  )
  return results.map(({ op, min, max }) => (op === 'bounds' ? { min, max } : null))
}
