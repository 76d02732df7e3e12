import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { anonymous, type Endpoint, endpoint, member } from '../../contract/endpoint.ts'
import type { Caller } from '../context.ts'
import { conflict } from '../errors.ts'
import { CALLER_DEFAULTS } from '../testing/factories/caller.ts'
import { captureLog } from '../testing/log.ts'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import { createInvoker } from './invoke.ts'
import { handle, type Route, reply } from './route.ts'

let app: TestApp
let caller: Caller
beforeAll(async () => {
  app = await buildTestApp()
  const { id, orgId } = await app.person(await app.organization())
  caller = { ...CALLER_DEFAULTS, via: 'key', credentialId: id, userId: id, orgId }
})
afterAll(() => app.close())

const log = captureLog()
const base = {
  method: 'POST',
  path: '/api/v1/things',
  summary: 'Create a thing',
  access: member(),
  output: z.object({ name: z.string() }),
} satisfies Endpoint

function call(route: Route, options: { idempotencyKey?: string } = {}) {
  const { now, ...capabilities } = app.app.system()
  const pools = { requests: app.sql, heavy: app.sql, access: app.sql }
  const resources = { pools, now, capabilities, log: pino(log.stream) }
  const invoker = createInvoker({ routes: [route], ...resources })
  const origin = { ip: '192.0.2.1', userAgent: null, baseUrl: 'http://localhost', flowSecret: null }
  return invoker.invoke(invoker.operations[0]!, { caller, origin, params: {}, query: {}, ...options })
}

test('an endpoint that requires a credential never starts a session, even if its handler returns one', async () => {
  const session = { token: 'of another person', expiresAt: new Date() }
  const startSession = (access: Endpoint['access']) =>
    call(handle(endpoint({ ...base, access }), async () => reply({ name: 'x' }, { session })))
  await expect(startSession(member())).rejects.toThrow('Only public endpoints start sessions')
  expect((await startSession(anonymous())).session).toEqual(session)
})

test('the response contains only declared fields', async () => {
  const row = { name: 'Thing', passwordHash: 'secret' }
  expect((await call(handle(endpoint(base), async () => row))).body).toBe('{"name":"Thing"}')
})

test("an endpoint that doesn't identify its caller receives none", async () => {
  const read = async ({ caller }: { caller: Caller | null }) => ({ name: caller?.userId ?? 'anonymous' })
  expect((await call(handle(endpoint({ ...base, access: anonymous() }), read))).body).toContain('anonymous')
  const identified = endpoint({ ...base, access: anonymous({ identify: true }) })
  expect((await call(handle(identified, read))).body).toContain(caller.userId)
})

describe('work done by prepare', () => {
  const discarded: string[] = []
  const create = (run: () => Promise<{ name: string }>, failure?: Error) =>
    handle(endpoint({ ...base, idempotent: true }), run, async (_ctx, _input, onDiscard) => {
      onDiscard(async () => {
        discarded.push('discarded')
        if (failure) throw failure
      })
      return { input: {} }
    })
  const succeed = async () => ({ name: 'Thing' })
  const fail = async () => {
    throw conflict('Refused')
  }

  test('stays if the handler succeeds', async () => {
    await call(create(succeed))
    expect(discarded.splice(0)).toEqual([])
  })

  test('is discarded if the handler fails', async () => {
    await expect(call(create(fail))).rejects.toMatchObject({ message: 'Refused' })
    await expect(call(create(fail), { idempotencyKey: 'fails' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(discarded.splice(0)).toEqual(['discarded', 'discarded'])
  })

  test('is not repeated for a replay', async () => {
    await call(create(succeed), { idempotencyKey: 'replayed' })
    const replay = await call(create(fail), { idempotencyKey: 'replayed' })
    expect([replay.isReplay, replay.body]).toEqual([true, '{"name":"Thing"}'])
    expect(discarded.splice(0)).toEqual([])
  })

  test("is logged if it can't be discarded, and the caller gets the original error", async () => {
    const route = create(fail, new Error('the disk is full'))
    await expect(call(route)).rejects.toMatchObject({ message: 'Refused' })
    expect(log.lines.join('')).toContain('the disk is full')
    discarded.splice(0)
  })
})
