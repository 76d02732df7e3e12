import type { Language } from '../../../../contract/languages.ts'
import type { PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { queueMail } from '../../../mail/mail.ts'
import { speak, type Words } from '../../../mail/words.ts'
import { SUSPENSIONS_CHANNEL } from '../../../suspensions/suspensions.ts'
import { isOnlyOrganizationOfOperator } from '../../accounts/accounts/accounts.ts'
import { postponeDeadlines } from '../../agents/runs/runs.ts'

type Inside = Pick<PublicContext, 'sql' | 'now'>

/**
 * Call it in the cause's transaction. Stops nothing itself: `permit` rejects calls, and workers claim none of its work.
 * Call `suspensions.refresh` after the commit, so this process applies it before the caller gets the response.
 */
export async function close(
  inside: Inside,
  orgId: string,
  suspension: Omit<NewSuspension, 'now'>,
  mail: OwnersMail,
): Promise<void> {
  if (await isOnlyOrganizationOfOperator(inside.sql, orgId)) throw operatorOrganization()
  await insertSuspension(inside.sql, orgId, { ...suspension, now: inside.now() })
  await mailOwners(inside, orgId, mail)
  await notifySuspensions(inside.sql, orgId)
}

/** Stays closed if there is another reason. False if it wasn't closed for this one. */
export async function reopen(
  inside: Inside,
  orgId: string,
  kind: NewSuspension['kind'],
  mail: OwnersMail,
): Promise<boolean> {
  const suspensions = await lockSuspensions(inside.sql, orgId)
  const ended = suspensions.find((suspension) => suspension.kind === kind)
  if (!ended) return false
  await deleteSuspension(inside.sql, orgId, kind)
  // The time since another suspension began counts when that suspension ends.
  const other = suspensions.find((suspension) => suspension !== ended)
  const [since, until] = [new Date(ended.since), other ? new Date(other.since) : inside.now()]
  if (since < until) await postponeDeadlines(inside.sql, orgId, since, until)
  await mailOwners(inside, orgId, mail)
  await notifySuspensions(inside.sql, orgId)
  return true
}

const operatorOrganization = () =>
  new ApiError('CONFLICT', 'This is a server operator’s only active organization', {
    details: { reason: 'operator_organization' },
  })

const RECIPIENTS_MAX = 100

interface OwnersMail {
  id: string
  /** In each owner's language. */
  write: (words: Words) => { subject: string; text: string }
}

/** Server mail, because the organization's mail waits during a suspension. */
async function mailOwners(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  mail: OwnersMail,
): Promise<void> {
  for (const { id, email, language } of await listOwners(sql, orgId, RECIPIENTS_MAX)) {
    const message = { id: `${mail.id}-to-${id}`, to: email, ...mail.write(speak(language)) }
    await queueMail(sql, null, message, now())
  }
}

interface NewSuspension {
  kind: 'operator' | 'erasure'
  reason: string
  /** Null from the command line. */
  by: string | null
  now: Date
}

/** A second suspension with the same kind replaces the reason. */
const insertSuspension = (sql: Sql, orgId: string, { kind, reason, by, now }: NewSuspension) => sql`
  insert into suspensions (org_id, kind, reason, suspended_by, suspended_at)
  values (${orgId}, ${kind}, ${reason}, ${by}, ${now})
  on conflict (org_id, kind) do update set reason = excluded.reason, suspended_by = excluded.suspended_by`

const deleteSuspension = (sql: Sql, orgId: string, kind: NewSuspension['kind']) => sql`
  delete from suspensions where org_id = ${orgId} and kind = ${kind}`

const lockSuspensions = (sql: Sql, orgId: string) => sql<{ kind: NewSuspension['kind']; since: string }[]>`
  select kind, suspended_at as since from suspensions where org_id = ${orgId} for update`

interface StoredSuspension {
  reason: string
  since: string
  by: { id: string; name: string } | null
}

export async function findSuspension(sql: Sql, orgId: string): Promise<StoredSuspension | null> {
  const [row] = await sql<StoredSuspension[]>`
    select s.reason, s.suspended_at as since,
      case when u.id is null then null else json_build_object('id', u.id, 'name', u.name) end as by
    from suspensions s left join users u on u.id = s.suspended_by
    where s.org_id = ${orgId} and s.kind = 'operator'`
  return row ?? null
}

/** Part of the transaction: like revoked access, it must reach every process. */
const notifySuspensions = (sql: Sql, orgId: string) => sql`select pg_notify(${SUSPENSIONS_CHANNEL}, ${orgId})`

export const listOwners = (sql: Sql, orgId: string, limit: number) => sql<
  { id: string; name: string; email: string; language: Language | null }[]
>`
  select u.id, u.name, u.email, u.language from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and m.role = 'owner' order by u.name, u.id limit ${limit}`
