// Writes a second, of one replica and of two, to one scene and to 32.

import { box, type Cluster, quantile, type Replica, scenePath, sceneUrl, sendWell, spread } from './cluster.ts'
import { load, sum } from './load.ts'

/** Of a writer, to as many bodies of as many scenes as there are. */
const WRITES = 160

interface Turn {
  readonly replicas: readonly Replica[]
  readonly ids: readonly string[]
  /** The replicas have nothing in common: each scene is written through one of them, and no other has it in memory. */
  readonly areApart?: boolean
}

/** Of one writer, over and over. */
const writesOf = (writer: number, ids: readonly string[]) =>
  Array.from({ length: WRITES }, (_, k) => ({
    path: `${scenePath(ids[(writer + k) % ids.length]!)}/operations`,
    body: { operations: [box(`w${writer}-${k % 20}`, k, writer)] },
  }))

async function rate({ replicas, ids, areApart = false }: Turn, writers: number, seconds: number) {
  const rates = replicas.map(async (replica, nth) => {
    const own = ids.filter((_, k) => !areApart || k % replicas.length === nth)
    for (const id of own) await sendWell(sceneUrl(replica, id), 'PUT', {})
    const writersHere = Array.from({ length: writers }, (_, k) => k).filter((k) => k % replicas.length === nth)
    return load(
      replica.url,
      writersHere.map((writer) => writesOf(writer, own)),
      seconds,
    )
  })
  return sum(await Promise.all(rates))
}

const idsFor = (name: string, count: number) => Array.from({ length: count }, (_, k) => `${name}-${count}-${k}`)

/**
 * In short turns, each of which is held against its neighbours: a processor may be twice as fast a moment later. The first round does not
 * count: validators are being compiled. `alone`: one replica writes what no other has in memory. `one`: it writes, and the other follows.
 * `two`: both write, and follow each other. `apart`: both write, and have nothing in common, which is what the machine has for two.
 */
export async function measureWriteRates({ replicas }: Cluster, { rounds, seconds, writers }: Record<string, number>) {
  const [first, two] = [replicas.slice(0, 1), replicas.slice(0, 2)]
  for (const sceneCount of [1, 32]) {
    const shared = idsFor('shared', sceneCount)
    const turns = {
      alone: { replicas: first, ids: idsFor('alone', sceneCount) },
      one: { replicas: first, ids: shared },
      two: { replicas: two, ids: shared },
      apart: { replicas: two, ids: idsFor('apart', Math.max(2, sceneCount)), areApart: true },
    }
    const names = Object.keys(turns) as (keyof typeof turns)[]
    const rates = { alone: [] as number[], one: [] as number[], two: [] as number[], apart: [] as number[] }
    for (let k = 0; k <= rounds!; k++) {
      for (const name of k % 2 === 0 ? names : names.toReversed()) {
        const reached = await rate(turns[name], writers!, seconds!)
        if (k > 0) rates[name].push(reached)
      }
    }
    console.log(`${sceneCount} scenes, ${writers} writers:`)
    for (const name of names) console.log(`  ${name} ${quantile(rates[name], 0.5).toFixed(0)}/s`)
    for (const [name, of] of [
      ['two', 'one'],
      ['two', 'alone'],
      ['apart', 'alone'],
    ] as const) {
      const ratios = rates[name].map((reached, k) => reached / rates[of][k]!)
      console.log(`  ${name} of ${of} ${spread(ratios)}`)
    }
  }
}
