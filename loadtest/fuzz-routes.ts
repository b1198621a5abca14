// Wild requests to every route of the service: right in form with wild numbers, broken, and both with hostile numbers.

import fc, { type Arbitrary } from 'fast-check'
import { broken } from '../test/fuzz/broken-texts.ts'
import { withHostileNumbers } from '../test/fuzz/hostile-numbers.ts'
import { TEXTS } from '../test/fuzz/small-files.ts'
import { QUERIES, QUERIES_3D } from '../test/fuzz/wild-requests.ts'
import {
  BODY_IDS,
  SCENE_QUERIES,
  wildFields,
  wildOperations,
  wildSceneBody,
  wildSettings,
} from '../test/fuzz/wild-scene-requests.ts'
import { toJson } from '../test/support/answers/json.ts'
import { LINES, PICTURE } from './heavy/request.ts'

export interface WildRequest {
  /** What it is, for counting. */
  kind: string
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  type?: string
  accept?: string
  text?: string
}

const SCENES = '/v1/2d/scenes'
/** Made before the first request, and again when one has deleted it. */
export const SCENE_PATHS = ['s0', 's1', 's2'].map((id) => `${SCENES}/${id}`)

/** The text of a request: as it is, or broken. */
function texts(requests: Arbitrary<object>): Arbitrary<string> {
  return fc.oneof({ weight: 8, arbitrary: requests.map(toJson) }, { weight: 2, arbitrary: broken(requests) })
}

const oneOf = (queries: Record<string, Arbitrary<object>>) => fc.constantFrom(...Object.entries(queries))

/** A query as an item of a batch. */
const item = (queries: Record<string, Arbitrary<object>>) =>
  oneOf(queries).chain(([op, requests]) => requests.map((request): object => ({ op, ...request })))

const list = (queries: Record<string, Arbitrary<object>>) =>
  texts(fc.record({ queries: fc.array(item(queries), { maxLength: 6 }) }))

const lines = (queries: Record<string, Arbitrary<object>>) =>
  fc
    .array(texts(item(queries)), { maxLength: 6 })
    .map((each) => each.map((line) => line.replaceAll('\n', ' ')).join('\n'))

const scene = fc.constantFrom(...SCENE_PATHS)
const bodyId = fc.constantFrom(...BODY_IDS)

const stateless = oneOf(QUERIES).chain(([op, requests]) =>
  fc.tuple(texts(requests), fc.nat(9)).map(([text, look]): WildRequest => {
    const request: WildRequest = { kind: op, method: 'POST', path: `/v1/2d/${op}`, text }
    return look === 0 ? { ...request, kind: `picture of ${op}`, accept: PICTURE } : request
  }),
)

const stateless3d = oneOf(QUERIES_3D).chain(([op, requests]) =>
  texts(requests).map((text): WildRequest => ({ kind: `${op} 3d`, method: 'POST', path: `/v1/3d/${op}`, text })),
)

const sceneQuery = fc
  .tuple(oneOf(SCENE_QUERIES), scene)
  .chain(([[op, requests], path]) =>
    texts(requests).map((text): WildRequest => ({ kind: `scene ${op}`, method: 'POST', path: `${path}/${op}`, text })),
  )

const batches3d: Arbitrary<WildRequest> = fc.oneof(
  list(QUERIES_3D).map((text): WildRequest => ({ kind: 'batch 3d', method: 'POST', path: '/v1/3d/batch', text })),
  lines(QUERIES_3D).map(
    (text): WildRequest => ({ kind: 'lines 3d', method: 'POST', path: '/v1/3d/batch', type: LINES, text }),
  ),
)

const batches: Arbitrary<WildRequest> = fc.oneof(
  list(QUERIES).map((text): WildRequest => ({ kind: 'batch', method: 'POST', path: '/v1/2d/batch', text })),
  lines(QUERIES).map(
    (text): WildRequest => ({ kind: 'lines', method: 'POST', path: '/v1/2d/batch', type: LINES, text }),
  ),
  { weight: 2, arbitrary: batches3d },
  fc
    .tuple(scene, list(SCENE_QUERIES))
    .map(([path, text]): WildRequest => ({ kind: 'scene batch', method: 'POST', path: `${path}/batch`, text })),
  fc.tuple(scene, lines(SCENE_QUERIES)).map(
    ([path, text]): WildRequest => ({
      kind: 'scene lines',
      method: 'POST',
      path: `${path}/batch`,
      type: LINES,
      text,
    }),
  ),
)

