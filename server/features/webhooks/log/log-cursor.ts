import type { Vault } from '../../../security/vault.ts'

/**
 * A position in the event log: every event committed in the snapshot `seen`, and of those committed in the snapshot
 * `upTo` the events up to `after`. Transactions commit in a different order than they begin, so a cursor of one id or
 * time would skip or repeat events; snapshots do neither.
 */
export interface LogCursor {
  seen: string
  upTo: string | null
  after: { recordedIn: string; id: string } | null
}

/** An older cursor is ignored: the stream starts at the present. */
export const RESUMABLE_MS = 86_400_000

/** Part of every issued cursor: a new text would invalidate them all. */
const purposeOf = (orgId: string) => `log-place ${orgId}`

/** The id of an event in a stream, which the client sends back as `Last-Event-ID`. Signed, so that it cannot be altered. */
export function encodeLogCursor(
  vault: Vault,
  orgId: string,
  { seen, upTo, after }: LogCursor,
  now: Date,
): string {
  const text = [now.getTime(), seen, upTo, after?.recordedIn, after?.id].join('/')
  return `${text}/${vault.sign(purposeOf(orgId), text)}`
}

/** Null if the signature is invalid or the cursor is too old. */
export function decodeLogCursor(
  vault: Vault,
  orgId: string,
  encoded: string | undefined,
  now: Date,
): LogCursor | null {
  const end = encoded?.lastIndexOf('/') ?? -1
  if (!encoded || end < 0) return null
  const text = encoded.slice(0, end)
  if (!vault.verify(purposeOf(orgId), text, encoded.slice(end + 1))) return null
  const [time, seen, upTo, recordedIn, id] = text.split('/')
  if (now.getTime() - Number(time) > RESUMABLE_MS) return null
  return { seen: seen!, upTo: upTo || null, after: recordedIn && id ? { recordedIn, id } : null }
}
