// The scene that the examples of the OpenAPI document speak of, at version 2.

export const exampleBodies = [
  { id: 'floor', shape: { type: 'aabb', min: { x: -10, y: -1 }, max: { x: 10, y: 0 } }, tags: ['wall'] },
  { id: 'crate', shape: { type: 'box', width: 2, height: 2 }, position: { x: 8, y: 1 }, tags: ['prop'] },
  {
    id: 'hero',
    shape: { type: 'capsule', a: { x: 0, y: 0.5 }, b: { x: 0, y: 1.5 }, radius: 0.5 },
    tags: ['character'],
  },
  {
    id: 'ball',
    shape: { type: 'circle', radius: 0.5 },
    position: { x: -6, y: 4 },
    velocity: { x: 0, y: -2 },
    tags: ['prop'],
  },
  { id: 'door', shape: { type: 'box', width: 1, height: 2 }, position: { x: -9, y: 1 }, sensor: true },
] as const
