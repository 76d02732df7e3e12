import type { z } from 'zod'
import type { RuleAction } from '../../../../contract/telephony/telephony-fields.ts'
import type { CallEnd, CallStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

export interface CallRow {
  id: string
  direction: 'inbound' | 'outbound'
  provider: 'twilio' | 'openai' | 'elevenlabs'
  providerId: string | null
  numberId: string | null
  voiceAgentId: string | null
  from: string
  to: string
  projectId: string
  ownerId: string | null
  ruleId: string | null
  /** The action that answers it, as it was when the call began; empty without one. */
  action: CallAction
  status: CallStatus
  sequence: number
  agentId: string | null
  sessionId: string | null
  runId: string | null
  startedAt: string
  answeredAt: string | null
  endedAt: string | null
  durationSeconds: number | null
  endReason: CallEnd | null
  summary: string | null
  recordingFileId: string | null
  transcriptFileId: string | null
  cost: string | null
  costIsEstimate: boolean
  transfer: Record<string, unknown> | null
  relay: Record<string, unknown>
  /** When the request to make an outbound call was sent to the carrier. */
  requestedAt: string | null
  createdBy: string | null
  keyId: string | null
}

/** The action of a rule, or the request of the member who made the call. */
export type CallAction = Partial<z.output<typeof RuleAction>> & {
  /** The task of the agent of an outbound call. */
  task?: string
  /** The project of the block of a workflow. */
  projectId?: string
  /** The action that answers if the first one cannot be carried out. */
  fallback?: z.output<typeof RuleAction>
}

export const callColumns = (sql: Sql): Fragment => sql`
  c.id, c.direction, c.provider, c.provider_id as "providerId", c.number_id as "numberId",
  c.voice_agent_id as "voiceAgentId", c.from_number as "from", c.to_number as "to", c.project_id as "projectId",
  c.owner_id as "ownerId", c.rule_id as "ruleId", c.action, c.status, c.sequence, c.agent_id as "agentId",
  c.session_id as "sessionId", c.run_id as "runId", c.started_at as "startedAt", c.answered_at as "answeredAt",
  c.ended_at as "endedAt", c.duration_seconds as "durationSeconds", c.end_reason as "endReason", c.summary,
  c.recording_file_id as "recordingFileId", c.transcript_file_id as "transcriptFileId", c.cost,
  c.cost_is_estimate as "costIsEstimate", c.transfer, c.relay,
  c.requested_at as "requestedAt", c.created_by as "createdBy", c.key_id as "keyId"`

export async function findCall(sql: Sql, orgId: string, id: string): Promise<CallRow | null> {
  const [row] = await sql<CallRow[]>`
    select ${callColumns(sql)} from calls c where c.org_id = ${orgId} and c.id = ${id}`
  return row ?? null
}

/** By the id of the call at its provider, such as a `CallSid`. */
export async function findByProvider(
  sql: Sql,
  orgId: string,
  provider: CallRow['provider'],
  providerId: string,
): Promise<CallRow | null> {
  const [row] = await sql<CallRow[]>`
    select ${callColumns(sql)} from calls c
    where c.org_id = ${orgId} and c.provider = ${provider} and c.provider_id = ${providerId}`
  return row ?? null
}

/** Like `findByProvider`, with a lock. */
export async function lockByProvider(
  sql: Sql,
  orgId: string,
  provider: CallRow['provider'],
  providerId: string,
): Promise<CallRow | null> {
  const [row] = await sql<CallRow[]>`
    select ${callColumns(sql)} from calls c
    where c.org_id = ${orgId} and c.provider = ${provider} and c.provider_id = ${providerId} for no key update`
  return row ?? null
}

/** Locks a call until the end of the transaction, so that its changes happen one after the other. */
export async function lockCall(sql: Sql, orgId: string, id: string): Promise<CallRow | null> {
  const [row] = await sql<CallRow[]>`
    select ${callColumns(sql)} from calls c where c.org_id = ${orgId} and c.id = ${id} for no key update`
  return row ?? null
}
