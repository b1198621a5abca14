// Drawings in SVG: geometry, where it is shown.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PLAIN_FRAME } from '../../src/import/body-in-frame.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { type DecodeProblem, isProblem } from '../../src/wire/decode-problem.ts'
import { type ImportedFile, importFile } from '../support/imported-file.ts'
import { runs } from '../support/runs.ts'

function tried(inside: string, tolerance = 0.05): ImportedFile | DecodeProblem {
  const bytes = Buffer.from(
    inside.startsWith('<?') ? inside : `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`,
  )
  const options = { dimension: 2, format: 'svg', source: 'a', merge: true, tolerance, frame: PLAIN_FRAME } as const
  return importFile({
    kind: 'import',
    files: { main: { name: 'a.svg', bytes }, others: [] },
    options,
    limits: SCHEMA_LIMITS,
    mostBodies: Infinity,
    mostPieces: Infinity,
  })
}

function imported(inside: string, tolerance?: number): ImportedFile {
  const file = tried(inside, tolerance)
  if (isProblem(file)) throw new Error(file.detail)
  return file
}

const bodiesOf = (file: ImportedFile) =>
  file.bodies.map(({ form, found: _, ...rest }) => ({ ...rest, shape: JSON.parse(form) }))
const only = (inside: string) => bodiesOf(imported(inside))[0]!
const skippedOf = (inside: string) => imported(inside).skipped
const areaOf = (ring: { x: number; y: number }[]): number =>
  Math.abs(
    ring.reduce((sum, p, k) => {
      const q = ring[(k + 1) % ring.length]!
      return sum + (p.x * q.y - p.y * q.x) / 2
    }, 0),
  )

it('reads attributes in either kind of quotes, with the other kind in them', () => {
  const [body] = bodiesOf(imported(`<rect id='a "b"' width='4' height="2" data-note="it's"/>`))
  expect(body).toMatchObject({ shape: { type: 'box', width: 4, height: 2 } })
  expect(skippedOf(`<rect width='4' height='-2'/>`)).toHaveLength(1)
})

