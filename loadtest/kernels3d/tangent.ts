// Tangent's own kernels in space, called as the routes call them.

import { createTimeOfImpact, timeOfImpact } from '../../src/core3d/motion/time-of-impact.ts'
import { contact, createContact } from '../../src/core3d/queries/contact.ts'
import { contactPoints } from '../../src/core3d/queries/contact-points.ts'
import { createDistance, distance } from '../../src/core3d/queries/distance.ts'
import { createOverlap, overlap } from '../../src/core3d/queries/overlap.ts'
import { createRay, createRayHit, rayCast } from '../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../src/core3d/ray/ray-line.ts'
import { type Body, createBody } from '../../src/core3d/shape/body.ts'
import { convexHull } from '../../src/core3d/shape/convex-hull.ts'
import { createMotion } from '../../src/core3d/shape/motion.ts'
import { type CastPair, cloud, type Inputs, type Pair, RAY_LENGTH, type RayPair } from './inputs.ts'
import { HULL_SIZES, type Kernel, type Kernels } from './kernel-table.ts'
import { fill, prepare } from './prepare.ts'

type Ask = (a: Body, b: Body) => number

const found = createContact()
const MOST_POINTS = 4
/** Radians per second about x. */
const SPIN = 2

/** Separation, normal and one point. */
const askContact: Ask = (a, b) => {
  contact(a, b, found)
  return found.touching ? 1 : 0
}

/** The same with the points that span the contact. */
const askPoints: Ask = (a, b) => {
  contact(a, b, found)
  return contactPoints(a, b, found, 0, MOST_POINTS).length > 0 ? 1 : 0
}

const nearest = createDistance()

const askDistance: Ask = (a, b) => {
  distance(a, b, nearest)
  return nearest.distance
}

const relation = createOverlap()

const askCertificate: Ask = (a, b) => {
  overlap(a, b, relation)
  return relation.relation <= 0 ? 1 : 0
}

export const tangentKernels = (inputs: Inputs): Kernels => kernelsWith(inputs, askContact)
export const tangentPointsKernels = (inputs: Inputs): Kernels => kernelsWith(inputs, askPoints)

