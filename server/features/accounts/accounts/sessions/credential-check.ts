import type { Caller } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'

/** Whether credential, membership and role are unchanged: for streams, which outlive the request that opened them. */
export async function isCredentialValid(sql: Sql, caller: Caller, now: Date): Promise<boolean> {
  const [isValid] = await areCredentialsValid(sql, [caller], now)
  return isValid!
}

/** Like `isCredentialValid`, for many callers in one statement. */
export async function areCredentialsValid(sql: Sql, callers: Caller[], now: Date): Promise<boolean[]> {
  const column = <F extends keyof Caller>(field: F) => callers.map((caller) => caller[field])
  const rows = await sql<{ isValid: boolean }[]>`
    select case c.via
      when 'key' then exists (
        select from api_keys k where k.org_id = m.org_id and k.id = c.credential and k.user_id = m.user_id
          and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}))
      when 'app' then exists (
        select from app_grants g where g.org_id = m.org_id and g.id = c.credential and g.user_id = m.user_id
          and g.revoked_at is null and (g.expires_at is null or g.expires_at > ${now}))
      else exists (
        select from sessions s where s.id = c.credential and s.org_id = m.org_id and s.user_id = m.user_id
          and s.expires_at > ${now})
      end as "isValid"
    from unnest(${column('orgId')}::uuid[], ${column('userId')}::uuid[], ${column('role')}::text[],
      ${column('via')}::text[], ${column('credentialId')}::uuid[])
      with ordinality as c (org_id, user_id, role, via, credential, position)
    left join memberships m on m.org_id = c.org_id and m.user_id = c.user_id and m.role = c.role
    order by c.position`
  return rows.map(({ isValid }) => isValid)
}