const importParameters = fc
  .record(
    {
      source: fc.constantFrom('a', 'b', '../x', ''),
      merge: fc.constantFrom('true', 'false', '1'),
      yUp: fc.constantFrom('true', 'false'),
      scale: fc.constantFrom('1', '0', '-1', '1e-9', '1e300', 'NaN'),
      offsetX: fc.constantFrom('0', '1e9', '1e308'),
      tolerance: fc.constantFrom('1', '0', '1e-9', '1e300'),
      dryRun: fc.constantFrom('true', 'false'),
    },
    { requiredKeys: [] },
  )
  .map((parameters) => new URLSearchParams(parameters as Record<string, string>).toString())

const imports = fc
  .tuple(scene, fc.constantFrom(...TEXTS), importParameters, fc.nat(4), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([path, [format, text], query, kind, share]): WildRequest => {
    const end = kind === 0 ? Math.floor(share * text.length) : text.length
    const target = `${path}/import?format=${format}&${query}`
    return { kind: 'import', method: 'POST', path: target, type: 'application/octet-stream', text: text.slice(0, end) }
  })

const writes: Arbitrary<WildRequest> = fc.oneof(
  { weight: 2, arbitrary: imports },
  {
    weight: 6,
    arbitrary: fc.tuple(scene, texts(wildOperations), fc.boolean()).map(
      ([path, text, isTry]): WildRequest => ({
        kind: isTry ? 'dry run' : 'operations',
        method: 'POST',
        path: `${path}/operations${isTry ? '?dryRun=true' : ''}`,
        text,
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(scene, bodyId, texts(wildSceneBody))
      .map(
        ([path, id, text]): WildRequest => ({ kind: 'put body', method: 'PUT', path: `${path}/bodies/${id}`, text }),
      ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(scene, bodyId, texts(wildFields)).map(
      ([path, id, text]): WildRequest => ({
        kind: 'patch body',
        method: 'PATCH',
        path: `${path}/bodies/${id}`,
        text,
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(scene, texts(wildSettings))
      .map(([path, text]): WildRequest => ({ kind: 'put scene', method: 'PUT', path, text })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(scene, bodyId)
      .map(([path, id]): WildRequest => ({ kind: 'delete body', method: 'DELETE', path: `${path}/bodies/${id}` })),
  },
)

const corner = fc.constantFrom('0', '-1', '1e100', '-1e100', '5e-324', '1e308', '1e999', 'NaN', 'x', '')
const listParameters = fc
  .record(
    {
      limit: fc.constantFrom('1', '100', '1000', '0', '1001', '1e2', '-1', 'x'),
      tag: fc.string({ maxLength: 9 }),
      minX: corner,
      maxX: corner,
      minY: corner,
      maxY: corner,
      cursor: fc.constantFrom('0', '5', '9999999999', '99999999999', '-1', 'x'),
    },
    { requiredKeys: [] },
  )
  .map((parameters) => new URLSearchParams(parameters as Record<string, string>).toString())

const fixed = ['/version', '/v1/limits', '/healthz', '/readyz', '/metrics', '/v1/2d/scenes', '/problems', '/nowhere']
const reads: Arbitrary<WildRequest> = fc.oneof(
  fc.constantFrom(...fixed).map((path): WildRequest => ({ kind: 'read', method: 'GET', path })),
  fc
    .tuple(scene, listParameters)
    .map(([path, query]): WildRequest => ({ kind: 'list bodies', method: 'GET', path: `${path}/bodies?${query}` })),
  scene.map((path): WildRequest => ({ kind: 'get scene', method: 'GET', path })),
  fc
    .tuple(scene, bodyId)
    .map(([path, id]): WildRequest => ({ kind: 'get body', method: 'GET', path: `${path}/bodies/${id}` })),
)

const wild3d: Arbitrary<WildRequest> = fc.oneof(
  { weight: 9, arbitrary: stateless3d },
  { weight: 1, arbitrary: batches3d },
)

const wild: Arbitrary<WildRequest> = fc.oneof(
  { weight: 30, arbitrary: stateless },
  { weight: 20, arbitrary: stateless3d },
  { weight: 22, arbitrary: sceneQuery },
  { weight: 8, arbitrary: batches },
  { weight: 14, arbitrary: writes },
  { weight: 6, arbitrary: reads },
)

/** Making a request costs more than asking it, changing its numbers next to nothing. */
const HOSTILE_FORMS = 4

/** So many different ones, the same for the same seed; about space alone if `isSpace`. */
export function wildRequests(count: number, seed: number, isSpace = false): WildRequest[] {
  const numRuns = Math.ceil(count / (1 + HOSTILE_FORMS))
  const requests = fc.sample(isSpace ? wild3d : wild, { numRuns, seed }).flatMap((request, i) => [
    request,
    ...Array.from({ length: HOSTILE_FORMS }, (_, form): WildRequest => {
      const { text } = request
      if (text === undefined) return request
      return { ...request, text: withHostileNumbers(text, Math.abs(seed) + 7919 * i + 31 * form) }
    }),
  ])
  return requests.slice(0, count)
}
