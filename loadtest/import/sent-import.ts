// An import as it is sent: the file, or several as multipart/form-data.

export type Format = 'tiled' | 'ldtk' | 'geojson' | 'svg'

export interface SentImport {
  name: string
  format: Format
  /** Further parameters: `&merge=false`, say. */
  query?: string
  /** Made when it is sent: many of them together would fill this process. The first file is the one that is imported. */
  files(): { name: string; text: string | Uint8Array }[]
}

const BOUNDARY = 'part-of-an-import'

/** The body of the request, and its content type. */
export function bodyOf({ files }: SentImport): { body: Buffer; type: string } {
  const parts = files()
  if (parts.length === 1) return { body: asBuffer(parts[0]!.text), type: 'application/octet-stream' }
  const pieces = parts.flatMap(({ name, text }) => [
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    asBuffer(text),
    Buffer.from('\r\n'),
  ])
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    type: `multipart/form-data; boundary=${BOUNDARY}`,
  }
}

function asBuffer(text: string | Uint8Array): Buffer {
  return typeof text === 'string' ? Buffer.from(text, 'latin1') : Buffer.from(text.buffer, text.byteOffset, text.length)
}

/** Below a scene of the service. */
export function pathOf({ format, query = '' }: SentImport): string {
  return `/import?format=${format}&source=load${query}`
}
