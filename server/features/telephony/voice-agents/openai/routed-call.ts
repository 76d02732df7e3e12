import type { PublicContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { CallAction } from '../../calls/call.ts'
import { chooseAction } from '../../routing/match-rule.ts'
import { listRulesForProject } from '../../routing/rule-queries.ts'
import { findByAgent, type VoiceAgentRow } from '../voice-agent-queries.ts'

export interface RoutedCall {
  /** Its organization records the call. Null if unknown. */
  voiceAgent: VoiceAgentRow | null
  numberId: string | null
  ruleId: string | null
  /** `reject` also records the call. */
  action: CallAction
}

interface IncomingCall {
  from: string
  to: string | undefined
  at: Date
}

const REJECT: CallAction = { type: 'reject' }
const UNKNOWN: RoutedCall = { voiceAgent: null, numberId: null, ruleId: null, action: REJECT }

/**
 * Anyone can forge the number in the headers, so it's looked up only in the organization that verified the event. This
 * server's secret identifies no organization, so the number must lead to a voice agent on its account.
 */
export async function routeCall(
  { sql }: Pick<PublicContext, 'sql'>,
  namedAgent: VoiceAgentRow | null,
  call: IncomingCall,
): Promise<RoutedCall> {
  if (namedAgent && namedAgent.webhookSecretSealed !== null) {
    const number = call.to === undefined ? null : await findNumberIn(sql, namedAgent.orgId, call.to)
    if (number) return routeByRules(sql, namedAgent.orgId, { number, namedAgent, isShared: false }, call)
    return { ...UNKNOWN, voiceAgent: namedAgent, action: { type: 'agent', agentId: namedAgent.agentId } }
  }
  const number = call.to === undefined ? null : await findSharedNumber(sql, call.to)
  if (!number || (namedAgent && namedAgent.orgId !== number.orgId)) return UNKNOWN
  return routeByRules(sql, number.orgId, { number, namedAgent, isShared: true }, call)
}

interface CallTarget {
  number: OwnNumber
  namedAgent: VoiceAgentRow | null
  /** Only voice agents on this server's account. */
  isShared: boolean
}

async function routeByRules(
  sql: Sql,
  orgId: string,
  { number, namedAgent, isShared }: CallTarget,
  { from, at }: IncomingCall,
): Promise<RoutedCall> {
  const { id: numberId } = number
  const rules = await listRulesForProject(sql, orgId, number.projectId)
  const { rule, action } = chooseAction(rules, { channel: 'voice', numberId, from, text: null, at })
  const ruleId = rule?.id ?? null
  const agentId = action.type === 'agent' ? action.agentId : undefined
  const speaks = (voiceAgent: VoiceAgentRow | null) =>
    voiceAgent?.agentId === agentId && (!isShared || voiceAgent?.webhookSecretSealed === null)
  const found = agentId === undefined ? null : await findByAgent(sql, orgId, 'openai', agentId)
  const voiceAgent = [namedAgent, found].find(speaks)
  if (voiceAgent) return { voiceAgent, numberId, ruleId, action }
  return { voiceAgent: namedAgent, numberId, ruleId, action: { ...REJECT, message: action.message } }
}

interface OwnNumber {
  orgId: string
  id: string
  projectId: string
}

async function findNumberIn(sql: Sql, orgId: string, e164: string): Promise<OwnNumber | null> {
  const [row] = await sql<OwnNumber[]>`
    select org_id as "orgId", id, project_id as "projectId" from phone_numbers
    where org_id = ${orgId} and e164 = ${e164} and released_at is null`
  return row ?? null
}

/** Finds the tenant: a number belongs to one organization at a time. */
async function findSharedNumber(sql: Sql, e164: string): Promise<OwnNumber | null> {
  const [row] = await sql<OwnNumber[]>`
    select org_id as "orgId", id, project_id as "projectId" from phone_numbers
    where e164 = ${e164} and released_at is null`
  return row ?? null
}
