/**
 * Scratch that outlives a request: how much of it may stay, and the stacks of walks over trees. Each walk under way that calls others has a stack of its own, because what it calls may walk too; it
 * ends in a `finally`, so that a visit that throws leaves nothing behind.
 */

export interface WalkStack {
  nodes: Int32Array
  /** A number for each node. */
  keys: Float64Array
}

const stacks: WalkStack[] = []
let walks = 0

/** A stack with room for so many nodes, until `endWalk`. */
export function beginWalk(room: number): WalkStack {
  const stack = soleWalk(room)
  walks++
  return stack
}

/** A stack for a walk that calls nothing that may walk: you need not end it. */
export function soleWalk(room: number): WalkStack {
  let stack = stacks[walks]
  if (stack === undefined) {
    stack = createStack(2 * room)
    stacks[walks] = stack
  } else if (stack.nodes.length < room) {
    Object.assign(stack, createStack(2 * room))
  }
  return stack
}

/** Ends the walk that was begun last. */
export function endWalk(): void {
  walks--
  if (stacks[walks].nodes.length > KEPT_ENTRIES) stacks[walks] = createStack(0)
}

function createStack(room: number): WalkStack {
  return { nodes: new Int32Array(room), keys: new Float64Array(room) }
}

/** Doubles the room, keeping what is there. */
export function extendWalk(stack: WalkStack): void {
  const { nodes, keys } = stack
  Object.assign(stack, createStack(2 * nodes.length))
  stack.nodes.set(nodes)
  stack.keys.set(keys)
}

/**
 * How much room scratch may keep that outlives a request, in entries of an array: what a larger one needed is given back at its
 * end, so that one large request does not fill the process for good.
 */
export const KEPT_ENTRIES = 2 ** 16
