// Scenes exported and imported again over HTTP without a socket, and whether two bodies are the same set of points.

import { expect } from 'vitest'
import type { MovingBody2d } from '../../schemas/shapes/body.ts'
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
