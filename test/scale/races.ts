/** Clients who want the same thing at the same moment, each by another replica. */

export interface Raced {
  readonly status: number
  readonly etag: string | null
  /** JSON. */
  readonly text: string
}

/** Sends a request to one replica. */
export type Ask = (method: string, path: string, headers: Record<string, string>, body?: string) => Promise<Raced>

/** Of scenes of a dimension. */
const KINDS = {
  '2d': { path: '/v1/2d/scenes', shape: { type: 'circle', radius: 1 } },
  '3d': { path: '/v1/3d/scenes', shape: { type: 'sphere', radius: 1 } },
}
type Dimension = keyof typeof KINDS

async function begun(ask: Ask, place: string): Promise<string> {
  const { status, etag, text } = await ask('PUT', place, {}, '{}')
  if (status !== 201 || etag === null) throw new Error(`${status} ${text}`)
  return etag
}

const placeOf = (dimension: Dimension, x: number, y: number) => (dimension === '2d' ? { x, y } : { x, y, z: x - y })

const versionOf = (etag: string | null) => Number(/^"(\d+)/.exec(etag ?? '')?.[1])

/** All writers name the same version, round after round. What is wrong: nothing, where one of them wins each time. */
export async function raceForVersions(
  asks: readonly Ask[],
  roundCount: number,
  writerCount: number,
  dimension: Dimension,
) {
  const { path, shape } = KINDS[dimension]
  const scene = `${path}/versions-${dimension}`
  const findings: string[] = []
  let tag = await begun(asks[0] as Ask, scene)
  for (let round = 1; round <= roundCount; round++) {
    const answers = await Promise.all(
      Array.from({ length: writerCount }, (_, writer) => {
        const body = JSON.stringify({ shape, position: placeOf(dimension, round, writer) })
        const ask = asks[(round + writer) % asks.length] as Ask
        return ask('PUT', `${scene}/bodies/w`, { 'if-match': tag }, body)
      }),
    )
    const won = answers.filter(({ status }) => status < 300)
    const lost = answers.filter(({ status }) => status === 412)
    if (won.length !== 1 || lost.length !== writerCount - 1) {
      findings.push(`round ${round}: ${answers.map(({ status }) => status).join(' ')}`)
    }
    const last = won[0]?.etag ?? null
    if (last === null) break
    if (versionOf(last) !== round + 1) findings.push(`round ${round} has come to ${last}`)
    for (const { etag } of lost)
      if (etag !== last) findings.push(`round ${round}: a loser was told ${etag}, not ${last}`)
    tag = last
  }
  return findings
}

/** Each request goes to three replicas at once with one key. What is wrong: nothing, where each is one entry, and all are told which. */
export async function raceWithKeys(asks: readonly Ask[], requestCount: number, atOnce: number, dimension: Dimension) {
  const { path, shape } = KINDS[dimension]
  const scene = `${path}/keys-${dimension}`
  const findings: string[] = []
  await begun(asks[0] as Ask, scene)
  const versions = new Set<number>()
  let next = 0
  const send = async () => {
    for (let k = next++; k < requestCount; k = next++) {
      const operations = [{ op: 'put', body: { id: `b${k % 40}`, shape, position: placeOf(dimension, k, 0) } }]
      const answers = await Promise.all(
        [0, 1, 2].map((copy) => {
          const ask = asks[(k + copy) % asks.length] as Ask
          const headers = { 'idempotency-key': `key-${k}` }
          return ask('POST', `${scene}/operations`, headers, JSON.stringify({ operations }))
        }),
      )
      const told = new Set(answers.map(({ status, text }) => (status === 200 ? JSON.parse(text).version : text)))
      const [version] = told
      if (told.size !== 1 || typeof version !== 'number') findings.push(`request ${k}: ${[...told].join(' / ')}`)
      else if (versions.has(version)) findings.push(`request ${k} shares version ${version} with another`)
      else versions.add(version)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send))
  const { etag } = await (asks[0] as Ask)('GET', scene, { 'if-version-at-least': String(requestCount + 1) })
  if (versionOf(etag) !== requestCount + 1) findings.push(`the scene is at ${etag} after ${requestCount} requests`)
  return findings
}
