import type { Role } from '../../../../../contract/accounts/accounts.ts'
import type { TRUST_REASONS } from '../../../../../contract/agents/agent-runs.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'

type TrustReason = (typeof TRUST_REASONS)[number]

interface Instructions {
  agentId: string
  agentVersion: number
  projectId: string
  sessionId: string
  blockId: string | null
}

/**
 * A member with a lower role than the starter could otherwise act with the permissions of everyone who runs the agent.
 * Nobody ranks below a member.
 */
export async function findLowerAuthor(
  sql: Sql,
  orgId: string,
  starter: { userId: string; role: Role },
  instructions: Instructions,
): Promise<TrustReason | null> {
  if (starter.role === 'member') return null
  const [row] = await sql<{ reason: TrustReason }[]>`
    select a.reason from (${authors(sql, orgId, instructions)}) a (reason, user_id)
    left join memberships m on m.org_id = ${orgId} and m.user_id = a.user_id
    where a.user_id <> ${starter.userId} and role_rank(m.role) < role_rank(${starter.role}) limit 1`
  return row?.reason ?? null
}

/** Archiving doesn't change the author. */
const authors = (
  sql: Sql,
  orgId: string,
  { agentId, agentVersion, projectId, sessionId, blockId }: Instructions,
): Fragment => sql`
  (select 'agent', v.changed_by from agent_versions v
    where v.org_id = ${orgId} and v.agent_id = ${agentId} and v.version <= ${agentVersion}
      and v.change in ('created', 'updated', 'restored')
    order by v.version desc limit 1)
  union all
  select 'project_prompt', coalesce(p.prompt_by, p.user_id) from projects p
  where p.org_id = ${orgId} and p.id = ${projectId} and p.prompt <> ''
  union all
  select 'skill', (
    select w.changed_by from skill_versions w
    where w.org_id = s.org_id and w.skill_id = s.id and w.version = s.version)
  from agent_versions v
  cross join jsonb_array_elements_text(v.settings -> 'skills') k (id)
  join skills s on s.org_id = v.org_id and s.id = k.id::uuid
  where v.org_id = ${orgId} and v.agent_id = ${agentId} and v.version = ${agentVersion}
  union all
  select distinct 'message', e.author_id from messages e where e.org_id = ${orgId} and e.session_id = ${sessionId}
  ${blockId === null ? sql`` : sql`union all ${blockAuthors(sql, orgId, projectId, blockId)}`}`

/**
 * Includes the text's first author, since the block may be copied or restored. If its history was pruned, the creator
 * counts.
 */
const blockAuthors = (sql: Sql, orgId: string, projectId: string, blockId: string): Fragment => sql`
  select 'block', t.user_id from blocks b
  join instruction_texts t on t.org_id = b.org_id and t.hash = text_hash(b.content)
  where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = ${blockId}
  union all
  select 'block', coalesce((
    select c.user_id from canvas_changes c
    where c.org_id = b.org_id and c.project_id = b.project_id and c.item_id = b.id and c.entity = 'block'
      and c.after -> 'content' is not null
    order by c.seq desc limit 1), b.created_by)
  from blocks b where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = ${blockId}
  union all
  select 'block', coalesce((
    select c.user_id from canvas_changes c
    where c.org_id = b.org_id and c.project_id = b.project_id and c.item_id = b.id and c.entity = 'block'
      and c.after -> 'metadata' -> 'outputSchema' is distinct from c.before -> 'metadata' -> 'outputSchema'
      and c.after -> 'metadata' is not null
    order by c.seq desc limit 1), b.created_by)
  from blocks b
  where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = ${blockId} and b.metadata ? 'outputSchema'`
