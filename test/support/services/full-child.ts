// A process whose files must not grow beyond what its parent allows. It does what it is told, a line at a time, and answers
// with one: `fill` (append until there is no room), `try SCENES` (append to so many at once), `read`, `close`.

import { createInterface } from 'node:readline'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { lifeOf, plainAppend } from './plain-append.ts'

const store = await openFileStore({ directory: process.argv[2] })
const block = new Uint8Array(60_000).fill(1)
let version = 0

const nameOf = (error: Error) => error.name
async function answer(command: string, argument: string): Promise<unknown> {
  if (command === 'fill') {
    for (;;) {
      const outcome = await plainAppend(store, 'a', version, [block]).catch(nameOf)
      if (typeof outcome === 'string') return { version, outcome }
      version = outcome.version
    }
  }
  if (command === 'try') {
    const scenes = Array.from({ length: Number(argument) }, (_, index) => `s${index}`)
    const outcomes = await Promise.all(scenes.map((scene) => plainAppend(store, scene, 0, [block]).catch(nameOf)))
    return outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.version))
  }
  if (command === 'read') {
    const whole: number[] = []
    for await (const entry of store.read(await lifeOf(store, 'a'), 1))
      if (entry.bytes?.length === block.length) whole.push(entry.version)
    return { whole: whole.length, scenes: (await store.list()).map(({ id }) => id) }
  }
  await store.close()
  process.exit(0)
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command, argument = ''] = line.split(' ')
  process.stdout.write(`${JSON.stringify(await answer(command, argument))}\n`)
}
