import type { Sql } from '../../../../database/database.ts'
import type { Carrier } from '../../carrier/carrier.ts'
import { listStoredIds } from './outbound-queries.ts'

/** The maximum clock skew between the carrier and this server. */
const CLOCK_SKEW_MAX_MS = 60_000

type LookupResult =
  | { kind: 'found'; sms: { providerId: string; segments: number | null } }
  | { kind: 'missing' }
  | { kind: 'unreachable' }

/**
 * Finds a message whose response was lost: the same text between the same numbers, not stored here as another message.
 */
export async function findAtCarrier(
  sql: Sql,
  orgId: string,
  carrier: Carrier,
  { from, to, body, attemptedAt }: { from: string; to: string; body: string; attemptedAt: string },
): Promise<LookupResult> {
  const since = new Date(Date.parse(attemptedAt) - CLOCK_SKEW_MAX_MS)
  const recent = await carrier.listSms({ from, to, since })
  if (!recent.ok) return { kind: 'unreachable' }
  const sameText = recent.value.filter((sms) => sms.body.trim() === body.trim())
  const storedIds = await listStoredIds(
    sql,
    orgId,
    sameText.map(({ providerId }) => providerId),
  )
  const sms = sameText.find(({ providerId }) => !storedIds.has(providerId))
  return sms ? { kind: 'found', sms } : { kind: 'missing' }
}
