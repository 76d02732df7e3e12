import type { Endpoint, Limit } from '../../contract/endpoint.ts'
import { GUEST_BYTES_PER_MINUTE, GUEST_WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import type { Caller } from '../context.ts'
import type { Sql } from '../database/database.ts'
import { type TokenResult, takeToken } from '../database/limits.ts'
import { ApiError } from '../errors.ts'
import { clientNetwork } from '../security/client-network.ts'
import type { Call } from './call.ts'

type Headers = Record<string, string>

interface Subject {
  caller: Pick<Caller, 'userId'> | null
  ip: string
}

/** Returns the `ratelimit-*` headers. A refusal carries them too. */
export async function enforceLimit(sql: Sql, limit: Limit, subject: Subject, now: Date): Promise<Headers> {
  const tokenResult = await takeToken(sql, limit, bucketOf(limit, subject), now)
  const headers = {
    'ratelimit-limit': String(limit.capacity),
    'ratelimit-remaining': String(tokenResult.remaining),
    'ratelimit-reset': String(tokenResult.resetSeconds),
  }
  if (!tokenResult.allowed) throw refusal(limit, tokenResult, headers)
  return headers
}

function bucketOf({ by }: Limit, { caller, ip }: Subject): string {
  if (by === 'ip' || !caller) return clientNetwork(ip)
  return by === 'caller' ? caller.userId : `${caller.userId} ${clientNetwork(ip)}`
}

function refusal(limit: Limit, { retrySeconds }: TokenResult, limitHeaders: Headers): ApiError {
  const headers = { ...limitHeaders, 'retry-after': String(retrySeconds) }
  const details = { reason: 'rate_limited' }
  if (limit.refusal) return new ApiError(limit.refusal, 'Too many requests', { headers, details })
  return new ApiError('RATE_LIMITED', `Too many requests: try again in ${retrySeconds} s`, { headers })
}

const bucket = (name: string, capacity: number) => ({ name, capacity, perSeconds: 60 })
const BY_ADDRESS = bucket('guest-write-address', GUEST_WRITES_PER_MINUTE.address)
const BY_LINK = bucket('guest-write-link', GUEST_WRITES_PER_MINUTE.link)

/** Guests are anonymous, so their writes are limited per link and per IP address. */
export async function enforceGuestLimit(
  sql: Sql,
  { access, method }: Endpoint,
  guest: Caller,
  ip: string,
  now: Date,
): Promise<void> {
  if (!isGuestWrite({ access, method })) return
  const byAddress = await takeToken(sql, BY_ADDRESS, clientNetwork(ip), now)
  if (!byAddress.allowed) throw tooManyChanges('your IP address', byAddress.retrySeconds)
  const byLink = await takeToken(sql, BY_LINK, guest.credentialId, now)
  if (!byLink.allowed) throw tooManyChanges('this share link’s guests', byLink.retrySeconds)
}

/** Once the bodies have arrived. */
export async function enforceGuestBytes(
  sql: Sql,
  endpoint: Endpoint,
  { caller, origin, body, contentLength }: Call,
  now: Date,
): Promise<void> {
  if (!isGuestWrite(endpoint)) return
  const bytes = contentLength ?? Buffer.byteLength(JSON.stringify(body) ?? '')
  const ofAddress = {
    key: `guest-bytes-address:${clientNetwork(origin.ip)}`,
    max: GUEST_BYTES_PER_MINUTE.address,
  }
  const ofLink = { key: `guest-bytes-link:${caller!.credentialId}`, max: GUEST_BYTES_PER_MINUTE.link }
  const byAddress = await takeBytes(sql, ofAddress, bytes, now)
  if (byAddress !== null) throw tooManyChanges('your IP address', byAddress)
  const byLink = await takeBytes(sql, ofLink, bytes, now)
  if (byLink !== null) throw tooManyChanges('this share link’s guests', byLink)
}

/** The bucket refills in a minute. Returns null, or the seconds until it has the bytes. */
async function takeBytes(
  sql: Sql,
  { key, max }: { key: string; max: number },
  bytes: number,
  now: Date,
): Promise<number | null> {
  const needed = Math.min(bytes, max)
  const [row] = await sql<{ tokens: number; allowed: boolean }[]>`
    insert into rate_limits as bucket (key, tokens, allowed, updated_at)
    values (${key}, ${max - needed}, true, ${now})
    on conflict (key) do update set (tokens, allowed, updated_at) = (
      select case when filled >= ${needed}::float8 then filled - ${needed}::float8 else filled end,
        filled >= ${needed}::float8, greatest(${now}, bucket.updated_at)
      from (select least(${max}::float8, bucket.tokens
        + ${max / 60}::float8 * greatest(0, extract(epoch from ${now} - bucket.updated_at))) as filled) as refill
    )
    returning tokens, allowed`
  return row!.allowed ? null : Math.max(1, Math.ceil((needed - row!.tokens) / (max / 60)))
}

const isGuestWrite = ({ access, method }: Pick<Endpoint, 'access' | 'method'>): boolean =>
  access.kind === 'member' && access.share !== 'view' && method !== 'GET'

const tooManyChanges = (by: string, retrySeconds: number) =>
  new ApiError('RATE_LIMITED', `Too many changes by ${by}: try again in ${retrySeconds} s`, {
    headers: { 'retry-after': String(retrySeconds) },
  })
