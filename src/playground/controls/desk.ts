// The sketch and the view that there are now, who is told when they change, and steps that can be undone.

import type { View } from '../drawing/view.ts'
import { type History, NO_HISTORY, recorded, redone, undone } from '../sketch/history.ts'
import type { Sketch } from '../sketch/sketch.ts'

export interface Settings {
  snap: boolean
  grid: boolean
  tree: boolean
}

export interface Desk {
  readonly sketch: Sketch
  readonly view: View
  readonly settings: Settings
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** Within a gesture: no step of its own. */
  show(sketch: Sketch): void
  /** One step, from `before` or from what there is. */
  commit(sketch: Sketch, before?: Sketch): void
  /** Another sketch altogether, with nothing to undo. */
  open(sketch: Sketch): void
  /** What somebody else did: no step. */
  receive(sketch: Sketch): void
  look(view: View): void
  set(settings: Partial<Settings>): void
  undo(): void
  redo(): void
  onChange(listener: () => void): void
  /** Steps, with what there was before: scenes write them. */
  onStep(listener: (before: Sketch, now: Sketch) => void): void
}

export function createDesk(first: Sketch, firstView: View): Desk {
  let sketch = first
  let view = firstView
  let settings: Settings = { snap: false, grid: true, tree: false }
  let history: History = NO_HISTORY
  const changed: (() => void)[] = []
  const stepped: ((before: Sketch, now: Sketch) => void)[] = []
  const tell = () => {
    for (const listener of changed) listener()
  }
  const go = (next: ReturnType<typeof undone>) => {
    if (next === null) return
    const before = sketch
    ;({ sketch, history } = next)
    for (const listener of stepped) listener(before, sketch)
    tell()
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
    commit(next, before = sketch) {
      if (next === before) return
      history = recorded(history, before, next)
      sketch = next
      for (const listener of stepped) listener(before, next)
      tell()
    },
    open(next) {
      history = NO_HISTORY
      sketch = next
      tell()
    },
    receive(next) {
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
