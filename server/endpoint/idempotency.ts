import type { Endpoint } from '../../contract/endpoint.ts'
import type { Caller, Capability, Context } from '../context.ts'
import { ApiError, badField } from '../errors.ts'
import { sha256 } from '../security/digest.ts'
import type { Call, Result } from './call.ts'

const KEY_LENGTH_MAX = 200

/** A key belongs to one user in one organization. `requestHash` distinguishes different requests. */
export interface IdempotentRequest {
  key: string
  requestHash: Buffer
}

/** Undefined if the call or endpoint has no key. */
export function readIdempotencyKey({ idempotent }: Endpoint, call: Call): string | undefined {
  const key = idempotent ? call.idempotencyKey : undefined
  if (key === undefined) return undefined
  if (key.length > KEY_LENGTH_MAX || !/^[\x20-\x7e]+$/.test(key)) {
    throw badField('headers.idempotency-key', `must be 1 to ${KEY_LENGTH_MAX} printable ASCII characters`)
  }
  return scopedKey(call.caller, key)
}

/** Guests act under the share link's creator, so a prefix separates their keys. */
const scopedKey = (caller: Caller | null, key: string) =>
  caller?.share ? `guest ${caller.credentialId} ${key}` : key

export const hashRequest = (endpoint: Endpoint, call: Call, content: unknown): Buffer =>
  sha256(JSON.stringify([endpoint.method, urlOf(endpoint, call), content]))

function urlOf({ path }: Endpoint, { params, query }: Call): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(query as Record<string, string>).toString()
  return search ? `${filled}?${search}` : filled
}

/**
 * One transaction for the work and its stored response: after a crash both exist or neither does. An advisory lock
 * detects that the first request is still running. Failures aren't stored, so a caller can retry them.
 */
export async function runIdempotent(
  ctx: Context<Capability>,
  { key, requestHash }: IdempotentRequest,
  work: (inside: Context<Capability>) => Promise<Result>,
): Promise<Result> {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    const [lock] = await inside.sql<{ free: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${orgId} ${userId} ${key}`}, 0)) as free`
    if (!lock?.free) throw inProgressError()

    const stored = await findStoredResponse(inside, { key, requestHash })
    if (stored) return stored

    const result = await work(inside)
    await inside.sql`
      insert into idempotent_answers (org_id, user_id, key, request_hash, status, headers, body, created_at)
      values (${orgId}, ${userId}, ${key}, ${requestHash}, ${result.status}, ${inside.sql.json(result.headers)},
        ${result.body}, ${ctx.now()})`
    return result
  })
}

const IN_PROGRESS = 'request_in_progress'

const inProgressError = () =>
  new ApiError('CONFLICT', 'The first request with this Idempotency-Key is still running', {
    details: { reason: IN_PROGRESS },
  })

/** The first call with this key hasn't ended. */
export const isInProgress = (error: unknown): boolean =>
  error instanceof ApiError && (error.details as { reason?: unknown } | undefined)?.reason === IN_PROGRESS

type StoredResponse = Pick<Result, 'status' | 'headers' | 'body'>

/** Null if there was none. */
export async function findStoredResponse(
  { sql, caller: { orgId, userId } }: Context,
  { key, requestHash }: IdempotentRequest,
): Promise<Result | null> {
  const [stored] = await sql<(StoredResponse & { requestHash: Buffer })[]>`
    select request_hash as "requestHash", status, headers, body from idempotent_answers
    where org_id = ${orgId} and user_id = ${userId} and key = ${key}`
  if (!stored) return null
  if (!stored.requestHash.equals(requestHash)) {
    throw badField('headers.idempotency-key', 'was already used for a different request')
  }
  const { status, headers, body } = stored
  return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body, isReplay: true }
}
