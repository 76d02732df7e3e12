import type { SmsStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

export interface SmsRow {
  id: string
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  numberId: string
  projectId: string
  peer: string
  body: string
  media: string[]
  status: SmsStatus
  segments: number
  encoding: 'GSM-7' | 'UCS-2'
  errorCode: string | null
  errorMessage: string | null
  sessionId: string | null
  runId: string | null
  cost: string | null
  costIsEstimate: boolean
  createdAt: string
  sentAt: string | null
}

export const smsColumns = (sql: Sql): Fragment => sql`
  m.id, m.direction, m.from_number as "from", m.to_number as "to", m.number_id as "numberId",
  m.project_id as "projectId", m.peer, m.body, m.media, m.status, m.segments, m.encoding, m.error_code as "errorCode",
  m.error_message as "errorMessage", m.session_id as "sessionId", m.run_id as "runId", m.cost,
  m.cost_is_estimate as "costIsEstimate", m.created_at as "createdAt", m.sent_at as "sentAt"`

export const presentSms = ({
  projectId: _projectId,
  peer: _peer,
  cost,
  costIsEstimate,
  ...message
}: SmsRow) => ({
  ...message,
  cost: cost === null ? null : { amount: cost, currency: 'USD' as const, isEstimate: costIsEstimate },
})

export interface NumberAndPeer {
  numberId: string
  peer: string
}

export interface NewSms extends NumberAndPeer {
  id: string
  direction: 'inbound' | 'outbound'
  projectId: string
  e164: string
  body: string
  segments: number
  encoding: 'GSM-7' | 'UCS-2'
  status: 'received' | 'queued' | 'failed'
  now: Date
  purpose?: 'message' | 'reply' | 'notice' | 'forward'
  media?: readonly string[]
  remoteMedia?: readonly { url: string; contentType: string }[]
  handling?: 'pending' | 'done' | null
  providerId?: string | null
  errorCode?: string | null
  errorMessage?: string | null
  sessionId?: string | null
  runId?: string | null
  createdBy?: string | null
}

/** Returns null if the carrier's message is already stored. */
export async function insertSms(sql: Sql, orgId: string, message: NewSms): Promise<SmsRow | null> {
  const { direction, peer, e164, now } = message
  const [from, to] = direction === 'inbound' ? [peer, e164] : [e164, peer]
  const [row] = await sql<SmsRow[]>`
    with m as (
      insert into sms_messages (org_id, id, direction, number_id, project_id, peer, from_number, to_number, body, media,
        remote_media, status, segments, encoding, purpose, handling, provider_id, error_code, error_message, session_id,
        run_id, due_at, created_by, created_at)
      values (${orgId}, ${message.id}, ${direction}, ${message.numberId}, ${message.projectId}, ${peer}, ${from}, ${to},
        ${message.body}, ${sql.json(message.media ?? [])}, ${sql.json((message.remoteMedia ?? []) as never)},
        ${message.status}, ${message.segments}, ${message.encoding}, ${message.purpose ?? 'message'},
        ${message.handling ?? null}, ${message.providerId ?? null}, ${message.errorCode ?? null},
        ${message.errorMessage ?? null}, ${message.sessionId ?? null}, ${message.runId ?? null},
        ${message.status === 'queued' ? now : null}, ${message.createdBy ?? null}, ${now})
      on conflict (org_id, provider_id) where provider_id is not null do nothing
      returning *
    ) select ${smsColumns(sql)} from m`
  return row ?? null
}

interface TouchedConversation extends Pick<NewSms, 'numberId' | 'peer' | 'projectId' | 'id' | 'now'> {
  /** A worker must handle it, unless the conversation is paused. */
  isPending?: boolean
}

export const touchConversation = (
  sql: Sql,
  orgId: string,
  { numberId, peer, projectId, id, now, isPending = false }: TouchedConversation,
) => sql`
  insert into sms_conversations as c (org_id, number_id, peer, project_id, messages, last_message_id, last_at, due_at)
  values (${orgId}, ${numberId}, ${peer}, ${projectId}, 1, ${id}, ${now}, ${isPending ? now : null})
  on conflict (org_id, number_id, peer) do update set project_id = excluded.project_id, messages = c.messages + 1,
    last_message_id = greatest(c.last_message_id, excluded.last_message_id), last_at = greatest(c.last_at, excluded.last_at),
    due_at = case when c.paused_at is null then least(c.due_at, excluded.due_at) else c.due_at end`
