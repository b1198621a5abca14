/**
 * What exports of this service write into the `extras` of a node of glTF, and imports read back: the body as it was, as far as the node does
 * not say it. `tangent` has its id, tags, data, pose and motion, and its shape, but for the numbers of a mesh.
 */

import type { MeshShape3d, MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../schemas/vector.ts'
import type { ImportedBody } from './drawing.ts'
import { type Placement, poseOf, unitOf } from './gltf-placement.ts'
import type { Fields } from './meshes/json-fields.ts'
import { readBody } from './scene-json.ts'

export const EXTRAS_NAME = 'tangent'

/** Of a mesh whose numbers are those of the node: the numbers of its groups, one for each primitive. */
export interface ExportedMesh {
  readonly solid?: boolean
  readonly groups?: readonly number[]
}

/** The rotation of the node of a body. */
export function rotationOf(orientation: Quaternion): Quaternion | null {
  return unitOf(orientation)
}

/**
 * The body that an export has made the node of, where it stands now; null of other nodes. `meshOf`: reads the mesh of the node with a group for
 * each primitive, null where it has none.
 */
export function exportedBody(
  { extras }: Fields,
  placement: Placement,
  meshOf: (isSolid: boolean) => Shape3d | string | null,
): ImportedBody<MovingBody3d> | null {
  const said = fieldsOf(fieldsOf(extras)?.[EXTRAS_NAME])
  if (said === null) return null
  const { mesh, data, dataText, shape: given, ...rest } = said
  const shape = mesh === undefined ? given : meshShape(fieldsOf(mesh) as ExportedMesh, meshOf)
  const scale = placement.rigid?.scale
  // who has scaled it has made something else of it
  if (
    shape === null ||
    (mesh === undefined && (scale === undefined || scale.x !== 1 || scale.y !== 1 || scale.z !== 1))
  ) {
    return null
  }
  const text = typeof dataText === 'string' ? dataText : data === undefined ? undefined : JSON.stringify(data)
  const body = readBody<MovingBody3d>({ ...rest, shape, ...(text !== undefined && { data: text }) }, 3)
  return body === null ? null : { ...body, ...poseNow(body, placement) }
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

function meshShape(said: ExportedMesh | null, meshOf: (isSolid: boolean) => Shape3d | string | null): Shape3d | null {
  const shape = meshOf(said?.solid === true)
  if (shape === null || typeof shape === 'string' || shape.type !== 'mesh') return null
  const { groups: primitives, ...rest } = shape
  const numbers = said?.groups
  if (!Array.isArray(numbers) || !numbers.every(Number.isSafeInteger)) return rest
  const groups = Array.from({ length: shape.triangles.length / 3 }, (_, t) => numbers[primitives?.[t] ?? 0] ?? 0)
  return { ...rest, groups } as MeshShape3d
}

/** As it was said, to the last digit, where the node has not been moved since. */
function poseNow(
  { position, orientation }: MovingBody3d,
  placement: Placement,
): Pick<MovingBody3d, 'position' | 'orientation'> {
  const now = poseOf(placement)
  const was = { position: position ?? ORIGIN, orientation: orientation && rotationOf(orientation) }
  return {
    ...(!isSame(was.position, now.position) && { position: now.position }),
    ...(!isSame(was.orientation ?? NO_TURN, now.orientation ?? NO_TURN) && { orientation: now.orientation ?? NO_TURN }),
  }
}

const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 }
const NO_TURN: Quaternion = { x: 0, y: 0, z: 0, w: 1 }

function isSame(a: Vec3 | Quaternion, b: Vec3 | Quaternion): boolean {
  return Object.entries(a).every(([name, value]) => (b as unknown as Fields)[name] === value)
}
