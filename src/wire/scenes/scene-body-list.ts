// A page of the bodies of a scene, as text.

import type { ProblemCode } from '../../../schemas/problem.ts'
import { DEFAULT_PAGE_SIZE, type SceneBodyListParameters } from '../../../schemas/scenes/scene.ts'
import type { Slices } from '../../containers/pace.ts'
import { listBodies } from '../../scene/state/body-list.ts'
import { compileFilter } from '../../scene/state/filter.ts'
import { sceneBodyAt, type View } from '../../scene/state/view.ts'
import { inRange, MAX_COORDINATE } from '../problems/decode-problem.ts'
import { sceneBodyText } from './scene-data.ts'

/** Characters from which on a page is full, however few bodies it has. */
const PAGE_LENGTH = 2 ** 22
/** Characters after which a piece of it is made bytes; and those that are as much work as a point of a body. */
const PIECE_LENGTH = 2 ** 16
const POINT_LENGTH = 2 ** 7

/** Query strings have no pointers. */
export interface ListProblem {
  code: ProblemCode
  detail: string
  sizes: { limit?: number }
}

/** What is wrong with the box, or null. */
export function checkListBox({ minX, minY, maxX, maxY }: SceneBodyListParameters): ListProblem | null {
  // the validator of query strings lets numbers pass that are too large for a double
  for (const [name, side] of Object.entries({ minX, minY, maxX, maxY })) {
    if (side !== undefined && !inRange(side)) return tooFar(name, side)
  }
  if (minX !== undefined && maxX !== undefined && minX > maxX) return inverted('X', minX, maxX)
  return minY !== undefined && maxY !== undefined && minY > maxY ? inverted('Y', minY, maxY) : null
}

function tooFar(name: string, side: number): ListProblem {
  const detail = `${name} may reach ${MAX_COORDINATE} in magnitude, got ${side}.`
  return { code: 'coordinate-out-of-range', detail, sizes: { limit: MAX_COORDINATE } }
}

function inverted(axis: string, min: number, max: number): ListProblem {
  const detail = `min${axis} must not be greater than max${axis}, got ${min} and ${max}.`
  return { code: 'aabb-inverted', detail, sizes: {} }
}

/** As bytes: text of that length would be kept on the heap, and copied once more to be sent. */
export function* sceneBodyListText(view: View, parameters: SceneBodyListParameters): Slices<Buffer> {
  const { tag, limit = DEFAULT_PAGE_SIZE, cursor = '-1' } = parameters
  const { minX = -Infinity, minY = -Infinity, maxX = Infinity, maxY = Infinity } = parameters
  const isBoxed = [minX, minY, maxX, maxY].some(Number.isFinite)
  const accepts = compileFilter(view, tag === undefined ? undefined : { tags: { all: [tag] } })
  const query = { accepts, box: isBoxed ? { minX, minY, maxX, maxY } : null, after: Number(cursor) }
  const pieces: Buffer[] = []
  let text = `{"version":${view.version},"bodies":[`
  let length = 0
  let count = 0
  let last = 0
  const isCut = yield* listBodies(view, query, (slot) => {
    if (count === limit || length >= PAGE_LENGTH) return -1
    const body = sceneBodyText(sceneBodyAt(view, slot))
    text += count === 0 ? body : `,${body}`
    count++
    last = slot
    length += body.length
    if (text.length >= PIECE_LENGTH) {
      pieces.push(Buffer.from(text))
      text = ''
    }
    return body.length / POINT_LENGTH
  })
  pieces.push(Buffer.from(`${text}],"next":${isCut ? `"${last}"` : 'null'}}`))
  return Buffer.concat(pieces)
}
