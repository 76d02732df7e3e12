import type { Sql } from '../../../../database/database.ts'

export async function findIdentity(sql: Sql, provider: string, subject: string) {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from identities where provider = ${provider} and subject = ${subject}`
  return row ?? null
}

interface NewIdentity {
  id: string
  provider: string
  subject: string
  userId: string
  email: string
  now: Date
}

/** False if another request linked it first. */
export async function insertIdentity(sql: Sql, identity: NewIdentity): Promise<boolean> {
  const { count } = await sql`
    insert into identities (provider, subject, id, user_id, email, created_at)
    values (${identity.provider}, ${identity.subject}, ${identity.id}, ${identity.userId}, ${identity.email},
      ${identity.now})
    on conflict do nothing`
  return count === 1
}

/** The deleted identity; null if the user has none with this id. */
export async function deleteIdentity(sql: Sql, userId: string, id: string) {
  const [row] = await sql<{ provider: string; email: string | null }[]>`
    delete from identities where user_id = ${userId} and id = ${id} returning provider, email`
  return row ?? null
}
