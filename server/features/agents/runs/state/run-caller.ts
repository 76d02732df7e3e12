import type { Role } from '../../../../../contract/accounts/accounts.ts'
import { scopeGrants, scopesInRuns } from '../../../../../contract/accounts/scopes.ts'
import type { Caller } from '../../../../context.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import type { Trust } from '../../../../tools/tool.ts'
import { memberProjectAccess } from '../../../projects/access/access.ts'
import type { EngineRun } from './run-row.ts'

/** No payments. */
const APP_SCOPES = ['models:read', 'files:write']

export interface RunRights {
  role: Role
  workspaceId: string | null
  scopes: string[] | null
  readOnly: boolean | null
}

/** Returns null for a user session. */
export const callerKeyId = ({ via, credentialId }: Pick<Caller, 'via' | 'credentialId'>): string | null =>
  via === 'key' || via === 'app' ? credentialId : null

/**
 * For run `r`, at present. Null if the user left, the key or grant was revoked or expired, or the project is no longer
 * visible. Only a write grant starts runs.
 */
export const selectRights = (sql: Sql): Fragment => sql`(
  select json_build_object('role', m.role, 'workspaceId', m.default_workspace_id,
    'scopes', coalesce(k.scopes, case when g.id is not null then ${APP_SCOPES}::text[] end), 'readOnly', k.read_only)
  from memberships m
  join projects p on p.org_id = m.org_id and p.id = r.project_id and p.deleted_at is null
  left join api_keys k on k.org_id = m.org_id and k.id = r.key_id and k.user_id = m.user_id and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now())
  left join app_grants g on g.org_id = m.org_id and g.id = r.key_id and g.user_id = m.user_id and g.revoked_at is null
    and g.access = 'write' and (g.expires_at is null or g.expires_at > now())
  where m.org_id = r.org_id and m.user_id = r.created_by
    and (r.key_id is null or k.id is not null or g.id is not null)
    and ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is not null)`

/** The endpoint checks this again. */
export const mayPay = ({ role, scopes, readOnly }: RunRights): boolean =>
  role !== 'member' && !readOnly && (scopes === null || scopeGrants(scopes, 'billing:machine:charge'))

/** With current permissions, but never an operator's. */
export async function findRunCaller(
  sql: Sql,
  run: Pick<EngineRun, 'orgId' | 'id' | 'createdBy'>,
): Promise<Caller | null> {
  const [row] = await sql<{ rights: RunRights | null; trust: Trust }[]>`
    select ${selectRights(sql)} as rights, r.trust from runs r where r.org_id = ${run.orgId} and r.id = ${run.id}`
  if (!row?.rights) return null
  const { role, workspaceId, scopes, readOnly } = row.rights
  return {
    via: 'run',
    credentialId: run.id,
    trust: row.trust,
    userId: run.createdBy,
    orgId: run.orgId,
    workspaceId,
    role,
    operator: false,
    scopes: scopes ? scopesInRuns(scopes) : 'all',
    ...(readOnly && { readOnly: true }),
    stepUpUntil: null,
    stepUpMethods: [],
  }
}
