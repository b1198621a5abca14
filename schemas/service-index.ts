// GET /: what the service is.

import { type Static, Type } from '@sinclair/typebox'
import { named } from './reference.ts'

export const ServiceIndex = Type.Object(
  {
    name: Type.String({ description: 'Name of the service.' }),
    description: Type.String({ description: 'What it does, in a sentence.' }),
    paths: Type.Array(Type.String(), { description: 'Where to find out more, on this host.' }),
  },
  named('ServiceIndex', 'What the service is, for whoever comes to it first.'),
)
export type ServiceIndex = Static<typeof ServiceIndex>
