import { Ajv } from 'ajv'
import fastify from 'fastify'
import { afterEach, expect, it, vi } from 'vitest'
import { compileAhead } from '../../src/plugins/validation.ts'
import { bodyCompiler, compileNext } from '../../src/wire/validators.ts'

afterEach(() => vi.restoreAllMocks())

it('compiles ahead what nobody has asked for yet, once the service has little to do', async () => {
  while (compileNext());
  const utilization = vi.spyOn(performance, 'eventLoopUtilization')
  const beUsedFor = (share: number) => utilization.mockReturnValue({ idle: 0, active: 0, utilization: share })
  const compiled = vi.spyOn(Ajv.prototype, 'compile')
  const validate = bodyCompiler({ Leaf: { $id: 'Leaf', type: 'number' } })({ $ref: 'Leaf' })
  beUsedFor(0.9)
  const app = fastify()
  await app.register(compileAhead)
  await app.listen({ host: '127.0.0.1', port: 0 })
  // it is asked whether there is time after half a second, then ten times a second
  await expect.poll(() => utilization.mock.calls.length).toBeGreaterThan(6)
  expect(compiled).not.toHaveBeenCalled()
  beUsedFor(0.1)
  await expect.poll(() => compiled.mock.calls.length).toBe(1)
  expect(validate(1)).toBe(true)
  expect(compiled).toHaveBeenCalledTimes(1)
  // what says what is wrong is compiled for the first that is wrong
  expect(validate('1')).toBe(false)
  expect(compiled).toHaveBeenCalledTimes(2)
  await app.close()
})
