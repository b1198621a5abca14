/** Files of meshes, made of lists of vertices and triangles. */

interface Lists {
  readonly vertices: readonly number[]
  readonly triangles: readonly number[]
}

export function stlOf({ vertices, triangles }: Lists): Buffer {
  const count = triangles.length / 3
  const bytes = Buffer.alloc(84 + 50 * count)
  bytes.writeUInt32LE(count, 80)
  for (const [i, vertex] of triangles.entries()) {
    const at = 84 + 50 * Math.floor(i / 3) + 12 * (1 + (i % 3))
    for (let k = 0; k < 3; k++) bytes.writeFloatLE(vertices[3 * vertex + k], at + 4 * k)
  }
  return bytes
}

export function objOf({ vertices, triangles }: Lists): string {
  const lines: string[] = []
  for (let i = 0; i < vertices.length; i += 3) lines.push(`v ${vertices.slice(i, i + 3).join(' ')}`)
  for (let i = 0; i < triangles.length; i += 3) {
    lines.push(
      `f ${triangles
        .slice(i, i + 3)
        .map((vertex) => vertex + 1)
        .join(' ')}`,
    )
  }
  return `${lines.join('\n')}\n`
}

/** `change`: fields of the JSON that take the place of what they are otherwise. */
export function glbOf({ vertices, triangles }: Lists, change: object = {}): Buffer {
  const binary = Buffer.concat([
    Buffer.from(Float32Array.from(vertices).buffer),
    Buffer.from(Uint16Array.from(triangles).buffer),
  ])
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, type: 'VEC3', componentType: 5126, count: vertices.length / 3 },
      { bufferView: 1, type: 'SCALAR', componentType: 5123, count: triangles.length },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 4 * vertices.length },
      { buffer: 0, byteOffset: 4 * vertices.length, byteLength: 2 * triangles.length },
    ],
    buffers: [{ byteLength: binary.length }],
    ...change,
  }
  return glbFile(json, binary)
}

export function glbFile(json: object, binary: Buffer): Buffer {
  const chunks = [
    { kind: 'JSON', bytes: Buffer.from(JSON.stringify(json)), fill: ' ' },
    { kind: 'BIN\0', bytes: binary, fill: '\0' },
  ].map(({ kind, bytes, fill }) => {
    const padded = Buffer.concat([bytes, Buffer.from(fill.repeat(-bytes.length & 3))])
    const head = Buffer.alloc(8)
    head.writeUInt32LE(padded.length)
    head.write(kind, 4, 'latin1')
    return Buffer.concat([head, padded])
  })
  const head = Buffer.alloc(12)
  head.write('glTF')
  head.writeUInt32LE(2, 4)
  head.writeUInt32LE(12 + chunks[0].length + chunks[1].length, 8)
  return Buffer.concat([head, ...chunks])
}
