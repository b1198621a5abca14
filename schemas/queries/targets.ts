// What rays and casts have in common: a list of bodies that may be hit, and how many hits are wanted.

import { Type } from '@sinclair/typebox'
import { word } from '../quantity.ts'
import { reference } from '../reference.ts'
import { Body2d } from '../shapes/body.ts'

/** Hard limit of lists of bodies; the service is configured with one that is not greater. */
export const MAX_TARGETS = 10_000

export const targets = Type.Array(reference(Body2d), {
  maxItems: MAX_TARGETS,
  description: 'The bodies it may hit; hits name them by their index in this list.',
})

export const castMode = Type.Optional(
  word(
    ['closest', 'any', 'all'],
    'closest: the nearest hit; any: the first target of the list that is hit, which is cheapest; all: every target that is hit. closest when absent.',
  ),
)
