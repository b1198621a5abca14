// The tools over lines: what is no message, what is too long, files that may not be read, and the end of the input.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wholeLines } from '../../src/agents/lines.ts'
import { runTangent } from '../support/command-run.ts'
import { call, clientByLines, told } from '../support/tool-clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'tangent-agents-'))
const root = join(folder, 'levels')
const LEVEL = JSON.stringify({ bodies: [{ id: 'a', shape: { type: 'circle', radius: 1 } }] })
beforeAll(() => {
  mkdirSync(join(root, 'inner'), { recursive: true })
  writeFileSync(join(folder, 'secret.json'), LEVEL)
  writeFileSync(join(root, 'inner', 'level.json'), LEVEL)
  symlinkSync(join(folder, 'secret.json'), join(root, 'link.json'))
  writeFileSync(join(root, 'huge.json'), '')
  truncateSync(join(root, 'huge.json'), 2 ** 29)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const message = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

describe('files', () => {
  it('are read within the folder', async () => {
    const client = await clientByLines(['--root', root])
    for (const path of ['inner/level.json', join(root, 'inner/level.json'), 'inner/../inner/level.json']) {
      expect(await told(client, 'open_level', { path, dimension: 2 })).toMatchObject({ bodyCount: 1 })
    }
    for (const [path, message] of [
      ['../secret.json', /lies outside of the folder/],
      [join(folder, 'secret.json'), /lies outside of the folder/],
      ['link.json', /lies outside of the folder/],
      ['/dev/zero', /lies outside of the folder/],
      ['inner', /inner is no file/],
      ['nowhere.json', /nowhere\.json cannot be read \(ENOENT\)\. Check the path/],
      ['a\0b', /cannot be read/],
      ['x'.repeat(2000), /path must have at most 1024 characters/],
      ['huge.json', /huge\.json has 536870912 bytes, and the most is/],
    ] as const) {
      const { isError, text } = await call(client, 'open_level', { path, dimension: 2 })
      expect(text).toMatch(message)
      expect(isError).toBe(true)
    }
    expect((await told(client, 'list_scenes')).scenes).toHaveLength(3)
    await client.close()
  })

  it('need a folder that is there', async () => {
    const { code, err } = await runTangent(['mcp', '--root', join(folder, 'nowhere')])
    expect([code, err]).toEqual([2, expect.stringContaining('name one with --root')])
  })
})

describe('lines', () => {
  it('that are no messages are passed over', async () => {
    const client = await clientByLines(['--root', root])
    client.send('hello\n{"jsonrpc":"2.0"}\n[1,2\n\n\0\n')
    client.send(`${message(9000, 'tools/call', { name: 7 })}\n`)
    expect(await told(client, 'list_scenes')).toEqual({ scenes: [], truncated: false })
    await client.close()
  })

  it('that are too long are answered with an error, and the next one is answered', async () => {
    const client = await clientByLines(['--root', root])
    const content = 'x'.repeat(10_000_000)
    await expect(client.client.callTool({ name: 'open_level', arguments: { content } })).rejects.toThrow(
      /longer than 8388608 bytes. Open a large level by its path/,
    )
    expect(await told(client, 'list_scenes')).toEqual({ scenes: [], truncated: false })
    await client.close()
  })

  it('have numbers that are too large, and nesting that is too deep', async () => {
    const args = `{"scene":"here","point":{"x":1e999,"y":0}}`
    const deep = `{"scene":"here","operations":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const called = (id: number, name: string, text: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${text}}}\n`
    const input = [called(1, 'open_level', '{"scene":"here"}'), called(2, 'nearest', args), called(3, 'apply', deep)]
    const { code, out } = await runTangent(['mcp'], { input: input.join('') })
    const answers = new Map(
      out
        .trim()
        .split('\n')
        .map((line) => [JSON.parse(line).id, line]),
    )
    expect([code, [...answers.keys()].sort()]).toEqual([0, [1, 2, 3]])
    for (const id of [2, 3]) expect(JSON.parse(answers.get(id) as string).result.isError).toBe(true)
  })

  it('are answered before the end, the last one also without its own', async () => {
    const input = `${message(1, 'tools/list')}\n${message(2, 'tools/call', { name: 'list_scenes' })}`
    const { code, out, err } = await runTangent(['mcp'], { input })
    expect([code, err]).toEqual([0, ''])
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2])
  })

  it('come out whole, whatever pieces they come in', async () => {
    const most = 10
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'é'), maxLength: 12 }), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
          const pieces: Buffer[] = []
          for (let at = 0, k = 0; at < bytes.length; k++) {
            const end = at + cuts[k % cuts.length]
            pieces.push(bytes.subarray(at, end))
            at = end
          }
          let long = 0
          const whole = wholeLines(most, () => long++)
          const out = await text(Readable.from(pieces).pipe(whole))
          const short = lines.filter((line) => Buffer.byteLength(line) < most)
          expect(out).toBe(short.map((line) => `${line}\n`).join(''))
          expect(long).toBe(lines.length - short.length)
        },
      ),
    )
  })
})
