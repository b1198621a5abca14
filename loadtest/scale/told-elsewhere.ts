// How long after it was acknowledged a write is told by another replica, and read there.

import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { box, type Cluster, described, sceneUrl, sendWell } from './cluster.ts'

/** `gapMs`: between two writes. */
export async function tellElsewhere({ replicas: [a, b] }: Cluster, name: string, count: number, gapMs: number) {
  if (a === undefined || b === undefined) throw new Error('two replicas are needed')
  const id = `told-${name.replaceAll(' ', '-')}`
  await sendWell(sceneUrl(a, id), 'PUT', {})
  await sendWell(sceneUrl(b, id))
  const heardAt = new Map<number, number>()
  const stream = get(`${sceneUrl(b, id)}/events`, (response) => {
    let text = ''
    response.on('data', (chunk: Buffer) => {
      text += chunk
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const version = /"version":(\d+)/.exec(frame)?.[1]
        if (frame.includes('event: operations')) heardAt.set(Number(version), performance.now())
      }
    })
  })
  await sleep(500)
  const written: [version: number, at: number][] = []
  const readings: number[] = []
  for (let k = 0; k < count; k++) {
    const { text } = await sendWell(`${sceneUrl(a, id)}/operations`, 'POST', { operations: [box(`b${k % 50}`, k, 0)] })
    const { version } = JSON.parse(text) as { version: number }
    written.push([version, performance.now()])
    if (k % 2 === 0) readings.push((await sendWell(`${sceneUrl(b, id)}?atLeast=${version}`)).ms)
    await sleep(gapMs * (0.5 + Math.random()))
  }
  await sleep(2500)
  stream.destroy()
  const delays = written.map(([version, at]) => Math.max(0, (heardAt.get(version) ?? Number.POSITIVE_INFINITY) - at))
  const alone = delays.filter((_, k) => k % 2 === 1)
  console.log(
    `${name}: told elsewhere ${described(alone)}; read elsewhere at least that version ${described(readings)}`,
  )
}
