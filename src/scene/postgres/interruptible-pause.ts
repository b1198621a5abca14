/** A wait that can be ended early, at no cost to those who do so often: a signal would make an error each time. */
export class InterruptiblePause {
  private end: (() => void) | null = null

  /** Resolves after so long, or when it is interrupted. One at a time. */
  async wait(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.end = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
    this.end = null
  }

  /** Nothing, where nobody waits. */
  interrupt(): void {
    this.end?.()
  }
}
