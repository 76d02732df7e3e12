import type { Logger } from 'pino'
import type { Pool } from '../database/database.ts'
import { forCredential } from '../database/fair-pool.ts'
import { createLastUsedBuffer } from '../database/last-used-buffer.ts'
import type { Pools } from '../database/pools.ts'
import { extendSessions, identifySession } from '../features/accounts/accounts/accounts.ts'
import { addKeyUses, createKeyUseRecorder, identifyKey } from '../features/accounts/api-keys/api-keys.ts'
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

  const identifyOn = (pool: Pool, recorder?: typeof keyUses): Identify => ({
    byKey: (key, ip) => {
      const hash = sha256(key)
      return identifyKey(forCredential(pool, hash), { text: key, hash }, now(), recorder, ip)
    },
    bySession: (token) => identifySession(forCredential(pool, sha256(token)), token, now(), sessionUses),
    byGuestToken: (token) => verifyGuestToken(forCredential(pool, sha256(token)), vault, token, now()),
  })
  const identifyAppOn = (pool: Pool) => (token: string) =>
    identifyApp(forCredential(pool, sha256(token)), token, now(), appUses)
  const [identify, reidentify] = [identifyOn(pool, keyUses), identifyOn(access)]

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
