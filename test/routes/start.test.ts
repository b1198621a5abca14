// What people see who open the service in a browser: the first page, and those about problems.

import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../schemas/problem.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

/** As Firefox and Chromium send it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', API_TOKENS: 'one' }))
})
afterAll(() => app.close())

const get = (url: string, accept?: string, host = 'localhost:3000') =>
  app.inject({ url, headers: { host, ...(accept !== undefined && { accept }) } })
const linksOf = (page: string) => [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
const textOf = (html: string) =>
  html.replace(/<[^>]+>/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

describe.each(['/', '/problems', '/problems/polygon-not-convex'])('GET %s', (url) => {
  it('is a page for browsers, and JSON for others', async () => {
    for (const accept of [BROWSER, 'text/html', 'text/html, application/json;q=0.9']) {
      const page = await get(url, accept)
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    }
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0']) {
      const answer = await get(url, accept)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    }
  })

  it('says that it depends on who asks', async () => {
    expect((await get(url, BROWSER)).headers.vary).toBe('accept')
    expect((await get(url)).headers.vary).toBe('accept')
  })

  it.runIf(url !== '/')('runs and loads nothing, and styles itself', async () => {
    const { headers, body } = await get(url, BROWSER)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; /)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(body).not.toMatch(/<script|<img|<link|style=|https?:\/\/(?!localhost)/)
    const [, style] = /<style>([\s\S]*)<\/style>/.exec(body)!
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64')
    expect(headers['content-security-policy']).toContain(`'sha256-${digest}'`)
  })

  it('leads to what is there', async () => {
    const links = linksOf((await get(url, BROWSER)).body).filter((link) => link !== 'data:,')
    expect(links.length).toBeGreaterThan(0)
    const headers = { authorization: 'Bearer one', accept: BROWSER }
    for (const link of links) {
      const { statusCode } = await app.inject({ url: link, headers })
      expect(statusCode, link).toBe(200)
    }
  })
})

describe('the first page', () => {
  it('runs and styles nothing but what lies here', async () => {
    const { headers, body } = await get('/', BROWSER)
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; /)
    expect(policy).not.toMatch(/unsafe|https?:/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(body).not.toMatch(/<script(?![^>]* src="\/playground\/)|<style|\sstyle=|\son\w+=|https?:\/\/(?!localhost)/)
  })

  it('loads files that are sent once, and are small', async () => {
    for (const [name, type] of [
      ['playground.js', 'text/javascript'],
      ['playground.css', 'text/css'],
    ]) {
      const url = `/playground/${name}`
      const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
      expect([packed.statusCode, packed.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
      expect(packed.headers['content-encoding']).toBe('gzip')
      expect(packed.rawPayload.length).toBeLessThan(60 * 1024)
      const plain = await app.inject({ url })
      expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
      const again = await app.inject({ url, headers: { 'if-none-match': String(plain.headers.etag) } })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
  })

  it('leads to the documentation, the three documents, the problems and the metrics', async () => {
    const expected = ['/docs', '/openapi.json', '/openapi-3.0.json', '/openapi-flat.json', '/problems', '/metrics']
    expect(linksOf((await get('/', BROWSER)).body)).toEqual(expect.arrayContaining(expected))
    expect((await get('/')).json().paths).toEqual(expect.arrayContaining(expected))
  })

  it('has an example that is true', async () => {
    const [, command, answer] = /<pre>([\s\S]*?)<\/pre>\s*<pre>([\s\S]*?)<\/pre>/.exec((await get('/', BROWSER)).body)!
    const [, path, payload] = /^curl -s http:\/\/localhost:3000(\S+) .* -d '([^']+)'$/s.exec(textOf(command))!
    const headers = { 'content-type': 'application/json', authorization: 'Bearer one' }
    expect((await app.inject({ method: 'POST', url: path, headers, payload })).body).toBe(textOf(answer))
  })

  it.each([
    ['tangent.example', 'http://tangent.example/v1'],
    ['[::1]:3000', 'http://[::1]:3000/v1'],
    ["x';rm", 'http://127.0.0.1:3000/v1'],
  ])('names the host it was asked for, where that is one: %s', async (host, url) => {
    const { body } = await get('/', BROWSER, host)
    expect(textOf(body)).toContain(`curl -s ${url}`)
  })

  it('shows nothing of what is no host', async () => {
    const { statusCode, body } = await get('/', BROWSER, 'a"><script>')
    expect(statusCode).toBe(400)
    expect(body).not.toContain('"><script>')
  })
})

describe('the list of problems', () => {
  it('has every code', async () => {
    const { problems } = (await get('/problems')).json()
    expect(problems.map(({ code }: { code: string }) => code)).toEqual(PROBLEM_CODES)
    for (const problem of problems) expect((await get(problem.type)).json()).toEqual(problem)
    const links = linksOf((await get('/problems', BROWSER)).body)
    expect(new Set(links)).toEqual(new Set([...PROBLEM_CODES.map((code) => `/problems/${code}`), '/']))
  })

  it('has a page for each that says what its JSON says', async () => {
    for (const code of PROBLEM_CODES) {
      const { title, description, cause, fix, status } = (await get(`/problems/${code}`)).json()
      expect(description).toBe(`${cause} ${fix}`)
      const text = textOf((await get(`/problems/${code}`, BROWSER)).body)
      for (const part of [title, cause.replaceAll('`', ''), fix.replaceAll('`', ''), `${code}, status ${status}`])
        expect(text).toContain(part)
    }
  })
})
