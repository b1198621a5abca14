/**
 * How a file's coordinates become the scene's: mirrored if wanted, then scaled, then moved.
 */

export interface Frame {
  /** Whether y is mirrored, so that what points up on the editor's screen has the greater y. */
  yUp: boolean
  /** Greater than 0. */
  scale: number
  offsetX: number
  offsetY: number
}

export const PLAIN_FRAME: Frame = { yUp: false, scale: 1, offsetX: 0, offsetY: 0 }

/** Whether all bodies stay as they are. */
export function isPlainFrame({ yUp, scale, offsetX, offsetY }: Frame): boolean {
  return !yUp && scale === 1 && offsetX === 0 && offsetY === 0
}

/** What undoes a frame. */
export function inverseFrame({ yUp, scale, offsetX, offsetY }: Frame): Frame {
  const factor = 1 / scale
  return { yUp, scale: factor, offsetX: 0 - factor * offsetX, offsetY: (yUp ? factor : -factor) * offsetY + 0 }
}
