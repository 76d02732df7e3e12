import type { Pool } from '../../server/database/database.ts'
import { createFactories } from '../../server/testing/factories/factories.ts'
import { createSender } from './start-runs.ts'

/** Two connected agent blocks, a schedule that runs them, and a budget that limits both, in a new organization. */
export async function createWorkflow(sql: Pool, url: string) {
  const { organization, person, key, project } = createFactories(sql, () => new Date())
  const owner = await person(await organization(), { role: 'owner' })
  const { orgId } = owner
  const send = createSender(url, (await key(owner, ['models:read', 'files:write', 'agents:write'])).key)
  const { id: projectId } = await project(owner)
  const agents = await send('GET', '/agents')
  await send('PATCH', `/agents/${agents.items[0].id}`, { model: 'test/script' })
  const block = (title: string, ...lines: string[]) =>
    send('POST', `/projects/${projectId}/blocks`, {
      type: 'agent',
      title,
      content: ['```script', ...lines, '```'].join('\n'),
    })
  const first = await block('First', 'say one', 'wait 300', 'say !')
  const second = await block('Second', 'say two')
  await send('POST', `/projects/${projectId}/edges`, { fromBlockId: first.id, toBlockId: second.id })
  await sql`
    insert into budgets (org_id, scope, scope_id, period, amount, on_reach, created_at, updated_at)
    values (${orgId}, 'org', ${orgId}, 'total', 5, 'pause', now(), now())`
  const schedule = await send('POST', '/schedules', { projectId, blockId: first.id, cron: '0 9 1 1 *' })
  return { orgId, scheduleId: schedule.id as string }
}
