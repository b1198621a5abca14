// Undo and redo among what others do: random steps, with strange changes in between.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  EMPTY_SKETCH,
  type History,
  NO_HISTORY,
  recorded,
  redone,
  type Sketch,
  type SketchBody,
  undone,
  withBody,
  withoutBody,
} from '../../src/playground/sketch/sketch.ts'
import { runCount, seed } from '../support/runs.ts'

const body = (id: string, x: number): SketchBody => ({ id, shape: { type: 'point' }, position: { x, y: 0 } })
const changed = (sketch: Sketch, id: string, x: number | null) =>
  x === null ? withoutBody(sketch, id) : withBody(sketch, body(id, x))
const places = ({ bodies }: Sketch) =>
  Object.fromEntries(bodies.map(({ id, position }) => [id, position!.x]).sort(([p], [q]) => (p! < q! ? -1 : 1)))

const change = (ids: string[]) => fc.tuple(fc.constantFrom(...ids), fc.option(fc.integer()))

it('takes back all own steps, in order, and leaves what others did', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(change(['a', 'b', 'c']), change(['x', 'y'])), { maxLength: 12 }), (steps) => {
      let sketch: Sketch = EMPTY_SKETCH
      let others: Sketch = EMPTY_SKETCH
      let history: History = NO_HISTORY
      const seen: object[] = []
      for (const [own, strange] of steps) {
        const before = sketch
        seen.push(places({ ...sketch, bodies: sketch.bodies.filter(({ id }) => id < 'x') }))
        sketch = changed(sketch, ...own)
        history = recorded(history, before, sketch)
        sketch = changed(sketch, ...strange)
        others = changed(others, ...strange)
      }
      const last = places(sketch)
      for (const expected of seen.toReversed()) {
        ;({ sketch, history } = undone(history, sketch)!)
        expect(places(sketch)).toEqual({ ...expected, ...places(others) })
      }
      expect(undone(history, sketch)).toBe(null)
      for (const _ of steps) ({ sketch, history } = redone(history, sketch)!)
      expect(places(sketch)).toEqual(last)
      expect(redone(history, sketch)).toBe(null)
    }),
    { numRuns: runCount(300), seed: seed() },
  )
})
