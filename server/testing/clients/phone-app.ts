import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { newId } from '../../security/ids.ts'
import type { ScriptedCarrier } from '../carrier/carrier.ts'
import { insertConnection } from '../factories/connections.ts'
import type { Person } from '../factories/factories.ts'
import type { Headers, TestApp } from '../test-app.ts'

export const SERVER_ACCOUNT = { accountSid: `AC${'5'.repeat(32)}`, authToken: 'token-of-this-server' }
export const SERVER_ACCOUNT_ENV = {
  ATRIUM_TWILIO_ACCOUNT_SID: SERVER_ACCOUNT.accountSid,
  ATRIUM_TWILIO_AUTH_TOKEN: SERVER_ACCOUNT.authToken,
}

const WEBHOOKS = '/api/v1/telephony/webhooks'

let numbers = 0
const nextNumber = () => `+49301${String(++numbers).padStart(7, '0')}`

export interface TestNumber {
  orgId: string
  id: string
  e164: string
  accountSid: string
  authToken: string
  projectId: string
  connectionId: string | null
}

interface NumberOptions {
  projectId: string
  /** Absent: the user's connection. */
  account?: typeof SERVER_ACCOUNT
  credentials?: typeof SERVER_ACCOUNT
  settings?: object
}

export async function insertNumber(
  app: TestApp,
  person: Person,
  { projectId, account, credentials, settings = {} }: NumberOptions,
): Promise<TestNumber> {
  const id = newId()
  const hex = id.replaceAll('-', '')
  const { accountSid, authToken } = account ?? credentials ?? { accountSid: `AC${hex}`, authToken: hex }
  const connectionId = account
    ? null
    : await insertConnection(app, person, 'twilio', { credentials: { accountSid, authToken } })
  const e164 = nextNumber()
  const now = app.clock.now()
  await app.sql`
    insert into phone_numbers (org_id, id, e164, provider, provider_id, account_id, connection_id, capabilities,
      configures_urls, project_id, owner_id, settings, created_at, updated_at)
    values (${person.orgId}, ${id}, ${e164}, 'twilio', ${`PN${hex}`}, ${accountSid}, ${connectionId},
      '{"voice":true,"sms":true,"mms":true}', true, ${projectId}, ${person.id}, ${app.sql.json(settings as never)},
      ${now}, ${now})`
  return { orgId: person.orgId, id, e164, accountSid, authToken, projectId, connectionId }
}

/** As documented by the carrier: HMAC-SHA1 over the URL and sorted parameters. */
export const signCallback = (token: string, url: string, fields: Readonly<Record<string, string>>): string =>
  createHmac('sha1', token)
    .update(
      url +
        Object.keys(fields)
          .sort()
          .map((name) => name + fields[name])
          .join(''),
    )
    .digest('base64')

export interface SentCallback {
  route: string
  fields: Readonly<Record<string, string>>
  /** Default: the number's id. */
  query?: string
  headers?: Headers
  /** Signed instead of what is sent. */
  signed?: Partial<{ url: string; token: string; fields: Readonly<Record<string, string>> }>
}

export const createCarrier = (app: TestApp, number: TestNumber, baseUrl = app.url) => ({
  send({ route, fields, query = `?number=${number.id}`, headers = {}, signed = {} }: SentCallback) {
    const form = { AccountSid: number.accountSid, ...fields }
    const path = `${WEBHOOKS}/${route}${query}`
    const { url = baseUrl + path, token = number.authToken, fields: signedFields = form } = signed
    return app.request('POST', path, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signCallback(token, url, signedFields),
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
    })
  },
})

/** The carrier then sends the number's calls to this server. */
export function addToCarrier(app: TestApp, carrier: ScriptedCarrier, number: TestNumber): void {
  const url = (route: string) => `${app.url}${WEBHOOKS}/${route}?number=${number.id}`
  carrier.addNumber(number.e164, {
    account: number.accountSid,
    voice_url: url('voice'),
    sms_url: url('sms'),
    status_callback: url('status'),
  })
}

export async function phoneTenant(app: TestApp, carrier: ScriptedCarrier, settings: object = {}) {
  const { org, person, client: keyClient } = await app.newUser({ role: 'owner', verified: true })
  const client = await app.withSession(person)
  const { id: projectId } = await app.project(person)
  const { sid: accountSid, token: authToken } = carrier.addAccount()
  const number = await insertNumber(app, person, {
    projectId,
    settings,
    credentials: { accountSid, authToken },
  })
  addToCarrier(app, carrier, number)
  const { id: agentId } = await client.agents.create({ name: 'Helper', model: 'test/echo' })
  type Action = Parameters<typeof client.routing.create>[0]['action']
  const addRule = (action: Action, fallback?: Action) =>
    client.routing.create({ name: 'Rule', match: {}, action, ...(fallback && { fallback }) })
  const calls = async () => (await client.calls.list({})).items
  const events = async (callId: string) =>
    (
      await app.sql<{ type: string }[]>`
        select type from events where org_id = ${org.id} and payload ->> 'callId' = ${callId} order by id`
    ).map(({ type }) => type)
  const waitForStatus = async (id: string, status: string) => {
    await expect.poll(async () => (await client.calls.get({ id })).status).toBe(status)
    return client.calls.get({ id })
  }
  return { org, person, keyClient, client, projectId, number, agentId, addRule, calls, events, waitForStatus }
}

export const voiceUrl = ({ form }: { form: URLSearchParams }): string =>
  form.get('StatusCallback')!.replace('/status?', '/voice?')

export async function placedCalls(carrier: ScriptedCarrier, account: string) {
  const placed = () =>
    carrier.calls.filter(
      ({ resource }) => resource.account_sid === account && resource.direction !== 'inbound',
    )
  await expect.poll(() => placed().length).toBeGreaterThan(0)
  return placed()
}
