// The certificate of the listener, read again when its files change: a certificate is renewed without a restart, and connections stay.

import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { Server } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

type Files = Pick<Config, 'TLS_CERT_FILE' | 'TLS_KEY_FILE'>

interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** How often the files are looked at, in milliseconds: what mounts secrets may replace folders, which no watch of a file tells. */
const LOOK_MS = 2000

/** Null where the listener speaks HTTP. Throws an error with a message of one line where the files cannot serve. */
export function readCertificate({ TLS_CERT_FILE, TLS_KEY_FILE }: Files): Certificate | null {
  if (TLS_CERT_FILE === '' && TLS_KEY_FILE === '') return null
  if (TLS_CERT_FILE === '' || TLS_KEY_FILE === '') throw new Error('TLS_CERT_FILE and TLS_KEY_FILE go together')
  const certificate = { cert: read('TLS_CERT_FILE', TLS_CERT_FILE), key: read('TLS_KEY_FILE', TLS_KEY_FILE) }
  try {
    createSecureContext(certificate)
  } catch (error) {
    throw new Error(`TLS_CERT_FILE and TLS_KEY_FILE are no pair: ${(error as Error).message}`, { cause: error })
  }
  return certificate
}

function read(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Error(`${name} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** New connections get the certificate that is there then; one that cannot serve is logged, and the one before stays. */
export function renewCertificate(app: FastifyInstance, config: Files): void {
  const paths = [config.TLS_CERT_FILE, config.TLS_KEY_FILE]
  let latest = readCertificate(config)
  const renew = () => {
    try {
      const next = readCertificate(config)
      if (next === null || (latest !== null && next.cert.equals(latest.cert) && next.key.equals(latest.key))) return
      ;(app.server as unknown as Server).setSecureContext(next)
      latest = next
      app.logger.info('the certificate was renewed')
    } catch (err) {
      // between the writes of two files they are no pair
      app.logger.warn({ err }, 'the certificate was not renewed')
    }
  }
  app.addHook('onListen', async () => {
    for (const path of paths) watchFile(path, { interval: LOOK_MS, persistent: false }, renew)
  })
  app.addHook('onClose', async () => {
    for (const path of paths) unwatchFile(path, renew)
  })
}
