// The table of docs/scaling.md about more replicas than were run, from what was measured with few.

import { expect, it } from 'vitest'
import { documentText, REPLICATED } from '../support/document-requests.ts'

const CONNECTIONS_EACH = 4
/** Of the server, for each listener that a NOTIFY wakes. */
const WAKING_US = 57
const POLLS_EACH_S = 1
/** Of replicas that are exchanged at a time. */
const SHARE = 0.05
/** Of the server, to hand out 1,000,000 bodies and 20,000 entries. */
const HANDING_OUT_S = 0.7

it.each([2, 20, 50, 100, 1000])('is right for %i replicas', (count) => {
  const notifyUs = count * WAKING_US
  const atOnce = Math.ceil(count * SHARE)
  const cells = [
    count,
    count * CONNECTIONS_EACH,
    `${Number((notifyUs / 1000).toPrecision(2))} ms`,
    Math.round(1e6 / notifyUs),
    count * POLLS_EACH_S,
    `${Number((atOnce * HANDING_OUT_S).toFixed(1))} s`,
  ]
  expect(documentText(REPLICATED)).toContain(`\n| ${cells.join(' | ')} |\n`)
})
