// The nodes of a glTF file: which ones the scene shows, and their transforms.
//
// Source: Khronos, "glTF 2.0 specification", section 3.5 (scenes, nodes, transforms).

import { type Fields, list, numbers, record, whole } from './json-fields.ts'
import { malformed } from './mesh-data.ts'

/** Column by column, as files have it: 16 numbers. */
export type Matrix = readonly number[]
export const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

/** Of the scene that is shown, or of all nodes where there is none. */
export function rootsOf(root: Fields, count: number): number[] {
  const scenes = list(root.scenes, 'scenes')
  if (scenes.length > 0) {
    const index = root.scene === undefined ? 0 : whole(root.scene, 'scene')
    if (index >= scenes.length) throw malformed('scene', `There are only ${scenes.length} scenes.`)
    const { nodes } = record(scenes[index], `scenes/${index}`)
    return list(nodes, `scenes/${index}/nodes`).map((node, k) => whole(node, `scenes/${index}/nodes/${k}`))
  }
  const below = new Set<unknown>()
  for (const node of list(root.nodes, 'nodes'))
    for (const child of list((node as Fields).children, 'children')) below.add(child)
  return Array.from({ length: count }, (_, k) => k).filter((k) => !below.has(k))
}

export function matrixOf(node: Fields, where: string): Matrix {
  if (node.matrix !== undefined) return numbers(node.matrix, 16, `${where}/matrix`)
  if (node.translation === undefined && node.rotation === undefined && node.scale === undefined) return IDENTITY
  const [tx, ty, tz] = node.translation === undefined ? [0, 0, 0] : numbers(node.translation, 3, `${where}/translation`)
  const [x, y, z, w] = node.rotation === undefined ? [0, 0, 0, 1] : numbers(node.rotation, 4, `${where}/rotation`)
  const [sx, sy, sz] = node.scale === undefined ? [1, 1, 1] : numbers(node.scale, 3, `${where}/scale`)
  const square = x * x + y * y + z * z + w * w
  if (square === 0) throw malformed(`${where}/rotation`, 'A rotation must not be four zeros.')
  const turn = (value: number) => (2 * value) / square
  return [
    sx * (1 - turn(y * y + z * z)), sx * turn(x * y + w * z), sx * turn(x * z - w * y), 0,
    sy * turn(x * y - w * z), sy * (1 - turn(x * x + z * z)), sy * turn(y * z + w * x), 0,
    sz * turn(x * z + w * y), sz * turn(y * z - w * x), sz * (1 - turn(x * x + y * y)), 0,
    tx, ty, tz, 1,
  ] // biome-ignore format: a matrix
}

/** The matrix that applies `b` first, then `a`. Identities cost no rounding. */
export function product(a: Matrix, b: Matrix): Matrix {
  if (a === IDENTITY) return b
  if (b === IDENTITY) return a
  return Array.from({ length: 16 }, (_, at) => {
    const [column, row] = [4 * (at >> 2), at & 3]
    return a[row] * b[column] + a[row + 4] * b[column + 1] + a[row + 8] * b[column + 2] + a[row + 12] * b[column + 3]
  })
}

export function isMirrored([a, b, c, , d, e, f, , g, h, i]: Matrix): boolean {
  return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e) < 0
}
