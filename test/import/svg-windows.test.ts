// Where windows, shares of them, transforms and inherited properties put what SVG draws. All numbers are worked out by hand.

import { describe, expect, it } from 'vitest'
import { bodiesOf, cornersOf, imported } from './imported.ts'

const taken = (text: string | Uint8Array) => imported({ 'a.svg': text }, { format: 'svg', source: 'a' })
const drawn = (inside: string, root = 'width="200" height="100"') =>
  taken(`<svg xmlns="http://www.w3.org/2000/svg" ${root}>${inside}</svg>`)
const only = (inside: string, root?: string) => bodiesOf(drawn(inside, root))[0]!
const corners = (inside: string, root?: string) => cornersOf(only(inside, root))
const UNIT = '<rect width="10" height="10"/>'

describe('windows', () => {
  it('show their view box as preserveAspectRatio says', () => {
    const shown = (aspect: string, box = '0 0 10 10') =>
      corners(
        `<svg x="20" y="10" width="40" height="20" viewBox="${box}" ${aspect && `preserveAspectRatio="${aspect}"`}>${UNIT}</svg>`,
      )
    expect(shown('')).toEqual(['30 10', '30 30', '50 10', '50 30'])
    expect(shown('xMinYMin')).toEqual(['20 10', '20 30', '40 10', '40 30'])
    expect(shown('xMaxYMid meet')).toEqual(['40 10', '40 30', '60 10', '60 30'])
    expect(shown('xMidYMin slice')).toEqual(['20 10', '20 50', '60 10', '60 50'])
    expect(shown('xMidYMax slice')).toEqual(['20 -10', '20 30', '60 -10', '60 30'])
    expect(shown('none')).toEqual(['20 10', '20 30', '60 10', '60 30'])
    expect(shown('none', '-10,5 20 10')).toEqual(['40 0', '40 20', '60 0', '60 20'])
  })

  it('are as large as what they lie in unless they say so', () => {
    // A view box of 10 by 10 in 200 by 100 is ten times as large, and stands in the middle.
    const inner = ['150 0', '150 100', '50 0', '50 100']
    expect(corners(`<svg viewBox="0 0 10 10">${UNIT}</svg>`)).toEqual(inner)
    expect(corners(`<symbol id="s" viewBox="0 0 10 10">${UNIT}</symbol><use href="#s"/>`)).toEqual(inner)
    expect(
      corners(`<svg viewBox="0 0 10 10">${UNIT}</svg>`, 'width="10cm" height="5cm" viewBox="0 0 200 100"'),
    ).toEqual(inner)
    const used = `<svg id="s" width="1" height="1" viewBox="0 0 10 10">${UNIT}</svg>`
    const all = bodiesOf(drawn(`${used}<use href="#s" width="20" height="20"/>`))
    expect(all.map(({ shape }) => shape.width)).toEqual([1, 20])
  })

  it('are what hundred percent are', () => {
    expect(corners('<rect width="100%" height="50%"/>')).toEqual(['0 0', '0 50', '200 0', '200 50'])
    expect(corners('<rect width="100%" height="50%"/>', 'width="1" viewBox="0 0 40 30"')).toEqual([
      '0 0',
      '0 15',
      '40 0',
      '40 15',
    ])
    // Of what goes neither way: the root of half the sum of the squares of 30 and 40 is 25 √2.
    expect(only('<circle r="10%"/>', 'viewBox="0 0 40 30"').shape.radius).toBeCloseTo(2.5 * Math.SQRT2, 12)
    expect(only('<use x="50%" y="10%" href="#r"/><defs><rect id="r" width="2" height="2"/></defs>').position).toEqual({
      x: 101,
      y: 11,
    })
    const inner = `<svg width="50%" height="100%"><rect width="50%" height="50%"/></svg>`
    expect(corners(inner)).toEqual(['0 0', '0 50', '50 0', '50 50'])
    expect(drawn('<rect width="50%" height="2"/>', '').skipped[0]?.why).toMatch(/share of something/)
  })

  it('of no size show nothing, and that is said', () => {
    const { bodies, skipped } = drawn(
      `<svg width="0" height="5">${UNIT}</svg><rect width="0" height="5"/><circle r="0"/><ellipse rx="3" ry="0"/><path d="M1 1"/><path/>`,
    )
    expect(bodies).toEqual([])
    expect(skipped.map(({ what }) => what)).toEqual(['svg', 'rect', 'circle', 'ellipse', 'path', 'path'])
  })
})

