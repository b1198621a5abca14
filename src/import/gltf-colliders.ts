/**
 * What nodes of glTF say about collision: shapes of the extensions KHR_implicit_shapes with KHR_physics_rigid_bodies, and OMI_physics_shape
 * with OMI_physics_body.
 *
 * Source: the texts of these extensions (https://github.com/eoineoineoin/glTF_Physics, https://github.com/omigroup/gltf-extensions). A node
 * has a collider, a trigger, or both, each a shape of the list of the document or a mesh; and it may be a body that moves.
 */

import type { Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { type Fields, list, numbers, record, text, whole } from './meshes/json-fields.ts'

export const PHYSICS_EXTENSIONS = [
  'KHR_implicit_shapes',
  'KHR_physics_rigid_bodies',
  'OMI_physics_shape',
  'OMI_physics_body',
] as const

/** What collides of a node: a shape of its own frame, or a mesh of the file, all of it or the hull of it. */
export type Geometry =
  | { readonly shape: Shape3d }
  | { readonly mesh: number; readonly isConvex: boolean }
  /** Why there is neither. */
  | { readonly why: string }

export interface Collider {
  readonly geometry: Geometry
  readonly isTrigger: boolean
}

interface Motion {
  /** `static`, `kinematic` or `dynamic`. */
  readonly kind: string
  /** In the frame of the node. */
  readonly velocity: Vec3 | null
  readonly angularVelocity: Vec3 | null
}

export interface NodePhysics {
  readonly colliders: readonly Collider[]
  readonly motion: Motion | null
}

const NOTHING: NodePhysics = { colliders: [], motion: null }

export function physicsOf(root: Fields, node: Fields, where: string): NodePhysics {
  const extensions = record(node.extensions ?? {}, `${where}/extensions`)
  const { KHR_physics_rigid_bodies: khr, OMI_physics_body: omi } = extensions
  if (khr !== undefined) return ofKhr(root, node, record(khr, `${where}/extensions/KHR_physics_rigid_bodies`), where)
  if (omi !== undefined) return ofOmi(root, record(omi, `${where}/extensions/OMI_physics_body`), where)
  return NOTHING
}

function ofKhr(root: Fields, node: Fields, body: Fields, where: string): NodePhysics {
  const geometry = (holder: unknown, place: string): Geometry => {
    const fields = record(record(holder, place).geometry ?? {}, `${place}/geometry`)
    const isConvex = fields.convexHull === true
    if (fields.mesh !== undefined) return { mesh: whole(fields.mesh, `${place}/geometry/mesh`), isConvex }
    if (fields.node !== undefined) {
      const nodes = list(root.nodes, 'nodes')
      const other = nodes[whole(fields.node, `${place}/geometry/node`)]
      const mesh = record(other ?? {}, `${place}/geometry/node`).mesh
      return mesh === undefined ? { why: 'It names a node without a mesh.' } : { mesh: whole(mesh, place), isConvex }
    }
    if (fields.shape !== undefined) return listedShape(root, 'KHR_implicit_shapes', fields.shape, place)
    if (node.mesh !== undefined) return { mesh: whole(node.mesh, `${where}/mesh`), isConvex }
    return { why: 'It has no geometry.' }
  }
  return physics(body, where, 'KHR_physics_rigid_bodies', geometry, (motion) =>
    motion.isKinematic === true ? 'kinematic' : 'dynamic',
  )
}

function ofOmi(root: Fields, body: Fields, where: string): NodePhysics {
  const geometry = (holder: unknown, place: string): Geometry => {
    const { shape } = record(holder, place)
    if (shape === undefined) return { why: 'It has no shape of its own: it is made of the nodes below it.' }
    return listedShape(root, 'OMI_physics_shape', shape, place)
  }
  return physics(body, where, 'OMI_physics_body', geometry, (motion, place) =>
    text(motion.type ?? 'static', `${place}/type`),
  )
}

function physics(
  { collider, trigger, motion }: Fields,
  where: string,
  extension: string,
  geometryOf: (holder: unknown, place: string) => Geometry,
  kindOf: (motion: Fields, place: string) => string,
): NodePhysics {
  const place = `${where}/extensions/${extension}`
  const colliders: Collider[] = []
  if (collider !== undefined) {
    colliders.push({ geometry: geometryOf(collider, `${place}/collider`), isTrigger: false })
  }
  if (trigger !== undefined) colliders.push({ geometry: geometryOf(trigger, `${place}/trigger`), isTrigger: true })
  if (motion === undefined) return { colliders, motion: null }
  const fields = record(motion, `${place}/motion`)
  const vector = (name: string) => (fields[name] === undefined ? null : vectorOf(fields[name], `${place}/${name}`))
  const kind = kindOf(fields, `${place}/motion`)
  return { colliders, motion: { kind, velocity: vector('linearVelocity'), angularVelocity: vector('angularVelocity') } }
}

function vectorOf(value: unknown, where: string): Vec3 {
  const [x, y, z] = numbers(value, 3, where)
  return { x, y, z }
}

function listedShape(root: Fields, extension: string, given: unknown, where: string): Geometry {
  const index = whole(given, `${where}/shape`)
  const all = record(record(root.extensions ?? {}, 'extensions')[extension] ?? {}, `extensions/${extension}`)
  const shapes = list(all.shapes, `extensions/${extension}/shapes`)
  const place = `extensions/${extension}/shapes/${index}`
  if (index >= shapes.length) return { why: `It names the shape ${index}, but there are ${shapes.length}.` }
  const shape = record(shapes[index], place)
  const type = text(shape.type, `${place}/type`)
  // fields of early versions stand beside the type
  const fields = { ...shape, ...record(shape[type] ?? {}, `${place}/${type}`) }
  return shapeOf(type, fields, place, extension === 'OMI_physics_shape')
}

function shapeOf(type: string, fields: Fields, where: string, isWhole: boolean): Geometry {
  const size = (name: string, absent: number): number => {
    const value = fields[name]
    return value === undefined ? absent : Math.abs(numbers([value], 1, `${where}/${name}`)[0])
  }
  switch (type) {
    case 'box':
      return { shape: { type, size: fields.size === undefined ? ONE : vectorOf(fields.size, `${where}/size`) } }
    case 'sphere':
      return { shape: { type, radius: size('radius', 0.5) } }
    case 'capsule': {
      const radius = size('radiusTop', size('radius', isWhole ? 0.5 : 0.25))
      if (radius !== size('radiusBottom', radius)) return { why: 'Its ends have different radii.' }
      const height = size('height', isWhole ? 2 : 0.5)
      // that of OMI has the caps in it
      const half = (isWhole ? Math.max(height - 2 * radius, 0) : height) / 2
      return { shape: { type, a: { x: 0, y: -half, z: 0 }, b: { x: 0, y: half, z: 0 }, radius } }
    }
    case 'cylinder': {
      const [bottom, top] = [size('radiusBottom', size('radius', isWhole ? 0.5 : 0.25)), size('radiusTop', size('radius', isWhole ? 0.5 : 0.25))] // biome-ignore format: a pair
      const height = size('height', isWhole ? 2 : 0.5)
      if (top === 0 && bottom > 0) return { shape: { type: 'cone', radius: bottom, height } }
      return top === bottom ? { shape: { type, radius: top, height } } : { why: 'Its ends have different radii.' }
    }
    case 'plane': {
      const [x, z] = [size('sizeX', 0), size('sizeZ', 0)]
      if (x > 0 && z > 0) return { shape: { type: 'box', size: { x, y: 0, z } } }
      return { shape: { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 } }
    }
    case 'convex':
    case 'trimesh':
      return { mesh: whole(fields.mesh, `${where}/mesh`), isConvex: type === 'convex' }
    default:
      return { why: `Shapes of the type ${JSON.stringify(type.slice(0, 40))} are not read.` }
  }
}

const ONE: Vec3 = { x: 1, y: 1, z: 1 }

/** The shape scaled along its axes; a sentence where it is none of its kind then. */
export function scaledShape(shape: Shape3d, scale: Vec3): Shape3d | string {
  const [x, y, z] = [Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z)]
  if (x === 1 && y === 1 && z === 1) return shape
  switch (shape.type) {
    case 'box':
      return { ...shape, size: { x: x * shape.size.x, y: y * shape.size.y, z: z * shape.size.z } }
    case 'sphere':
      if (x === y && y === z) return { ...shape, radius: x * shape.radius }
      return { type: 'ellipsoid', radii: { x: x * shape.radius, y: y * shape.radius, z: z * shape.radius } }
    case 'capsule':
      if (x !== y || y !== z) return 'A capsule is scaled unequally.'
      return {
        ...shape,
        a: { ...shape.a, y: x * shape.a.y },
        b: { ...shape.b, y: x * shape.b.y },
        radius: x * shape.radius,
      }
    case 'cylinder':
      if (x !== z) return 'A cylinder is scaled unequally across its axis.'
      return { ...shape, radius: x * shape.radius, height: y * shape.height }
    case 'cone':
      // mirrored, the apex looks down, which a height cannot say
      if (x !== z || scale.y < 0) return 'A cone is scaled unequally across its axis, or upside down.'
      return { ...shape, radius: x * shape.radius, height: y * shape.height }
    default:
      return scale.y < 0 ? 'A plane is mirrored.' : shape
  }
}
