import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyProject } from '../../../feature.ts'
import { createHooks, fill } from '../../../hooks.ts'
import { scriptedAgent } from '../../../testing/clients/scripted-runs.ts'
import { insertTelephony } from '../../../testing/factories/telephony.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { emptyPurgedProjects } from './purge.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

/** Tables with rows of projects that a purge leaves, each with its reason. */
const KEPT: Record<string, string> = {
  runs: 'the cost of runs stays; they lose their texts',
  agent_sessions: 'runs refer to them; they lose their messages',
  memory_versions: 'memories of the organization stay, including those that a run of the project wrote',
  usage: 'the organization has paid for it',
  machine_payments: 'the organization has paid for it',
  usage_days: 'the organization has paid for it',
  telephony_costs: 'the organization has paid for it',
  phone_numbers: 'they are released; their opt-outs stay',
  reservations: 'they end with the model call that they pay for',
}

const EMPTIED =
  `approvals blocks calls canvas_changes canvas_previews comments connection_calls connector_endpoints connector_events connector_replies edges file_changes file_versions folders knowledge_sources messages project_invites project_shares
  guardrail_matches memories notifications project_favourites project_workspaces run_calls run_events run_memories run_steps schedules search_entries session_participants
  sms_conversations sms_messages snapshots summaries telephony_days telephony_hours voice_agents voice_tasks workflow_blocks item_lists list_items form_requests
  project_tables table_changes table_rows`.split(/\s+/)

/** The tables whose rows belong to a project, directly or by a run or a session, with the condition that finds them. */
async function tablesOfProjects() {
  const rows = await app.sql<{ name: string; column: string }[]>`
    select distinct on (table_name) table_name as name, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name::regclass not in (select inhrelid from pg_inherits)
      and column_name in ('project_id', 'run_id', 'session_id')
      and table_name not in ('files', 'approval_grants', 'device_logins', 'app_grants') order by table_name, column_name`
  const owners: Record<string, string> = { run_id: 'runs', session_id: 'agent_sessions' }
  return rows.map(({ name, column }) => ({
    name,
    count: async (projectId: string) => {
      const ids =
        column === 'project_id'
          ? app.sql`select ${projectId}::uuid`
          : app.sql`select id from ${app.sql(owners[column]!)} where project_id = ${projectId}`
      return (await app.sql`select from ${app.sql(name)} where ${app.sql(column)} in (${ids})`).length
    },
  }))
}

/** A project with content of every kind, in the trash. */
async function seedDeleted() {
  const agent = await scriptedAgent(app)
  const { client, projectId, org } = agent
  const readUsage = async () => {
    const { items } = await client.quotas.list()
    const usedOf = (quota: string) => items.find(({ name }) => name === quota)!.used
    return {
      blocks: usedOf('blocks'),
      history: usedOf('history'),
      files: usedOf('files'),
      storage: usedOf('storage'),
    }
  }
  const group = await agent.block({ type: 'group' })
  const inner = await agent.block({ type: 'group', parentId: group.id })
  const note = await agent.block({ parentId: inner.id })
  await agent.edge(group.id, note.id)
  await client.canvas.snapshot({ projectId })
  await client.comments.create({ target: `block:${note.id}`, body: 'Good' })
  const folder = await client.files.create({ source: 'folder', name: 'Drafts', projectId })
  await agent.write('plan.md', 'Plan', 'file' in folder ? folder.file.id : folder.id)
  await client.files.remove({ id: (await agent.write('old.md', 'Old')).id })
  await agent.calls([
    ['write_file', { name: 'new.md', text: 'One' }],
    ['write_file', { name: 'new.md', text: 'Two' }],
  ])
  const { number } = await insertTelephony(app, agent.person, { projectId, agentId: agent.agent.id })
  await client.favourites.add({ id: projectId })
  await client.projectPreviews.list({ ids: projectId })
  await client.projects.remove({ id: projectId })
  const purge = (by = client) => by.projects.remove({ id: projectId, permanent: 'true' })
  const isEmptied = async () => {
    const [row] =
      await app.sql`select emptied_at from projects where org_id = ${org.id} and id = ${projectId}`
    return row!.emptied_at !== null
  }
  return { ...agent, number, readUsage, purge, isEmptied }
}

