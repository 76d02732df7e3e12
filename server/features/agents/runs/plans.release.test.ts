import { expect, test } from 'vitest'
import { countReads } from '../../../testing/clients/reads.ts'
import { CALLER_DEFAULTS } from '../../../testing/factories/caller.ts'
import { shareTestApp } from '../../../testing/test-app.ts'
import { listAgentRuns } from './api/run-queries.ts'

const MANY = 2000
const FEW = 5

test("listing a project's failed runs reads no other rows, with and without statistics", async () => {
  const app = await shareTestApp()
  const { person, client } = await app.newUser()
  const { orgId, id: userId } = person
  const [project, other] = [await app.project(person), await app.project(person)]
  const { id: agentId } = await client.agents.create({ name: 'A' })
  const insertRuns = (projectId: string, status: string, count: number) => app.sql`
    insert into runs (org_id, id, project_id, status, trigger, agent_id, agent_version, model, max_steps, created_by,
      created_at, deadline_at)
    select ${orgId}, gen_random_uuid(), ${projectId}, ${status}, 'api', ${agentId}, 1, 'test/x', 20, ${userId}, now(), now()
    from generate_series(1, ${count}::int)`
  await insertRuns(project.id, 'succeeded', MANY)
  await insertRuns(project.id, 'failed', FEW)
  await insertRuns(other.id, 'failed', MANY)
  const caller = { ...CALLER_DEFAULTS, userId, orgId, role: 'owner' as const }
  const read = () =>
    countReads(app.sql, ['runs'], (sql) =>
      listAgentRuns(sql, caller, { projectId: project.id, status: 'failed' }, { before: null, limit: 51 }),
    )
  const withoutStatistics = await read()
  await app.sql`analyze runs`
  // The query reads each row twice: in the index of the filter, and then by its id.
  expect([withoutStatistics, await read()].map(({ rows }) => rows)).toEqual([2 * FEW, 2 * FEW])
})
