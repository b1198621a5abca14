/**
 * Work that others may watch by a channel of `node:diagnostics_channel`, as `src/telemetry` does. Where nobody watches, it costs a look at
 * the channel.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { TracingChannel } from 'node:diagnostics_channel'

/**
 * Does the work. Where the channel is watched, a message is made of it, and published as `TracingChannel.tracePromise` does: at its start
 * and end, with the `result` or `error`. The work gets the message, which a watcher may have added to; else null.
 */
export function watched<Message extends object, Value>(
  channel: TracingChannel<object, Message>,
  messageOf: () => Message,
  work: (message: Message | null) => Promise<Value>,
): Promise<Value> {
  if (!channel.hasSubscribers) return work(null)
  const message = messageOf()
  return channel.tracePromise(() => work(message), message) as Promise<Value>
}

/** Does work as if whoever asked for it did it now: what belongs to them (`AsyncLocalStorage`) is there. */
export type Caller = <Value>(work: () => Value) => Value

export function currentCaller(): Caller {
  return AsyncLocalStorage.snapshot()
}