describe('shapes', () => {
  it('are what they are called', () => {
    expect(only('<rect x="1" y="2" width="4" height="6"/>')).toMatchObject({
      shape: { type: 'box', width: 4, height: 6 },
      position: { x: 3, y: 5 },
    })
    expect(only('<rect width="4" height="6" rx="1"/>').shape).toEqual({ type: 'box', width: 2, height: 4, radius: 1 })
    expect(only('<circle cx="3" cy="4" r="2"/>')).toMatchObject({
      shape: { type: 'circle', radius: 2 },
      position: { x: 3, y: 4 },
    })
    expect(only('<ellipse rx="2" ry="1"/>').shape).toEqual({ type: 'ellipse', rx: 2, ry: 1 })
    expect(only('<line x2="3" y2="4"/>').shape).toEqual({
      type: 'chain',
      vertices: [
        { x: 0, y: 0 },
        { x: 3, y: 4 },
      ],
    })
    expect(only('<polyline points="0,0 4,0 4,4 0,0"/>').shape).toMatchObject({
      type: 'chain',
      loop: true,
      vertices: { length: 3 },
    })
    expect(only('<polygon points="0 0 4 0 4 4"/>').shape.type).toBe('polygon')
    expect(only('<polygon points="0,0 4,0 4,4 3,1"/>').shape.type).toBe('region')
    expect(only('<rect width="1in" height="25.4mm"/>').shape).toMatchObject({ width: 96 })
    expect(bodiesOf(imported('<rect width="0" height="3"/><circle r="0"/><path d=""/>'))).toEqual([])
  })

  it('are turned, scaled and leant as the elements around them say', () => {
    const turned = only('<g transform="translate(10 20)"><rect transform="rotate(90)" width="4" height="6"/></g>')
    expect(turned).toMatchObject({
      shape: { type: 'box', width: 6, height: 4 },
      position: { x: 7, y: 22 },
    })
    expect(only('<circle r="1" transform="scale(3 2)"/>').shape).toEqual({ type: 'ellipse', rx: 3, ry: 2 })
    expect(only('<rect width="2" height="2" transform="skewX(45)"/>').shape.type).toBe('polygon')
    const leant = only('<circle r="1" transform="matrix(1 0 1 1 0 0)"/>')
    // The singular values of [[1, 1], [0, 1]] are the golden ratio and its inverse.
    expect([leant.shape.rx, leant.shape.ry].map((k) => k.toFixed(9))).toEqual(['1.618033989', '0.618033989'])
    expect(leant.rotation).toBeCloseTo(0.5 * Math.atan2(2, 1), 12)
    expect(only('<g style="transform: scale(2)"><circle r="1"/></g>').shape.radius).toBe(2)
  })

  it('take ids, layers and fill rules from the file', () => {
    const text =
      '<g id="g1" inkscape:label="Walls"><rect id="r" width="1" height="1"/><g><rect width="1" height="1"/></g></g><rect width="1" height="1"/>'
    expect(bodiesOf(imported(text)).map(({ id, tags }) => [id, tags?.[0]])).toEqual([
      ['Walls:r', 'layer:Walls'],
      ['Walls:0', 'layer:Walls'],
      ['svg:0', 'layer:svg'],
    ])
    const rings = 'M0 0H9V9H0ZM2 2H7V7H2ZM4 4H5V5H4Z'
    const kinds = (more: string, d = rings) => {
      const { shape } = only(`<path ${more} d="${d}"/>`)
      return shape.type === 'compound'
        ? shape.children.map((child: { shape: { type: string } }) => child.shape.type)
        : shape.type
    }
    expect(kinds('')).toBe('polygon')
    expect(kinds('fill-rule="evenodd"').sort()).toEqual(['polygon', 'region'])
    expect(kinds('', 'M0 0H9V9H0ZM2 2V7H7V2Z')).toBe('region')
    expect(kinds('', 'M0 0H1V1H0ZM5 5H6V6H5Z')).toEqual(['polygon', 'polygon'])
    expect(kinds('', 'M0 0H1V1H0ZM5 5L6 6')).toEqual(['polygon', 'chain'])
  })

  it('are seen through use, symbol and inner windows', () => {
    const text = `<defs><rect id="r" width="2" height="2"/><symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></symbol></defs>
      <use id="one" href="#r" x="10"/><use xlink:href="#s" width="20" height="40" y="100"/>
      <svg x="50" viewBox="0 0 1 1" width="8" height="8"><rect width="1" height="1"/></svg>`
    const [one, symbol, inner] = bodiesOf(imported(text))
    expect(one).toMatchObject({ id: 'svg:one.r', position: { x: 11, y: 1 } })
    expect(symbol).toMatchObject({ shape: { type: 'circle', radius: 10 }, position: { x: 10, y: 120 } })
    expect(inner).toMatchObject({ shape: { width: 8 }, position: { x: 54, y: 4 } })
  })

  it('that are none, or not displayed, are listed or left out', () => {
    expect(
      skippedOf(
        '<text>Hi</text><image/><rect transform="spin(3)" width="1" height="1"/><use href="#none"/><rect width="50%" height="2"/>',
      ).map(({ what }) => what),
    ).toEqual(['text', 'image', 'rect', 'use', 'rect'])
    expect(
      imported('<g style="display:none"><rect width="1" height="1"/></g><rect display="none" width="1" height="1"/>'),
    ).toMatchObject({ bodies: [], skipped: [] })
    expect(skippedOf('<path d="M0 0 L x"/>')[0]?.why).toMatch(/path/)
  })
})

