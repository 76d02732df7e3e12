import type { Sql } from '../../database/database.ts'

export interface AuditRow {
  id: string
  actorId: string | null
  actorName: string | null
  via: 'session' | 'key' | 'run' | 'app' | 'system'
  action: string
  target: string | null
  address: string | null
  details: Record<string, unknown>
  createdAt: string
}

export interface AuditFilter {
  action?: string | undefined
  userId?: string | undefined
}

export async function listAudit(
  sql: Sql,
  orgId: string,
  { action, userId }: AuditFilter,
  before: string | null,
  limit: number,
) {
  return sql<AuditRow[]>`
    select a.id, u.id as "actorId", u.name as "actorName", a.via, a.action, a.target, a.address, a.details,
      a.created_at as "createdAt"
    from audit a left join users u on u.id = a.user_id
    where a.org_id = ${orgId} and ${action ? sql`a.action = ${action}` : sql`true`}
      and ${userId ? sql`a.user_id = ${userId}` : sql`true`} and ${before ? sql`a.id < ${before}` : sql`true`}
    order by a.id desc limit ${limit}`
}
