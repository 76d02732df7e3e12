import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { conflict, notFound, viewOnly } from '../../../errors.ts'
import { projectAccess } from '../../projects/access/access.ts'
import { announceSession } from './announce.ts'
import type { MessagePart } from './message-queries.ts'

export interface SessionRow {
  orgId: string
  id: string
  projectId: string
  agentId: string
  /** Replaces the agent's. */
  model: string | null
  title: string | null
  status: 'open' | 'ended'
  origin: 'chat' | 'provider' | 'call' | 'api'
  messageCount: number
  activeRunId: string | null
  cost: string
  branchedFrom: string | null
  branchedAtSeq: number | null
  /** Pinned: its messages are passages. */
  knowledge: boolean
  participants: { userId: string; name: string }[]
  access: 'view' | 'edit'
  createdBy: string | null
  createdAt: string
  lastMessageAt: string
  endedAt: string | null
}

export const sessionColumns = (sql: Sql): Fragment => sql`
  s.org_id as "orgId", s.id, s.project_id as "projectId", s.agent_id as "agentId", s.model, s.title, s.status, s.origin,
  s.message_seq::int as "messageCount", s.active_run_id as "activeRunId", s.branched_from as "branchedFrom",
  s.branched_at_seq::int as "branchedAtSeq", s.knowledge, s.created_by as "createdBy", s.created_at as "createdAt",
  s.last_message_at as "lastMessageAt", s.ended_at as "endedAt",
  (select coalesce(sum(r.cost), 0)::numeric(20, 6) from runs r where r.org_id = s.org_id and r.session_id = s.id) as cost,
  coalesce((
    select json_agg(json_build_object('userId', u.id, 'name', u.name) order by sp.added_at, u.id)
    from session_participants sp
    join memberships m on m.org_id = sp.org_id and m.user_id = sp.user_id
    join users u on u.id = sp.user_id
    where sp.org_id = s.org_id and sp.session_id = s.id), '[]') as participants`

/** Throws NOT_FOUND unless the caller sees the project and, with `edit`, FORBIDDEN if the caller can only view it. */
export async function findSession(
  ctx: Context,
  id: string,
  to: 'view' | 'edit' = 'view',
): Promise<SessionRow> {
  const { sql, caller } = ctx
  const [row] = await sql<SessionRow[]>`
    select ${sessionColumns(sql)}, a.access
    from agent_sessions s
    join projects p on p.org_id = s.org_id and p.id = s.project_id and p.deleted_at is null,
      lateral (select ${projectAccess(sql, caller)} as access) a
    where s.org_id = ${caller.orgId} and s.id = ${id} and s.deleted_at is null and a.access is not null`
  if (!row) throw notFound('Session')
  if (to === 'edit' && row.access !== 'edit') throw viewOnly()
  return row
}

/** Every transaction that needs both locks the session before its run. */
export async function lockSession(sql: Sql, orgId: string, id: string): Promise<string | null> {
  const [row] = await sql<{ activeRunId: string | null }[]>`${sessionLock(sql, orgId, id)}`
  return row?.activeRunId ?? null
}

/** `lockSession` as an SQL fragment. */
export const sessionLock = (sql: Sql, orgId: string, id: string): Fragment => sql`
  select active_run_id as "activeRunId" from agent_sessions
  where org_id = ${orgId} and id = ${id} for no key update`

export function requireOpen({ status }: Pick<SessionRow, 'status'>): void {
  if (status === 'ended') throw conflict('This session has ended: reopen it, or start another')
}

export interface NewSession {
  id: string
  projectId: string
  agentId: string
  model?: string | null
  title: string | null
  origin: SessionRow['origin']
  branchedFrom?: { sessionId: string; seq: number }
  /** The calling run. Lists omit such sessions. */
  parentRunId?: string
  createdBy: string
  now: Date
}

export const insertSession = (sql: Sql, orgId: string, session: NewSession) => sql`
  insert into agent_sessions (org_id, id, project_id, agent_id, model, title, origin, branched_from, branched_at_seq,
    parent_run_id, created_by, created_at, updated_at, last_message_at)
  values (${orgId}, ${session.id}, ${session.projectId}, ${session.agentId}, ${session.model ?? null}, ${session.title}, ${session.origin},
    ${session.branchedFrom?.sessionId ?? null}, ${session.branchedFrom?.seq ?? null}, ${session.parentRunId ?? null}, ${session.createdBy},
    ${session.now}, ${session.now}, ${session.now})`

/** Locks the session so that run numbers become visible in order. */
export async function takeRunNumber(sql: Sql, orgId: string, sessionId: string): Promise<number> {
  const [row] = await sql<{ number: number }[]>`
    update agent_sessions set run_seq = run_seq + 1
    where org_id = ${orgId} and id = ${sessionId} returning run_seq as number`
  return row!.number
}

/** The first message becomes a missing title. */
export async function assignRun(
  sql: Sql,
  orgId: string,
  sessionId: string,
  runId: string,
  title: string | null,
): Promise<void> {
  await sql`
    update agent_sessions set active_run_id = ${runId}, title = coalesce(title, ${title}),
      title_is_provisional = title_is_provisional or title is null
    where org_id = ${orgId} and id = ${sessionId}`
  announceSession(sql, orgId, sessionId)
}

export const releaseSession = (sql: Sql, orgId: string, sessionId: string, runId: string) => sql`
  update agent_sessions set active_run_id = null
  where org_id = ${orgId} and id = ${sessionId} and active_run_id = ${runId}`

interface SessionChange {
  title?: string | null
  model?: string | null
  status?: SessionRow['status']
  knowledge?: boolean
  now: Date
}

