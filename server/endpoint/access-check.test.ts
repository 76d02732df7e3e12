import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint, member, steppedUp } from '../../contract/endpoint.ts'
import type { Caller, Context } from '../context.ts'
import { CALLER_DEFAULTS } from '../testing/factories/caller.ts'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import type { Call } from './call.ts'
import { createInvoker } from './invoke.ts'
import { handle } from './route.ts'

let app: TestApp
let caller: Caller
beforeAll(async () => {
  app = await buildTestApp()
  const { id, orgId } = await app.person(await app.organization())
  caller = {
    ...CALLER_DEFAULTS,
    credentialId: id,
    userId: id,
    orgId,
    role: 'owner',
    stepUpUntil: new Date(app.clock.now().getTime() + 600_000).toISOString(),
  }
  await app.sql`create table notes (text text)`
})
beforeEach(() => app.sql`truncate notes`)
afterAll(() => app.close())

const DECLARATION = {
  method: 'POST',
  path: '/api/v1/notes',
  summary: 'Add a note',
  output: z.object({ added: z.boolean() }),
} as const

interface Scenario {
  call?: Partial<Call>
  /** The caller after the first identification. */
  later?: Caller | null
  /** Runs in the transaction of the handler. */
  during?: () => void
  recheckAfterMs?: number
  access?: ReturnType<typeof member> | ReturnType<typeof steppedUp>
}

/** Adds a note by a handler, and counts how often the caller was identified again. */
async function addNote({ call, later = caller, during, recheckAfterMs, access = member() }: Scenario) {
  let lookups = 0
  const add = async (ctx: Context) =>
    ctx.transaction(async (inside) => {
      await inside.sql`insert into notes values (${ctx.caller.role})`
      during?.()
      return { added: true }
    })
  const { now, ...capabilities } = app.app.system()
  const resources = {
    pools: { requests: app.sql, heavy: app.sql, access: app.sql },
    now,
    capabilities,
    log: pino({ level: 'silent' }),
  }
  const routes = [handle(endpoint({ ...DECLARATION, access }), add)]
  const invoker = createInvoker({ routes, ...resources, recheckAfterMs })
  const result = await invoker
    .invoke(invoker.operations[0]!, {
      caller,
      identifiedAt: performance.now(),
      reidentify: async () => {
        lookups++
        return later
      },
      origin: { ip: '192.0.2.1', userAgent: null, baseUrl: 'http://localhost', flowSecret: null },
      params: {},
      query: {},
      ...call,
    })
    .catch((error: unknown) => error)
  const notes = await app.sql<{ text: string }[]>`select text from notes`
  return { result, lookups, notes: notes.map(({ text }) => text) }
}

const INCOMPLETE = { identifiedAt: null }
const NEVER_ELAPSES = 3_600_000

describe('a call with complete input', () => {
  test('identifies its caller once', async () => {
    expect(await addNote({ recheckAfterMs: NEVER_ELAPSES })).toMatchObject({ lookups: 0, notes: ['owner'] })
  })

  test("doesn't commit if its caller loses access while the handler runs", async () => {
    let current: Caller | null = caller
    const { result, notes } = await addNote({
      recheckAfterMs: 0,
      call: { reidentify: async () => current },
      during: () => {
        current = null
      },
    })
    expect([result, notes]).toMatchObject([{ code: 'UNAUTHORIZED' }, []])
  })

  test("doesn't commit a decision for a role that changes while the handler runs", async () => {
    let current = caller
    const { result, notes } = await addNote({
      recheckAfterMs: 0,
      call: { reidentify: async () => current },
      during: () => {
        current = { ...caller, role: 'member' }
      },
    })
    expect([result, notes]).toMatchObject([{ code: 'CONFLICT', details: { reason: 'access_changed' } }, []])
  })

  test('commits if only the step-up window ends while the handler runs', async () => {
    const stepUpUntil = new Date(app.clock.now().getTime() + 1000).toISOString()
    const steppedUpCaller = { ...caller, stepUpUntil }
    const { notes } = await addNote({
      access: steppedUp('Notes'),
      recheckAfterMs: 0,
      later: steppedUpCaller,
      call: { caller: steppedUpCaller },
      during: () => app.clock.advance(2),
    })
    expect(notes).toEqual(['owner'])
  })
})

describe('a call whose input was still arriving', () => {
  test("runs with the caller's state when the input is complete", async () => {
    const later: Caller = { ...caller, role: 'admin' }
    const { lookups, notes } = await addNote({ call: INCOMPLETE, later, recheckAfterMs: NEVER_ELAPSES })
    expect([lookups, notes]).toEqual([1, ['admin']])
  })

  test('is refused if the session has switched to another organization', async () => {
    const later = { ...caller, orgId: '01890000-0000-7000-8000-000000000000' }
    const { result, notes } = await addNote({ call: INCOMPLETE, later })
    expect([result, notes]).toMatchObject([{ code: 'CONFLICT', details: { reason: 'tenant_changed' } }, []])
  })

  test('identifies its caller again before the commit while a handler reads the input', async () => {
    const call = { ...INCOMPLETE, isComplete: () => false }
    expect(await addNote({ call, recheckAfterMs: NEVER_ELAPSES })).toMatchObject({
      lookups: 2,
      notes: ['owner'],
    })
  })
})
