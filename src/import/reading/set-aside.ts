/**
 * What files have millions of, kept as the bytes or numbers that it is: neither a list of values nor a text is ever made of it, unless
 * somebody writes it as JSON.
 */

/** A text of many bytes, as they lie in the file. */
export class LongText {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  toJSON(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).toString()
  }
}

/** A list of many whole numbers below 2³². */
export class NumberList {
  readonly values: Uint32Array

  constructor(values: Uint32Array) {
    this.values = values
  }

  toJSON(): number[] {
    return Array.from(this.values)
  }
}
