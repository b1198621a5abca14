// The requests that the load test sends: ordinary bodies, every route, and a ray against one and against 100 targets.

import type { Body2d } from '../../schemas/shapes2d.ts'

export interface Question {
  title: string
  path: string
  payload: object
}

const hexagon: Body2d = {
  shape: {
    type: 'polygon',
    vertices: [0, 1, 2, 3, 4, 5].map((i) => ({ x: Math.cos((i * Math.PI) / 3), y: Math.sin((i * Math.PI) / 3) })),
  },
  position: { x: 1.25, y: -0.5 },
  rotation: 0.3,
}
const crate: Body2d = { shape: { type: 'box', width: 2, height: 1 }, position: { x: 2.5, y: 0.25 }, rotation: -0.2 }
const far: Body2d = { ...crate, position: { x: 7.5, y: 3.25 } }

/** A field of shapes to the right of the ray's origin, ten by ten. */
const targets = Array.from({ length: 100 }, (_, i): Body2d => {
  const position = { x: 4 + 3 * (i % 10), y: 3 * Math.floor(i / 10) - 13 }
  if (i % 3 === 0) return { shape: { type: 'circle', radius: 1 }, position }
  return { ...(i % 3 === 1 ? crate : hexagon), position }
})
const ray = { origin: { x: 0, y: 0 }, direction: { x: 1, y: 0.05 } }

export const questions: Question[] = [
  { title: 'overlap', path: '/v1/2d/overlap', payload: { a: hexagon, b: crate } },
  { title: 'distance', path: '/v1/2d/distance', payload: { a: hexagon, b: far } },
  { title: 'contact', path: '/v1/2d/contact', payload: { a: hexagon, b: crate } },
  { title: 'ray-cast, 1 target', path: '/v1/2d/ray-cast', payload: { ray, targets: [far] } },
  { title: 'ray-cast, 100 targets', path: '/v1/2d/ray-cast', payload: { ray, targets } },
]
