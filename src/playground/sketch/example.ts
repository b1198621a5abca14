// Examples and new shapes, as the menus of both pages list them.

import type { PlacedBody, Sketch } from './sketch.ts'

export interface Example {
  name: string
  sketch: Sketch
  /** Made as a scene of the service, so that questions about scenes can be asked. */
  asScene?: boolean
}

/** A shape as it is at first: some two lengths across. */
export interface NewShape {
  name: string
  shape: PlacedBody['shape']
}
