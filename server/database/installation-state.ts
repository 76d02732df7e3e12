import { StartupError } from '../errors.ts'
import type { Vault } from '../security/vault.ts'
import type { Sql } from './database.ts'

/** `npm start` argument that accepts a changed secret. */
export const ACCEPT_NEW_SECRET = '--accept-new-secret'

/** The key is derived from the secret, so the fingerprint reveals nothing about it. */
export const secretFingerprint = (vault: Vault): string => vault.sign('installation', 'secret fingerprint')

/**
 * With another master secret, this process could neither read earlier encrypted secrets nor verify signatures. The
 * first start stores the fingerprint.
 */
export async function requireSameSecret(sql: Sql, vault: Vault, acceptsNew: boolean): Promise<void> {
  const fingerprint = secretFingerprint(vault)
  await sql`insert into installation (secret_fingerprint) values (${fingerprint}) on conflict do nothing`
  if (acceptsNew) await sql`update installation set secret_fingerprint = ${fingerprint}`
  const [row] = await sql<{ stored: string }[]>`select secret_fingerprint as stored from installation`
  if (row?.stored === fingerprint) return
  throw new StartupError(
    'This database belongs to an installation with another secret. Set ATRIUM_SECRET to the secret its other ' +
      'processes use, or restore the file "secret" in the data folder (ATRIUM_DATA). ' +
      `If the secret is lost, or changed on purpose, start once with: npm start -- ${ACCEPT_NEW_SECRET}. ` +
      'Everything encrypted with the former secret is then unreadable: see "Changing the secret" in docs/operate/configuration.md.',
  )
}

/** Incomplete until `END_RESTORE`. A table, because it must exist before the migrations. */
export async function beginRestore(sql: Sql): Promise<void> {
  await sql`create table restore_incomplete (started_at timestamptz not null default now())`
}

/** Run in the transaction that completes the restore. */
export const END_RESTORE = 'drop table restore_incomplete'

export async function requireNoRestore(sql: Sql): Promise<void> {
  const [row] = await sql<{ isIncomplete: boolean }[]>`
    select to_regclass('public.restore_incomplete') is not null as "isIncomplete"`
  if (!row?.isIncomplete) return
  throw new StartupError(
    'This database is incomplete: a restore into it is running, or was interrupted. If none is running, delete everything in ' +
      'the data folder except the file "secret" (or, with DATABASE_URL, create an empty database), and restore again.',
  )
}
