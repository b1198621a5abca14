// Jolt (C++ compiled to WebAssembly, single precision): shapes placed beforehand, asked by the call that its queries make of each
// body they find. It gives one point with its normal, of boxes and hulls with the faces that its manifold is cut from.

import Jolt from 'jolt-physics'
import type { Body3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../schemas/vector.ts'
import { type CastPair, type Inputs, type Pair, RAY_LENGTH, type RayPair } from './inputs.ts'
import type { Kernel, Kernels } from './kernel-table.ts'

type Module = Awaited<ReturnType<typeof Jolt>>

export async function joltKernels({ meeting, apart, rays, casts }: Inputs): Promise<Kernels> {
  const jolt = await Jolt()
  // Sets up the tables of its shapes.
  const settings = new jolt.JoltSettings()
  settings.mMaxWorkerThreads = 0
  const layers = new jolt.BroadPhaseLayerInterfaceTable(1, 1)
  layers.MapObjectToBroadPhaseLayer(0, new jolt.BroadPhaseLayer(0))
  settings.mBroadPhaseLayerInterface = layers
  settings.mObjectLayerPairFilter = new jolt.ObjectLayerPairFilterTable(1)
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(
    layers,
    1,
    settings.mObjectLayerPairFilter,
    1,
  )
  new jolt.JoltInterface(settings)
  const contacts = (pairs: Pair[]) => contactKernel(jolt, pairs)
  return {
    sphereBox: contacts(meeting.sphereBox),
    boxBox: contacts(meeting.boxBox),
    capsuleBox: contacts(meeting.capsuleBox),
    hull8: contacts(meeting.hull8),
    hull32: contacts(meeting.hull32),
    cylinderBox: contacts(meeting.cylinderBox),
    sphereBoxApart: contacts(apart.sphereBox),
    boxBoxApart: contacts(apart.boxBox),
    capsuleBoxApart: contacts(apart.capsuleBox),
    hull8Apart: contacts(apart.hull8),
    hull32Apart: contacts(apart.hull32),
    cylinderBoxApart: contacts(apart.cylinderBox),
    raySphere: rayKernel(jolt, rays.raySphere),
    rayCapsule: rayKernel(jolt, rays.rayCapsule),
    rayBox: rayKernel(jolt, rays.rayBox),
    rayHull8: rayKernel(jolt, rays.rayHull8),
    rayHull32: rayKernel(jolt, rays.rayHull32),
    castSphereBox: castKernel(jolt, casts.castSphereBox),
    castCapsuleBox: castKernel(jolt, casts.castCapsuleBox),
    castCylinderBox: castKernel(jolt, casts.castCylinderBox),
    castBox: castKernel(jolt, casts.castBox),
    castHull8: castKernel(jolt, casts.castHull8),
    castHull32: castKernel(jolt, casts.castHull32),
  }
}

function joltShape(jolt: Module, { shape }: Body3d): Jolt.Shape {
  const vector = ({ x, y, z }: Vec3) => new jolt.Vec3(x, y, z)
  switch (shape.type) {
    case 'sphere':
      return new jolt.SphereShape(shape.radius)
    case 'box':
      return new jolt.BoxShape(vector({ x: shape.size.x / 2, y: shape.size.y / 2, z: shape.size.z / 2 }), 0)
    case 'capsule':
      return new jolt.CapsuleShape(shape.b.y, shape.radius)
    case 'cylinder':
      return new jolt.CylinderShape(shape.height / 2, shape.radius, 0)
    case 'hull': {
      const settings = new jolt.ConvexHullShapeSettings()
      settings.mMaxConvexRadius = 0
      for (const point of shape.points) {
        const given = vector(point)
        settings.mPoints.push_back(given)
        jolt.destroy(given)
      }
      const made = settings.Create().Get()
      // The settings hold the shape too, and its memory is not endless.
      made.AddRef()
      jolt.destroy(settings)
      return made
    }
    default:
      throw new Error(`no ${shape.type} in this bench`)
  }
}

function placedShape(jolt: Module, wire: Body3d): Jolt.TransformedShape {
  const { x, y, z } = wire.position!
  const placed = new jolt.TransformedShape()
  placed.mShape = joltShape(jolt, wire)
  placed.SetWorldTransform(new jolt.RVec3(x, y, z), turnOf(jolt, wire.orientation!), new jolt.Vec3(1, 1, 1))
  return placed
}

const turnOf = (jolt: Module, { x, y, z, w }: Quaternion) => new jolt.Quat(x, y, z, w)

function contactKernel(jolt: Module, pairs: Pair[]): Kernel {
  const settings = new jolt.CollideShapeSettings()
  const collector = new jolt.CollideShapeAllHitCollisionCollector()
  const filter = new jolt.ShapeFilter()
  const scale = new jolt.Vec3(1, 1, 1)
  const made = pairs.map(({ a, b }) => {
    const other = placedShape(jolt, b)
    const transform = transformOf(jolt, other)
    return { one: placedShape(jolt, a), shape: other.mShape, transform, base: baseOf(jolt, a) }
  })
  return (i) => {
    const { one, shape, transform, base } = made[i]!
    collector.Reset()
    one.CollideShape(shape, scale, transform, settings, base, collector, filter)
    return collector.HadHit() ? 1 : 0
  }
}

function transformOf(jolt: Module, placed: Jolt.TransformedShape): Jolt.RMat44 {
  // What a call gives back is kept in one place, so it is copied.
  const place = placed.mShapePositionCOM
  const centre = new jolt.RVec3(place.GetX(), place.GetY(), place.GetZ())
  const transform = new jolt.RMat44()
  const turned = jolt.RMat44.prototype.sRotationTranslation(placed.mShapeRotation, centre)
  transform.SetRotation(turned.GetRotation())
  transform.SetTranslation(centre)
  return transform
}

const baseOf = (jolt: Module, { position }: Body3d) => new jolt.RVec3(position!.x, position!.y, position!.z)

function castKernel(jolt: Module, pairs: CastPair[]): Kernel {
  const settings = new jolt.ShapeCastSettings()
  const collector = new jolt.CastShapeClosestHitCollisionCollector()
  const filter = new jolt.ShapeFilter()
  const scale = new jolt.Vec3(1, 1, 1)
  const made = pairs.map(({ a, b, way }) => {
    const other = placedShape(jolt, b)
    const cast = new jolt.RShapeCast(other.mShape, scale, transformOf(jolt, other), new jolt.Vec3(way.x, way.y, way.z))
    return { one: placedShape(jolt, a), cast, base: baseOf(jolt, a) }
  })
  return (i) => {
    const { one, cast, base } = made[i]!
    collector.Reset()
    one.CastShape(cast, settings, base, collector, filter)
    return collector.HadHit() ? 1 : 0
  }
}

function rayKernel(jolt: Module, pairs: RayPair[]): Kernel {
  const result = new jolt.RayCastResult()
  const made = pairs.map(({ origin, direction, target }) => ({
    target: placedShape(jolt, target),
    ray: new jolt.RRayCast(
      new jolt.RVec3(origin.x, origin.y, origin.z),
      new jolt.Vec3(RAY_LENGTH * direction.x, RAY_LENGTH * direction.y, RAY_LENGTH * direction.z),
    ),
  }))
  return (i) => {
    const { target, ray } = made[i]!
    result.Reset()
    target.CastRay(ray, result)
    return result.mFraction <= 1 ? 1 : 0
  }
}
