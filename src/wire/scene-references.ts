// Kept shapes that bodies name which a scene is to keep. The body stays as it was sent; the scene holds the content of what it names.

import type { Shape3d } from '../../schemas/shapes3d.ts'
import { callFar, type FarSlices, type FarTask } from '../containers/far-call.ts'
import { type KeptContent, noteContents } from '../scene/state/kept-content.ts'
import { canonicalText } from '../scene/state/shape-text.ts'
import type { DecodeProblem } from './decode-problem.ts'
import { plainShape3d } from './mesh-3d.ts'
import { type Dimension, putShapes, type ShapeSource, type SourceShape } from './shape-source.ts'

/** Asks whoever keeps shapes for the contents of some, in the order of their ids; null of those that are not there. */
export interface ContentsTask extends FarTask {
  readonly kind: 'kept-contents'
  readonly ids: readonly string[]
  readonly dimension: Dimension
  /** What the scene holds already, whether it is still kept or not. */
  readonly held: HeldContents
}

export interface FoundContent {
  readonly dimension: Dimension
  /** Null: it is of another dimension than was asked for. */
  readonly content: KeptContent | null
}

export function isContentsTask(task: FarTask): task is ContentsTask {
  return task.kind === 'kept-contents'
}

/** Makes the text of a kept shape: a task for a worker. */
export interface ContentTextTask extends FarTask {
  readonly kind: 'content-text'
  readonly id: string
  /** The id: what names a kept shape is lent it. */
  readonly bytes: Uint8Array
}

export function isContentTextTask(task: FarTask): task is ContentTextTask {
  return task.kind === 'content-text'
}

/** The text; null where it is not kept any more. */
export function doContentTextTask({ id }: ContentTextTask, shapes: ShapeSource): string | null {
  const found = shapes.find(id)
  return found === undefined ? null : contentText(found.dimension, found.shape)
}

/** Canonical text of a shape that is kept. Scenes do not distinguish −0 from 0, and JSON writes both as 0. */
export function contentText(dimension: Dimension, shape: object): string {
  const plain = dimension === '2d' ? shape : plainShape3d(shape as Shape3d)
  return canonicalText(JSON.parse(JSON.stringify(plain)))
}

/** Contents that a body names. */
export interface NamedContents {
  readonly contents: readonly KeptContent[]
  readonly source: ShapeSource
}

const NOTHING: NamedContents = { contents: [], source: { find: () => undefined } }

/** What a scene holds of kept shapes, by id. */
export type HeldContents = ReadonlyMap<string, KeptContent>

/** The contents of the shapes of these ids, each once. `held`: what the scene holds. */
export function* findContents(
  dimension: Dimension,
  ids: readonly string[],
  held: HeldContents,
): FarSlices<NamedContents> {
  if (ids.length === 0) return NOTHING
  const task: ContentsTask = { kind: 'kept-contents', ids, dimension, held }
  const found = ids.every((id) => held.has(id))
    ? ids.map((id): FoundContent => ({ dimension, content: held.get(id) as KeptContent }))
    : yield* callFar<readonly (FoundContent | null)[]>(task)
  const contents = found.flatMap((each) => each?.content ?? [])
  const find = (id: string) => {
    const each = found[ids.indexOf(id)] ?? null
    if (each === null) return undefined
    return sourceShapeOf(each.dimension, each.content?.value ?? NO_SHAPE)
  }
  return { contents, source: { find } }
}

export function sourceShapeOf(dimension: Dimension, shape: object): SourceShape {
  return { dimension, shape, depth: depthOf(shape) }
}

const NO_SHAPE = {}

/** Characters of contents that the main thread parses itself. */
const QUICK_LENGTH = 2 ** 17

/** Whether the contents are there without much work. */
export function areQuick(contents: readonly KeptContent[]): boolean {
  return contents.reduce((sum, { isRead, unreadLength }) => (isRead ? sum : sum + unreadLength), 0) <= QUICK_LENGTH
}

/** The shape with its contents, or the problem of the first that is not there, with pointers relative to its holder. */
export function putContents(
  dimension: Dimension,
  shape: object,
  { contents, source }: NamedContents,
): { shape: object } | DecodeProblem {
  const holder: { shape: object } = { shape: structuredClone(shape) }
  const problem = putShapes(holder, dimension, source)
  if (problem !== null) return problem
  noteContents(shape, contents)
  // one that is shared has its meshes prepared as it is
  const isShared = contents.some(({ value }) => value === holder.shape)
  return { shape: dimension === '2d' || isShared ? holder.shape : plainShape3d(holder.shape as Shape3d) }
}

/** How many compounds lie in each other. */
function depthOf(shape: object): number {
  const { type, children } = shape as { type?: string; children?: readonly { shape: object }[] }
  if (type !== 'compound' || children === undefined) return 0
  return 1 + children.reduce((most, child) => Math.max(most, depthOf(child.shape)), 0)
}
