import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { memberProjectAccess } from '../../project-access/project-access.ts'
import type { EngineRun } from './run-row.ts'

interface RightsRow {
  role: Role
  workspaceId: string | null
  scopes: string[] | null
  readOnly: boolean | null
}

/**
 * The caller of a run's tool calls: the person or key that started it, with the rights that they have now. Null if the
 * person left, the key was revoked, or the project is no longer visible to them. A run never operates the platform.
 */
export async function callerOf(sql: Sql, run: EngineRun): Promise<Caller | null> {
  const [row] = await sql<RightsRow[]>`
    select m.role, m.default_workspace_id as "workspaceId", k.scopes, k.read_only as "readOnly"
    from memberships m
    join projects p on p.org_id = m.org_id and p.id = ${run.projectId} and p.deleted_at is null
    left join api_keys k on k.org_id = m.org_id and k.id = ${run.keyId} and k.user_id = m.user_id and k.revoked_at is null
    where m.org_id = ${run.orgId} and m.user_id = ${run.createdBy}
      and (${run.keyId}::uuid is null or k.id is not null)
      and ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is not null`
  if (!row) return null
  return {
    via: 'run',
    credentialId: run.id,
    userId: run.createdBy,
    orgId: run.orgId,
    workspaceId: row.workspaceId,
    role: row.role,
    operator: false,
    scopes: row.scopes ?? 'all',
    ...(row.readOnly && { readOnly: true }),
    stepUpUntil: null,
    stepUpMethods: [],
  }
}
