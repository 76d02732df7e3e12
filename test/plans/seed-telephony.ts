import { TELEPHONY_LIMITS } from '../../contract/telephony/telephony-options.ts'
import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'
import { idOf, uuid } from './seed-tables.ts'

/** A number with most calls and messages, and the other side of many of them. */
export const NUMBER_ID = idOf('2', 1)
export const PEER = '+4915112345678'

const VOICE_AGENTS = 20
/** Numbers share projects: calls and messages are in those of numbers. */
const NUMBER_PROJECTS = 50

/** Numbers and rules up to their limits; calls and messages, a third of them in one project. */
export async function seedTelephony(sql: Sql, { owner, projectId, agentId, count }: World): Promise<void> {
  const { orgId, id: userId } = owner
  const from = sql`generate_series(1, ${count}::int) n`
  const project = sql`case n % 3 when 0 then ${projectId}::uuid else ${uuid(sql, 'b', `n % ${NUMBER_PROJECTS} + 5`)} end`
  const number = sql`case n % 100 when 1 then ${idOf('2', 2)}::uuid else ${NUMBER_ID}::uuid end`
  const peer = sql`case n % 100 when 2 then ${PEER}::text else '+49151' || lpad(n::text, 8, '0') end`
  const direction = sql`case n % 2 when 0 then 'inbound' else 'outbound' end`
  const at = sql`now() - (${count} - n) * interval '1 second'`
  await sql`
    insert into phone_numbers (org_id, id, e164, provider, provider_id, account_id, capabilities, configures_urls,
      project_id, owner_id, created_at, updated_at)
    select ${orgId}, ${uuid(sql, '2')}, '+4930' || lpad(n::text, 7, '0'), 'twilio', 'PN' || n, 'AC1',
      '{"voice":true,"sms":true,"mms":false}', true, ${uuid(sql, 'b', `n % ${NUMBER_PROJECTS} + 5`)}, ${userId}, ${at}, ${at}
    from generate_series(1, ${TELEPHONY_LIMITS.numbersPerOrganization}::int) n`
  await sql`
    insert into routing_rules (org_id, id, name, priority, enabled, match, action, fallback, owner_id, created_at, updated_at)
    select ${orgId}, ${uuid(sql, '2')}, 'Rule ' || n, n, true, '{"channel":"both"}',
      jsonb_build_object('type', 'agent', 'agentId', ${agentId}::uuid), '{"type":"reject"}', ${userId}, ${at}, ${at}
    from generate_series(1, ${TELEPHONY_LIMITS.rules}::int) n`
  await sql`
    insert into voice_agents (org_id, id, provider, agent_id, project_id, owner_id, tool_secret_hash, created_at)
    select ${orgId}, ${uuid(sql, '2')}, 'openai', ${agentId}, ${project}, ${userId}, '', ${at}
    from generate_series(1, ${VOICE_AGENTS}::int) n`
  await sql`
    insert into calls (org_id, id, direction, provider, number_id, from_number, to_number, project_id, status, agent_id,
      started_at, ended_at, duration_seconds, end_reason)
    select ${orgId}, ${uuid(sql, '2')}, ${direction}, 'twilio', ${number}, ${peer}, '+49301', ${project},
      case n % 100 when 3 then 'in_progress' when 4 then 'failed' else 'completed' end,
      case n % 100 when 5 then ${idOf('1', 2)}::uuid else ${agentId}::uuid end, ${at},
      case when n % 100 <> 3 then ${at} end, 60, 'caller_hung_up'
    from ${from}`
  await sql`
    insert into sms_messages (org_id, id, direction, number_id, project_id, peer, from_number, to_number, body, status,
      segments, encoding, created_at)
    select ${orgId}, ${uuid(sql, '2')}, ${direction}, ${number}, ${project}, ${peer}, ${peer}, '+49301', 'Hello',
      case when n % 100 = 4 then 'failed' when n % 2 = 0 then 'received' else 'delivered' end, 1, 'GSM-7', ${at}
    from ${from}`
  await sql`
    insert into sms_conversations (org_id, number_id, peer, project_id, messages, last_message_id, last_at)
    select distinct on (number_id, peer) org_id, number_id, peer, project_id, 1, id, created_at
    from sms_messages where org_id = ${orgId} order by number_id, peer, id desc`
  await sql`
    insert into sms_opt_outs (org_id, id, number_id, recipient, source, created_at)
    select ${orgId}, ${uuid(sql, '2')}, ${number}, '+49151' || lpad(n::text, 8, '0'), 'message', ${at} from ${from}`
}
