// SAT.js: the separating axis test with the overlap vector. It has no contact points, distances or rays.

import SAT from 'sat'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Inputs, Pair } from './inputs.ts'
import type { Kernels } from './kernel-table.ts'

function polygon({ shape, position, rotation }: Body2d): SAT.Polygon {
  const at = new SAT.Vector(position!.x, position!.y)
  if (shape.type === 'polygon') {
    return new SAT.Polygon(
      at,
      shape.vertices.map(({ x, y }) => new SAT.Vector(x, y)),
    ).setAngle(rotation!)
  }
  if (shape.type !== 'box') throw new Error(`no ${shape.type} in this bench`)
  const x = shape.width / 2
  const y = shape.height / 2
  return new SAT.Polygon(at, [
    new SAT.Vector(-x, -y),
    new SAT.Vector(x, -y),
    new SAT.Vector(x, y),
    new SAT.Vector(-x, y),
  ]).setAngle(rotation!)
}

function circle({ shape, position }: Body2d): SAT.Circle {
  if (shape.type !== 'circle') throw new Error(`no ${shape.type} in this bench`)
  return new SAT.Circle(new SAT.Vector(position!.x, position!.y), shape.radius)
}

export function satKernels(inputs: Inputs): Kernels {
  const response = new SAT.Response()
  const polygonKernel = (pairs: Pair[]) => {
    const made = pairs.map(({ a, b }) => ({ a: polygon(a), b: polygon(b) }))
    return (i: number) => {
      const { a, b } = made[i]!
      response.clear()
      return SAT.testPolygonPolygon(a, b, response) ? 1 : 0
    }
  }
  const circleKernel = (pairs: Pair[]) => {
    const made = pairs.map(({ a, b }) => ({ a: polygon(a), b: circle(b) }))
    return (i: number) => {
      const { a, b } = made[i]!
      response.clear()
      return SAT.testPolygonCircle(a, b, response) ? 1 : 0
    }
  }
  return {
    polygonPolygon: polygonKernel(inputs.polygons),
    boxBox: polygonKernel(inputs.boxes),
    boxBoxApart: polygonKernel(inputs.apartBoxes),
    polygonCircle: circleKernel(inputs.polygonCircles),
    polygonCircleApart: circleKernel(inputs.apartCircles),
    coldPair: (i) => {
      const { a, b } = inputs.polygons[i]!
      response.clear()
      return SAT.testPolygonPolygon(polygon(a), polygon(b), response) ? 1 : 0
    },
  }
}
