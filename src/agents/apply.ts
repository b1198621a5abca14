// The tool that changes a scene: first as a dry run, which says what would newly overlap; then for good, with the operations that undo it.

import { SceneOperations3dRequest, SceneOperationsRequest } from '../../schemas/scenes/write.ts'
import { checkArguments } from './arguments.ts'
import type { Body } from './find-bodies.ts'
import { requestFields, SCENE, shapesText, toolInput } from './input-schemas.ts'
import { inverseOf, type Operation, subjectOf } from './inverse.ts'
import {
  type Arguments,
  answered,
  ask,
  briefly,
  type FoundScene,
  findScene,
  ServiceProblem,
  type Surroundings,
  type Tool,
} from './tool.ts'

/** Changed bodies that can be told how to undo, letters of that, and tries against others who write. */
const MOST_UNDONE = 200
const MOST_UNDO_TEXT = 12_000
const TRIES = 3
const PAGE = 1000
const AT_A_TIME = 20

interface Asked {
  readonly scene: string
  readonly operations: readonly unknown[]
  readonly dryRun?: boolean
}

interface Change {
  readonly id: string
  readonly newOverlaps: readonly string[]
}

interface Tried {
  readonly version: number
  readonly changes: readonly Change[]
  readonly truncated: boolean
}

const OPERATIONS = requestFields(SceneOperationsRequest, SceneOperations3dRequest, { hasShapes: true })

export const apply: Tool = {
  name: 'apply',
  title: 'Change the scene',
  description:
    'Makes changes to a scene: all of them, or none. Without dryRun false it only says what they would do: which bodies would newly overlap or touch which. With dryRun false it writes them, and answers with undo: the operations that take them back, which you hand to apply again. Operations of place, drop, snap, move and of the fixes of lint are taken as they are.',
  input: toolInput(
    {
      scene: SCENE,
      operations: {
        ...OPERATIONS.properties.operations,
        description: `${OPERATIONS.properties.operations.description} A body of put is {id, shape, position?, rotation? (2D), orientation? (3D), tags?, sensor?, data?}; fields of patch are those to replace. ${shapesText()}`,
      },
      dryRun: {
        type: 'boolean',
        description: 'false: write. true when absent: change nothing, and say what would newly overlap.',
      },
    },
    ['scene', 'operations'],
  ),
  isReading: false,
  async run(args: Arguments, around: Surroundings) {
    const { scene: id, operations, dryRun = true } = checkArguments<Asked>('apply', args)
    const scene = await findScene(around, id)
    if (dryRun) {
      const tried = await tryOut(around, scene, operations)
      return briefly({
        ...told(tried),
        written: false,
        next: 'Nothing is written yet. Call apply with the same operations and dryRun false to write them.',
      })
    }
    return briefly(await write(around, scene, operations))
  },
}

/** Bodies that meet something new, and how many are changed. */
function told({ version, changes, truncated }: Tried): object {
  const meeting = changes.filter(({ newOverlaps }) => newOverlaps.length > 0)
  return { version, changed: changes.length, newOverlaps: meeting, ...(truncated && { truncated }) }
}

async function tryOut(
  around: Surroundings,
  { path }: FoundScene,
  operations: readonly unknown[],
  headers: Record<string, string> = {},
): Promise<Tried> {
  const asked = { value: { operations }, headers }
  return answered<Tried>(await ask(around, 'POST', `${path}/operations?dryRun=true`, asked))
}

/** Reads what the operations change, tries them and writes them, all of one version; anew where others write meanwhile. */
async function write(around: Surroundings, scene: FoundScene, operations: readonly unknown[]): Promise<object> {
  for (let left = TRIES; ; left--) {
    try {
      return await writeOnce(around, scene, operations)
    } catch (error) {
      if (!(error instanceof ServiceProblem) || error.code !== 'version-mismatch' || left <= 1) throw error
    }
  }
}

async function writeOnce(around: Surroundings, scene: FoundScene, operations: readonly unknown[]): Promise<object> {
  // what is wrong with them is said here: after it they are operations
  const tried = await tryOut(around, scene, operations)
  const headers = { 'if-match': `"${tried.version}"` }
  const valid = operations as readonly Operation[]
  const before = await bodiesBefore(around, scene, valid)
  const { version, applied } = await answered<{ version: number; applied: number }>(
    await ask(around, 'POST', `${scene.path}/operations`, { value: { operations }, headers }),
  )
  return {
    ...told(tried),
    written: true,
    version,
    versionBefore: tried.version,
    applied,
    ...undo(before === null ? null : inverseOf(valid, before)),
  }
}

function undo(operations: Operation[] | null): object {
  if (operations !== null && JSON.stringify(operations).length <= MOST_UNDO_TEXT) {
    return { undo: operations, next: 'To take it back, call apply with these operations of undo and dryRun false.' }
  }
  return { undo: null, next: 'There is too much to take it back by operations: open the level again for that.' }
}

/** The bodies that are about to be changed, by id; null: there are too many. */
async function bodiesBefore(
  around: Surroundings,
  scene: FoundScene,
  operations: readonly Operation[],
): Promise<Map<string, Body> | null> {
  if (operations.some(({ op }) => op === 'clear')) return allBodies(around, scene)
  const ids = [...new Set(operations.map((operation) => subjectOf(operation) as string))]
  if (ids.length > MOST_UNDONE) return null
  const bodies = new Map<string, Body>()
  for (let k = 0; k < ids.length; k += AT_A_TIME) {
    const found = await Promise.all(ids.slice(k, k + AT_A_TIME).map((id) => bodyIfThere(around, scene, id)))
    for (const body of found) if (body !== null) bodies.set(body.id, body)
  }
  return bodies
}

async function bodyIfThere(around: Surroundings, { path }: FoundScene, id: string): Promise<Body | null> {
  try {
    const url = `${path}/bodies/${encodeURIComponent(id)}`
    return (await answered<{ body: Body }>(await ask(around, 'GET', url))).body
  } catch (error) {
    if (error instanceof ServiceProblem && error.code === 'body-not-found') return null
    throw error
  }
}

async function allBodies(around: Surroundings, { path, document }: FoundScene): Promise<Map<string, Body> | null> {
  if (document.bodyCount > MOST_UNDONE) return null
  const { bodies, next } = await answered<{ bodies: Body[]; next: string | null }>(
    await ask(around, 'GET', `${path}/bodies?limit=${PAGE}`),
  )
  return next === null ? new Map(bodies.map((body) => [body.id, body])) : null
}
