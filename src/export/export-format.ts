/**
 * A format of export: how a file begins and ends, and how a body is written, in slices. `export-scene.ts` lists all of them.
 *
 * Frame: bodies are given in that of the file.
 */

import type { Pace, Slices } from '../containers/budget.ts'
import type { Bounds } from '../core2d/queries/bounds.ts'
import type { SceneBody } from '../scene/state/operation.ts'

/** The scene that is exported. */
export interface ExportedScene {
  readonly id: string
  readonly version: number
  readonly name: string | null
  readonly margin: number
}

/** How bodies are written; structured cloning keeps it. */
export interface Writing {
  readonly tolerance: number
  /** See `SceneExportParameters`. */
  readonly source: string | null
  /** The part of unbounded shapes to draw. */
  readonly window: Bounds
}

export interface ExportFormat {
  readonly mediaType: string
  readonly extension: string
  /** Whether it needs the values of shapes in a plain frame, and not their texts alone. */
  readonly readsShapes: boolean
  begin(scene: ExportedScene, writing: Writing): string
  /** Between two bodies. */
  readonly between: string
  readonly end: string
  /** The body's `data` is text. */
  writeBody(body: SceneBody, writing: Writing, sheet: Sheet, pace: Pace): Slices<void>
}

// Text and bytes that are written but not yet sent.

export class Sheet {
  #text = ''
  /** What is before the text. */
  #pieces: Uint8Array[] = []
  #pieceLength = 0

  write(text: string): void {
    this.#text += text
  }

  writeBytes(bytes: Uint8Array): void {
    this.#pieces.push(Buffer.from(this.#text), bytes)
    this.#pieceLength += this.#text.length + bytes.length
    this.#text = ''
  }

  /** Characters and bytes. */
  get length(): number {
    return this.#pieceLength + this.#text.length
  }

  /** Takes all of it away, which is text. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  /** Takes all of it away. */
  takeBytes(): Buffer {
    const text = Buffer.from(this.take())
    if (this.#pieces.length === 0) return text
    const bytes = Buffer.concat([...this.#pieces, text])
    this.#pieces = []
    this.#pieceLength = 0
    return bytes
  }
}
