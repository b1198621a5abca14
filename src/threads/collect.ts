// Garbage collected at a time of our choosing: the engine leaves it while nothing is asked.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects all garbage of this thread, at once. Cost O(what lives). */
export const collect = runInNewContext('gc') as () => void