export async function updateSession(
  sql: Sql,
  orgId: string,
  id: string,
  { title, model, status, knowledge, now }: SessionChange,
): Promise<void> {
  await sql`
    update agent_sessions set title = ${title === undefined ? sql`title` : title},
      model = ${model === undefined ? sql`model` : model},
      title_is_provisional = title_is_provisional and ${title === undefined}, status = ${status ?? sql`status`},
      knowledge = ${knowledge ?? sql`knowledge`},
      ended_at = ${status === undefined ? sql`ended_at` : status === 'ended' ? now : null}, version = version + 1,
      updated_at = ${now}
    where org_id = ${orgId} and id = ${id}`
  announceSession(sql, orgId, id)
}

/** Replaces a title that repeats the first message, once. An empty title keeps it. */
export async function replaceProvisionalTitle(
  sql: Sql,
  orgId: string,
  id: string,
  title: string,
): Promise<void> {
  await sql`
    update agent_sessions set title = coalesce(nullif(${title}, ''), title), title_is_provisional = false
    where org_id = ${orgId} and id = ${id} and title_is_provisional and deleted_at is null`
  announceSession(sql, orgId, id)
}

/** The conversation's runs stay, with their costs and changes. */
export async function deleteSession(sql: Sql, orgId: string, id: string, now: Date): Promise<void> {
  await sql`
    with messages_deleted as (
      delete from messages where org_id = ${orgId} and session_id = ${id}
    ), summaries_deleted as (
      delete from summaries where org_id = ${orgId} and session_id = ${id}
    ), participants_deleted as (
      delete from session_participants where org_id = ${orgId} and session_id = ${id}
    )
    update agent_sessions set deleted_at = ${now}, title = null, key = null where org_id = ${orgId} and id = ${id}`
  announceSession(sql, orgId, id)
}

export const copyMessages = (sql: Sql, orgId: string, from: string, to: string, beforeSeq: number) => sql`
  with copied as (
    insert into messages (org_id, session_id, seq, id, role, run_id, step, author_id, content, file_ids, body, citations,
      passages, trust, state, created_at)
    select org_id, ${to}, row_number() over (order by seq), new_id(created_at), role, run_id, step, author_id, content,
      file_ids, body, citations, passages, trust, 'sent', created_at
    from messages where org_id = ${orgId} and session_id = ${from} and seq < ${beforeSeq} and state = 'sent'
    returning seq
  ), summaries_copied as (
    insert into summaries (org_id, session_id, id, upto_seq, content, includes_earlier, model, tokens_before, tokens_after,
      created_at)
    select s.org_id, ${to}, s.id, (
        select count(*) from messages m
        where m.org_id = s.org_id and m.session_id = s.session_id and m.seq <= s.upto_seq and m.state = 'sent'),
      s.content, s.includes_earlier, s.model, s.tokens_before, s.tokens_after, s.created_at
    from summaries s where s.org_id = ${orgId} and s.session_id = ${from} and s.upto_seq < ${beforeSeq}
  )
  update agent_sessions set message_seq = (select coalesce(max(seq), 0) from copied)
  where org_id = ${orgId} and id = ${to}`

const SESSIONS_MAX = 20

export async function emptySessions(sql: Sql, orgId: string, projectId: string, now: Date): Promise<number> {
  const rows = await sql<{ id: string }[]>`
    select id from agent_sessions where org_id = ${orgId} and project_id = ${projectId} and deleted_at is null
    limit ${SESSIONS_MAX}`
  for (const { id } of rows) await deleteSession(sql, orgId, id, now)
  return rows.length
}

interface KeyedSession {
  id: string
  status: SessionRow['status']
  activeRunId: string | null
  isNew: boolean
}

/** Locks the session, or creates it. Its next message goes to this agent. */
export async function openKeyedSession(sql: Sql, orgId: string, key: string, session: NewSession) {
  const { id, projectId, agentId, title, origin, createdBy, now } = session
  const [row] = await sql<KeyedSession[]>`
    insert into agent_sessions as s (org_id, id, key, project_id, agent_id, title, origin, created_by, created_at,
      updated_at, last_message_at)
    values (${orgId}, ${id}, ${key}, ${projectId}, ${agentId}, ${title}, ${origin}, ${createdBy}, ${now}, ${now}, ${now})
    on conflict (org_id, key) where key is not null do update set agent_id = excluded.agent_id
    returning s.id, s.status, s.active_run_id as "activeRunId", s.id = ${id} as "isNew"`
  return row!
}

/** The next message with the key then starts another session. */
export const releaseKey = (sql: Sql, orgId: string, id: string) => sql`
  update agent_sessions set key = null where org_id = ${orgId} and id = ${id}`

interface Answer {
  sessionId: string
  id: string
  content: MessagePart[]
}

/**
 * Truncates an answer to what the listener heard, so that the model doesn't treat the rest as spoken. Keeps tool calls.
 */
export async function updateInterrupted(
  sql: Sql,
  orgId: string,
  { runId, step }: { runId: string; step: number },
  heard: string,
): Promise<void> {
  const answers = await sql<Answer[]>`
    select session_id as "sessionId", id, content from messages
    where org_id = ${orgId} and run_id = ${runId} and step = ${step} and role = 'assistant' for update`
  for (const { sessionId, id, content } of answers) {
    const text = `${heard}${heard && '… '}[The listener interrupted here and did not hear the rest.]`
    const others = content.filter(({ type }) => type !== 'text' && type !== 'reasoning')
    await sql`
      update messages set content = ${sql.json([{ type: 'text', text }, ...others] as never)},
        body = ${heard && `${heard}…`}
      where org_id = ${orgId} and session_id = ${sessionId} and id = ${id}`
    announceSession(sql, orgId, sessionId)
  }
}
