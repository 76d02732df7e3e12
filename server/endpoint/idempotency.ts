import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { badField, conflict } from '../errors.ts'
import type { Answer } from '../http/mount.ts'
import { sha256 } from '../security/digest.ts'

const KEY_LENGTH_MAX = 200

interface Asked {
  key: string
  request: FastifyRequest
  /** What the body said, or the hash of the file that it held. */
  content: unknown
  /** What has to be done before the transaction of the work, if the work is to be done. */
  makeReady?: () => Promise<unknown>
}

/**
 * Runs the work and keeps its answer in one transaction, so that after a crash either both are there or neither is.
 * A transaction-long lock tells that the first request is still running. Failures are not kept: they may be retried.
 */
export async function answerOnce(
  ctx: Context,
  { request, content, makeReady, ...asked }: Asked,
  work: (inside: Context) => Promise<Answer>,
): Promise<Answer> {
  if (asked.key.length > KEY_LENGTH_MAX || !/^[\x20-\x7e]+$/.test(asked.key)) {
    throw badField('headers.idempotency-key', `must be 1 to ${KEY_LENGTH_MAX} printable ASCII characters`)
  }
  const { orgId, userId } = ctx.caller
  const key = ownKey(ctx.caller, asked.key)
  const requestHash = sha256(JSON.stringify([request.method, request.url, content]))

  if (makeReady) {
    const kept = await findKept(ctx, key, requestHash)
    if (kept) return kept
    await makeReady()
  }

  return ctx.transaction(async (inside) => {
    const [lock] = await inside.sql<{ free: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${orgId} ${userId} ${key}`}, 0)) as free`
    if (!lock?.free) throw conflict('The first request with this Idempotency-Key is still running')

    const kept = await findKept(inside, key, requestHash)
    if (kept) return kept

    const answer = await work(inside)
    await inside.sql`
      insert into idempotent_answers (org_id, user_id, key, request_hash, status, headers, body, created_at)
      values (${orgId}, ${userId}, ${key}, ${requestHash}, ${answer.status}, ${inside.sql.json(answer.headers)},
        ${answer.body}, ${ctx.now()})`
    return answer
  })
}

/** The answer to the first request, to be sent again; null if there was none. */
async function findKept({ sql, caller }: Context, key: string, requestHash: Buffer): Promise<Answer | null> {
  const [kept] = await sql<(Answer & { requestHash: Buffer })[]>`
    select request_hash as "requestHash", status, headers, body from idempotent_answers
    where org_id = ${caller.orgId} and user_id = ${caller.userId} and key = ${key}`
  if (!kept) return null
  if (!kept.requestHash.equals(requestHash)) {
    throw badField('headers.idempotency-key', 'was already used for a different request')
  }
  return { ...kept, headers: { ...kept.headers, 'idempotency-replayed': 'true' }, isReplay: true }
}

/** Guests are known by the person who made their link, whose own keys they must not meet. */
const ownKey = ({ share, credentialId }: Context['caller'], key: string) =>
  share ? `guest ${credentialId} ${key}` : key
