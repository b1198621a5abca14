// One library of the bench of meshes with one mesh, in a process of its own. Told both by message, it builds its tree and answers one
// order after another. Times are of the processor, which those of other processes on it do not disturb.

import {
  type Asks,
  type MeshQuestions,
  type ModelName,
  meshQuestions,
  QUESTION_COUNT,
  type Question,
} from './mesh-questions.ts'

export type Order =
  | { order: 'load'; library: string; model: ModelName }
  | { order: 'build' }
  | { order: 'answers'; question: Question }
  | { order: 'round'; question: Question }

interface Library {
  build(): unknown | Promise<unknown>
  bytes(): number | null
  asks(): Asks
}

async function libraryOf(name: string, questions: MeshQuestions): Promise<Library> {
  if (name === 'tangent') {
    const { askTangent, buildTangent, bytesOfTangent } = await import('./mesh-tangent.ts')
    let mesh = buildTangent(questions)
    return {
      build: () => {
        mesh = buildTangent(questions)
      },
      bytes: () => bytesOfTangent(mesh),
      asks: () => askTangent(questions, mesh),
    }
  }
  if (name === 'Rapier') {
    const { askRapier, buildRapier } = await import('./mesh-rapier.ts')
    let shape = await buildRapier(questions)
    return {
      build: async () => {
        shape.free()
        shape = await buildRapier(questions)
      },
      bytes: () => null,
      asks: () => askRapier(questions, shape),
    }
  }
  const { askThree, buildThree, bytesOfThree } = await import('./mesh-three.ts')
  const isSah = name.endsWith('SAH')
  let tree = buildThree(questions, isSah)
  return {
    build: () => {
      tree = buildThree(questions, isSah)
    },
    bytes: () => bytesOfThree(tree, questions),
    asks: () => askThree(questions, tree),
  }
}

let library: Library
let asks: Asks
let sink = 0

function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return 1000 * (user + system)
}

async function obey(message: Order): Promise<number[]> {
  switch (message.order) {
    case 'load': {
      library = await libraryOf(message.library, meshQuestions(message.model))
      asks = library.asks()
      return [library.bytes() ?? Number.NaN]
    }
    case 'build': {
      const start = process.cpuUsage()
      await library.build()
      const nanoseconds = spent(start)
      asks = library.asks()
      return [nanoseconds]
    }
    case 'answers':
      return Array.from({ length: QUESTION_COUNT }, (_, i) => asks[message.question](i))
    case 'round': {
      const ask = asks[message.question]
      const start = process.cpuUsage()
      for (let i = 0; i < QUESTION_COUNT; i++) sink += ask(i)
      const nanoseconds = spent(start)
      if (Number.isNaN(sink)) throw new Error('an answer is not a number')
      return [nanoseconds / QUESTION_COUNT]
    }
  }
}

process.on('message', async (message: Order) => process.send?.(await obey(message)))
process.once('disconnect', () => process.exit(0))
