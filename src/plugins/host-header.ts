// What a request was sent to, said once and well: two hosts, of which a proxy may have gone by the other one, are refused (RFC 9112,
// section 3.2). A request of HTTP/1.1 without any is refused before.

import fp from 'fastify-plugin'

/** A name or an address, and a port (RFC 3986); empty where the target has none. */
const FIT = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i

const MANY = 'The request has more than one Host header.'
const UNFIT = 'The Host header is not a host name or an address with an optional port.'

/** Must be registered before the routes. */
export const hostHeader = fp(async (app) => {
  // nearly all requests are sent to the same one
  let latest = ''
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, rawHeaders } = request.raw
    const { host = '' } = headers
    const isOne = !hasMany(rawHeaders)
    if (isOne && (host === latest || FIT.test(host))) {
      latest = host
      return done()
    }
    reply.header('connection', 'close').problem('malformed-request', isOne ? UNFIT : MANY)
  })
})

/** `rawHeaders`: names and values by turns, as they were sent. */
function hasMany(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let k = 0; k < rawHeaders.length; k += 2) {
    const name = rawHeaders[k]
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1
}
