// Calls the service through the package. Arguments: the address, and requests.json.

import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createTangent, type Schemas } from 'tangent-client'

const [baseUrl, file] = process.argv.slice(2)
const asked: {
  contact: Schemas['ContactRequest']
  keptShape: Schemas['Shape2d']
  keptContact: Schemas['ContactRequest']
  outOfRange: Schemas['ContactRequest']
  rayCast: Schemas['RayCastRequest']
  timeOfImpact: Schemas['TimeOfImpactRequest']
  batch: Schemas['BatchRequest']
  shapes: Schemas['Shape2d'][]
  contact3d: Schemas['Contact3dRequest']
  batch3d: Schemas['Batch3dRequest']
  shapes3d: Schemas['Shape3d'][]
} = JSON.parse(readFileSync(file, 'utf8'))
const service = createTangent({ baseUrl })

const contact = await service.POST('/v1/2d/contact', { body: asked.contact })
const translation: Schemas['Vec2'] | null | undefined = contact.data?.translation
deepEqual([contact.data?.separation, translation?.y], [-0.125, 0.125])

/** Asks about a kept shape. One that is not kept, or not any more, is sent, and asked about again. */
async function askAboutKept(question: Schemas['ContactRequest']) {
  const answer = await service.POST('/v1/2d/contact', { body: question })
  if (answer.error?.code !== 'shape-unknown') return answer
  equal((await service.POST('/v1/2d/shapes', { body: asked.keptShape })).data?.id, answer.error.shape)
  return service.POST('/v1/2d/contact', { body: question })
}
for (const _ of ['sent', 'known']) equal((await askAboutKept(asked.keptContact)).data?.separation, -0.125)

const cast = await service.POST('/v1/2d/ray-cast', { body: asked.rayCast })
deepEqual([cast.data?.hits[0].distance, cast.data?.hits[0].exit?.distance], [4.5, 5.5])

const impact = await service.POST('/v1/2d/time-of-impact', { body: asked.timeOfImpact })
equal(impact.data?.time, 0.5)

const batch = await service.POST('/v1/2d/batch', { body: asked.batch })
const [distance, problem, table] = batch.data?.results ?? []
equal(distance.op === 'distance' && distance.distance, 2)
equal(problem.op === 'problem' && problem.code, 'coordinate-out-of-range')
deepEqual(table.op === 'table' && table.values, [[5]])

const inSpace = await service.POST('/v1/3d/contact', { body: asked.contact3d })
const way: Schemas['Vec3'] | null | undefined = inSpace.data?.translation
deepEqual([inSpace.data?.separation, way?.y], [-0.125, 0.125])

const batch3d = await service.POST('/v1/3d/batch', { body: asked.batch3d })
const [distance3d, problem3d, table3d] = batch3d.data?.results ?? []
equal(distance3d.op === 'distance' && distance3d.pointB.x, 2)
equal(problem3d.op === 'problem' && problem3d.code, 'coordinate-out-of-range')
deepEqual(table3d.op === 'table' && table3d.values, [[5]])

/** What a shape is told by narrows its fields. */
function reachOf(shape: Schemas['Shape3d']): number {
  switch (shape.type) {
    case 'sphere':
    case 'capsule':
    case 'cylinder':
      return shape.radius
    case 'box':
      return shape.size.z
    case 'hull':
      return shape.points.length
    default:
      return 0
  }
}
deepEqual(asked.shapes3d.map(reachOf), [0, 1, 0, 1, 0, 3, 0, 1, 0, 0, 4, 0])
for (const shape of asked.shapes3d) {
  equal((await service.POST('/v1/3d/validate', { body: { shape } })).data?.valid, true)
}

const params = { path: { sceneId: 'typescript' } }
await service.PUT('/v1/2d/scenes/{sceneId}', { params, body: { name: 'Cellar' } })
for (const [index, shape] of asked.shapes.entries()) {
  const place = { path: { ...params.path, bodyId: `body-${index}` } }
  await service.PUT('/v1/2d/scenes/{sceneId}/bodies/{bodyId}', { params: place, body: { shape } })
  const found = await service.GET('/v1/2d/scenes/{sceneId}/bodies/{bodyId}', { params: place })
  deepEqual(found.data?.body.shape, shape)
}
const body = { position: { x: 1, y: 2 } }
const first = { path: { ...params.path, bodyId: 'body-0' } }
const patched = await service.PATCH('/v1/2d/scenes/{sceneId}/bodies/{bodyId}', { params: first, body })
equal(patched.data?.body.position?.y, 2)

const stale = { ...params, header: { 'if-match': '"1"' } }
const refused = await service.PUT('/v1/2d/scenes/{sceneId}', { params: stale, body: {} })
deepEqual([refused.response.status, refused.error?.status], [412, 412])
const outOfRange = await service.POST('/v1/2d/contact', { body: asked.outOfRange })
deepEqual([outOfRange.response.status, outOfRange.error?.code], [422, 'coordinate-out-of-range'])

await service.DELETE('/v1/2d/scenes/{sceneId}', { params })
console.log('ok')
