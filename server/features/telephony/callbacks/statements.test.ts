import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedCarrier, startCarrier } from '../../../testing/carrier/carrier.ts'
import { createCarrier, phoneTenant } from '../../../testing/clients/phone-app.ts'
import { openExplainedDatabase } from '../../../testing/plans/explain.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let database: Awaited<ReturnType<typeof openExplainedDatabase>>
let carrier: ScriptedCarrier
let app: TestApp
beforeAll(async () => {
  database = await openExplainedDatabase()
  carrier = await startCarrier()
  app = await buildTestApp({
    on: database.connection,
    env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', ATRIUM_CONNECTOR_TWILIO_URL: carrier.url },
  })
})
afterAll(async () => {
  await Promise.all([app.close(), carrier.close()])
  await database.close()
})

/** The statements that this server sends before it responds, without notifications. */
async function statementsDuring(run: () => Promise<{ status: number }>): Promise<string[]> {
  let status = 0
  const statements = await database.statementsOf(async () => {
    status = (await run()).status
  })
  expect([200, 204]).toContain(status)
  return statements
    .filter(({ query, isNested }) => !isNested && !query.includes('pg_notify'))
    .map(({ query }) => query.replace(/\s+/g, ' ').trim())
}

test('a carrier response takes two statements for a call, and few for a status or text message', async () => {
  const { number, agentId, addRule, client } = await phoneTenant(app, carrier)
  await addRule({ type: 'agent', agentId })
  const send = (route: string, fields: Record<string, string>) =>
    createCarrier(app, number).send({ route, fields: { From: '+4915112345678', To: number.e164, ...fields } })
  const call = (CallSid: string) => send('voice', { CallSid, CallStatus: 'ringing', Direction: 'inbound' })
  const status = (CallStatus: string, SequenceNumber: string) =>
    send('status', { CallSid: 'CA2', CallStatus, SequenceNumber, CallDuration: '60' })
  const text = (MessageSid: string) => send('sms', { MessageSid, Body: 'Hello' })
  // The first callback of each route opens the auth token.
  await call('CA1')
  await status('ringing', '0')
  await text('SM1')

  const voice = await statementsDuring(() => call('CA2'))
  expect(voice).toHaveLength(2)
  expect(voice).toEqual([
    expect.stringMatching(/^select .* routing_rules .* from phone_numbers called/),
    expect.stringMatching(/^with call as \( insert into calls .* call_entries .* insert into events/),
  ])
  expect(await statementsDuring(() => status('in-progress', '1'))).toHaveLength(5)
  expect(await statementsDuring(() => status('completed', '2'))).toHaveLength(8)
  expect(await statementsDuring(() => text('SM2'))).toHaveLength(7)

  const { items } = await client.calls.list({})
  expect(items.map(({ status: state, agentId: answering }) => [state, answering])).toEqual([
    ['completed', agentId],
    ['ringing', agentId],
  ])
})
