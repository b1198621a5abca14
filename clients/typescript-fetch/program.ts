// Calls the service through a client that openapi-generator made (typescript-fetch). Arguments: the address, and requests.json.

import { deepEqual, equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import {
  Batch3dRequestFromJSON,
  BatchRequestFromJSON,
  Configuration,
  Contact3dRequestFromJSON,
  ContactRequestFromJSON,
  KeptShapesApi,
  Many3dApi,
  ManyApi,
  MotionApi,
  Pairs3dApi,
  PairsApi,
  RayCastRequestFromJSON,
  RaysApi,
  ResponseError,
  SceneBodiesApi,
  ScenesApi,
  Shape2dFromJSON,
  Shape2dToJSON,
  Shape3dFromJSON,
  Shape3dToJSON,
  Shapes3dApi,
  TimeOfImpactRequestFromJSON,
} from './index.js'

const [address, file] = process.argv.slice(2)
const asked = JSON.parse(readFileSync(file, 'utf8'))
const service = new Configuration({ basePath: address })
const pairs = new PairsApi(service)

const { separation, translation } = await pairs.contact({ contactRequest: ContactRequestFromJSON(asked.contact) })
deepEqual([separation, translation?.y], [-0.125, 0.125])

/** Asks about a kept shape. One that is not kept, or not any more, is sent, and asked about again. */
async function askAboutKept() {
  const question = { contactRequest: ContactRequestFromJSON(asked.keptContact) }
  try {
    return await pairs.contact(question)
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error
    const { code, shape } = await error.response.json()
    if (code !== 'shape-unknown') throw error
    equal((await new KeptShapesApi(service).keepShape({ shape2d: Shape2dFromJSON(asked.keptShape) })).id, shape)
    return pairs.contact(question)
  }
}
for (const _ of ['sent', 'known']) equal((await askAboutKept()).separation, -0.125)

const { hits } = await new RaysApi(service).rayCast({ rayCastRequest: RayCastRequestFromJSON(asked.rayCast) })
deepEqual([hits[0].distance, hits[0].exit?.distance], [4.5, 5.5])

const timeOfImpactRequest = TimeOfImpactRequestFromJSON(asked.timeOfImpact)
equal((await new MotionApi(service).timeOfImpact({ timeOfImpactRequest })).time, 0.5)

const { results } = await new ManyApi(service).batch({ batchRequest: BatchRequestFromJSON(asked.batch) })
const [distance, problem, table] = results
equal(distance.op === 'distance' && distance.distance, 2)
equal(problem.op === 'problem' && problem.code, 'coordinate-out-of-range')
deepEqual(table.op === 'table' && table.values, [[5]])

const contact3dRequest = Contact3dRequestFromJSON(asked.contact3d)
const inSpace = await new Pairs3dApi(service).contact3d({ contact3dRequest })
deepEqual([inSpace.separation, inSpace.translation?.y], [-0.125, 0.125])

const batch3d = await new Many3dApi(service).batch3d({ batch3dRequest: Batch3dRequestFromJSON(asked.batch3d) })
const [distance3d, problem3d, table3d] = batch3d.results
equal(distance3d.op === 'distance' && distance3d.pointB.x, 2)
equal(problem3d.op === 'problem' && problem3d.code, 'coordinate-out-of-range')
deepEqual(table3d.op === 'table' && table3d.values, [[5]])

const shapes = new Shapes3dApi(service)
for (const given of asked.shapes3d) {
  const shape = Shape3dFromJSON(given)
  if (shape.type === 'box') equal(shape.size.z, 3)
  deepEqual(JSON.parse(JSON.stringify(Shape3dToJSON(shape))), given)
  equal((await shapes.validate3d({ validate3dRequest: { shape } })).valid, true)
}

const scenes = new ScenesApi(service)
const bodies = new SceneBodiesApi(service)
const sceneId = 'typescript-fetch'
await scenes.putScene({ sceneId, sceneRequest: { name: 'Cellar' } })
for (const [index, shape] of asked.shapes.entries()) {
  const place = { sceneId, bodyId: `body-${index}` }
  await bodies.putSceneBody({ ...place, sceneBodyRequest: { shape: Shape2dFromJSON(shape) } })
  const found = (await bodies.getSceneBody(place)).body.shape
  equal(found.type, shape.type)
  // what is absent is undefined in the value
  deepEqual(JSON.parse(JSON.stringify(Shape2dToJSON(found))), shape)
}
const patch = { sceneId, bodyId: 'body-0', sceneBodyPatch: { position: { x: 1, y: 2 } } }
equal((await bodies.patchSceneBody(patch)).body.position?.y, 2)

const statusOf = (error: unknown) => (error instanceof ResponseError ? error.response.status : error)
equal(await scenes.putScene({ sceneId, sceneRequest: {}, ifMatch: '"1"' }).then(String, statusOf), 412)
const contactRequest = ContactRequestFromJSON(asked.outOfRange)
equal(await pairs.contact({ contactRequest }).then(String, statusOf), 422)

await scenes.deleteScene({ sceneId })
console.log('ok')
