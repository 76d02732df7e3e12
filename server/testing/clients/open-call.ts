import type { CallRow } from '../../features/telephony/calls/call.ts'
import { findCall } from '../../features/telephony/calls/queries.ts'
import { newId } from '../../security/ids.ts'
import { type ScriptedCarrier, startCarrier } from '../carrier/carrier.ts'
import { type CallRecord, newCall, newSid } from '../carrier/records.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { insertNumber } from './phone-app.ts'

export const CALLER = '+4917012345678'

/** The server's own account is a scripted carrier's. */
export async function buildCarrierApp() {
  const twilio = await startCarrier()
  const app = await buildTestApp({
    env: {
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      ATRIUM_CONNECTOR_TWILIO_URL: twilio.url,
      ATRIUM_TWILIO_ACCOUNT_SID: twilio.account.sid,
      ATRIUM_TWILIO_AUTH_TOKEN: twilio.account.token,
    },
  })
  await app.app.startWorker()
  const close = async () => {
    await app.close()
    await twilio.close()
  }
  return { app, twilio, close }
}

interface OpenCallOptions {
  hasAgent?: boolean
  action?: object
  startedAt?: Date
}

/** Inserts into the database and at the carrier, for a new organization. */
export async function insertOpenCall(
  app: TestApp,
  twilio: ScriptedCarrier,
  { hasAgent = true, action = {}, startedAt = app.clock.now() }: OpenCallOptions = {},
) {
  const { org, person } = await app.newUser({ role: 'owner', verified: true })
  const client = await app.withSession(person)
  const { id: projectId } = await app.project(person)
  const agent = await client.agents.create({ name: 'Helper', model: 'test/echo' })
  const account = { accountSid: twilio.account.sid, authToken: twilio.account.token }
  const number = await insertNumber(app, person, { projectId, account })
  twilio.addNumber(number.e164)
  const id = newId()
  const fields = { from: CALLER, to: number.e164, direction: 'inbound', status: 'in-progress' } as const
  const resource = newCall(account.accountSid, { ...fields, sid: newSid('CA') })
  const carrierCall: CallRecord = { resource, form: new URLSearchParams(), sequence: 0 }
  twilio.calls.push(carrierCall)
  await app.sql`
    insert into calls (org_id, id, direction, provider, provider_id, number_id, from_number, to_number, project_id, owner_id,
      agent_id, status, action, started_at, answered_at)
    values (${org.id}, ${id}, 'inbound', 'twilio', ${resource.sid}, ${number.id}, ${CALLER}, ${number.e164}, ${projectId},
      ${person.id}, ${hasAgent ? agent.id : null}, 'in_progress', ${app.sql.json(action as never)}, ${startedAt},
      ${startedAt})`
  return {
    ...{ orgId: org.id, id, person, client, projectId, agentId: agent.id, number, carrierCall },
    read: async () => (await findCall(app.sql, org.id, id)) as CallRow,
    urlOf: (name: string, query = '') =>
      `${app.url}/api/v1/telephony/webhooks/${name}?number=${number.id}&call=${id}${query}`,
    timeline: async () =>
      (
        await app.sql<{ type: string; detail: string | null }[]>`
          select type, detail from call_entries where org_id = ${org.id} and call_id = ${id} order by seq`
      ).map(({ type, detail }) => [type, detail]),
  }
}
