import type { Pool } from '../../server/database/database.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'

const USERS = 3200
const SUBMISSIONS_EACH = 20

/** Returns the keys. */
export async function seedFeedback(sql: Pool): Promise<string[]> {
  const { organization, person, key } = createFactories(sql, () => new Date())
  const org = await organization()
  const keys: string[] = []
  for (let batch = 0; batch < USERS; batch += 100) {
    const created = Array.from({ length: 100 }, async () => (await key(await person(org))).key)
    keys.push(...(await Promise.all(created)))
  }
  await sql`
    insert into feedback (org_id, id, user_id, message, metadata, created_at, updated_at)
    select m.org_id, gen_random_uuid(), m.user_id, 'A submission of ordinary length, number ' || n,
      '{"route": "/projects", "viewport": {"width": 1440, "height": 900}}', now(), now()
    from memberships m, generate_series(1, ${SUBMISSIONS_EACH}) as n`
  await sql`analyze`
  return keys
}

export async function createFileKey(sql: Pool): Promise<string> {
  const { organization, person, key } = createFactories(sql, () => new Date())
  return (await key(await person(await organization()), ['files:write'])).key
}
