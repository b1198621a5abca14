// XML text: elements with their attributes, and text that cannot be taken for markup.

export type Attributes = Record<string, string | number | undefined>

/** Characters that XML 1.0 has no place for, not even escaped; lone surrogates among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** The text as it may stand between tags or in an attribute; what XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (character) => ESCAPES[character])
}

/** `content` is markup already: escaped text or elements. Attributes that are undefined are left out. */
export function element(name: string, attributes: Attributes, content = ''): string {
  let tag = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) tag += ` ${key}="${escapeXml(String(value))}"`
  }
  return content === '' ? `${tag}/>` : `${tag}>${content}</${name}>`
}

/** An element around others, each on a line of its own; nothing without any. */
export function group(name: string, attributes: Attributes, children: readonly string[]): string[] {
  if (children.length === 0) return []
  return [element(name, attributes, `\n${children.join('\n')}\n`)]
}

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
