// The session of docs/agents.md, call by call.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { call, clientByLines } from '../support/tool-clients.ts'

const SCENE = 'cellar-6f9b2c11'

const calls = [...readFileSync('docs/agents.md', 'utf8').matchAll(/^\{ "name": .*\}$/gm)].map(
  ([line]) => JSON.parse(line) as { name: string; arguments: { operations?: object } },
)

it('goes as it says', async () => {
  const client = await clientByLines(['--root', 'examples/levels'])
  expect(calls.map(({ name }) => name).join(' ')).toBe('open_level find_bodies place apply apply lint picture')
  let scene = ''
  let operations: object = []
  for (const { name, arguments: said } of calls) {
    const { isError, text, images } = await call(
      client,
      name,
      JSON.parse(JSON.stringify(said).replaceAll(SCENE, scene)),
    )
    expect([name, isError, isError ? text : '']).toEqual([name, false, ''])
    const answer = name === 'picture' ? { images } : JSON.parse(text)
    scene ||= answer.scene
    if (name === 'find_bodies') expect(answer.bodies[0].id).toBe('Things:646b3ac4-79b5-523d-a769-e8dce6cd0c76')
    if (name === 'place') operations = answer.operations
    if (name === 'apply') expect(said.operations).toEqual(operations)
    if (name === 'picture') expect(images).toHaveLength(1)
  }
  expect(scene).toMatch(/^cellar-[0-9a-f]{8}$/)
  await client.close()
})
