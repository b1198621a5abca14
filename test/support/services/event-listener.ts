/** Somebody who listens to the events of a scene, keeps what they say, and may lose the connection at any event. */

export interface HeardEvent {
  event: string
  /** Empty where the event had none. */
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into every kind of event
  data: any
}

/** The events of a text that ends with a whole one, and what is left of it. */
export function parseEvents(text: string): { events: HeardEvent[]; rest: string } {
  const blocks = text.split('\n\n')
  const rest = blocks.pop() as string
  const events: HeardEvent[] = []
  for (const block of blocks) {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const [, name, value] = /^(\w*):? ?(.*)$/.exec(line) as RegExpExecArray
      if (name !== '') fields.set(name, value)
    }
    const data = fields.get('data')
    if (data === undefined) continue
    events.push({ event: fields.get('event') ?? '', id: fields.get('id') ?? '', data: JSON.parse(data) })
  }
  return { events, rest }
}

/** What somebody knows who believes the events: versions in order, and the pairs that meet. */
export class Replay {
  readonly versions: number[] = []
  readonly pairs: Set<string>
  /** What was told twice or out of order. */
  readonly faults: string[] = []
  lastId = ''
  resets = 0

  constructor(pairs: Iterable<string> = []) {
    this.pairs = new Set(pairs)
  }

  take({ event, id, data }: HeardEvent): void {
    if (id !== '') this.lastId = id
    if (event === 'reset') this.resets++
    if (event === 'operations') {
      const last = this.versions.at(-1)
      if (last !== undefined && data.version !== last + 1) this.faults.push(`version ${data.version} after ${last}`)
      this.versions.push(data.version)
      return
    }
    const pair = `${data.a} ${data.b}`
    if (event === 'overlap-began') {
      if (this.pairs.has(pair)) this.faults.push(`${pair} began twice by ${data.version}`)
      this.pairs.add(pair)
    }
    if (event === 'overlap-ended' && !this.pairs.delete(pair))
      this.faults.push(`${pair} ended twice by ${data.version}`)
  }
}
