// A process that writes to scenes with all its might until it is killed. Started by `kill-rounds.ts`.
// It waits for a line `directory firstSeed`, then says `ready`, then one line for every write that was acknowledged.

import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Keeper } from '../../../src/scene/keeper/keeper.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { creation, prepare } from './kept-scenes.ts'
import { dimensionOf, operationsOf, SCENE_IDS, TAIL_BYTE_COUNT, timeOf, WRITER_COUNT } from './kill-writes.ts'

const say = (line: string) => writeSync(1, `${line}\n`)

async function run(directory: string, firstSeed: number) {
  const onEvent = (event: object) => say(`event ${JSON.stringify(event)}`)
  const keeper = await Keeper.open({
    store: await openFileStore({ directory }),
    prepare,
    tailByteCount: TAIL_BYTE_COUNT,
    onEvent,
  })
  for (const id of SCENE_IDS)
    if (keeper.loaded(id) === null) await keeper.create(creation(id, { dimension: dimensionOf(id) }))
  say('ready')
  let seed = firstSeed
  for (let writer = 0; writer < WRITER_COUNT; writer++) void writeForever(writer)

  async function writeForever(writer: number) {
    for (;;) {
      const mine = seed++
      const id = SCENE_IDS[mine % SCENE_IDS.length]
      const outcome = await keeper.write(id, { at: timeOf(mine), operations: operationsOf(mine, writer) })
      say('isRepeated' in outcome ? `done ${id} ${outcome.version} ${mine} ${writer}` : `refused ${outcome.refusal}`)
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [directory, firstSeed] = line.split(' ')
  await run(directory, Number(firstSeed))
}
