// What files of editors come to, without a service: bodies as they are sent to a scene.

import { PLAIN_FRAME } from '../../src/import/body-in-frame.ts'
import { PLAIN_FRAME_3D } from '../../src/import/body-in-frame-3d.ts'
import type { Import3dOptions, ImportOptions } from '../../src/import/import-file.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { type DecodeProblem, isProblem } from '../../src/wire/decode-problem.ts'
import { type ImportedFile, importFile } from '../support/imported-file.ts'

/** Files by their names, the main one first. */
export type Files = Record<string, string | Uint8Array>

type Asked = Pick<ImportOptions, 'format'> & Partial<ImportOptions>
type Asked3d = Pick<Import3dOptions, 'format' | 'dimension'> & Partial<Import3dOptions>

const COMMON = { source: 'map', tolerance: 0.05 }

export function tried(files: Files, asked: Asked | Asked3d): ImportedFile | DecodeProblem {
  const [main, ...others] = Object.entries(files).map(([name, content]) => ({ name, bytes: Buffer.from(content) }))
  return importFile({
    kind: 'import',
    files: { main: main!, others },
    options:
      asked.dimension === 3
        ? { ...COMMON, solid: false, frame: PLAIN_FRAME_3D, ...asked }
        : { ...COMMON, merge: true, frame: PLAIN_FRAME, ...asked, dimension: 2 },
    limits: SCHEMA_LIMITS,
    mostBodies: Infinity,
    mostPieces: Infinity,
  })
}

export function imported(files: Files, asked: Asked | Asked3d): ImportedFile {
  const file = tried(files, asked)
  if (isProblem(file)) throw new Error(file.detail)
  return file
}

/** Why the files are refused. */
export function refusal(files: Files, asked: Asked | Asked3d): string {
  const file = tried(files, asked)
  return isProblem(file) ? `${file.code}: ${file.detail}` : 'taken'
}

export const bodiesOf = (file: ImportedFile) =>
  file.bodies.map(({ form, found: _, items: __, ...rest }) => ({ ...rest, shape: JSON.parse(form) }))
export type TakenBody = ReturnType<typeof bodiesOf>[number]
export const byId = (file: ImportedFile): Record<string, TakenBody> =>
  Object.fromEntries(bodiesOf(file).map((body) => [body.id, body]))

/** Places of vertices where they are in the scene, rounded to a thousandth, in the order of their texts. */
export function cornersOf({ shape, position = { x: 0, y: 0 }, rotation = 0 }: TakenBody): string[] {
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)]
  const half = { x: shape.width / 2, y: shape.height / 2 }
  const box = [
    { x: -half.x, y: -half.y },
    { x: half.x, y: -half.y },
    { x: half.x, y: half.y },
    { x: -half.x, y: half.y },
  ]
  const vertices: { x: number; y: number }[] =
    shape.type === 'box' ? box : (shape.vertices ?? shape.outer ?? [{ x: 0, y: 0 }])
  const rounded = (value: number): number => Math.round(1000 * value) / 1000 + 0
  return vertices
    .map(({ x, y }) => `${rounded(position.x + cos * x - sin * y)} ${rounded(position.y + sin * x + cos * y)}`)
    .sort()
}
