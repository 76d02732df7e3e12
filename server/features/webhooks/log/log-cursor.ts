import type { Vault } from '../../../security/vault.ts'

/**
 * How far somebody has read in the log: everything that had been committed at `seen`, and of what had been at `upTo` as
 * well, up to one event. Changes commit in another order than they begin in; told in this way, none is left out and none
 * is told twice.
 */
export interface LogCursor {
  seen: string
  upTo: string | null
  after: { recordedIn: string; id: string } | null
}

/** Whoever comes back after longer than this begins with the present. */
export const RESUMABLE_MS = 86_400_000

const purposeOf = (orgId: string) => `log-place ${orgId}`

/** As the id of an event in a stream, which a client sends back to go on from there. */
export function encodeLogCursor(
  vault: Vault,
  orgId: string,
  { seen, upTo, after }: LogCursor,
  now: Date,
): string {
  const text = [now.getTime(), seen, upTo, after?.recordedIn, after?.id].join('/')
  return `${text}/${vault.sign(purposeOf(orgId), text)}`
}

/** Null if it is none of ours, or too long ago. */
export function decodeLogCursor(
  vault: Vault,
  orgId: string,
  written: string | undefined,
  now: Date,
): LogCursor | null {
  const at = written?.lastIndexOf('/') ?? -1
  if (!written || at < 0) return null
  const text = written.slice(0, at)
  if (!vault.verify(purposeOf(orgId), text, written.slice(at + 1))) return null
  const [time, seen, upTo, recordedIn, id] = text.split('/')
  if (now.getTime() - Number(time) > RESUMABLE_MS) return null
  return { seen: seen!, upTo: upTo || null, after: recordedIn && id ? { recordedIn, id } : null }
}
