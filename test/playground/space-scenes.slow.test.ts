// Scenes of space on the playground: files dropped, tags, drags that are written, what others do, and walks through a level.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFindings } from '../support/services/axe.ts'
import { dragFrom, hasBrowser, middleOf, type Playground, startPlayground } from '../support/services/browser.ts'
import { apart, pixelsAt } from '../support/services/pixels.ts'
import { spaceOf } from '../support/services/space-page.ts'

/** A brush of a Quake map: the box between two corners. */
function brush([x, y, z]: number[], [u, v, w]: number[]): string {
  const plane = (p: number[], q: number[], r: number[]) =>
    `${[p, q, r].map((at) => `( ${at.join(' ')} )`).join(' ')} stone 0 0 0 1 1`
  return [
    '{',
    plane([x!, y!, z!], [x!, y! + 1, z!], [x!, y!, z! + 1]),
    plane([x!, y!, z!], [x!, y!, z! + 1], [x! + 1, y!, z!]),
    plane([x!, y!, z!], [x! + 1, y!, z!], [x!, y! + 1, z!]),
    plane([u!, v!, w!], [u!, v! + 1, w!], [u! + 1, v!, w!]),
    plane([u!, v!, w!], [u! + 1, v!, w!], [u!, v!, w! + 1]),
    plane([u!, v!, w!], [u!, v!, w! + 1], [u!, v! + 1, w!]),
    '}',
  ].join('\n')
}

const MAP = `{
"classname" "worldspawn"
${brush([-128, -128, -16], [128, 128, 0])}
${brush([-32, 32, 0], [32, 96, 64])}
{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) stone 0 0 0 1 1
}
}
{
"classname" "func_door"
${brush([64, -16, 0], [80, 16, 96])}
}
{
"classname" "info_player_start"
"origin" "-64 -64 24"
}
`

