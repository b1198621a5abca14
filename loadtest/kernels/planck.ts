// planck (a port of Box2D): its collide functions fill a manifold in local frames; the world manifold gives what a
// caller of Tangent gets, points and separations in the world. Both are timed.

import {
  BoxShape,
  CircleShape,
  CollidePolygonCircle,
  CollidePolygons,
  Distance,
  Manifold,
  PolygonShape,
  type RayCastOutput,
  Transform,
  Vec2,
  WorldManifold,
} from 'planck'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Inputs, Pair, RayPair } from './inputs.ts'
import type { Kernels } from './kernel-table.ts'

const transform = ({ position, rotation }: Body2d) => new Transform(position!, rotation!)

export function polygon({ shape }: Body2d): PolygonShape {
  if (shape.type === 'polygon') return new PolygonShape(shape.vertices)
  if (shape.type === 'box') return new BoxShape(shape.width / 2, shape.height / 2)
  if (shape.type === 'aabb') return new BoxShape(shape.max.x, shape.max.y)
  throw new Error(`no ${shape.type} in this bench`)
}

export function circle({ shape }: Body2d): CircleShape {
  if (shape.type === 'circle') return new CircleShape(shape.radius)
  throw new Error(`no ${shape.type} in this bench`)
}

/** What goes through a manifold, in local frames or on to the world. */
export function planckManifoldKernels(inputs: Inputs, world: boolean): Kernels {
  const manifold = new Manifold()
  const worldManifold = new WorldManifold()

  const polygonKernel = (pairs: Pair[]) => {
    const made = pairs.map(({ a, b }) => ({ a: polygon(a), xfA: transform(a), b: polygon(b), xfB: transform(b) }))
    return (i: number) => {
      const { a, xfA, b, xfB } = made[i]!
      CollidePolygons(manifold, a, xfA, b, xfB)
      if (world) manifold.getWorldManifold(worldManifold, xfA, a.m_radius, xfB, b.m_radius)
      return manifold.pointCount > 0 ? 1 : 0
    }
  }

  const circleKernel = (pairs: Pair[]) => {
    const made = pairs.map(({ a, b }) => ({ a: polygon(a), xfA: transform(a), b: circle(b), xfB: transform(b) }))
    return (i: number) => {
      const { a, xfA, b, xfB } = made[i]!
      CollidePolygonCircle(manifold, a, xfA, b, xfB)
      if (world) manifold.getWorldManifold(worldManifold, xfA, a.m_radius, xfB, b.m_radius)
      return manifold.pointCount > 0 ? 1 : 0
    }
  }

  const xfA = Transform.identity()
  const xfB = Transform.identity()

  return {
    polygonPolygon: polygonKernel(inputs.polygons),
    boxBox: polygonKernel(inputs.boxes),
    boxBoxApart: polygonKernel(inputs.apartBoxes),
    polygonCircle: circleKernel(inputs.polygonCircles),
    polygonCircleApart: circleKernel(inputs.apartCircles),
    coldPair: (i) => {
      const { a, b } = inputs.polygons[i]!
      const shapeA = polygon(a)
      const shapeB = polygon(b)
      xfA.setNum(a.position!, a.rotation!)
      xfB.setNum(b.position!, b.rotation!)
      CollidePolygons(manifold, shapeA, xfA, shapeB, xfB)
      if (world) manifold.getWorldManifold(worldManifold, xfA, shapeA.m_radius, xfB, shapeB.m_radius)
      return manifold.pointCount > 0 ? 1 : 0
    },
  }
}

export function planckKernels(inputs: Inputs): Kernels {
  const apart = inputs.apartPolygons.map(({ a, b }) => {
    const input = new Distance.Input()
    input.proxyA.set(polygon(a), 0)
    input.proxyB.set(polygon(b), 0)
    input.transformA.set(transform(a))
    input.transformB.set(transform(b))
    input.useRadii = false
    return input
  })
  const nearest = new Distance.Output()
  const cache = new Distance.Cache()

  const hit: RayCastOutput = { normal: new Vec2(), fraction: 0 }
  const rayKernel = (pairs: RayPair[], shape: (body: Body2d) => PolygonShape | CircleShape) => {
    const rays = pairs.map(({ origin, direction, target }) => ({
      input: {
        p1: origin,
        p2: { x: origin.x + direction.x, y: origin.y + direction.y },
        maxFraction: 1000,
      },
      target: shape(target),
      xf: transform(target),
    }))
    return (i: number) => {
      const { input, target, xf } = rays[i]!
      return target.rayCast(hit, input, xf, 0) ? 1 : 0
    }
  }

  return {
    ...planckManifoldKernels(inputs, true),
    distance: (i) => {
      cache.count = 0
      Distance(nearest, cache, apart[i]!)
      return nearest.distance
    },
    ray: rayKernel(inputs.rays, polygon),
    rayCircle: rayKernel(inputs.circleRays, circle),
  }
}
