// One library of the broad-phase bench on a field of one size, in a process of its own: what one library does to the engine's
// type feedback must not tell on another. Told its library and size by message, it answers one order after another.

import { FAR_PASS, type Field, HOME_PASS, makeField } from './broad-phase-field.ts'
import { type OperationName, type Operations, unitsOf } from './broad-phase-operations.ts'

export type Order =
  | { order: 'load'; library: string; count: number }
  | { order: 'pass'; operation: OperationName }
  | { order: 'warm-up'; operation: OperationName; milliseconds: number }
  | { order: 'round'; operation: OperationName; milliseconds: number }

/** What a pass returned, and how long it took in milliseconds. */
export interface Pass {
  answer: number
  milliseconds: number
}

const LOADERS: Record<string, (field: Field) => Promise<Operations>> = {
  tangent: async (field) => (await import('./broad-phase-tangent.ts')).tangentOperations(field, 'auto'),
  'tangent, spatial-hash': async (field) =>
    (await import('./broad-phase-tangent.ts')).tangentOperations(field, 'spatial-hash'),
  'tangent, dynamic-tree': async (field) =>
    (await import('./broad-phase-tangent.ts')).tangentOperations(field, 'dynamic-tree'),
  rbush: async (field) => (await import('./broad-phase-rbush.ts')).rbushOperations(field),
  flatbush: async (field) => (await import('./broad-phase-flatbush.ts')).flatbushOperations(field),
  'detect-collisions': async (field) =>
    (await import('./broad-phase-detect-collisions.ts')).detectCollisionsOperations(field),
  planck: async (field) => (await import('./broad-phase-planck.ts')).planckOperations(field),
  Rapier: async (field) => (await import('./broad-phase-rapier.ts')).rapierOperations(field),
}

let field: Field
let operations: Operations = {}
/** Passes made of each operation. */
const made = new Map<OperationName, number>()

function pass(name: OperationName): Pass {
  const number = made.get(name) ?? 0
  made.set(name, number + 1)
  // Libraries have made different numbers of moves until now.
  if (number === 0 && name === 'movedQuery') operations.move!(FAR_PASS)
  if (number === 0 && name === 'insert') operations.move!(HOME_PASS)
  const start = performance.now()
  const answer = operations[name]!(number)
  return { answer, milliseconds: performance.now() - start }
}

/** A round begins with passes that do not count, because other libraries have had the caches in between; long ones do without. */
const LEAD_IN_MS = 10
const latest = new Map<OperationName, number>()

/** Nanoseconds for one box, query or move, over as many passes as fit into the time. */
function round(name: OperationName, milliseconds: number): number {
  if ((latest.get(name) ?? 0) < LEAD_IN_MS) spend(name, LEAD_IN_MS)
  return spend(name, milliseconds)
}

function spend(name: OperationName, milliseconds: number): number {
  let spent = 0
  let passes = 0
  while (passes === 0 || spent < milliseconds) {
    const { milliseconds: took } = pass(name)
    latest.set(name, took)
    spent += took
    passes++
  }
  return (1e6 * spent) / (passes * unitsOf(name, field))
}

async function obey(message: Order): Promise<OperationName[] | Pass | number> {
  switch (message.order) {
    case 'load':
      field = makeField(message.count)
      operations = await LOADERS[message.library]!(field)
      return Object.keys(operations) as OperationName[]
    case 'pass':
      return pass(message.operation)
    case 'warm-up':
    case 'round':
      return round(message.operation, message.milliseconds)
  }
}

process.on('message', async (message: Order) => process.send?.(await obey(message)))
process.once('disconnect', () => process.exit(0))
