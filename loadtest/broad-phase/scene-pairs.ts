// The bench of a scene's pairs: the same question again and again, with writes in between, by every method. Two scenes get the same
// writes; one is asked by `auto`, which keeps what it found, the other by the methods that start anew. What keeping costs the
// writes is counted, too. All answers of a round must be equal.
//
//   npm run bench:scene-pairs                                 and the results are kept
//   npm run bench:scene-pairs -- --bodies 10000 --rounds 3    as a try
//
// Scenes are sparse (a pair of bodies for ten of them) or dense (nine for each); 1 % or 20 % of the bodies move, the same each time or
// others, within the margin of the scene or beyond it. Half the bodies are circles, half boxes.

import { parseArgs } from 'node:util'
import { finishAtOnce, type Slices } from '../../src/containers/budget.ts'
import type { PairsMethod } from '../../src/scene/queries/near-pairs.ts'
import { type PairsAnswer, queryPairs } from '../../src/scene/queries/pairs.ts'
import type { Operation } from '../../src/scene/state/operation.ts'
import { apply, createScene, type Scene } from '../../src/scene/state/scene.ts'
import { type PlaneView, presentView } from '../../src/scene/state/view.ts'
import { prepareShape } from '../../src/wire/scene-body.ts'
import { type Between, seeded } from '../measuring/random-body.ts'
import { median, type ScenePairsRow, saveResults, today } from '../results.ts'

const { values } = parseArgs({
  options: {
    bodies: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
  },
})
const bodies = Number(values.bodies)
const rounds = Number(values.rounds)
/** What the service gives at most when it is not told otherwise. */
const LIMIT = 100_000
const MARGIN = 0.1
/** Bodies for a square of side 1. */
const DENSITY = { sparse: 0.05, dense: 5 }
const SHARES = [0.01, 0.2]
/** How far a body goes. */
const STEPS = { within: 0.05, beyond: 1 }
const METHODS: PairsMethod[] = ['sweep-and-prune', 'spatial-hash', 'dynamic-tree']

interface Field {
  scenes: { asked: Scene; unasked: Scene }
  places: Float64Array
}

function fieldOf(kind: keyof typeof DENSITY, between: Between): Field {
  const width = Math.sqrt(bodies / DENSITY[kind])
  const places = new Float64Array(2 * bodies).map(() => between(0, width))
  const operations = Array.from({ length: bodies }, (_, i): Operation => {
    const size = 0.5 + (i % 16) / 16
    const shape = i % 2 === 0 ? { type: 'circle', radius: size / 2 } : { type: 'box', width: size, height: size }
    return { op: 'put', body: { id: `body-${i}`, shape, position: { x: places[2 * i]!, y: places[2 * i + 1]! } } }
  })
  const filled = () => {
    const scene = createScene(prepareShape)
    const create: Operation = { op: 'create', sceneId: kind, dimension: 2, margin: MARGIN, at: 0 }
    apply(scene, { version: 1, at: 0, operations: [create] })
    apply(scene, { version: 2, at: 0, operations })
    return scene
  }
  return { scenes: { asked: filled(), unasked: filled() }, places }
}

/** A step in any direction for so many of the bodies; `first`: where their stretch of numbers begins. */
function stepsOf({ places }: Field, first: number, share: number, length: number, between: Between): Operation[] {
  const stride = 7919
  return Array.from({ length: Math.round(share * bodies) }, (_, k): Operation => {
    const i = ((first + k) * stride) % bodies
    const angle = between(-Math.PI, Math.PI)
    places[2 * i]! += length * Math.cos(angle)
    places[2 * i + 1]! += length * Math.sin(angle)
    return { op: 'move', id: `body-${i}`, position: { x: places[2 * i]!, y: places[2 * i + 1]! } }
  })
}

function write(scene: Scene, operations: Operation[]): number {
  const start = performance.now()
  apply(scene, { version: scene.version + 1, at: 0, operations })
  return performance.now() - start
}

function ask(scene: Scene, method: PairsMethod): { milliseconds: number; pairs: number; answer: string } {
  const start = performance.now()
  const work = queryPairs(presentView(scene) as PlaneView, {
    accepts: () => true,
    method,
    contacts: false,
    limit: LIMIT,
  })
  // convex bodies of few points call for nobody
  const { pairs, truncated } = finishAtOnce(work as Slices<PairsAnswer>)
  const milliseconds = performance.now() - start
  return { milliseconds, pairs: pairs.length, answer: `${truncated} ${pairs.map(({ idA, idB }) => `${idA} ${idB}`)}` }
}

function* cases() {
  for (const share of SHARES) {
    for (const movers of ['same', 'others'] as const) {
      for (const step of ['within', 'beyond'] as const) yield { share, movers, step }
    }
  }
}

function measure(kind: keyof typeof DENSITY): ScenePairsRow[] {
  const between = seeded(kind.length)
  const field = fieldOf(kind, between)
  const { asked, unasked } = field.scenes
  return Array.from(cases(), ({ share, movers, step }) => {
    const times: Record<string, number[]> = { 'writes, asked': [], 'writes, not asked': [] }
    let count = 0
    for (let round = -1; round < rounds; round++) {
      const first = movers === 'same' ? 0 : (round + 1) * Math.round(share * bodies)
      const operations = stepsOf(field, first, share, STEPS[step], between)
      const order = round % 2 === 0 ? [asked, unasked] : [unasked, asked]
      for (const scene of order) {
        const taken = write(scene, operations)
        // the first round warms up
        if (round >= 0) times[scene === asked ? 'writes, asked' : 'writes, not asked']!.push(taken)
      }
      const { milliseconds, pairs, answer } = ask(asked, 'auto')
      count = pairs
      const answers = new Map([['auto' as PairsMethod, milliseconds]])
      for (const method of METHODS) {
        const found = ask(unasked, method)
        if (found.answer !== answer) throw new Error(`${method} gives other pairs than auto`)
        answers.set(method, found.milliseconds)
      }
      if (round < 0) continue
      for (const [method, taken] of answers) {
        times[method] ??= []
        times[method].push(taken)
      }
    }
    const milliseconds = Object.fromEntries(
      Object.entries(times).map(([name, list]) => [name, Number(median(list).toFixed(1))]),
    )
    const row = { scene: kind, share, movers, step, pairs: count, milliseconds }
    console.log(`${kind}, ${100 * share} % move, ${movers}, ${step} the margin: ${count} pairs`, milliseconds)
    return row
  })
}

const rows = [...measure('sparse'), ...measure('dense')]
const path = saveResults({ scenePairs: { date: today(), bodies, limit: LIMIT, rounds, rows } })
console.log(`written to ${path.slice(path.indexOf('loadtest'))}`)
