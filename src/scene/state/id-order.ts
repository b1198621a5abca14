// Bodies of a view in the order of their ids, however many: some bytes of memory for each.

import { orderByBytes } from '../../containers/byte-order.ts'
import type { Pace, Slices } from '../../containers/pace.ts'
import { idAt, type View } from './view.ts'

/** Room for the letters of ids at first, for each of them. */
const USUAL_LENGTH = 16

/** Sorts the slots in place. The view must stay open until the end. */
export function* orderById(view: View, slots: Int32Array, pace: Pace): Slices<void> {
  const starts = new Uint32Array(slots.length + 1)
  const order = new Int32Array(slots.length)
  let bytes = Buffer.allocUnsafe(USUAL_LENGTH * slots.length)
  let used = 0
  for (let k = 0; k < slots.length; k++) {
    const id = idAt(view, slots[k])
    if (used + id.length > bytes.length) {
      const larger = Buffer.allocUnsafe(2 * (used + id.length))
      larger.set(bytes.subarray(0, used))
      bytes = larger
    }
    starts[k] = used
    used += bytes.write(id, used, 'latin1')
    order[k] = k
    if (pace.isDue(1)) yield
  }
  starts[slots.length] = used
  yield* orderByBytes({ bytes, starts }, order, pace)
  for (let k = 0; k < order.length; k++) order[k] = slots[order[k]]
  slots.set(order)
}
