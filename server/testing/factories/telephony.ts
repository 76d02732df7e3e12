import { newId } from '../../security/ids.ts'
import { insertNumber } from '../clients/phone-app.ts'
import type { TestApp } from '../test-app.ts'
import type { Person } from './factories.ts'

export const PEER = '+4915112345678'

export async function insertTelephony(
  app: TestApp,
  person: Person,
  { projectId, agentId, name = 'Support' }: { projectId: string; agentId: string; name?: string },
) {
  const { sql } = app
  const { orgId, id: userId } = person
  const number = await insertNumber(app, person, { projectId })
  const now = app.clock.now()
  const [ruleId, callId, smsId, voiceAgentId] = [newId(), newId(), newId(), newId()]
  await sql`update phone_numbers set label = ${name} where org_id = ${orgId} and id = ${number.id}`
  await sql`
    insert into routing_rules (org_id, id, name, priority, enabled, match, action, fallback, owner_id, created_at, updated_at)
    values (${orgId}, ${ruleId}, ${name}, 1, true, '{"channel":"both"}', '{"type":"reject"}', '{"type":"reject"}', ${userId},
      ${now}, ${now})`
  await sql`
    insert into calls (org_id, id, direction, provider, provider_id, number_id, from_number, to_number, project_id, status,
      agent_id, started_at, answered_at, ended_at, duration_seconds, end_reason, cost)
    values (${orgId}, ${callId}, 'inbound', 'twilio', ${`CA${callId}`}, ${number.id}, ${PEER}, ${number.e164}, ${projectId},
      'completed', ${agentId}, ${now}, ${now}, ${now}, 65, 'caller_hung_up', 0.0085)`
  await sql`
    insert into call_entries (org_id, call_id, seq, at, type, detail)
    values (${orgId}, ${callId}, 1, ${now}, 'ringing', null), (${orgId}, ${callId}, 2, ${now}, 'completed', null)`
  await sql`
    insert into sms_messages (org_id, id, direction, number_id, project_id, peer, from_number, to_number, body, status,
      segments, encoding, created_at)
    values (${orgId}, ${smsId}, 'inbound', ${number.id}, ${projectId}, ${PEER}, ${PEER}, ${number.e164}, 'Is my table ready?',
      'received', 1, 'GSM-7', ${now})`
  await sql`
    insert into sms_conversations (org_id, number_id, peer, project_id, messages, last_message_id, last_at)
    values (${orgId}, ${number.id}, ${PEER}, ${projectId}, 1, ${smsId}, ${now})`
  await sql`
    insert into sms_opt_outs (org_id, id, number_id, recipient, source, created_at)
    values (${orgId}, ${newId()}, ${number.id}, '+4915187654321', 'message', ${now})`
  await sql`
    insert into voice_agents (org_id, id, provider, agent_id, project_id, owner_id, tool_secret_hash, created_at)
    values (${orgId}, ${voiceAgentId}, 'openai', ${agentId}, ${projectId}, ${userId}, '\\x00', ${now})`
  await sql`
    insert into telephony_days (org_id, day, project_id, calls, seconds, messages)
    values (${orgId}, '2026-01-01', ${projectId}, 1, 65, 1)`
  return { number, ids: { numberId: number.id, ruleId, callId, smsId, voiceAgentId } }
}
