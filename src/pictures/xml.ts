// XML: elements with attributes, escaped text, and estimates of the width of text.

export type Attributes = Record<string, string | number | undefined>

/** Characters that XML 1.0 does not allow even escaped; lone surrogates among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for content and attributes. Characters that XML does not allow become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (character) => ESCAPES[character])
}

/** `content` is markup: escaped text or elements. Undefined attributes are omitted. */
export function element(name: string, attributes: Attributes, content = ''): string {
  let tag = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) tag += ` ${key}="${escapeXml(String(value))}"`
  }
  return content === '' ? `${tag}/>` : `${tag}>${content}</${name}>`
}

/** An element around others, one per line; an empty string without any. */
export function group(name: string, attributes: Attributes, children: readonly string[]): string[] {
  if (children.length === 0) return []
  return [element(name, attributes, `\n${children.join('\n')}\n`)]
}

/** Mean width of a character relative to the font size, for DejaVu Sans, which is wide. Labels are short, and mostly digits. */
const LETTER_WIDTH = 0.535
const LABEL_LETTER_WIDTH = 0.6

export function textWidth(text: string, size: number): number {
  return [...text].length * size * LETTER_WIDTH
}

export function labelWidth(text: string, size: number): number {
  return [...text].length * size * LABEL_LETTER_WIDTH
}

/** Breaks text at spaces into lines that fit. */
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
