// The current sketch and view, listeners to their changes, and steps that can be undone.

import { type History, NO_HISTORY, recorded, redone, type Sketch, type SketchBody, undone } from './sketch/sketch.ts'

interface Settings {
  snap: boolean
  grid: boolean
  tree: boolean
  /** Whether the service's own picture stands for bodies that are too many to be drawn here. */
  backdrop: boolean
}

/** `View`: how it is looked at, which differs between the pages of the plane and of space. */
export interface Desk<View = unknown> {
  readonly sketch: Sketch
  readonly view: View
  readonly settings: Settings
  /** Grows when what the service holds may have changed. */
  readonly news: number
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** No step: within a gesture, or what is chosen. */
  show(sketch: Sketch): void
  /** One step, from what there is. */
  commit(sketch: Sketch): void
  /** A gesture starts: what is shown until it is finished is one step. */
  begin(): void
  /** The step of the gesture. None where it has changed nothing. */
  finish(sketch: Sketch): void
  /** Another sketch altogether, with nothing to undo. */
  open(sketch: Sketch): void
  /** Takes over changes by others: they are no step, nor part of the gesture under way. `isNews`: the service may draw the scene differently now. */
  receive(sketch: Sketch, isNews?: boolean): void
  look(view: View): void
  set(settings: Partial<Settings>): void
  undo(): void
  redo(): void
  onChange(listener: () => void): void
  /** Steps, with what there was before: scenes write them. */
  onStep(listener: (before: Sketch, now: Sketch) => void): void
}

export function createDesk<View>(first: Sketch, firstView: View): Desk<View> {
  let sketch = first
  let view = firstView
  let settings: Settings = { snap: false, grid: true, tree: false, backdrop: false }
  let history: History = NO_HISTORY
  /** The sketch when the gesture started, with the changes of others since. */
  let base: Sketch | null = null
  let news = 0
  const changed: (() => void)[] = []
  const stepped: ((before: Sketch, now: Sketch) => void)[] = []
  const tell = () => {
    for (const listener of changed) listener()
  }
  const step = (before: Sketch, next: Sketch) => {
    sketch = next
    for (const listener of stepped) listener(before, next)
    tell()
  }
  const go = (next: ReturnType<typeof undone>) => {
    if (next === null) return
    ;({ history } = next)
    step(sketch, next.sketch)
  }
  const finish = (next: Sketch) => {
    const before = base
    base = null
    if (before === null) return
    // what is chosen or hidden is no step
    if (isSame({ ...before, selected: next.selected, other: next.other, hidden: next.hidden }, next)) {
      sketch = next
      tell()
      return
    }
    history = recorded(history, before, next)
    step(before, next)
  }
  return {
    get sketch() {
      return sketch
    },
    get view() {
      return view
    },
    get settings() {
      return settings
    },
    get news() {
      return news
    },
    get canUndo() {
      return history.past.length > 0
    },
    get canRedo() {
      return history.future.length > 0
    },
    show(next) {
      sketch = next
      tell()
    },
    commit(next) {
      if (next === sketch) return
      history = recorded(history, sketch, next)
      step(sketch, next)
    },
    begin() {
      finish(sketch)
      base = sketch
    },
    finish,
    open(next) {
      history = NO_HISTORY
      base = null
      sketch = next
      tell()
    },
    receive(next, isNews = true) {
      if (isNews) news++
      if (base !== null) base = rebased(base, sketch, next)
      sketch = next
      tell()
    },
    look(next) {
      view = next
      tell()
    },
    set(some) {
      settings = { ...settings, ...some }
      tell()
    },
    undo: () => go(undone(history, sketch)),
    redo: () => go(redone(history, sketch)),
    onChange: (listener) => changed.push(listener),
    onStep: (listener) => stepped.push(listener),
  }
}

const isSame = (p: Sketch, q: Sketch): boolean =>
  (Object.keys(q) as (keyof Sketch)[]).every((field) => p[field] === q[field])

/** `base` with the bodies of `next`, but for those that have been changed between `base` and `now`. */
function rebased(base: Sketch, now: Sketch, next: Sketch): Sketch {
  const before = new Map(base.bodies.map((body) => [body.id, body]))
  const own = new Map<string, SketchBody>()
  for (const body of now.bodies) {
    const was = before.get(body.id)
    if (was !== undefined && was !== body) own.set(body.id, was)
  }
  return { ...base, bodies: next.bodies.map((body) => own.get(body.id) ?? body) }
}
