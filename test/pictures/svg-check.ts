/** A strict reading of SVG text: well-formed XML of a few known elements, numbers that are numbers, nothing that runs or refers. */
import { expect } from 'vitest'

export interface Svg {
  /** How often each element occurs. */
  elements: Map<string, number>
  /** What is written, unescaped. */
  texts: string[]
}

const ELEMENTS = ['svg', 'title', 'desc', 'g', 'path', 'rect', 'circle', 'text']
/** Attributes whose values are single numbers. */
const NUMBERS = /^(x|y|cx|cy|r|rx|width|height|font-size|font-weight|stroke-width|fill-opacity)$/
const NUMBER = /^-?\d+(\.\d+)?$/
/** Far beyond any plot, and yet far from what renderers cannot hold. */
const FARTHEST = 2e6
const TAG = /<(\/?)([a-z]+)((?: [a-zA-Z-]+="[^"<]*")*)(\/?)>/y
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
// biome-ignore lint/suspicious/noControlCharactersInRegex: what XML 1.0 forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u

/** Throws where the text is not what it must be. */
export function readSvg(text: string): Svg {
  expect(text).not.toMatch(FORBIDDEN)
  expect(text.startsWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 ')).toBe(true)
  const open: string[] = []
  const svg: Svg = { elements: new Map(), texts: [] }
  let at = 0
  while (at < text.length) {
    TAG.lastIndex = at
    const match = TAG.exec(text)
    if (match === null) {
      const next = text.indexOf('<', at)
      const content = text.slice(at, next === -1 ? text.length : next)
      if (content === '') throw new Error(`no tag at ${text.slice(at, at + 80)}`)
      if (content.trim() !== '') {
        expect(['title', 'desc', 'text']).toContain(open.at(-1))
        svg.texts.push(unescaped(content))
      }
      at += content.length
      continue
    }
    const [tag, closes, name, attributes, isEmpty] = match
    if (closes === '/') expect(open.pop()).toBe(name)
    else {
      expect(ELEMENTS).toContain(name)
      checkAttributes(attributes)
      svg.elements.set(name, (svg.elements.get(name) ?? 0) + 1)
      if (isEmpty === '') open.push(name)
    }
    at += tag.length
    if (open.length === 0) expect(text.slice(at)).toBe('\n')
    if (open.length === 0) break
  }
  expect(open).toEqual([])
  return svg
}

function checkAttributes(attributes: string): void {
  for (const [, name, value] of attributes.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g)) {
    expect(name).not.toMatch(/^(on|href|id|class|style)/)
    expect(value).not.toMatch(/NaN|Infinity|undefined|null|url\(|javascript/)
    if (name === 'd') for (const number of value.match(/[^MLHVAZhlvz\s]+/g) ?? []) checkNumber(number)
    if (NUMBERS.test(name)) checkNumber(value)
    unescaped(value)
  }
}

function checkNumber(text: string): void {
  if (!NUMBER.test(text) || Math.abs(Number(text)) > FARTHEST) throw new Error(`not a picture coordinate: ${text}`)
}

function unescaped(text: string): string {
  return text.replace(/&([^;]*;?)/g, (_, entity: string) => {
    const character = ENTITIES[entity.slice(0, -1)]
    if (character === undefined || !entity.endsWith(';')) throw new Error(`no such entity: &${entity}`)
    return character
  })
}