function kernelsWith({ meeting, shallow, apart, near, rays, casts }: Inputs, ask: Ask): Kernels {
  const slotA = createBody()
  const slotB = createBody()
  const coldKernel =
    (pairs: Pair[]): Kernel =>
    (i) => {
      const { a, b } = pairs[i]!
      return ask(fill(a, slotA), fill(b, slotB))
    }
  return {
    sphereBox: pairKernel(meeting.sphereBox, ask),
    boxBox: pairKernel(meeting.boxBox, ask),
    capsuleBox: pairKernel(meeting.capsuleBox, ask),
    hull8: pairKernel(meeting.hull8, ask),
    hull32: pairKernel(meeting.hull32, ask),
    cylinderBox: pairKernel(meeting.cylinderBox, ask),
    sphereBoxApart: pairKernel(apart.sphereBox, ask),
    boxBoxApart: pairKernel(apart.boxBox, ask),
    capsuleBoxApart: pairKernel(apart.capsuleBox, ask),
    hull8Apart: pairKernel(apart.hull8, ask),
    hull32Apart: pairKernel(apart.hull32, ask),
    cylinderBoxApart: pairKernel(apart.cylinderBox, ask),
    distanceSphereBoxFar: pairKernel(apart.sphereBox, askDistance),
    distanceCapsuleBoxFar: pairKernel(apart.capsuleBox, askDistance),
    distanceHull8Far: pairKernel(apart.hull8, askDistance),
    distanceCylinderBoxFar: pairKernel(apart.cylinderBox, askDistance),
    distanceBoxFar: pairKernel(apart.boxBox, askDistance),
    distanceBoxNear: pairKernel(near.boxBox, askDistance),
    distanceHull32Far: pairKernel(apart.hull32, askDistance),
    distanceHull32Near: pairKernel(near.hull32, askDistance),
    raySphere: rayKernel(rays.raySphere),
    rayCapsule: rayKernel(rays.rayCapsule),
    rayBox: rayKernel(rays.rayBox),
    rayHull8: rayKernel(rays.rayHull8),
    rayHull32: rayKernel(rays.rayHull32),
    castSphereBox: castKernel(casts.castSphereBox, 0),
    castCapsuleBox: castKernel(casts.castCapsuleBox, 0),
    castCylinderBox: castKernel(casts.castCylinderBox, 0),
    castBox: castKernel(casts.castBox, 0),
    castHull8: castKernel(casts.castHull8, 0),
    castHull32: castKernel(casts.castHull32, 0),
    spinSphereBox: castKernel(casts.castSphereBox, SPIN),
    spinBox: castKernel(casts.castBox, SPIN),
    spinCapsuleBox: castKernel(casts.castCapsuleBox, SPIN),
    spinHull8: castKernel(casts.castHull8, SPIN),
    spinHull32: castKernel(casts.castHull32, SPIN),
    spinCylinderBox: castKernel(casts.castCylinderBox, SPIN),
    explainSphereBox: pairKernel(meeting.sphereBox, askCertificate),
    explainBoxBox: pairKernel(meeting.boxBox, askCertificate),
    explainCapsuleBox: pairKernel(meeting.capsuleBox, askCertificate),
    explainHull8: pairKernel(meeting.hull8, askCertificate),
    explainHull32: pairKernel(meeting.hull32, askCertificate),
    explainCylinderBox: pairKernel(meeting.cylinderBox, askCertificate),
    explainSphereBoxShallow: pairKernel(shallow.sphereBox, askCertificate),
    explainBoxBoxShallow: pairKernel(shallow.boxBox, askCertificate),
    explainCapsuleBoxShallow: pairKernel(shallow.capsuleBox, askCertificate),
    explainHull8Shallow: pairKernel(shallow.hull8, askCertificate),
    explainHull32Shallow: pairKernel(shallow.hull32, askCertificate),
    explainCylinderBoxShallow: pairKernel(shallow.cylinderBox, askCertificate),
    coldPair: coldKernel(meeting.hull8),
    coldHull32: coldKernel(meeting.hull32),
    hull1000: hullKernel(HULL_SIZES.hull1000),
    hull100000: hullKernel(HULL_SIZES.hull100000),
  }
}

function pairKernel(pairs: Pair[], ask: Ask): Kernel {
  const bodies = pairs.map(({ a, b }) => ({ a: prepare(a), b: prepare(b) }))
  return (i) => {
    const { a, b } = bodies[i]!
    return ask(a, b)
  }
}

function rayKernel(pairs: RayPair[]): Kernel {
  const hit = createRayHit()
  const made = pairs.map(({ origin, direction, target }) => {
    const ray = { ...createRay(), ox: origin.x, oy: origin.y, oz: origin.z, maxDistance: RAY_LENGTH }
    setDirection(ray, direction.x, direction.y, direction.z)
    return { ray, target: prepare(target) }
  })
  return (i) => {
    const { ray, target } = made[i]!
    return rayCast(ray, target, 'hit', hit) ? 1 : 0
  }
}

function castKernel(pairs: CastPair[], spin: number): Kernel {
  const impact = createTimeOfImpact()
  const still = createMotion()
  const made = pairs.map(({ a, b, way: { x, y, z } }) => ({
    a: prepare(a),
    b: prepare(b),
    motion: { vx: x, vy: y, vz: z, wx: spin, wy: spin / 2, wz: -spin },
  }))
  return (i) => {
    const { a, b, motion } = made[i]!
    timeOfImpact(a, still, b, motion, 1, false, 'exit', impact)
    return impact.hit ? 1 : 0
  }
}

function hullKernel(count: number): Kernel {
  const points = cloud(count)
  return () => convexHull(points, count).vertices.length
}
