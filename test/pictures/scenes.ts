/** Requests that are drawn and compared with pictures that were looked at: `golden/<name>.svg`, and `golden/3d-<name>.svg`. One a line. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PictureView } from '../../schemas/picture.ts'
import type { Query3dOp } from '../../schemas/queries/exchanges.ts'

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

export const PICTURE_SCENES: readonly PictureScene[] = linesOf('scenes.ndjson')

/** Few and small: each shows something that the others do not. */
export const PICTURE_SCENES_3D: readonly PictureScene3d[] = linesOf('scenes-3d.ndjson')

function linesOf<Scene>(name: string): Scene[] {
  const lines = readFileSync(join(import.meta.dirname, name), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Scene)
}
