/** A name server on loopback that knows one name, as Docker's own does: the addresses of all containers of a service. */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const HEADER_BYTE_COUNT = 12
const ADDRESS = 1

export interface NameServer {
  readonly port: number
  /** Those that the name has from now on. */
  addresses: readonly string[]
  close(): Promise<void>
}

export async function startNameServer(name: string, addresses: readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const server: NameServer = {
    port: socket.address().port,
    addresses,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (query, { port, address }) => {
    socket.send(answerTo(query, name, server.addresses), port, address)
  })
  return server
}

/** RFC 1035, section 4. */
function answerTo(query: Buffer, known: string, addresses: readonly string[]): Buffer {
  let end = HEADER_BYTE_COUNT
  const labels: string[] = []
  for (let length = query[end]; length > 0; length = query[end]) {
    labels.push(query.toString('latin1', end + 1, end + 1 + length))
    end += 1 + length
  }
  const type = query.readUInt16BE(end + 1)
  const question = query.subarray(HEADER_BYTE_COUNT, end + 5)
  const isKnown = labels.join('.').toLowerCase() === known
  const found = isKnown && type === ADDRESS ? addresses : []
  const header = Buffer.from(query.subarray(0, HEADER_BYTE_COUNT))
  // an answer, recursion as it was wished and offered; 3: there is no such name
  header.writeUInt16BE(0x8180 | (isKnown ? 0 : 3), 2)
  for (const [at, count] of [1, found.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * at)
  const records = found.map((each) => {
    // the name of the question, an address, of the Internet, for a second, four bytes
    const record = Buffer.from([0xc0, HEADER_BYTE_COUNT, 0, ADDRESS, 0, 1, 0, 0, 0, 1, 0, 4, 0, 0, 0, 0])
    record.set(each.split('.').map(Number), 12)
    return record
  })
  return Buffer.concat([header, question, ...records])
}
