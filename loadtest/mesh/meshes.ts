// Rays, nearest points and boxes at meshes of 3,674 and 871,414 triangles: Tangent beside three-mesh-bvh and Rapier, on the same inputs
// in one run, each in a process of its own, in turns; the least of the rounds counts. Libraries must agree on the answers first. Then
// over HTTP: a request with 1,000 triangles, as it arrives, and batches of 1,000 rays at a mesh that is kept.
//
//   npm run bench:meshes              both meshes, and the results are kept
//   npm run bench:meshes -- bunny     one of them

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { endService, startService } from '../measuring/service-process.ts'
import { type MeshRow, type MeshService, median, saveResults, today } from '../results.ts'
import type { Order } from './mesh-contender.ts'
import { MODELS, type ModelName, meshQuestions, QUESTION_COUNT, QUESTIONS, type Question } from './mesh-questions.ts'

const LIBRARIES = ['tangent', 'three-mesh-bvh', 'three-mesh-bvh, SAH', 'Rapier']
const WARM_UP_COUNT = 2
const ROUND_COUNT = 9
const BUILD_COUNT = 3
/** Libraries that reckon in single precision miss, or hit, at edges and borders. */
const MOST_WRONG_RATIO = 0.01
const AGREEMENT_RATIO = 1e-4

async function ask(child: ChildProcess, message: Order): Promise<number[]> {
  const ended = new AbortController()
  const end = () => ended.abort(new Error('a library ended'))
  child.once('exit', end)
  child.send(message)
  const [reply] = await once(child, 'message', { signal: ended.signal })
  child.off('exit', end)
  return reply as number[]
}

async function measure(model: ModelName): Promise<MeshRow[]> {
  const { size, triangles } = meshQuestions(model)
  const extension = import.meta.filename.slice(-3)
  const contenders = LIBRARIES.map((library) => ({
    library,
    child: fork(resolve(import.meta.dirname, `mesh-contender${extension}`), { serialization: 'advanced' }),
    least: new Map<string, number>(),
  }))
  const take = (least: Map<string, number>, row: string, value: number | undefined) =>
    least.set(row, Math.min(least.get(row) ?? Infinity, value!))
  try {
    for (const { library, child, least } of contenders) {
      const [bytes] = await ask(child, { order: 'load', library, model })
      if (bytes! > 0) least.set('bytes a triangle beside the caller’s', bytes!)
    }
    const questions = Object.keys(QUESTIONS) as Question[]
    for (const question of questions) {
      const [own, ...others] = contenders
      const expected = await ask(own!.child, { order: 'answers', question })
      for (const { library, child } of others) {
        const answers = await ask(child, { order: 'answers', question })
        const wrong = answers.filter((value, i) => !(Math.abs(value - expected[i]!) <= AGREEMENT_RATIO * size)).length
        if (wrong === 0) continue
        const text = `${model}, ${QUESTIONS[question]}: ${library} differs in ${wrong} of ${QUESTION_COUNT}`
        if (wrong > MOST_WRONG_RATIO * QUESTION_COUNT) throw new Error(text)
        console.log(text)
      }
    }
    for (let round = 0; round < BUILD_COUNT; round++) {
      for (const { child, least } of contenders) {
        const [time] = await ask(child, { order: 'build' })
        take(least, 'build, a triangle', time! / (triangles.length / 3))
      }
    }
    for (let round = -WARM_UP_COUNT; round < ROUND_COUNT; round++) {
      for (const question of questions) {
        for (const { child, least } of contenders) {
          const [time] = await ask(child, { order: 'round', question })
          if (round >= 0) take(least, QUESTIONS[question], time)
        }
      }
    }
  } finally {
    for (const { child } of contenders) child.kill()
  }
  return [...contenders[0]!.least.keys()].map((question) => ({
    model,
    triangles: triangles.length / 3,
    question,
    nanoseconds: Object.fromEntries(
      contenders.flatMap(({ library, least }) =>
        least.has(question) ? [[library, Number(least.get(question)!.toPrecision(3))]] : [],
      ),
    ),
  }))
}

const BATCH_COUNT = 30
const RAY_COUNT = 1000

async function measureService(): Promise<MeshService> {
  const service = await startService({ SHAPE_BODY_LIMIT: String(256 * 2 ** 20), QUERY_DEADLINE_MS: '60000' })
  const post = async (path: string, body: string): Promise<string> => {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text.slice(0, 500))
    return text
  }
  const shapeOf = ({ vertices, triangles }: { vertices: Float64Array; triangles: Uint32Array }) => ({
    type: 'mesh',
    vertices: Array.from(vertices),
    triangles: Array.from(triangles),
  })
  const rayOf = (list: Float64Array, i: number) => ({
    origin: { x: list[6 * i], y: list[6 * i + 1], z: list[6 * i + 2] },
    direction: { x: list[6 * i + 3], y: list[6 * i + 4], z: list[6 * i + 5] },
  })
  try {
    const dragon = meshQuestions('dragon')
    const start = performance.now()
    const { id } = JSON.parse(await post('/v1/3d/shapes', JSON.stringify(shapeOf(dragon))))
    const keepMilliseconds = performance.now() - start
    const batches: number[] = []
    for (let n = 0; n < BATCH_COUNT; n++) {
      const queries = Array.from({ length: RAY_COUNT }, (_, i) => ({
        op: 'ray-cast',
        ray: rayOf(dragon.asked.through, (RAY_COUNT * n + i) % QUESTION_COUNT),
        targets: [{ shape: { type: 'ref', id } }],
      }))
      const body = JSON.stringify({ queries })
      const from = performance.now()
      await post('/v1/3d/batch', body)
      batches.push((1000 * (performance.now() - from)) / RAY_COUNT)
    }
    const bunny = meshQuestions('bunny')
    const cold: number[] = []
    for (let n = 0; n < BATCH_COUNT; n++) {
      // Other numbers each time: nothing of it is known to the service.
      const vertices = bunny.vertices.map((value) => value + n / 1024)
      const shape = shapeOf({ vertices, triangles: bunny.triangles.subarray(3 * n, 3 * (n + 1000)) })
      const body = JSON.stringify({ ray: rayOf(bunny.asked.through, n), targets: [{ shape }] })
      const from = performance.now()
      await post('/v1/3d/ray-cast', body)
      cold.push(performance.now() - from)
    }
    const round = (value: number) => Number(value.toPrecision(3))
    return {
      keepMilliseconds: round(keepMilliseconds),
      batchMicrosecondsPerRay: round(median(batches)),
      leastBatchMicrosecondsPerRay: round(Math.min(...batches)),
      coldMilliseconds: round(median(cold)),
    }
  } finally {
    await endService(service)
  }
}

const words = process.argv.slice(2)
const chosen = (Object.keys(MODELS) as ModelName[]).filter((name) => words.length === 0 || words.includes(name))
const rows: MeshRow[] = []
for (const model of chosen) rows.push(...(await measure(model)))
for (const { model, question, nanoseconds } of rows) {
  const cells = Object.entries(nanoseconds).map(([library, value]) => `${library} ${value}`)
  console.log(`${model}, ${question}: ${cells.join(', ')}`)
}
const service = await measureService()
console.log(service)
if (words.length === 0) {
  const path = saveResults({ meshes: { date: today(), rounds: ROUND_COUNT, rows, service } })
  console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
}
