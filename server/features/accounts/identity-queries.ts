import type { Sql } from '../../database/database.ts'

export async function findIdentity(sql: Sql, provider: string, subject: string) {
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from identities where provider = ${provider} and subject = ${subject}`
  return row ?? null
}

interface NewIdentity {
  provider: string
  subject: string
  userId: string
  email: string
  now: Date
}

/** False if it was linked in the meantime. */
export async function insertIdentity(sql: Sql, identity: NewIdentity): Promise<boolean> {
  const { count } = await sql`
    insert into identities (provider, subject, user_id, email, created_at)
    values (${identity.provider}, ${identity.subject}, ${identity.userId}, ${identity.email}, ${identity.now})
    on conflict do nothing`
  return count === 1
}

export async function findUserByEmail(sql: Sql, email: string) {
  const [row] = await sql<{ userId: string }[]>`
    select id as "userId" from users where lower(email) = lower(${email}) for update`
  return row ?? null
}
