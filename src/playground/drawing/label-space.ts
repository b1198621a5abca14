// Room for words on the plane, so that none is written over another. Monospaced letters: their size is known without asking the page.

import type { View } from './view.ts'

/** Of a letter, in pixels. */
const WIDTH = 7.3
const HEIGHT = 14

export interface LabelSpace {
  /** Whether the text would be seen whole with its left end and base line there; then nothing else is written over it. */
  takes(text: string, left: number, base: number): boolean
}

export const widthOf = (text: string): number => text.length * WIDTH

export function createLabelSpace({ width, height }: Pick<View, 'width' | 'height'>): LabelSpace {
  const taken: { left: number; right: number; base: number }[] = []
  return {
    takes(text, left, base) {
      const right = left + widthOf(text)
      if (left < 0 || right > width || base < HEIGHT || base > height) return false
      const meets = taken.some(
        (other) => left < other.right && right > other.left && Math.abs(base - other.base) < HEIGHT,
      )
      if (!meets) taken.push({ left, right, base })
      return !meets
    },
  }
}
