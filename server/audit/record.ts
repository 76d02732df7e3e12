import { AUDIT_ACTIONS, type AuditAction } from '../../contract/audit-actions.ts'
import type { Caller, PublicContext } from '../context.ts'
import { addJob } from '../jobs/job.ts'
import { newId } from '../security/ids.ts'
import { isNotified, signInMethodsChanged } from './sign-in-notices.ts'

export interface AuditEntry {
  action: AuditAction
  /** The actor and organization: the caller, if a call causes the action. */
  by: { orgId: string; userId: string | null; via: Caller['via'] | 'system' }
  target?: string
  details?: Record<string, string>
  /** Sign-in notice recipient, if not the account's email address at sending time. */
  noticeTo?: string
}

/** Records a security-relevant action. Use the action's transaction, so neither exists alone. */
export async function recordAudit(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  entry: AuditEntry,
): Promise<void> {
  const { orgId, userId, via } = entry.by
  const { action, target = null, details = {}, noticeTo } = entry
  const { ip } = ctx.origin
  const id = newId()
  const [actor = null] = await ctx.sql<{ name: string; email: string }[]>`
    select name, email from users where id = ${userId}`
  const words = searchTermsOf({ action, actor, target, details })
  await ctx.sql`
    insert into audit (org_id, id, user_id, via, action, target, address, details, words, created_at)
    values (${orgId}, ${id}, ${userId}, ${via}, ${action}, ${target}, ${ip}, ${ctx.sql.json(details)},
      array_to_tsvector(${words}::text[]), ${ctx.now()})`
  if (!isNotified(action) || userId === null) return
  const notice = { id, userId, action, address: ip, at: ctx.now().toISOString(), to: noticeTo }
  await ctx.sql`select ${addJob(ctx.sql, signInMethodsChanged, notice)}`
}

const HOUR_MS = 3_600_000

/** For actions spanning many requests, such as a download in parts: once an hour per user and details. */
export async function recordAuditHourly(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  entry: AuditEntry,
): Promise<void> {
  const { by, action, details = {} } = entry
  const since = new Date(ctx.now().getTime() - HOUR_MS)
  const recentEntries = await ctx.sql`
    select from audit where org_id = ${by.orgId} and action = ${action} and user_id = ${by.userId}
      and details = ${ctx.sql.json(details)} and created_at > ${since} limit 1`
  if (recentEntries.length === 0) await recordAudit(ctx, entry)
}

/** As recorded at the time, so the entry stays readable after the user has left. */
export const auditName = ({ name, email }: { name: string; email: string }) => ({ name, email })

const WORDS_MAX = 80
const WORD_LENGTH_MAX = 100

interface Searchable {
  action: AuditAction
  actor: { name: string; email: string } | null
  target: string | null
  details: Record<string, string>
}

/** Returns words, and the parts of words such as `api-key.created`. */
function searchTermsOf({ action, actor, target, details }: Searchable): string[] {
  const values = [action, AUDIT_ACTIONS[action], actor?.name, actor?.email, target, ...Object.values(details)]
  const words = split(values.join(' ')).flatMap((word) => [word, ...word.split(/[@._+-]+/)])
  return [...new Set(words.filter((word) => word !== ''))].slice(0, WORDS_MAX)
}

/** Matches entries with every search word as a prefix. Null if `search` has no word. */
export function toAuditQuery(search: string): string | null {
  const words = split(search).map((word) => `'${word.replaceAll('\\', '').replaceAll("'", '')}':*`)
  return words.length === 0 ? null : words.join(' & ')
}

/** Upper case first, then lower, because some letters have only one of the two. */
const split = (text: string): string[] =>
  text
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}@._+-]+/u)
    .map((word) => [...word].slice(0, WORD_LENGTH_MAX).join(''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
