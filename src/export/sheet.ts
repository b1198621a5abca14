// What has been written of a file and not yet been sent.

export class Sheet {
  #text = ''

  write(text: string): void {
    this.#text += text
  }

  /** Characters. */
  get length(): number {
    return this.#text.length
  }

  /** Takes all of it away. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}
