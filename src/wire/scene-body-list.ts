// A page of the bodies of a scene, as text.

import { DEFAULT_PAGE_SIZE } from '../../schemas/scene.ts'
import type { SceneBodyListParameters } from '../../schemas/scene-body-answer.ts'
import { listBodies } from '../scene/body-list.ts'
import { compileFilter } from '../scene/filter.ts'
import type { Slices } from '../scene/pace.ts'
import { sceneBodyAt, type View } from '../scene/view.ts'
import { type DecodeProblem, problemAt } from './decode-problem.ts'
import { sceneBodyText } from './scene-data.ts'

/** Characters from which on a page is full, however few bodies it has. */
const PAGE_LENGTH = 2 ** 22

/** What is wrong with the box, or null. */
export function checkListBox({ minX, minY, maxX, maxY }: SceneBodyListParameters): DecodeProblem | null {
  if (minX !== undefined && maxX !== undefined && minX > maxX) return inverted('X', minX, maxX)
  return minY !== undefined && maxY !== undefined && minY > maxY ? inverted('Y', minY, maxY) : null
}

function inverted(axis: string, min: number, max: number): DecodeProblem {
  return { ...problemAt('', 'aabb-inverted', `min${axis} must not be greater than max${axis}, got ${min} and ${max}.`) }
}

export function* sceneBodyListText(view: View, parameters: SceneBodyListParameters): Slices<string> {
  const { tag, limit = DEFAULT_PAGE_SIZE, cursor = '-1' } = parameters
  const { minX = -Infinity, minY = -Infinity, maxX = Infinity, maxY = Infinity } = parameters
  const isBoxed = [minX, minY, maxX, maxY].some(Number.isFinite)
  const accepts = compileFilter(view, tag === undefined ? undefined : { tags: { all: [tag] } })
  const query = { accepts, box: isBoxed ? { minX, minY, maxX, maxY } : null, after: Number(cursor) }
  let text = ''
  let count = 0
  let last = 0
  const isCut = yield* listBodies(view, query, (slot) => {
    if (count === limit || text.length >= PAGE_LENGTH) return false
    text += `${count === 0 ? '' : ','}${sceneBodyText(sceneBodyAt(view, slot))}`
    count++
    last = slot
    return true
  })
  return `{"version":${view.version},"bodies":[${text}],"next":${isCut ? `"${last}"` : 'null'}}`
}