describe('purging a deleted project', () => {
  test('removes its content and objects, frees its quotas, and is recorded', async () => {
    const { client, projectId, org, person, number, readUsage, purge, isEmptied, project } =
      await seedDeleted()
    const tables = await tablesOfProjects()
    const unknown = tables.filter(({ name }) => !EMPTIED.includes(name) && !(name in KEPT))
    expect(unknown, 'the feature that owns the table fills emptyProject (server/feature.ts)').toEqual([])
    const before = await Promise.all(tables.map(({ count }) => count(projectId)))
    const filled = tables.filter((_, index) => before[index]! > 0).map(({ name }) => name)
    expect(filled).toEqual(
      expect.arrayContaining([
        'blocks',
        'calls',
        'canvas_previews',
        'comments',
        'file_changes',
        'file_versions',
        'messages',
        'project_favourites',
        'run_calls',
        'sms_messages',
      ]),
    )
    expect(await readUsage()).toMatchObject({
      blocks: 3,
      history: expect.any(Number),
      files: expect.any(Number),
    })

    expect(await purge()).toEqual({ deleted: true })
    expect((await client.projects.list({ trashed: 'true' })).items).toEqual([])
    await expect(client.projects.undelete({ id: projectId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect.poll(isEmptied).toBe(true)
    expect(await readUsage()).toEqual({ blocks: 0, history: 0, files: 0, storage: 0 })
    const remaining = await Promise.all(tables.map(async ({ name, count }) => [name, await count(projectId)]))
    expect(remaining.filter(([name, count]) => count !== 0 && !(name! in KEPT))).toEqual([])
    expect(await app.sql`select from folders where org_id = ${org.id} and project_id = ${projectId}`).toEqual(
      [],
    )
    expect(await app.sql`select from objects where org_id = ${org.id}`).toEqual([])
    const [released] = await app.sql`
      select status, released_at is not null as "isReleased", (
        select count(*)::int from sms_opt_outs o where o.org_id = n.org_id and o.number_id = n.id) as "optOuts"
      from phone_numbers n where org_id = ${org.id} and id = ${number.id}`
    expect(released).toEqual({ status: 'released', isReleased: true, optOuts: 1 })
    const [row] = await app.sql`select name, prompt, slug from projects where id = ${projectId}`
    expect(row).toEqual({ name: 'Deleted project', prompt: null, slug: `purged-${projectId}` })
    const [entry] = await app.sql`
      select user_id, details from audit where org_id = ${org.id} and action = 'project.purged'`
    expect(entry).toEqual({ user_id: person.id, details: { name: project.name } })
    const events = await app.sql`
      select payload from events where org_id = ${org.id} and type = 'project.purged'`
    expect(events).toEqual([{ payload: { projectId, by: person.id } }])
  })

  test('is allowed for its creator, admins and owners, and only from the trash', async () => {
    const org = await app.organization()
    const [creator, other] = [await app.person(org), await app.person(org)]
    const browser = await app.withSession(creator)
    const { id } = await browser.projects.create({ name: 'Plan' })
    const purge = (by: typeof browser) => by.projects.remove({ id, permanent: 'true' })
    await expect(purge(browser)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await browser.projects.remove({ id })
    await expect(purge(await app.withSession(other))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'not_creator' },
    })
    await expect(purge(await app.withKey(creator))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'browser_session_required' },
    })
    expect(await purge(await app.withSession(await app.person(org, { role: 'admin' })))).toEqual({
      deleted: true,
    })
    await expect(purge(browser)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a deleted project', () => {
  test('is purged after 30 days in batches, and can be restored until then', async () => {
    const { client, projectId, org, isEmptied } = await seedDeleted()
    const [trashed] = (await client.projects.list({ trashed: 'true' })).items
    const days = (Date.parse(trashed!.purgesAt!) - Date.parse(trashed!.deletedAt!)) / 86_400_000
    expect(days).toBe(30)
    const batches: [string, number][] = []
    const step = async (_: unknown, { id }: { id: string }, limit: number) => {
      batches.push([id, limit])
      return batches.length < 3 ? limit : 0
    }
    const runJob = () =>
      emptyPurgedProjects({
        ...app.app.system(),
        hooks: createHooks([{ hooks: [emptyProject] }, { fills: [fill(emptyProject, step)] }]),
      })
    const purgeAt = (time: Date) =>
      app.sql`update projects set purge_at = ${time} where org_id = ${org.id} and id = ${projectId}`
    await purgeAt(new Date(app.clock.now().getTime() + 1000))
    await runJob()
    expect(batches).toEqual([])
    expect(await client.projects.undelete({ id: projectId })).toMatchObject({
      deletedAt: null,
      purgesAt: null,
    })
    await client.projects.remove({ id: projectId })
    await purgeAt(app.clock.now())
    await runJob()
    expect(batches).toEqual(Array(3).fill([projectId, 1000]))
    expect(await isEmptied()).toBe(true)
    const [entry] =
      await app.sql`select via from audit where org_id = ${org.id} and action = 'project.purged'`
    expect(entry).toEqual({ via: 'system' })
  })
})
