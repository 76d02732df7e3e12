import type { Logger } from 'pino'
import { createLookups } from '../concurrency/lookups.ts'
import type { Pool } from '../database/database.ts'
import { forCredential } from '../database/fair-pool.ts'
import { createLastUsedBuffer } from '../database/last-used-buffer.ts'
import type { Pools } from '../database/pools.ts'
import { extendSessions, findSessions, identifySession } from '../features/accounts/accounts/accounts.ts'
import {
  addKeyUses,
  createKeyUseRecorder,
  findCallers,
  identifyKey,
} from '../features/accounts/api-keys/api-keys.ts'
import { identifyApp, updateGrantsUsed } from '../features/mcp/connected-apps/connected-apps.ts'
import { verifyGuestToken } from '../features/projects/sharing/sharing.ts'
import type { Identify } from '../http/authenticate.ts'
import { identifyByEither, identifyByGrant, identifyByKey, unlessSuspended } from '../mcp/identify.ts'
import { sha256 } from '../security/digest.ts'
import type { Vault } from '../security/vault.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'

interface CredentialOptions {
  pools: Pools
  vault: Vault
  suspensions: Suspensions
  now: () => Date
  log: Logger
}

export function createCredentials({ pools, vault, suspensions, now, log }: CredentialOptions) {
  const { requests: pool, background, access } = pools
  const onWriteFailed = (err: unknown) => log.warn({ err }, 'could not record the last use of a credential')
  const keyUses = createKeyUseRecorder((uses) => addKeyUses(background, uses), now, onWriteFailed)
  const sessionUses = createLastUsedBuffer((ids) => extendSessions(pool, ids, now()), onWriteFailed)
  const appUses = createLastUsedBuffer((ids) => updateGrantsUsed(pool, ids, now()), onWriteFailed)

  const identifyOn = (find: Finders, recorder?: typeof keyUses): Identify => ({
    byKey: (key, ip) => identifyKey(find.key, { text: key, hash: sha256(key) }, now(), recorder, ip),
    bySession: (token) => identifySession(find.session, sha256(token), now(), sessionUses),
    byGuestToken: (token) => verifyGuestToken(forCredential(find.pool, sha256(token)), vault, token, now()),
  })
  const identifyAppOn = (pool: Pool) => (token: string) =>
    identifyApp(forCredential(pool, sha256(token)), token, now(), appUses)
  const identify = identifyOn(findTogether(pool, now), keyUses)
  const reidentify = identifyOn(findAlone(access, now))

  return {
    identify,
    /** Uses a separate pool, for checks while a transaction waits. */
    reidentify,
    identifyMcp: unlessSuspended(
      suspensions,
      identifyByEither(
        identifyByKey(identify.byKey, reidentify.byKey),
        identifyByGrant(identifyAppOn(pool), identifyAppOn(access)),
      ),
    ),
    close: () => Promise.all([keyUses.close(), sessionUses.close(), appUses.close()]),
  }
}

type Key = Awaited<ReturnType<typeof findCallers>>[number]
type Session = Awaited<ReturnType<typeof findSessions>>[number]

interface Finders {
  pool: Pool
  key: (hash: Buffer) => Promise<Key>
  session: (hash: Buffer) => Promise<Session>
}

/** Two, so that one slow search doesn't delay everyone. */
const SEARCHES = 2
const HASHES_MAX = 200

/** Under load, one statement identifies many callers. A stranger's flood of wrong keys shares it, so it delays nobody. */
function findTogether(pool: Pool, now: () => Date): Finders {
  const limits = { nameOf: (hash: Buffer) => hash.toString('latin1'), running: SEARCHES, keys: HASHES_MAX }
  return {
    pool,
    key: createLookups({ ...limits, find: (hashes) => findCallers(pool, hashes) }),
    session: createLookups({ ...limits, find: (hashes) => findSessions(pool, hashes, now()) }),
  }
}

/** For checks while a transaction waits, which must not wait for others. */
const findAlone = (pool: Pool, now: () => Date): Finders => ({
  pool,
  key: async (hash) => (await findCallers(forCredential(pool, hash), [hash]))[0]!,
  session: async (hash) => (await findSessions(forCredential(pool, hash), [hash], now()))[0]!,
})
