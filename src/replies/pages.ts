// Pages for people who open the service in a browser, plain HTML that runs and loads nothing, and static files that are sent compressed
// and with an ETag.

import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

const STYLE = `:root{color-scheme:light dark;--ink:#1c2126;--paper:#fbfbf9;--faint:#5d666f;--line:#dcdfe1;--block:#f0f1ef;--link:#0b57a4}
@media(prefers-color-scheme:dark){:root{--ink:#e4e6e8;--paper:#16191c;--faint:#9aa3ab;--line:#33393f;--block:#202428;--link:#7db7f5}}
body{margin:0 auto;padding:2.5rem 1.25rem 4rem;max-width:44rem;font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{margin:0 0 .5rem;font-size:1.75rem;line-height:1.2}
h2{margin:2.25rem 0 .5rem;font-size:1.1rem}
a{color:var(--link)}
p{margin:.5rem 0 1rem}
pre,code{font-family:ui-monospace,monospace;font-size:.875rem}
pre{margin:.5rem 0;padding:.75rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--block);border:1px solid var(--line);border-radius:6px}
dl{display:grid;grid-template-columns:minmax(11rem,max-content) 1fr;gap:.3rem 1.25rem;margin:.5rem 0}
dd{margin:0;color:var(--faint)}
.status{color:var(--faint)}
@media(max-width:34rem){dl{display:block}dd{margin-bottom:.6rem}}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`

/** Programs get JSON, also those that take anything. Answers for either must say so (`Vary`). */
export function wantsPage(request: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'accept')
  const { accept } = request.headers
  if (accept?.toLowerCase().includes('text/html') !== true) return false
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html'
}

/** `content`: HTML. */
export function sendPage(reply: FastifyReply, title: string, content: string): undefined {
  const head = `<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<title>${escapeHtml(title)}</title>`
  reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer')
  reply
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>\n<html lang="en">\n${head}\n<style>${STYLE}</style>\n<body>\n${content}</body>\n</html>\n`)
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Paths of this service, with what is there; `name`: what is shown instead of the path. */
export function linkList(links: readonly (readonly [href: string, meaning: string, name?: string])[]): string {
  const items = links.map(([href, meaning, name = href]) => {
    return `<dt><a href="${escapeHtml(href)}">${escapeHtml(name)}</a></dt><dd>${escapeHtml(meaning)}</dd>\n`
  })
  return `<dl>\n${items.join('')}</dl>\n`
}

/** Where the page was asked for, as far as that is a plain host. */
export function originOf({ protocol, host }: FastifyRequest): string {
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host) ? `${protocol}://${host}` : 'http://127.0.0.1:3000'
}

export interface PackedFile {
  text: string
  gzipped: Buffer
  etag: string
}

export function packedFile(text: string): PackedFile {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  return { text, gzipped: gzipSync(text), etag: `"${digest}"` }
}

/** Clients ask each time whether they have the latest, so that a new release is seen at once. `type`: the media type. */
export function sendPackedFile(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  file: PackedFile,
): FastifyReply {
  const { text, gzipped, etag } = file
  reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding')
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  reply.type(`${type}; charset=utf-8`)
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(gzipped)
}
