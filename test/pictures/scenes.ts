/** Requests that are drawn and compared with pictures that were looked at: `golden/<name>.svg`, and `golden/3d-<name>.svg`. One a line;
 * a query that has none is drawn with the first example of its schema. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from '../../schemas/exchange.ts'
import type { PictureView } from '../../schemas/picture.ts'
import { exchanges, exchanges3d, type Query3dOp } from '../../schemas/queries/exchanges.ts'

export interface PictureScene {
  name: string
  op: string
  request: object
  yDown?: boolean
}

export interface PictureScene3d {
  name: string
  op: Query3dOp
  request: object
  view?: PictureView
}

export const PICTURE_SCENES: readonly PictureScene[] = completed(linesOf('scenes.ndjson'), exchanges)

/** Few and small: each shows something that the others do not. */
export const PICTURE_SCENES_3D: readonly PictureScene3d[] = completed(linesOf('scenes-3d.ndjson'), exchanges3d)

function linesOf<Scene>(name: string): Scene[] {
  const lines = readFileSync(join(import.meta.dirname, name), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Scene)
}

function completed<Scene extends { op: string }>(scenes: Scene[], queries: readonly Exchange[]): Scene[] {
  const missing = queries.filter(({ op }) => scenes.every((scene) => scene.op !== op))
  return [...scenes, ...missing.map(({ op, request }) => ({ name: op, op, request: request.examples[0] }) as never)]
}
