// Files as bodies of requests: the body itself, whatever its content type says, or the parts of multipart/form-data.

import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import type { SourceFile, SourceFiles } from '../import/reading/source-files.ts'
import { parameterCompiler } from '../wire/validation/validators.ts'

/** Most files of one request, and most bytes of the name of a part. */
const MOST_FILES = 256
const MOST_NAME_BYTES = 256

const FILE = { type: 'string', format: 'binary', description: 'The file, whatever its content type says.' }
const FILES = {
  type: 'object',
  properties: { file: { type: 'array', items: FILE, description: 'The file, and then those that it names.' } },
  required: ['file'],
}

/** What is said of such bodies in the document. */
export const SENT_FILES = {
  content: { 'application/octet-stream': { schema: FILE }, 'multipart/form-data': { schema: FILES } },
}

/** Reads the bodies of a scope as files. */
export async function readFiles(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart, {
    limits: { files: MOST_FILES, fields: 0, headerPairs: 16, fieldNameSize: MOST_NAME_BYTES },
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
}

/** Checks the parameters of a route; what a file must be its format says. */
export function fileChecks(app: FastifyInstance): FastifySchemaCompiler<object> {
  const parameters = parameterCompiler(app.getSchemas() as Parameters<typeof parameterCompiler>[0])
  return (({ schema, httpPart }) =>
    httpPart === 'body' ? () => true : parameters(schema)) as FastifySchemaCompiler<object>
}

/** What was sent; null: the problem is answered. `limit`: most bytes of all together. */
export async function sentFiles(
  request: FastifyRequest,
  reply: FastifyReply,
  limit: number,
): Promise<SourceFiles | null> {
  const files: SourceFile[] = []
  if (!request.isMultipart()) {
    if (Buffer.isBuffer(request.body) && request.body.length > 0) files.push({ name: '', bytes: request.body })
  } else {
    let left = limit
    for await (const { filename, file } of request.files({ limits: { fileSize: limit + 1 } })) {
      const chunks: Buffer[] = []
      for await (const chunk of file) {
        left -= chunk.length
        if (left < 0) {
          reply.problem('body-too-large', `The files must have at most ${limit} bytes together.`, { limit })
          return null
        }
        chunks.push(chunk)
      }
      files.push({ name: filename, bytes: Buffer.concat(chunks) })
    }
  }
  const [main, ...others] = files
  if (main !== undefined) return { main, others }
  reply.problem('empty-body', 'The body must be the file, or multipart/form-data with the file as its first part.')
  return null
}
