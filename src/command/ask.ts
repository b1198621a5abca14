// tangent ask: a stateless query, or a query of a level as a scene, from its request in JSON.

import { readFile } from 'node:fs/promises'
import { exchanges, exchanges3d } from '../../schemas/queries/exchanges.ts'
import { sceneExchanges, sceneExchanges3d } from '../../schemas/scenes/exchanges.ts'
import { nearestName } from '../wire/nearest-name.ts'
import { dropScene, LEVEL_FLAGS, openLevel } from './level.ts'
import { OUTPUT, writeOutput } from './output.ts'
import { type Answer, accepted, type Service } from './service.ts'
import { type Asked, CLEAN, type Subcommand } from './subcommand.ts'
import { Refused } from './terminal.ts'

export const ask: Subcommand = {
  usage: 'OP [REQUEST] [flags]',
  about:
    'Asks a query and prints its answer. OP is its path below /v1, such as 2d/contact or 3d/ray-cast; with --scene, the name of a scene query, such as nearest. The request is the JSON that the service takes, from the file REQUEST or else from standard input.',
  example: `echo '{"ray":{"origin":{"x":0,"y":90},"direction":{"x":1,"y":0}}}' | tangent ask ray-cast --scene examples/levels/cellar.ldtk`,
  flags: [
    {
      name: 'scene',
      flag: 'scene',
      type: 'text',
      value: 'file',
      description: 'A level to import first; the query is about its bodies.',
    },
    {
      ...OUTPUT,
      description:
        'Write the answer to this file instead of standard output. Where its name ends in .svg, the answer is drawn.',
    },
    ...LEVEL_FLAGS,
  ],
  run: runAsk,
}

async function runAsk(asked: Asked): Promise<number> {
  const { operands, values, ends } = asked
  const [op, request, ...more] = operands
  if (op === undefined) throw new Refused('Name the query, such as 2d/contact; see tangent ask --help.')
  if (more.length > 0) throw new Refused(`There is one request to a query; ${more.join(' ')} is too much.`)
  const level = values.get('scene')?.at(-1)
  const path = level === undefined ? statelessPath(op) : null
  const query = path === null ? sceneQuery(op) : op
  const body = request === undefined ? await allOf(ends.input) : await requestIn(request)
  const service = await asked.service()
  if (path !== null) return print(asked, await send(service, path, body, asked))
  const { scene } = await openLevel(service, level as string, asked)
  try {
    return await print(asked, await send(service, `${scene.path}/${query}`, body, asked))
  } finally {
    await dropScene(service, scene)
  }
}

function statelessPath(op: string): string {
  const [plane, space] = [exchanges, exchanges3d].map((list) => [...list.map(({ op }) => op), 'batch'])
  const known = [...plane.map((name) => `2d/${name}`), ...space.map((name) => `3d/${name}`)]
  if (known.includes(op)) return `/v1/${op}`
  const near = nearestName(op, known) ?? known.find((name) => name.endsWith(`/${op}`))
  throw new Refused(`${op} is no query. ${hintOf(near, known)} With --scene FILE, a query of the level.`)
}

/** The query of scenes, whatever dimension stands before it. */
function sceneQuery(op: string): string {
  const known = [...new Set([...sceneExchanges, ...sceneExchanges3d].map((each) => each.op)), 'batch']
  const name = op.replace(/^[23]d\//, '')
  if (known.includes(name)) return name
  throw new Refused(`${op} is no query of a level. ${hintOf(nearestName(name, known), known)}`)
}

function hintOf(near: string | undefined, known: readonly string[]): string {
  return near === undefined ? `It is one of ${known.join(', ')}.` : `Did you mean ${near}?`
}

async function allOf(input: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function requestIn(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Refused(`The request cannot be read from ${path} (${error.code}): check the path.`)
  })
}

function send(service: Service, path: string, body: Uint8Array, { values }: Asked): Promise<Answer> {
  const accept = /\.svg$/i.test(values.get(OUTPUT.name)?.at(-1) ?? '') ? 'image/svg+xml' : 'application/json'
  return service.request('POST', path, { 'content-type': 'application/json', accept }, body)
}

async function print(asked: Asked, answer: Answer): Promise<number> {
  await writeOutput(asked, await accepted(answer), '\n')
  return CLEAN
}
