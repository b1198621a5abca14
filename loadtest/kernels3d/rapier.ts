// Rapier (Rust compiled to WebAssembly, single precision), by the calls that lie below its wrappers: shapes, places and turns are made
// beforehand. Its contact is one point with its normal, not the points that span the contact.

import RAPIER from '@dimforge/rapier3d-compat'
import type { Body3d, Shape3d } from '../../schemas/shapes3d.ts'
import { type CastPair, type Inputs, type Pair, RAY_LENGTH, type RayPair } from './inputs.ts'
import type { Kernel, Kernels } from './kernel-table.ts'

/** Farther apart than any pair is. */
const FAR = 1000

export async function rapierKernels({ meeting, apart, near, rays, casts }: Inputs): Promise<Kernels> {
  await RAPIER.init()
  return {
    sphereBox: contactKernel(meeting.sphereBox),
    boxBox: contactKernel(meeting.boxBox),
    capsuleBox: contactKernel(meeting.capsuleBox),
    hull8: contactKernel(meeting.hull8),
    hull32: contactKernel(meeting.hull32),
    cylinderBox: contactKernel(meeting.cylinderBox),
    sphereBoxApart: contactKernel(apart.sphereBox),
    boxBoxApart: contactKernel(apart.boxBox),
    capsuleBoxApart: contactKernel(apart.capsuleBox),
    hull8Apart: contactKernel(apart.hull8),
    hull32Apart: contactKernel(apart.hull32),
    cylinderBoxApart: contactKernel(apart.cylinderBox),
    distanceSphereBoxFar: distanceKernel(apart.sphereBox),
    distanceCapsuleBoxFar: distanceKernel(apart.capsuleBox),
    distanceHull8Far: distanceKernel(apart.hull8),
    distanceCylinderBoxFar: distanceKernel(apart.cylinderBox),
    distanceBoxFar: distanceKernel(apart.boxBox),
    distanceBoxNear: distanceKernel(near.boxBox),
    distanceHull32Far: distanceKernel(apart.hull32),
    distanceHull32Near: distanceKernel(near.hull32),
    raySphere: rayKernel(rays.raySphere),
    rayCapsule: rayKernel(rays.rayCapsule),
    rayBox: rayKernel(rays.rayBox),
    rayHull8: rayKernel(rays.rayHull8),
    rayHull32: rayKernel(rays.rayHull32),
    castSphereBox: castKernel(casts.castSphereBox),
    castCapsuleBox: castKernel(casts.castCapsuleBox),
    castCylinderBox: castKernel(casts.castCylinderBox),
    castBox: castKernel(casts.castBox),
    castHull8: castKernel(casts.castHull8),
    castHull32: castKernel(casts.castHull32),
    coldPair: coldKernel(meeting.hull8),
    coldHull32: coldKernel(meeting.hull32),
  }
}

function rapierShape(shape: Shape3d): RAPIER.Shape {
  switch (shape.type) {
    case 'sphere':
      return new RAPIER.Ball(shape.radius)
    case 'box':
      return new RAPIER.Cuboid(shape.size.x / 2, shape.size.y / 2, shape.size.z / 2)
    case 'capsule':
      return new RAPIER.Capsule(shape.b.y, shape.radius)
    case 'cylinder':
      return new RAPIER.Cylinder(shape.height / 2, shape.radius)
    case 'hull':
      return new RAPIER.ConvexPolyhedron(Float32Array.from(shape.points.flatMap(({ x, y, z }) => [x, y, z])))
    default:
      throw new Error(`no ${shape.type} in this bench`)
  }
}

const raw = ({ shape, position, orientation }: Body3d) => ({
  shape: rapierShape(shape).intoRaw(),
  position: RAPIER.VectorOps.intoRaw(position!),
  rotation: RAPIER.RotationOps.intoRaw(orientation!),
})

type RawBody = ReturnType<typeof raw>

/** The separation, two points, two normals. */
const components = new Float32Array(16)

function askContact(a: RawBody, b: RawBody, reach: number): number | null {
  const contact = a.shape.contactShape(a.position, a.rotation, b.shape, b.position, b.rotation, reach)
  if (contact === undefined) return null
  contact.getComponents(components)
  contact.free()
  return components[0]!
}

function contactKernel(pairs: Pair[]): Kernel {
  const made = pairs.map(({ a, b }) => ({ a: raw(a), b: raw(b) }))
  return (i) => {
    const { a, b } = made[i]!
    return askContact(a, b, 0) === null ? 0 : 1
  }
}

function distanceKernel(pairs: Pair[]): Kernel {
  const made = pairs.map(({ a, b }) => ({ a: raw(a), b: raw(b) }))
  return (i) => {
    const { a, b } = made[i]!
    return askContact(a, b, FAR) ?? Number.NaN
  }
}

function rayKernel(pairs: RayPair[]): Kernel {
  const made = pairs.map(({ origin, direction, target }) => ({
    target: raw(target),
    origin: RAPIER.VectorOps.intoRaw(origin),
    direction: RAPIER.VectorOps.intoRaw(direction),
  }))
  return (i) => {
    const { target, origin, direction } = made[i]!
    const { shape, position, rotation } = target
    const hit = shape.castRayAndGetNormal(position, rotation, origin, direction, RAY_LENGTH, true)
    hit?.free()
    return hit === undefined ? 0 : 1
  }
}

function castKernel(pairs: CastPair[]): Kernel {
  const still = RAPIER.VectorOps.intoRaw({ x: 0, y: 0, z: 0 })
  const made = pairs.map(({ a, b, way }) => ({ a: raw(a), b: raw(b), way: RAPIER.VectorOps.intoRaw(way) }))
  return (i) => {
    const { a, b, way } = made[i]!
    const hit = a.shape.castShape(a.position, a.rotation, still, b.shape, b.position, b.rotation, way, 0, 1, true)
    if (hit === undefined) return 0
    hit.getComponents(components)
    hit.free()
    return 1
  }
}

function coldKernel(pairs: Pair[]): Kernel {
  return (i) => {
    const a = raw(pairs[i]!.a)
    const b = raw(pairs[i]!.b)
    const answer = askContact(a, b, 0) === null ? 0 : 1
    for (const { shape, position, rotation } of [a, b]) {
      shape.free()
      position.free()
      rotation.free()
    }
    return answer
  }
}
