import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedCarrier, startCarrier } from '../../../server/testing/carrier/carrier.ts'
import { buildTestApp, type TestApp } from '../../../server/testing/test-app.ts'
import { createHome } from '../../testing/command.ts'

const NUMBER = '+4930123456'
const PERSON = '+4915112345678'

let carrier: ScriptedCarrier
let app: TestApp

beforeAll(async () => {
  carrier = await startCarrier()
  carrier.addNumber(NUMBER)
  app = await buildTestApp({
    env: {
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1',
      ATRIUM_CONNECTOR_TWILIO_URL: carrier.url,
      ATRIUM_TWILIO_ACCOUNT_SID: carrier.account.sid,
      ATRIUM_TWILIO_AUTH_TOKEN: carrier.account.token,
    },
  })
})
afterAll(async () => {
  await app.close()
  await carrier.close()
})

async function createTerminal() {
  const { person } = await app.newUser({ role: 'owner' })
  const { key } = await app.key(person, ['terminal'])
  const home = await createHome()
  const run = (...args: string[]) =>
    home.run(['telephony', ...args], { env: { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: key } })
  return { person, browser: await app.withSession(person), run, remove: home.remove }
}

test('atrium telephony imports, checks and repairs a number, lists and tries rules, makes, shows and ends calls, and sends messages', async () => {
  const { browser, run, remove } = await createTerminal()
  expect(await run()).toMatchObject({ code: 0, stderr: expect.stringContaining('numbers import') })
  expect(await run('numbers', 'import', '030 123456')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('country code'),
  })
  expect(await run('numbers', 'import', '+49 30 999999')).toMatchObject({ code: 1 })
  const imported = await run('numbers', 'import', '+49 30 123-456', '--label', 'Support')
  expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining('/phone/routing')])
  expect((await run('numbers')).stdout).toMatch(/^\+4930123456 +Support +active +voice, sms/m)

  carrier.numbers[0]!.voice_url = 'https://elsewhere.example/voice'
  const checked = await run('numbers', 'check', 'Support')
  expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining(`numbers repair ${NUMBER}`) })
  expect(checked.stdout).toMatch(/^voice +elsewhere .*https:\/\/elsewhere\.example\/voice$/m)
  expect((await run('numbers', 'repair', NUMBER)).stdout).toMatch(/^voice +ok/m)

  const agent = (await browser.agents.list({})).items[0]!
  await browser.routing.create({
    name: 'Spanish callers',
    match: { callerPrefix: '+34' },
    action: { type: 'reject' },
  })
  const action = { type: 'agent' as const, agentId: agent.id }
  await browser.routing.create({ name: 'Everyone', match: {}, action })
  const rules = (await run('routing')).stdout
  expect(rules).toMatch(/^1 +Spanish callers +from \+34… +reject/m)
  expect(rules).toMatch(new RegExp(`^2 +Everyone +everything +agent ${agent.name}`, 'm'))
  expect(rules).toContain('If no rule answers: reject')
  const tried = (await run('try', '--from', PERSON, '--to', 'Support')).stdout
  expect(tried).toMatch(/^1 +Spanish callers +does not answer +\S/m)
  expect(tried).toMatch(/^2 +Everyone +answers/m)
  expect(tried).toMatch(new RegExp(`^Everyone: agent ${agent.name}$`, 'm'))
  expect(await run('try', '--from', PERSON, '--to', '+4930777777')).toMatchObject({ code: 1 })
  expect(await run('try', '--from', PERSON, '--to', NUMBER, '--channel', 'fax')).toMatchObject({ code: 2 })

  expect(await run('calls', 'make', PERSON)).toMatchObject({ code: 2 })
  const created = await run('calls', 'make', PERSON, '--message', 'Your table is ready.', '--json')
  expect(created).toMatchObject({ code: 0, stderr: '' })
  const { id } = JSON.parse(created.stdout)
  expect((await run('calls', '--open')).stdout).toMatch(
    new RegExp(String.raw`^${id} .*outbound +\+4930123456 +\+4915112345678`, 'm'),
  )
  expect((await run('calls', 'show', 'last')).stdout).toMatch(/^ {2}to +\+4915112345678$/m)
  expect(await run('calls', 'transfer', id, '+4930654321')).toMatchObject({ code: 1 })
  expect(await run('calls', 'hangup', id)).toMatchObject({ code: 0 })
  expect(await run('calls', '--status', 'melting')).toMatchObject({ code: 2 })

  expect(await run('sms', 'send', PERSON, 'Your table is ready', '--from', 'Support')).toMatchObject({
    code: 0,
    stderr: `Queued from ${NUMBER}: 1 segment (GSM-7)\n`,
  })
  expect(await run('sms', 'send', '+882161234567', 'Hello')).toMatchObject({ code: 1 })
  expect((await run('sms')).stdout).toMatch(/\+4930123456 +\+4915112345678 +\w+ +Your table is ready/)
  expect((await run()).stdout).toMatch(/^Last 24 hours {2}1 call,/m)
  await remove()
})

test('atrium telephony lets non-admin members read, and refuses their changes with the reason', async () => {
  const org = await app.organization()
  const { key } = await app.key(await app.person(org, { role: 'member' }), ['terminal'])
  const home = await createHome()
  const env = { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: key }
  expect(await home.run(['telephony', 'numbers', 'import', NUMBER], { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('admin'),
  })
  expect(JSON.parse((await home.run(['telephony', 'calls', '--json'], { env })).stdout).items).toEqual([])
  await home.remove()
})