describe('lengths', () => {
  it('are counted in pixels of 96 to the inch', () => {
    const width = (length: string) => only(`<rect width="${length}" height="1"/>`).shape.width
    expect(width('1in')).toBe(96)
    expect(width('2.54cm')).toBeCloseTo(96, 12)
    expect(width('25.4mm')).toBeCloseTo(96, 12)
    expect(width('72pt')).toBe(96)
    expect(width('6pc')).toBe(96)
    expect(width('101.6Q')).toBe(96)
    expect(width(' 1.5e1px ')).toBe(15)
    expect(drawn('<rect width="2em" height="1"/>').skipped).toHaveLength(1)
  })

  it('of one radius are those of the other too', () => {
    expect(only('<ellipse rx="5"/>').shape).toEqual({ type: 'circle', radius: 5 })
    expect(only('<ellipse rx="auto" ry="4"/>').shape).toEqual({ type: 'circle', radius: 4 })
    expect(only('<rect width="10" height="10" ry="2"/>').shape).toEqual({ type: 'box', width: 6, height: 6, radius: 2 })
    expect(only('<rect width="10" height="20" rx="9"/>').shape.type).not.toBe('box')
    expect(only('<circle r="1" style="r: 7px; cx: 3px"/>')).toMatchObject({
      shape: { radius: 7 },
      position: { x: 3, y: 0 },
    })
  })
})

describe('transforms', () => {
  const at = (transform: string, more = '') => corners(`<rect width="2" height="1" transform="${transform}" ${more}/>`)
  const styled = (style: string) => corners(`<rect width="2" height="1" style="${style}"/>`)

  it('are read as attributes write them', () => {
    expect(at('translate(10-5)scale(2)')).toEqual(['10 -3', '10 -5', '14 -3', '14 -5'])
    expect(at('translate( 1e1 , .5.5 )')).toEqual(['10 0.5', '10 1.5', '12 0.5', '12 1.5'])
    expect(at('translate(3)')).toEqual(['3 0', '3 1', '5 0', '5 1'])
    expect(at('rotate(90)')).toEqual(['-1 0', '-1 2', '0 0', '0 2'])
    expect(at('rotate(90, 2 1)')).toEqual(['2 -1', '2 1', '3 -1', '3 1'])
    expect(at('matrix(1 0 1 1 0 0)')).toEqual(['0 0', '1 1', '2 0', '3 1'])
    expect(at('skewX(45)')).toEqual(['0 0', '1 1', '2 0', '3 1'])
    expect(at('skewY(45)')).toEqual(['0 0', '0 1', '2 2', '2 3'])
    // What stands last comes first.
    expect(at('translate(10,0),rotate(90)')).toEqual(['10 0', '10 2', '9 0', '9 2'])
  })

  it('are read as styles write them', () => {
    expect(styled('transform: translate(10px, 1in)')).toEqual(['10 96', '10 97', '12 96', '12 97'])
    expect(styled('fill: red; transform: rotate(.25turn)')).toEqual(['-1 0', '-1 2', '0 0', '0 2'])
    expect(styled('transform: rotate(100grad) !important')).toEqual(['-1 0', '-1 2', '0 0', '0 2'])
    expect(styled('transform:translateX(3px) scaleY(4)')).toEqual(['3 0', '3 4', '5 0', '5 4'])
    expect(styled('transform: translate(50%, 0)')).toEqual(['100 0', '100 1', '102 0', '102 1'])
    expect(styled('transform: none')).toEqual(['0 0', '0 1', '2 0', '2 1'])
  })

  it('are about their origin', () => {
    expect(at('rotate(90)', 'transform-origin="2 1"')).toEqual(['2 -1', '2 1', '3 -1', '3 1'])
    expect(styled('transform: scale(3); transform-origin: right')).toEqual(
      ['-394 -100', '-400 -100', '-394 -97', '-400 -97'].sort(),
    )
    expect(styled('transform: scale(3); transform-origin: top left')).toEqual(['0 0', '0 3', '6 0', '6 3'])
    const own = drawn('<rect width="2" height="1" style="transform: scale(3); transform-box: fill-box"/>')
    expect(own.skipped[0]?.why).toMatch(/about its own box/)
    expect(drawn('<rect width="2" height="1" transform="rotate(3foo)"/>').skipped).toHaveLength(1)
    expect(drawn('<rect width="2" height="1" transform="translate(1 2"/>').skipped).toHaveLength(1)
  })
})

