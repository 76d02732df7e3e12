import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'

/** For a terminal to display. */
export async function readMe(ctx: Context) {
  const { orgId, userId, workspaceId, via, scopes, credentialId, role } = ctx.caller
  const keyId = via === 'key' ? credentialId : null
  const me = (await findMe(ctx.sql, orgId, userId, workspaceId, keyId)) ?? raise(notFound('User'))
  return {
    ...me,
    role,
    via: keyId ? ('key' as const) : ('session' as const),
    scopes: scopes === 'all' ? null : [...scopes],
  }
}

interface Me {
  user: { id: string; name: string; email: string }
  organization: { id: string; name: string }
  workspace: { id: string; name: string } | null
  key: {
    id: string
    name: string
    prefix: string
    lastFour: string
    readOnly: boolean
    expiresAt: string | null
  } | null
}

async function findMe(
  sql: Sql,
  orgId: string,
  userId: string,
  workspaceId: string | null,
  keyId: string | null,
) {
  const [row] = await sql<Me[]>`
    select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as user,
      jsonb_build_object('id', o.id, 'name', o.name) as organization,
      case when w.id is not null then jsonb_build_object('id', w.id, 'name', w.name) end as workspace,
      case when k.id is not null then jsonb_build_object('id', k.id, 'name', k.name, 'prefix', k.prefix,
        'lastFour', k.last_four, 'readOnly', k.read_only, 'expiresAt',
        to_char(k.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as key
    from organizations o
    join users u on u.id = ${userId}
    left join workspaces w on w.org_id = o.id and w.id = ${workspaceId} and w.deleted_at is null
    left join api_keys k on k.org_id = o.id and k.id = ${keyId}
    where o.id = ${orgId}`
  return row ?? null
}
