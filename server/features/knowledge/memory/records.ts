import type { z } from 'zod'
import type { Memory } from '../../../../contract/knowledge/memory.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { canEditSomewhere } from '../../organizations/membership/membership.ts'
import { isProjectVisible, projectAccessById } from '../../projects/access/access.ts'

type MemoryRecord = z.output<typeof Memory>

/** `accepted` and `rejected` are decided proposals, which no list shows. */
export type StoredStatus = MemoryRecord['status'] | 'accepted' | 'rejected'

export interface Draft {
  key: string
  content: string
  tags: string[]
}

export interface MemoryRow extends Omit<MemoryRecord, 'scope' | 'status'> {
  status: StoredStatus
  originProjectId: string | null
  acceptedAs: string | null
  acceptedVersion: number | null
}

/** Looks up the replaced memory only for proposals. */
export const columns = (sql: Sql, caller: Pick<Caller, 'orgId' | 'userId' | 'role'>): Fragment => sql`
  m.id, m.project_id as "projectId", m.key, m.content, m.tags, m.source, m.status, m.run_id as "runId", m.version,
  m.origin_project_id as "originProjectId", m.accepted_as as "acceptedAs", m.accepted_version as "acceptedVersion",
  m.created_at as "createdAt", m.updated_at as "updatedAt",
  (select p.name from projects p where p.org_id = ${caller.orgId} and p.id = any(array[m.project_id]) order by p.id limit 1)
    as "projectName",
  (select json_build_object('id', u.id, 'name', u.name) from users u where u.id = m.written_by) as by,
  case when m.status <> 'active' then (
    select json_build_object('id', a.id, 'content', a.content, 'tags', a.tags) from memories a
    where a.org_id = ${caller.orgId} and a.space_id = m.space_id and a.key = any(array[m.key]) and a.status = 'active'
    order by a.key limit 1
  ) end as replaces,
  ${canEditMemory(sql, caller)} as "canEdit"`

export const canEditMemory = (sql: Sql, caller: Pick<Caller, 'orgId' | 'userId' | 'role'>): Fragment => sql`
  case when m.project_id is null then ${canEditSomewhere(sql, caller)}
    else coalesce(${projectAccessById(sql, caller, sql`m.project_id`)} = 'edit', false) end`

export const present = (row: MemoryRow): MemoryRecord => ({
  id: row.id,
  scope: row.projectId === null ? 'org' : 'project',
  projectId: row.projectId,
  projectName: row.projectName,
  key: row.key,
  content: row.content,
  tags: row.tags,
  source: row.source,
  status: row.status === 'active' || row.status === 'accepted' ? 'active' : 'proposed',
  by: row.by,
  runId: row.runId,
  replaces: row.replaces,
  canEdit: row.canEdit,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/**
 * A proposal for the organization is visible only to members who see its run's project, since nobody has checked its
 * text.
 */
export function isMemoryVisible(sql: Sql, caller: Caller): Fragment {
  const projectId = sql`coalesce(m.project_id, case when m.status <> 'active' then m.origin_project_id end)`
  return sql`(${projectId} is null or ${isProjectVisible(sql, caller, projectId)})`
}
