// Tools that ask one query of a scene: what they take is what the query takes, and the scene.

import type { TObject } from '@sinclair/typebox'
import { sceneExchanges, sceneExchanges3d } from '../../schemas/scenes/exchanges.ts'
import { checkArguments } from './arguments.ts'
import { limitField, requestFields, SCENE, toolInput } from './input-schemas.ts'
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

interface Asking {
  readonly name: string
  readonly op: string
  readonly title: string
  readonly description: string
  /** Fields of the request that agents have no use for. */
  readonly leftOut?: readonly string[]
  /** What an answer is followed by: operations for `apply`, from what was asked and answered. */
  readonly next?: (args: Arguments, answer: Answer) => readonly object[]
}

interface Answer {
  readonly position?: object | null
  readonly rotation?: number | null
  readonly orientation?: object | null
  readonly candidates?: readonly Answer[]
}

const USUAL_LIMIT = 20

/** The move of a body of the scene to where the answer has it. */
function moveThere({ bodyId }: Arguments, { position, rotation, orientation }: Answer): readonly object[] {
  if (bodyId === undefined || position == null) return []
  const turned = orientation == null ? (rotation == null ? {} : { rotation }) : { orientation }
  return [{ op: 'move', id: bodyId, position, ...turned }]
}

const ASKING: readonly Asking[] = [
  {
    name: 'overlap',
    op: 'overlap',
    title: 'What does a body overlap?',
    description:
      'Which bodies of the scene a point, a box, a new body, or a body of the scene (bodyId, also at another pose) touches or overlaps; with contacts also how deep and in which direction. Exact.',
  },
  {
    name: 'ray',
    op: 'ray-cast',
    title: 'Cast a ray',
    description:
      'What a ray meets, near to far: ids, distances, points and normals. Without mode the first hit; use it to find the ground below a point, or a wall.',
    leftOut: ['rays'],
  },
  {
    name: 'nearest',
    op: 'nearest',
    title: 'What is nearest?',
    description: 'The bodies nearest to a point, a box or a body, with exact distances; count says how many.',
  },
  {
    name: 'place',
    op: 'place',
    title: 'Where is it free?',
    description:
      'The nearest place where a body (bodyId, or a new body) overlaps nothing, from where it is or from pose. Nothing is moved: the operations of the answer are what apply takes.',
    leftOut: ['limit'],
    next: moveThere,
  },
  {
    name: 'drop',
    op: 'drop',
    title: 'Drop it onto what is below',
    description:
      'Where a body comes to rest when it falls in a direction, and on what; direction is what is down in the level, such as (0, 1) where y points down. Nothing is moved: the operations of the answer are what apply takes.',
    leftOut: ['limit'],
    next: moveThere,
  },
  {
    name: 'snap',
    op: 'snap',
    title: 'Snap it to what is near',
    description:
      'The small motions that bring a body flush with corners, sides and faces near it, or with a grid, nearest first. Nothing is moved: operations of the answer is the first of them, as apply takes it.',
    next: (args, { candidates = [] }) => candidates.slice(0, 1).flatMap((first) => moveThere(args, first)),
  },
  {
    name: 'move',
    op: 'move',
    title: 'How far can it walk?',
    description:
      'How far a body gets along a translation, sliding along what it meets, as a character does; with stepHeight and snapToGround up and down stairs. Nothing is moved by asking: operations has the move to where it got.',
    next: moveThere,
  },
  {
    name: 'sees',
    op: 'line-of-sight',
    title: 'What can be seen?',
    description: 'Whether an eye (a point, or a body) sees targets (points, or bodies), and what is in the way.',
  },
  {
    name: 'lint',
    op: 'lint',
    title: 'Check the level against rules',
    description:
      'Holds the scene against rules, such as props that float, entities inside walls, seams, duplicates. Without rules those that need nothing said; for floating and sunk say what is down. Each finding has ids, a place, a sentence, and fix: operations for apply.',
  },
]

/** Fields of the request in either dimension. */
function fieldsOf({ op, leftOut = [] }: Asking) {
  const of = (list: readonly { op: string; request: TObject }[]) =>
    (list.find((exchange) => exchange.op === op) as { request: TObject }).request
  const { properties, required } = requestFields(of(sceneExchanges), of(sceneExchanges3d), { leftOut })
  return {
    properties: { ...properties, ...(!leftOut.includes('limit') && { limit: limitField(USUAL_LIMIT) }) },
    required,
  }
}

/** Asks a query of a scene. */
export async function query<Value extends object>(
  around: Surroundings,
  { path }: FoundScene,
  op: string,
  request: object,
): Promise<Value> {
  return answered<Value>(await ask(around, 'POST', `${path}/${op}`, { value: request }))
}

function queryTool(asking: Asking): Tool {
  const { name, title, description, op, leftOut = [], next } = asking
  const { properties, required } = fieldsOf(asking)
  const limit = leftOut.includes('limit') ? {} : { limit: USUAL_LIMIT }
  return {
    name,
    title,
    description,
    input: toolInput({ scene: SCENE, ...properties }, ['scene', ...required]),
    isReading: true,
    async run(args, around) {
      const { scene, ...request } = checkArguments<{ scene: string }>('scene', args)
      const found = await findScene(around, scene)
      const answer = await query<Answer>(around, found, op, { ...limit, ...request })
      const operations = next?.(request, answer) ?? []
      return briefly(operations.length === 0 ? answer : { ...answer, operations })
    },
  }
}

/** How many bodies near a place are told. */
const NEAR_COUNT = 3

const whatIsHere: Tool = {
  name: 'what_is_here',
  title: 'What is here?',
  description:
    'The bodies that a point lies in, or that a box meets, with their relation, and the nearest ones otherwise with their distances.',
  input: toolInput(
    {
      scene: SCENE,
      ...requestFields(sceneExchanges[0].request, sceneExchanges3d[0].request, {
        leftOut: ['body', 'bodyId', 'pose', 'contacts'],
      }).properties,
      limit: limitField(USUAL_LIMIT),
    },
    ['scene'],
  ),
  isReading: true,
  async run(args, around) {
    const { scene, ...request } = checkArguments<{ scene: string }>('scene', args)
    const found = await findScene(around, scene)
    const here = await query<{ bodies: object[] }>(around, found, 'overlap', { limit: USUAL_LIMIT, ...request })
    if (here.bodies.length > 0) return briefly(here)
    const { bodies } = await query<{ bodies: object[] }>(around, found, 'nearest', { ...request, count: NEAR_COUNT })
    return briefly({ ...here, nearest: bodies })
  },
}

export const queryTools: readonly Tool[] = [whatIsHere, ...ASKING.map(queryTool)]
