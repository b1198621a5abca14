// cannon-es (JavaScript): its narrow phase on pairs of bodies, which gives contact points as equations. Cylinders are prisms to it;
// it has no capsules, and takes milliseconds for two hulls of 32 points that meet, which are left out.

import * as CANNON from 'cannon-es'
import type { Body3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { convexHull } from '../../src/core3d/shape/convex-hull.ts'
import { from, type Inputs, type Pair, RAY_LENGTH, type RayPair } from './inputs.ts'
import type { Kernel, Kernels } from './kernel-table.ts'

/** Sides of a cylinder: the prism lies within 1 % of the radius of it. */
const SIDE_COUNT = 24

export function cannonKernels({ meeting, apart, rays }: Inputs): Kernels {
  const world = new CANNON.World()
  const contacts = (pairs: Pair[]) => contactKernel(world, pairs)
  return {
    sphereBox: contacts(meeting.sphereBox),
    boxBox: contacts(meeting.boxBox),
    hull8: contacts(meeting.hull8),
    cylinderBox: contacts(meeting.cylinderBox),
    sphereBoxApart: contacts(apart.sphereBox),
    boxBoxApart: contacts(apart.boxBox),
    hull8Apart: contacts(apart.hull8),
    hull32Apart: contacts(apart.hull32),
    cylinderBoxApart: contacts(apart.cylinderBox),
    raySphere: rayKernel(rays.raySphere),
    rayBox: rayKernel(rays.rayBox),
    rayHull8: rayKernel(rays.rayHull8),
    rayHull32: rayKernel(rays.rayHull32),
    coldPair: coldKernel(world, meeting.hull8),
  }
}

const vector = ({ x, y, z }: Vec3) => new CANNON.Vec3(x, y, z)

function cannonShape({ shape }: Body3d, middle: Vec3): CANNON.Shape {
  switch (shape.type) {
    case 'sphere':
      return new CANNON.Sphere(shape.radius)
    case 'box':
      return new CANNON.Box(vector({ x: shape.size.x / 2, y: shape.size.y / 2, z: shape.size.z / 2 }))
    case 'cylinder':
      return new CANNON.Cylinder(shape.radius, shape.radius, shape.height, SIDE_COUNT)
    case 'hull':
      return polyhedron(shape.points, middle)
    default:
      throw new Error(`no ${shape.type} in this bench`)
  }
}

/** About the middle of the points: it wants the origin inside. */
function polyhedron(points: readonly Vec3[], { x, y, z }: Vec3): CANNON.ConvexPolyhedron {
  const numbers = Float64Array.from(points.flatMap((point) => [point.x - x, point.y - y, point.z - z]))
  const { vertices, faceStarts, origins } = convexHull(numbers, points.length)
  const faces = Array.from({ length: faceStarts.length - 1 }, (_, f) =>
    Array.from(origins.subarray(faceStarts[f]!, faceStarts[f + 1]!)),
  )
  const corners = Array.from(vertices, (i) => new CANNON.Vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]))
  return new CANNON.ConvexPolyhedron({ vertices: corners, faces })
}

const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 }

function middleOf({ shape }: Body3d): Vec3 {
  if (shape.type !== 'hull') return ORIGIN
  const sum = shape.points.reduce((total, point) => from(total, point, 1), ORIGIN)
  return from(ORIGIN, sum, 1 / shape.points.length)
}

function cannonBody(wire: Body3d): CANNON.Body {
  const { x, y, z, w } = wire.orientation!
  const body = new CANNON.Body({
    mass: 1,
    position: vector(wire.position!),
    quaternion: new CANNON.Quaternion(x, y, z, w),
  })
  const middle = middleOf(wire)
  body.addShape(cannonShape(wire, middle), vector(middle))
  body.updateAABB()
  return body
}

/** The equations of the last pair are used again for the next one. */
let fresh: CANNON.ContactEquation[] = []
let used: CANNON.ContactEquation[] = []
const friction: CANNON.FrictionEquation[] = []
const frictionPool: CANNON.FrictionEquation[] = []
const first: CANNON.Body[] = []
const second: CANNON.Body[] = []

function countContacts(world: CANNON.World, a: CANNON.Body, b: CANNON.Body): number {
  first[0] = a
  second[0] = b
  const pool = fresh
  fresh = used
  used = pool
  fresh.length = 0
  friction.length = 0
  world.narrowphase.getContacts(first, second, world, fresh, used, friction, frictionPool)
  return fresh.length
}

function contactKernel(world: CANNON.World, pairs: Pair[]): Kernel {
  const made = pairs.map(({ a, b }) => ({ a: cannonBody(a), b: cannonBody(b) }))
  return (i) => {
    const { a, b } = made[i]!
    return countContacts(world, a, b) > 0 ? 1 : 0
  }
}

function coldKernel(world: CANNON.World, pairs: Pair[]): Kernel {
  return (i) => {
    const { a, b } = pairs[i]!
    return countContacts(world, cannonBody(a), cannonBody(b)) > 0 ? 1 : 0
  }
}

function rayKernel(pairs: RayPair[]): Kernel {
  const result = new CANNON.RaycastResult()
  const made = pairs.map(({ origin, direction, target }) => {
    const start = vector(origin)
    return {
      ray: new CANNON.Ray(start, start.addScaledVector(RAY_LENGTH, vector(direction))),
      body: cannonBody(target),
    }
  })
  return (i) => {
    const { ray, body } = made[i]!
    result.reset()
    ray.mode = CANNON.Ray.CLOSEST
    ray.intersectBody(body, result)
    return result.hasHit ? 1 : 0
  }
}
