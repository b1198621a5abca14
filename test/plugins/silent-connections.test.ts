// The service ends although clients hold connections open on which they have asked nothing, as browsers do.

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

it('ends, closes what has asked nothing, and answers what is under way', async () => {
  const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const body = JSON.stringify({
    a: { shape: { type: 'circle', radius: 1 } },
    b: { shape: { type: 'circle', radius: 1 } },
  })
  const head = `POST /v1/2d/overlap HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const [silent, halfway, asking] = ['', head.slice(0, 30), head + body.slice(0, 10)].map((sent) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.write(sent)
    socket.on('data', (chunk) => {
      text += chunk
    })
    return { socket, closed: once(socket, 'close'), text: () => text }
  })
  await once(app.server, 'request')
  const ended = app.close()
  await silent.closed
  await halfway.closed
  expect([silent.text(), halfway.text()]).toEqual(['', ''])
  asking.socket.write(body.slice(10))
  await asking.closed
  expect(asking.text()).toMatch(/^HTTP\/1.1 200 [\s\S]*"overlap":true/)
  await ended
})
