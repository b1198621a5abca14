import { expect, it } from 'vitest'
import { docsAddress } from '../../src/plugins/lifecycle.ts'

it.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/docs'],
  ['http://0.0.0.0:80', 'http://127.0.0.1/docs'],
  ['http://[::]:3000', 'http://127.0.0.1:3000/docs'],
  ['http://[::1]:3000', 'http://[::1]:3000/docs'],
])('the documentation of %s is at %s', (address, docs) => {
  expect(docsAddress(address)).toBe(docs)
})
