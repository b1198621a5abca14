// Files as the body of a request: multipart/form-data (RFC 7578).

export interface SentFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The files, each as a part called `file`; the boundary is in none of them, by chance as good as certainty. */
export function formData(files: readonly SentFile[]): { type: string; body: Buffer } {
  const boundary = `tangent-${crypto.randomUUID()}`
  const parts = files.flatMap(({ name, bytes }) => {
    const safe = name.replace(/["\r\n]/g, encodeURIComponent)
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${safe}"\r\ncontent-type: application/octet-stream\r\n\r\n`
    return [Buffer.from(head), bytes, Buffer.from('\r\n')]
  })
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}
