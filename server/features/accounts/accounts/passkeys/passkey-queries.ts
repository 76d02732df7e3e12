import type { Sql } from '../../../../database/database.ts'

export interface PasskeyRow {
  id: string
  name: string
  synced: boolean
  lastUsedAt: string | null
  createdAt: string
}

/** Verifies authenticator responses. */
export interface Credential {
  userId: string
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

export interface NewPasskey extends Credential {
  id: string
  name: string
  synced: boolean
  now: Date
}

const columns = (sql: Sql) => sql`id, name, synced, last_used_at as "lastUsedAt", created_at as "createdAt"`

/** Null if any user has registered the credential. */
export async function insertPasskey(sql: Sql, passkey: NewPasskey) {
  const [row] = await sql<PasskeyRow[]>`
    insert into passkeys (user_id, id, credential_id, public_key, counter, transports, synced, name, created_at)
    values (${passkey.userId}, ${passkey.id}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${passkey.transports}, ${passkey.synced}, ${passkey.name}, ${passkey.now})
    on conflict (credential_id) do nothing
    returning ${columns(sql)}`
  return row ?? null
}

const credentialColumns = (sql: Sql) => sql`
  user_id as "userId", credential_id as "credentialId", public_key as "publicKey", counter, transports`

export async function findCredential(sql: Sql, credentialId: string) {
  const [row] = await sql<Credential[]>`
    select ${credentialColumns(sql)} from passkeys where credential_id = ${credentialId}`
  return row ?? null
}

export const listCredentials = (sql: Sql, userId: string) =>
  sql<Credential[]>`select ${credentialColumns(sql)} from passkeys where user_id = ${userId} order by id`

/** False if a response with this counter or a later one was recorded first. Many authenticators always send zero. */
export async function updatePasskeyUsed(
  sql: Sql,
  userId: string,
  {
    credentialId,
    counter,
    synced,
    now,
  }: { credentialId: string; counter: number; synced: boolean; now: Date },
): Promise<boolean> {
  const { count } = await sql`
    update passkeys set counter = ${counter}::bigint, synced = ${synced}, last_used_at = ${now}
    where user_id = ${userId} and credential_id = ${credentialId}
      and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`
  return count === 1
}

export async function updatePasskeyName(sql: Sql, userId: string, id: string, name: string) {
  const [row] = await sql<PasskeyRow[]>`
    update passkeys set name = ${name} where user_id = ${userId} and id = ${id} returning ${columns(sql)}`
  return row ?? null
}

/** Returns the passkey's name, or null if the user has none with this id. */
export async function deletePasskey(sql: Sql, userId: string, id: string): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    delete from passkeys where user_id = ${userId} and id = ${id} returning name`
  return row?.name ?? null
}

export async function findPasskeyUser(sql: Sql, userId: string) {
  const [row] = await sql<
    { name: string; email: string }[]
  >`select name, email from users where id = ${userId}`
  return row ?? null
}