describe('curves', () => {
  it('lie no farther from their chords than the tolerance', () => {
    const place = fc.integer({ min: -20, max: 20 })
    fc.assert(
      fc.property(
        fc.array(place, { minLength: 8, maxLength: 8 }),
        fc.constantFrom(1, 0.1, 0.01),
        ([ax, ay, bx, by, cx, cy, dx, dy], tolerance) => {
          const [body] = bodiesOf(imported(`<path d="M${ax} ${ay}C${bx} ${by} ${cx} ${cy} ${dx} ${dy}"/>`, tolerance))
          if (body === undefined || body.shape.type !== 'chain' || body.shape.loop === true) return
          const { vertices } = body.shape
          for (let k = 0; k <= 100; k++) {
            const t = k / 100
            const at = (p: number, q: number, r: number, u: number) =>
              (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * q + 3 * (1 - t) * t * t * r + t ** 3 * u
            const [x, y] = [at(ax!, bx!, cx!, dx!), at(ay!, by!, cy!, dy!)]
            const distance = Math.min(
              ...vertices.slice(1).map((q: { x: number; y: number }, i: number) => {
                const p = vertices[i]
                const [ex, ey] = [q.x - p.x, q.y - p.y]
                const s = Math.max(0, Math.min(1, ((x - p.x) * ex + (y - p.y) * ey) / (ex * ex + ey * ey || 1)))
                return Math.hypot(x - p.x - s * ex, y - p.y - s * ey)
              }),
            )
            expect(distance).toBeLessThanOrEqual(tolerance + 1e-9)
          }
        },
      ),
      runs(100),
    )
  })

  it('of arcs enclose what they should', () => {
    const [body] = bodiesOf(imported('<path d="M-10 0A10 10 0 0 1 10 0A10 10 0 0 1 -10 0Z"/>', 0.001))
    expect(areaOf(body!.shape.vertices)).toBeCloseTo(Math.PI * 100, 0)
    const [round] = bodiesOf(imported('<rect width="20" height="10" rx="4" ry="2"/>', 0.001))
    expect(areaOf(round!.shape.vertices)).toBeCloseTo(200 - (4 - Math.PI) * 8, 1)
  })
})

describe('hostile drawings', () => {
  it('end', () => {
    const bomb = Array.from(
      { length: 12 },
      (_, k) => `<g id="g${k + 1}">${`<use href="#g${k}"/>`.repeat(10)}</g>`,
    ).join('')
    const file = tried(`<defs><rect id="g0" width="1" height="1"/>${bomb}</defs><use href="#g12"/>`)
    expect(isProblem(file) && file.detail).toMatch(/100000 elements/)
    const nested = Array.from({ length: 18 }, (_, k) => `<g id="n${k + 1}"><use href="#n${k}"/></g>`).join('')
    expect(skippedOf(`<defs><rect id="n0" width="1" height="1"/>${nested}</defs><use href="#n18"/>`)[0]?.why).toMatch(
      /16 deep/,
    )
    const deep = tried(`${'<g>'.repeat(1000)}${'</g>'.repeat(1000)}`)
    expect(isProblem(deep) && deep.code).toBe('import-malformed')
    const entity = tried(
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg><rect id="&a;" width="1" height="1"/></svg>',
    )
    expect(isProblem(entity) && entity.detail).toMatch(/External entities/)
    expect(isProblem(tried('<?xml version="1.0"?><html/>'))).toBe(true)
  })

  it('are not read to the end where no shape comes of it', () => {
    const whyOf = (inside: string) => skippedOf(inside)[0]?.why
    expect(whyOf(`<polyline points="${'1,2 3,4 '.repeat(600_000)}"/>`)).toMatch(/more than \d+ points/)
    expect(whyOf(`<rect width="1" height="1" transform="${'rotate(1) '.repeat(7000)}"/>`)).toMatch(
      /^Its transform is none/,
    )
    const styled = tried(`<rect width="1" height="1" style="${'a:b;'.repeat(20_000)}"/>`)
    expect(isProblem(styled) && styled.detail).toMatch(/at most 65536 letters, got 80000/)
    expect(only(`<rect width="1" height="1" style="${'a:b;'.repeat(10_000)}"/>`).shape.type).toBe('box')
  })
})
