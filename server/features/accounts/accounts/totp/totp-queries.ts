import type { Sql } from '../../../../database/database.ts'

/** `sealed` is the encrypted secret. `isEnabled` is false until the first code confirms it. */
export interface TotpRow {
  sealed: string
  isEnabled: boolean
}

export async function findTotp(sql: Sql, userId: string) {
  const [row] = await sql<TotpRow[]>`
    select totp_secret as sealed, totp_enabled_at is not null as "isEnabled" from users
    where id = ${userId} and totp_secret is not null`
  return row ?? null
}

/** Starts an enrollment. Null if an app is enabled, which must not be replaced. */
export async function updateTotpPending(sql: Sql, userId: string, sealed: string) {
  const [row] = await sql<{ email: string }[]>`
    update users set totp_secret = ${sealed}, totp_last_step = null
    where id = ${userId} and totp_enabled_at is null returning email`
  return row ?? null
}

/** Enables the secret the code was checked against. Only one concurrent request succeeds. */
export async function updateTotpEnabled(
  sql: Sql,
  userId: string,
  totp: { sealed: string; step: number; now: Date },
): Promise<boolean> {
  const rows = await sql`
    update users set totp_enabled_at = ${totp.now}, totp_last_step = ${totp.step}
    where id = ${userId} and totp_enabled_at is null and totp_secret = ${totp.sealed} returning id`
  return rows.length > 0
}

/** Consumes a time step: only one concurrent request with a code succeeds, and older codes are refused afterwards. */
export async function updateTotpStep(
  sql: Sql,
  userId: string,
  { sealed, step }: { sealed: string; step: number },
): Promise<boolean> {
  const rows = await sql`
    update users set totp_last_step = ${step}
    where id = ${userId} and totp_enabled_at is not null and totp_secret = ${sealed}
      and (totp_last_step is null or totp_last_step < ${step})
    returning id`
  return rows.length > 0
}

/** False if the user has no authenticator app. */
export async function deleteTotp(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`
    update users set totp_secret = null, totp_enabled_at = null, totp_last_step = null
    where id = ${userId} and totp_secret is not null returning id`
  return rows.length > 0
}

/** Locks the user, so concurrent recovery code replacements don't add up. */
export async function lockTotp(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`
    select from users where id = ${userId} and totp_enabled_at is not null for no key update`
  return rows.length > 0
}

export async function insertRecoveryCodes(sql: Sql, userId: string, hashes: Buffer[]): Promise<void> {
  await sql`insert into recovery_codes (user_id, code_hash) select ${userId}, unnest(${hashes}::bytea[])`
}

export const deleteRecoveryCodes = (sql: Sql, userId: string) =>
  sql`delete from recovery_codes where user_id = ${userId}`

/** False if the user has no such code. */
export async function deleteRecoveryCode(sql: Sql, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await sql`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${hash} returning user_id`
  return rows.length > 0
}
