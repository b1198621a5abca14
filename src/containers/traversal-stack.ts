/** Scratch of walks over trees. Each walk under way has its own, because what it calls may walk too. */
import { KEPT_ENTRIES } from './kept-entries.ts'

export interface WalkStack {
  nodes: Int32Array
  /** A number for each node. */
  keys: Float64Array
}

const stacks: WalkStack[] = []
let walks = 0

/** A stack with room for so many nodes, until `endWalk`. */
export function beginWalk(room: number): WalkStack {
  const stack = stacks[walks] ?? { nodes: new Int32Array(0), keys: new Float64Array(0) }
  stacks[walks++] = stack
  if (stack.nodes.length < room) {
    stack.nodes = new Int32Array(2 * room)
    stack.keys = new Float64Array(2 * room)
  }
  return stack
}

/** Ends the walk that was begun last. */
export function endWalk(): void {
  walks--
  if (stacks[walks].nodes.length > KEPT_ENTRIES) stacks[walks] = { nodes: new Int32Array(0), keys: new Float64Array(0) }
}

/** Doubles the room, keeping what is there. */
export function extendWalk(stack: WalkStack): void {
  const nodes = new Int32Array(2 * stack.nodes.length)
  nodes.set(stack.nodes)
  const keys = new Float64Array(2 * stack.keys.length)
  keys.set(stack.keys)
  stack.nodes = nodes
  stack.keys = keys
}
