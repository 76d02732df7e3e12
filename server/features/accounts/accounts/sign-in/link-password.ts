import type { PublicContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { resetBucket } from '../../../../database/limits.ts'
import { unauthorized } from '../../../../errors.ts'
import { clientNetwork } from '../../../../security/client-network.ts'
import { sha256 } from '../../../../security/digest.ts'
import { verifyPassword } from '../../../../security/passwords.ts'
import { consumeAttempt, delayAttempt, forgetAttempt } from '../attempts.ts'

interface ProtectedLink {
  orgId: string
  id: string
  passwordHash: string | null
}

/** `limitName` names the attempt rate limit, `noun` names the link in errors. */
interface LinkKind {
  limitName: string
  noun: string
}

/** A network that hasn't opened the link for this long is a stranger again. */
export const LINK_VISITOR_DAYS = 180

/**
 * Attempts are limited per network, never across all: guessing strangers could otherwise lock the link for those who
 * know its password. A network that has opened the link before also passes the strangers' queue.
 */
export async function checkLinkPassword(
  ctx: PublicContext,
  { limitName, noun }: LinkKind,
  { orgId, id, passwordHash }: ProtectedLink,
  password: string | undefined,
): Promise<void> {
  if (password === undefined)
    throw unauthorized(`This ${noun} requires a password`, { reason: 'password_required' })
  const attempts = { name: limitName, capacity: 5, perSeconds: 300 }
  const network = clientNetwork(ctx.origin.ip)
  const client = `${id} ${network}`
  const visitor = { linkId: id, network: sha256(client), now: ctx.now() }
  const isKnown = await hasOpened(ctx.sql, orgId, visitor)
  if (!isKnown) await delayAttempt(ctx, 'link', network)
  await consumeAttempt(ctx, attempts, client)
  const queue = { lane: isKnown ? 'known' : 'anonymous', key: network } as const
  if (!(await verifyPassword(passwordHash, password, queue)))
    throw unauthorized('Wrong password', { reason: 'wrong_password' })
  await resetBucket(ctx.sql, attempts, client)
  if (!isKnown) await forgetAttempt(ctx, 'link', network)
  await upsertVisitor(ctx.sql, orgId, visitor)
}

interface Visitor {
  linkId: string
  network: Buffer
  now: Date
}

async function hasOpened(sql: Sql, orgId: string, { linkId, network, now }: Visitor): Promise<boolean> {
  const [row] = await sql`
    select from link_visitors where org_id = ${orgId} and link_id = ${linkId} and network = ${network}
      and opened_at > ${now}::timestamptz - make_interval(days => ${LINK_VISITOR_DAYS}::int)`
  return row !== undefined
}

const upsertVisitor = (sql: Sql, orgId: string, { linkId, network, now }: Visitor) => sql`
  insert into link_visitors (org_id, link_id, network, opened_at) values (${orgId}, ${linkId}, ${network}, ${now})
  on conflict (org_id, link_id, network) do update set opened_at = excluded.opened_at`
