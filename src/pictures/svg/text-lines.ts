// How wide text is, as far as one can tell without its font, and where to break it.

/** Mean width of a letter, of the size of the text; of DejaVu Sans, which is wide. Labels are short, and mostly digits. */
const LETTER_WIDTH = 0.535
const LABEL_LETTER_WIDTH = 0.6

export function textWidth(text: string, size: number): number {
  return [...text].length * size * LETTER_WIDTH
}

export function labelWidth(text: string, size: number): number {
  return [...text].length * size * LABEL_LETTER_WIDTH
}

/** The text in lines that fit, broken at spaces. */
export function wrapped(text: string, width: number, size: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && textWidth(longer, size) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  if (line !== '') lines.push(line)
  return lines
}
