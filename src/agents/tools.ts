// All tools, in the order in which they are listed, and the call of one: whatever becomes of it is an answer.

import { nearestName } from '../wire/nearest-name.ts'
import { apply } from './apply.ts'
import { findBodies } from './find-bodies.ts'
import { listScenes, openLevel } from './open-level.ts'
import { picture } from './picture.ts'
import { queryTools } from './query-tools.ts'
import { type Arguments, type Content, type Surroundings, type Tool, ToolFault } from './tool.ts'

const others = [listScenes, findBodies, ...queryTools, apply, picture]
const withFiles = [openLevel(true), ...others]
const withoutFiles = [openLevel(false), ...others]

export function toolsFor({ readLevel }: Pick<Surroundings, 'readLevel'>): readonly Tool[] {
  return readLevel === undefined ? withoutFiles : withFiles
}

export interface Outcome {
  readonly content: readonly Content[]
  readonly isError?: true
}

/** Letters of an error. */
const MOST_TEXT = 2000

/** `onFault`: told what is a fault of our own. Rejects only where the signal has ended it. */
export async function callTool(
  { name, args }: { name: string; args: unknown },
  around: Surroundings,
  onFault: (error: unknown) => void,
): Promise<Outcome> {
  const tools = toolsFor(around)
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    const names = tools.map((each) => each.name)
    const near = nearestName(name.slice(0, MOST_NAME), names)
    const hint = near === undefined ? `The tools are ${names.join(', ')}.` : `Did you mean ${near}?`
    return failed(`${JSON.stringify(name.slice(0, MOST_NAME))} is no tool. ${hint}`)
  }
  try {
    return { content: await tool.run((args ?? {}) as Arguments, around) }
  } catch (error) {
    around.signal?.throwIfAborted()
    if (error instanceof ToolFault) return failed(`${error.message} ${error.next}`)
    // nesting that is too deep for whoever reads and writes JSON
    if (error instanceof RangeError) return failed('The arguments are nested too deep. Send flat ones.')
    onFault(error)
    return failed('The tool failed, which is a fault of the service and not yours. Try it another way.')
  }
}

const MOST_NAME = 80

function failed(text: string): Outcome {
  return { content: [{ type: 'text', text: text.slice(0, MOST_TEXT) }], isError: true }
}