describe.skipIf(!hasBrowser)('scenes of space on the playground', () => {
  let playground: Playground
  let page: Page
  let errors: string[]
  beforeAll(async () => {
    playground = await startPlayground()
    ;({ page, errors } = await playground.open('/playground/space'))
  })
  afterAll(async () => {
    await playground.close()
  })
  const bodyAt = async (scene: string, id: string) =>
    (await playground.call('GET', `/v1/3d/scenes/${scene}/bodies/${encodeURIComponent(id)}`)).body.position ?? { x: 0 }
  const drop = (files: Record<string, string>) =>
    page.evaluate(`
      const dataTransfer = new DataTransfer()
      for (const [name, text] of Object.entries(${JSON.stringify(files)})) dataTransfer.items.add(new File([text], name))
      document.getElementById('room').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))`)

  it('says which file is missing, and what it takes', async () => {
    const gltf = {
      asset: { version: '2.0' },
      buffers: [{ uri: 'level.bin', byteLength: 12 }],
      bufferViews: [{ buffer: 0, byteLength: 12 }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 1, type: 'VEC3' }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
      scene: 0,
    }
    await drop({ 'level.gltf': JSON.stringify(gltf) })
    await expect.poll(() => page.locator('#notice').textContent()).toBe('Drop `level.bin` together with `level.gltf`.')
    await drop({ 'level.tmx': '<map/>' })
    await expect
      .poll(() => page.locator('#notice').textContent())
      .toMatch(/^None of these can be imported: level\.tmx\. Drop glTF/)
    await page.click('#scene-leave')
    errors.length = 0
  })

  it('draws a map of Quake by its layers, hides them, and says what it skipped, and why', async () => {
    await drop({ 'yard.map': MAP })
    await expect.poll(() => page.locator('#notice').textContent()).toMatch(/^yard\.map: 4 added/)
    expect(await page.locator('#scene-count').textContent()).toBe('4 bodies')
    expect(await page.locator('#report-count').textContent()).toBe('1 skipped, and why')
    expect(await page.locator('#report-list').textContent()).toMatch(/^brush: /)
    const tags = await page.locator('#tags button').allTextContents()
    expect(tags.join()).toContain('func_door')
    const { place, sketch } = await spaceOf(page)
    const crate = place({ x: 0, y: 64, z: 64 })
    const [before] = await pixelsAt(page, [crate])
    const door = tags
      .find((text) => text.includes('class:func_door') || text.includes('func_door'))!
      .replace(/ \(\d+\)$/, '')
    const on = place({ x: 72, y: 0, z: 96 })
    const [drawn] = await pixelsAt(page, [on])
    await page.click(`#tags [data-tag="${door}"]`)
    await expect.poll(async () => apart((await pixelsAt(page, [on]))[0]!, drawn!)).toBeGreaterThan(6)
    expect(apart((await pixelsAt(page, [crate]))[0]!, before!)).toBeLessThan(60)
    await page.selectOption('#question', 'scene pairs')
    await expect.poll(() => page.locator('#request').textContent()).toContain(door)
    await page.click(`#tags [data-tag="${door}"]`)
    await expect.poll(async () => apart((await pixelsAt(page, [on]))[0]!, drawn!)).toBeLessThan(2)
    expect(sketch.bodies).toEqual([])
  })

  it('writes what is dragged, marks what it would overlap, and shows what others do', async () => {
    const scene = (await page.locator('#scene-name').textContent())!
    await page.selectOption('#question', 'scene overlap')
    await page.click('#bodies-panel summary')
    const { bodies } = await playground.call('GET', `/v1/3d/scenes/${scene}/bodies`)
    const { id } = bodies.find(({ tags }: { tags: string[] }) => tags.some((tag) => tag.includes('func_door')))
    await page.click(`#bodies [data-body="${id}"]`)
    const was = await bodyAt(scene, id)
    await dragFrom(page, await middleOf(page, `[data-handle="${id}: move x"] circle.target`), { x: 60, y: 15 })
    await expect.poll(async () => (await bodyAt(scene, id)).x).not.toBe(was.x)
    await page.locator('#stage').focus()
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await bodyAt(scene, id)).x).toBe(was.x)
    await expect.poll(() => page.locator('#events-state').textContent()).toBe('Events arrive')
    await playground.call('POST', `/v1/3d/scenes/${scene}/operations`, { operations: [{ op: 'remove', id }] })
    await expect.poll(() => page.locator(`#bodies [data-body="${id}"]`).count()).toBe(0)
    // a shape that is kept is named by its id, and drawn by what it holds
    const shape = {
      type: 'mesh',
      vertices: [0, 0, 0, 90, 0, 0, 0, 90, 0, 0, 0, 90],
      triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
    }
    const kept = await playground.call('POST', '/v1/3d/shapes', shape)
    const body = { id: 'kept', shape: { type: 'ref', id: kept.id }, position: { x: 0, y: -120, z: 1 } }
    const { place } = await spaceOf(page)
    const [bare] = await pixelsAt(page, [place({ x: 25, y: -95, z: 31 })])
    await playground.call('POST', `/v1/3d/scenes/${scene}/operations`, { operations: [{ op: 'put', body }] })
    await expect.poll(() => page.locator('#bodies [data-body="kept"]').textContent()).toBe('kept: mesh')
    await expect
      .poll(async () => apart((await pixelsAt(page, [place({ x: 25, y: -95, z: 31 })]))[0]!, bare!))
      .toBeGreaterThan(6)
    await page.evaluate(`document.querySelector('#scene-panel').open = true`)
    expect(await accessibilityFindings(page)).toEqual([])
    expect(errors).toEqual([])
  })

  it('draws the boxes of the tree over the bodies, says how many, and follows writes', async () => {
    // a page of its own, whose view nothing has moved
    const { page } = await playground.open('/playground/space')
    const scene = 'shelves'
    await playground.call('PUT', `/v1/3d/scenes/${scene}`, {})
    const boxes = [-4, 0, 4].map((x) => ({
      op: 'put',
      body: { id: `at${x}`, shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x, y: 1, z: 0 } },
    }))
    await playground.call('POST', `/v1/3d/scenes/${scene}/operations`, { operations: boxes })
    await page.evaluate(`document.getElementById('scene-panel').open = true`)
    await page.fill('#scene-id', scene)
    await page.click('#scene-form button[type="submit"]')
    await page.locator('#scene-name', { hasText: scene }).waitFor()
    await page.locator('#stage').focus()
    await page.keyboard.press('1')
    if ((await page.getAttribute('#grid', 'aria-pressed')) === 'true') await page.click('#grid')
    const { place } = await spaceOf(page)
    // on the long edges of the root, between two bodies, and as far beside them
    const across = (x: number) =>
      [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((dy) => ({
        x: place({ x, y: 1.5, z: 0.5 }).x,
        y: place({ x, y: 1.5, z: 0.5 }).y + dy,
      }))
    const lines = async (x: number) => {
      const [paper, ...near] = await pixelsAt(page, [
        { x: place({ x, y: 8, z: 0 }).x, y: place({ x, y: 8, z: 0 }).y },
        ...across(x),
      ])
      return Math.max(...near.map((pixel) => apart(pixel, paper!)))
    }
    await expect.poll(() => lines(-1.5)).toBeLessThan(6)
    await page.check('#tree')
    await expect.poll(() => page.locator('#tree-count').textContent()).toBe('5 boxes, to depth 2')
    await expect.poll(() => lines(-1.5)).toBeGreaterThan(25)
    await expect.poll(() => lines(4.75)).toBeLessThan(6)
    const far = { id: 'far', shape: { type: 'sphere', radius: 0.5 }, position: { x: 5.5, y: 1, z: 0 } }
    await playground.call('POST', `/v1/3d/scenes/${scene}/operations`, { operations: [{ op: 'put', body: far }] })
    await expect.poll(() => page.locator('#tree-count').textContent()).toMatch(/^7 boxes, to depth [23]$/)
    await expect.poll(() => lines(4.75)).toBeGreaterThan(25)
    await page.uncheck('#tree')
    await expect.poll(() => lines(4.75)).toBeLessThan(6)
    expect(await page.locator('#tree-count').textContent()).toBe('')
    await page.close()
  })

  it('walks in first person as far as the level lets it, and writes where it ends, once', async () => {
    await page.click('#scene-leave')
    await page.selectOption('#examples', 'A level to walk in')
    await expect.poll(() => page.locator('#scene-name').textContent()).toMatch(/^a-level-to-walk-in-/)
    const scene = (await page.locator('#scene-name').textContent())!
    await page.evaluate(`document.querySelector('#body-panel').open = true`)
    const shown = async () => JSON.parse(await page.locator('#body-text').inputValue()).position
    const start = await shown()
    const isWritten = async () => (await bodyAt(scene, 'hero')).x !== start.x
    await page.click('#walk')
    await expect.poll(() => page.locator('#notice').textContent()).toMatch(/^Walking as hero/)
    await page.locator('#stage').focus()
    await page.keyboard.down('w')
    await expect
      .poll(async () => Math.hypot((await shown()).x - start.x, (await shown()).z - start.z))
      .toBeGreaterThan(3)
    let last = await shown()
    const isHeld = async () => {
      const before = last
      last = await shown()
      return Math.hypot(last.x - before.x, last.z - before.z) < 1e-6
    }
    await expect.poll(isHeld, { timeout: 30_000, interval: 500 }).toBe(true)
    await page.keyboard.up('w')
    await page.keyboard.down(' ')
    await expect.poll(async () => (await shown()).y - last.y, { interval: 20 }).toBeGreaterThan(0.3)
    await page.keyboard.up(' ')
    await expect.poll(async () => (await shown()).y - last.y).toBeLessThan(1e-3)
    expect(await isWritten()).toBe(false)
    const { version } = await playground.call('GET', `/v1/3d/scenes/${scene}`)
    await page.keyboard.press('Escape')
    await expect.poll(isWritten).toBe(true)
    const end = await bodyAt(scene, 'hero')
    expect((await playground.call('GET', `/v1/3d/scenes/${scene}`)).version).toBe(version + 1)
    // inside the walls, on the floor or what stands on it, in nothing
    for (const [at, most] of [
      [end.x, 11.75 - 0.4],
      [-end.z, 7.75 - 0.4],
    ])
      expect(at).toBeLessThan(most! + 1e-3)
    expect(end.y).toBeGreaterThanOrEqual(0.9)
    const { bodies } = await playground.call('POST', `/v1/3d/scenes/${scene}/overlap`, { bodyId: 'hero' })
    expect(bodies.filter(({ relation }: { relation: string }) => relation === 'overlapping')).toEqual([])
    await page.keyboard.press('Control+z')
    await expect.poll(isWritten).toBe(false)
    expect(errors).toEqual([])
  })
})
