import type { TestApp } from '../../server/testing/test-app.ts'

export type Tenant = Awaited<ReturnType<typeof createTenant>>

/** A user in a new organization, with a project. */
export async function createTenant(app: TestApp) {
  const { client, org, person, headers } = await app.newUser()
  const { id } = await client.projects.create({ name: 'Plans' })
  return { client, org, person, id, headers }
}

/** The statements that wait for a lock. */
export const blockedBackends = ({ sql }: TestApp) => sql`
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
