// A question about a scene, with its answer and the bodies that the two speak of, as it is drawn.

import type { SceneQueryOp, SceneQueryRequest, SceneQueryResponse } from '../../../schemas/scenes/exchanges.ts'
import type { ShapeRole } from '../marks/palette.ts'
import type { Picture } from '../marks/picture.ts'
import type { Tally } from './brief.ts'
import type { KnownBody } from './told-body.ts'

/** Lists of the request and of the answer may be cut short: `tally` has their lengths. */
export interface Question<Op extends SceneQueryOp> {
  readonly request: SceneQueryRequest<Op>
  readonly answer: SceneQueryResponse<Op>
  readonly tally: Tally
  /** What is asked about, where that is a body or a box. */
  readonly probe: KnownBody | null
  /** By id: the first of those that the answer speaks of. */
  readonly bodies: ReadonlyMap<string, KnownBody>
}

/** A body of the scene that stands out, and how; where it is named twice the last time counts. */
export type Involved = readonly [id: string, role: ShapeRole]

export interface SceneDrawing<Op extends SceneQueryOp> {
  /** The bodies that the answer speaks of, in its order; they may be very many. */
  involved(request: SceneQueryRequest<Op>, answer: SceneQueryResponse<Op>): Iterable<Involved>
  /** Everything but the bodies of the scene, which are drawn behind it. */
  draw(question: Question<Op>): Picture
}