describe('properties', () => {
  it('are inherited: what is not visible, and what fills', () => {
    const file = drawn(
      '<g visibility="hidden"><rect id="a" width="1" height="1"/><rect id="b" width="1" height="1" style="visibility:visible"/></g>',
    )
    expect(bodiesOf(file).map(({ id, tags }) => [id, tags?.includes('hidden')])).toEqual([
      ['svg:a', true],
      ['svg:b', false],
    ])
    const rings = '<path d="M0 0H9V9H0ZM2 2H7V7H2Z"/>'
    expect(only(`<g style="fill-rule: nonzero; fill-rule: evenodd">${rings}</g>`).shape.type).toBe('region')
    expect(only(rings, 'fill-rule="evenodd"').shape.type).toBe('region')
    expect(only(`<g fill-rule="evenodd"><g fill-rule="nonzero">${rings}</g></g>`).shape.type).toBe('polygon')
  })

  it('of display count in every way to write them', () => {
    for (const more of [
      'display="none"',
      'style="display:none"',
      'style="fill:red; DISPLAY : none !important;"',
      'style="/* x */display:none"',
    ]) {
      expect(drawn(`<g ${more}>${UNIT}</g>`)).toMatchObject({ bodies: [], skipped: [] })
    }
    expect(drawn(`<g style="display:none; display:inline">${UNIT}</g>`).bodies).toHaveLength(1)
  })

  it('that cut something out are said', () => {
    const { bodies, skipped } = drawn(
      `<defs><clipPath id="c">${UNIT}</clipPath></defs><g id="frame" clip-path="url(#c)">${UNIT}</g><rect width="1" height="1" style="mask:url(#m)"/><mask id="m">${UNIT}</mask>`,
    )
    expect(bodies).toHaveLength(2)
    expect(skipped.map(({ where, what }) => `${where} ${what}`)).toEqual([
      '<g> frame clip-path',
      '<rect> mask',
      '<mask> m mask',
    ])
  })

  it('of style sheets are said where they would move or hide something', () => {
    expect(drawn(`<defs><style>.a{fill:none;stroke:#000;stroke-width:2}</style></defs>${UNIT}`).skipped).toEqual([])
    expect(drawn(`<defs><style>.a{display:none}</style></defs>${UNIT}`).skipped).toMatchObject([{ what: 'style' }])
  })
})

describe('files', () => {
  it('of Illustrator are taken, with the entities that they declare', () => {
    const file = taken(`<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/"> <!ENTITY ns_svg "http://www.w3.org/2000/svg">
]>
<svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" viewBox="0 0 100 100">
<switch><foreignObject requiredExtensions="&ns_ai;" width="1" height="1"/>
<g i:extraneous="self"><g id="Layer_1"><rect x="1" y="2" class="st0" width="10" height="20"/></g></g></switch>
<i:pgf id="pgf"><![CDATA[ eJzdvWmP ]]></i:pgf></svg>`)
    expect(file.skipped).toEqual([])
    expect(bodiesOf(file)).toMatchObject([{ id: 'Layer_1:0', shape: { width: 10, height: 20 } }])
  })

  it('of Inkscape have layers by their labels', () => {
    const file =
      taken(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:ink="http://www.inkscape.org/namespaces/inkscape" xmlns:svg="http://www.w3.org/2000/svg" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd">
<sodipodi:namedview id="base"/><svg:metadata/>
<g ink:groupmode="layer" ink:label="Ground floor" id="layer1" transform="translate(0,-10)"><path id="p" d="m 0,20 h 10 v 5 h -10 z"/></g></svg>`)
    expect(file.skipped).toEqual([])
    expect(bodiesOf(file)[0]).toMatchObject({
      id: 'Ground_floor:p',
      tags: ['layer:Ground floor', 'kind:path', 'import:a'],
    })
    expect(cornersOf(bodiesOf(file)[0]!)).toEqual(['0 10', '0 15', '10 10', '10 15'])
  })

  it('may call the elements of SVG by any prefix', () => {
    const text =
      '<s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink"><s:defs><s:circle id="c" r="3"/></s:defs><s:use l:href="#c"/></s:svg>'
    expect(bodiesOf(taken(text))).toMatchObject([{ id: 'svg:use.c', shape: { type: 'circle', radius: 3 } }])
  })

  it('show the first of a switch that is for all or in English', () => {
    const each = (more: string, width: number) => `<rect ${more} width="${width}" height="1"/>`
    const shown = (inside: string) =>
      bodiesOf(drawn(`<switch><title>x</title>${inside}</switch>`)).map(({ shape }) => shape.width)
    expect(shown(each('systemLanguage="de"', 1) + each('systemLanguage="fr, en-GB"', 2) + each('', 3))).toEqual([2])
    expect(shown(each('requiredExtensions="x"', 1) + each('', 2) + each('', 3))).toEqual([2])
    expect(bodiesOf(drawn(each('systemLanguage="de"', 1)))).toEqual([])
  })

  it('call layers by groups alone', () => {
    const file = drawn(`<g id="g"><a id="link">${UNIT}</a><g>${UNIT}</g></g>`)
    expect(bodiesOf(file).map(({ id }) => id)).toEqual(['g:0', 'g:1'])
  })
})
