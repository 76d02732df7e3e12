import { beforeAll, expect, test } from 'vitest'
import { bearer, cookie, type Headers, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

/** Changes that let an agent do more without a person, by a stepped-up session, a plain one and an API key. */

type Settings = Record<string, unknown>

let app: TestApp
let callers: { steppedUp: Headers; plain: Headers; key: Headers }
beforeAll(async () => {
  app = await shareTestApp()
  const person = await app.person(await app.organization())
  callers = {
    steppedUp: cookie(await app.session(person)),
    plain: cookie(await app.session(person, { steppedUp: false })),
    key: bearer(await app.key(person)),
  }
})

const reasonOf = ({ status, body }: Awaited<ReturnType<TestApp['request']>>) =>
  status < 300 ? 'done' : body.error.details.reason

const create = (settings: Settings, headers: Headers) =>
  app.request('POST', '/api/v1/agents', { headers, body: { name: 'Rules', ...settings } })

/** The response to each caller who changes an agent from the first settings to the second. */
async function outcomes(before: Settings, after: Settings) {
  const change = async (headers: Headers) => {
    const { id } = (await create(before, callers.steppedUp)).body
    return reasonOf(await app.request('PATCH', `/api/v1/agents/${id}`, { headers, body: after }))
  }
  return [await change(callers.steppedUp), await change(callers.plain), await change(callers.key)]
}

const FREE = ['done', 'done', 'done']
const GUARDED = ['done', 'step_up_required', 'browser_session_required']
const usd = (amount: string) => ({ budget: { amount, currency: 'USD' } })
const rules = (approvals: Record<string, string>) => ({ approvals })

test.each<[string, Settings, Settings, string[]]>([
  ['a new rule that allows a risk', rules({}), rules({ send: 'allow' }), GUARDED],
  [
    'a new rule that allows a tool',
    rules({ send: 'ask' }),
    rules({ send: 'ask', write_file: 'allow' }),
    GUARDED,
  ],
  ['a rule that becomes allow', rules({ delete: 'deny' }), rules({ delete: 'allow' }), GUARDED],
  ['a removed rule that asked', rules({ spend: 'ask' }), rules({}), GUARDED],
  ['a removed rule that denied', rules({ spend: 'deny' }), rules({}), GUARDED],
  ['a rule that asks instead of denying', rules({ spend: 'deny' }), rules({ spend: 'ask' }), FREE],
  ['a rule that no longer allows', rules({ spend: 'allow' }), rules({}), FREE],
  [
    'a rule that allows as before',
    rules({ spend: 'allow' }),
    { ...rules({ spend: 'allow' }), emoji: '🧪' },
    FREE,
  ],
  ['a new rule that denies', rules({}), rules({ execute: 'deny' }), FREE],
  ['a raised budget', usd('1.00'), usd('1.000001'), GUARDED],
  ['a removed budget', usd('1'), { budget: null }, GUARDED],
  ['a lowered budget', usd('10'), usd('9.5'), FREE],
  ['a first budget', {}, usd('100'), FREE],
])('%s is allowed for the expected callers', async (_, before, after, expected) => {
  expect(await outcomes(before, after)).toEqual(expected)
})

test('an agent that allows a risk from the start requires step-up', async () => {
  const allowing = { approvals: { execute: 'allow' } }
  expect(reasonOf(await create(allowing, callers.plain))).toBe('step_up_required')
  expect(reasonOf(await create(allowing, callers.key))).toBe('browser_session_required')
  expect(reasonOf(await create({ approvals: { execute: 'deny' } }, callers.key))).toBe('done')
})

test('restoring a version that allows more requires step-up', async () => {
  const { id } = (await create({ approvals: { send: 'allow' } }, callers.steppedUp)).body
  await app.request('PATCH', `/api/v1/agents/${id}`, { headers: callers.key, body: { approvals: {} } })
  const restore = async (headers: Headers) =>
    reasonOf(await app.request('POST', `/api/v1/agents/${id}/versions/1/restore`, { headers, body: {} }))
  expect(await restore(callers.key)).toBe('browser_session_required')
  expect(await restore(callers.steppedUp)).toBe('done')
})
