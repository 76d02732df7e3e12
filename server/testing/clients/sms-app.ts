import { expect } from 'vitest'
import { newId } from '../../security/ids.ts'
import { startCarrier } from '../carrier/carrier.ts'
import { buildTestApp } from '../test-app.ts'
import { insertNumber } from './phone-app.ts'

export type SmsApp = Awaited<ReturnType<typeof buildSmsApp>>

export async function buildSmsApp() {
  const carrier = await startCarrier()
  const { sid, token } = carrier.account
  const app = await buildTestApp({
    env: {
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      ATRIUM_CONNECTOR_TWILIO_URL: carrier.url,
      ATRIUM_TWILIO_ACCOUNT_SID: sid,
      ATRIUM_TWILIO_AUTH_TOKEN: token,
    },
  })
  await app.app.startWorker()
  return {
    ...app,
    carrier,
    async close() {
      await app.close()
      await carrier.close()
    },
  }
}

let peers = 0
export const nextPeer = () => `+49170${String(++peers).padStart(7, '0')}`

export async function createSmsUser(app: SmsApp, { model = 'test/echo', settings = {} } = {}) {
  const { carrier, sql } = app
  const { org, person } = await app.newUser({ role: 'owner', verified: true })
  const client = await app.withSession(person)
  const { id: projectId } = await client.projects.create({ name: 'Shop' })
  const { id: agentId } = await client.agents.create({ name: 'Helper', model })
  const account = { accountSid: carrier.account.sid, authToken: carrier.account.token }
  const number = await insertNumber(app, person, { projectId, account, settings })
  const webhook = (name: string) => `${app.url}/api/v1/telephony/webhooks/${name}?number=${number.id}`
  carrier.addNumber(number.e164, { sms_url: webhook('sms'), status_callback: webhook('status') })
  const now = app.clock.now()
  type Text = Partial<Parameters<typeof carrier.text>[0]>
  const text = (from: string, body: string, fields: Text = {}) =>
    carrier.text({ from, to: number.e164, body, ...fields })
  return {
    ...{ org, person, client, projectId, agentId, number, text },
    /** For all numbers, taking precedence over earlier rules. */
    addRule: (action: object) => sql`
      insert into routing_rules (org_id, id, name, priority, enabled, match, action, fallback, owner_id, created_at, updated_at)
      select ${org.id}, ${newId()}, 'Rule', 1000 - count(*), true, '{"channel":"sms"}', ${sql.json(action as never)},
        '{"type":"reject"}', ${person.id}, ${now}, ${now} from routing_rules where org_id = ${org.id}`,
    receive: async (from: string, body: string, fields: Text = {}) => {
      const callback = text(from, body, fields)
      const reply = await carrier.send(callback)
      expect(reply).toMatchObject({ status: 200, text: expect.stringMatching(/<Response\/>$/) })
      return callback
    },
    sentTo: (peer: string) =>
      carrier.messages.filter(({ resource }) => resource.to === peer && resource.from === number.e164),
    waitForMessages: async (peer: string, count: number) => {
      const bodies = () =>
        carrier.messages
          .filter(({ resource }) => resource.to === peer && resource.from === number.e164)
          .map(({ resource }) => resource.body)
      await expect.poll(() => bodies().length, { timeout: 30_000, interval: 50 }).toBe(count)
      return bodies()
    },
    listStored: (peer: string) => sql<StoredSms[]>`
      select id, direction, body, status, handling, handling_error as "handlingError", error_code as "errorCode", media,
        session_id as "sessionId", run_id as "runId", purpose
      from sms_messages where org_id = ${org.id} and peer = ${peer} order by id`,
  }
}

export interface StoredSms {
  id: string
  direction: 'inbound' | 'outbound'
  body: string
  status: string
  handling: string | null
  handlingError: string | null
  errorCode: string | null
  media: string[]
  sessionId: string | null
  runId: string | null
  purpose: string
}
