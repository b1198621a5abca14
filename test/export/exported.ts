// Scenes exported and imported again over HTTP without a socket, and whether two bodies are the same set of points.

import { expect } from 'vitest'
import type { ImportFormat } from '../../schemas/scenes/import.ts'
import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { importFile } from '../support/imported-file.ts'
import type { SceneClient } from '../support/services/scene-client.ts'

export async function exported(client: SceneClient, sceneId: string, query: string) {
  const { statusCode, headers, body } = await client.app.inject(`/v1/2d/scenes/${sceneId}/export?${query}`)
  return { status: statusCode, headers, text: body }
}

/** The file. */
export async function exportedText(client: SceneClient, sceneId: string, query: string): Promise<string> {
  const { status, text } = await exported(client, sceneId, query)
  expect(status, text).toBe(200)
  return text
}

/** Into a new scene, without a worker, which takes seconds to start; its id, and what became no body. */
export async function importedHere(client: SceneClient, text: string, format: ImportFormat, query: string) {
  const asked = new URLSearchParams(query)
  const number = (name: string, fallback: number) => Number(asked.get(name) ?? fallback)
  const frame = {
    yUp: asked.get('yUp') === 'true',
    scale: number('scale', 1),
    offsetX: number('offsetX', 0),
    offsetY: number('offsetY', 0),
  }
  const file = importFile({
    kind: 'import',
    files: { main: { name: '', bytes: Buffer.from(text) }, others: [] },
    options: {
      dimension: 2,
      format,
      source: asked.get('source'),
      merge: true,
      tolerance: number('tolerance', 0.05),
      frame,
    },
    limits: SCHEMA_LIMITS,
    mostBodies: Infinity,
    mostPieces: Infinity,
  })
  if (isProblem(file)) throw new Error(file.detail)
  const bodies = file.bodies.map(({ id, form, position, rotation }) => ({
    id,
    shape: JSON.parse(form),
    position,
    rotation,
  }))
  return { id: await client.createScene(bodies), skipped: file.skipped }
}

/** Into a new scene; its id, and what the import came to. */
export async function imported(client: SceneClient, text: string, query: string, settings: object = {}) {
  const id = await client.createScene([], settings)
  const { status, body, text: answer } = await client.send('POST', `/${id}/import?${query}`, text)
  expect(status, answer).toBe(200)
  return { id, report: body }
}

export interface PutBody extends MovingBody2d {
  id: string
  tags?: string[]
}

export async function bodiesOf(client: SceneClient, sceneId: string): Promise<PutBody[]> {
  return (await client.send('GET', `/${sceneId}/bodies?limit=1000`)).body.bodies
}

/** Whether each holds the other, as the service says exactly. */
export async function areSame(client: SceneClient, a: MovingBody2d, b: MovingBody2d): Promise<boolean> {
  const { statusCode, body } = await client.app.inject({
    method: 'POST',
    url: '/v1/2d/overlap',
    payload: { a: { shape: a.shape, ...poseOf(a) }, b: { shape: b.shape, ...poseOf(b) }, explain: true },
  })
  expect(statusCode, body).toBe(200)
  const { aContainsB, bContainsA } = JSON.parse(body)
  return aContainsB === true && bContainsA === true
}

function poseOf({ position, rotation }: MovingBody2d) {
  return { ...(position && { position }), ...(rotation !== undefined && { rotation }) }
}
