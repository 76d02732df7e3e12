import type { Endpoint } from '../../contract/endpoint.ts'
import { GUEST_WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import type { Caller } from '../context.ts'
import type { Sql } from '../database/database.ts'
import { takeToken } from '../database/limits.ts'
import { ApiError } from '../errors.ts'
import { networkOf } from '../security/client-network.ts'

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
  if (access.kind !== 'member' || access.share === 'view' || method === 'GET') return
  const byAddress = await takeToken(sql, BY_ADDRESS, networkOf(ip), now)
  if (!byAddress.allowed) throw tooManyChanges('your IP address', byAddress.retrySeconds)
  const byLink = await takeToken(sql, BY_LINK, guest.credentialId, now)
  if (!byLink.allowed) throw tooManyChanges('the guests of this share link', byLink.retrySeconds)
}

const tooManyChanges = (by: string, retrySeconds: number) =>
  new ApiError('RATE_LIMITED', `Too many changes by ${by}: try again in ${retrySeconds} s`, {
    headers: { 'retry-after': String(retrySeconds) },
  })
