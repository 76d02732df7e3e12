import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import { mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { approvalsRequested } from '../../runs/runs.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true })
  await app.app.startWorker()
})
afterAll(() => app.close())

let caller: Awaited<ReturnType<TestApp['newUser']>>
let browser: Awaited<ReturnType<TestApp['withSession']>>
let id: string
let agentId: string
beforeEach(async () => {
  caller = await app.newUser({ role: 'owner', name: 'Ada', verified: true })
  browser = await app.withSession(caller.person)
  const projectId = (await app.project(caller.person)).id
  const approvals = { read_canvas: 'ask' as const }
  const agent = await caller.client.agents.create({ name: 'Helper', model: 'test/script', approvals })
  agentId = agent.id
  id = (await caller.client.sessions.create({ projectId, agentId, title: 'Plans' })).id
})

const member = (name: string, verified = true) => app.person(caller.org, { name, verified })
async function viewer(name: string) {
  const person = await member(name)
  await app.setWorkspaceRole(person, caller.org.workspaceId, 'viewer')
  return person
}
const add = (...people: Person[]) =>
  Promise.all(people.map(({ id: userId }) => browser.sessions.addParticipant({ id, userId })))
const eventTypes = async () =>
  (
    await app.sql`
    select type from events where org_id = ${caller.org.id} and type like 'session.participant.%' order by id`
  ).map(({ type }) => type)

describe('a participant', () => {
  test('is a member who can see the project, added once, and removed by an editor or by leaving', async () => {
    const [mary, victor] = [await member('Mary', false), await viewer('Victor')]
    const outside = await member('Olga')
    await app.setWorkspaceRole(outside, caller.org.workspaceId, null)
    const stranger = (await app.newUser()).person
    for (const { id: userId } of [outside, stranger])
      await expect(browser.sessions.addParticipant({ id, userId })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        details: [{ path: 'body.userId', message: 'must be a member who can see the project' }],
      })
    expect(await add(mary, mary, victor)).toMatchObject([{ emailed: false }, {}, { emailed: true }])
    const { participants } = await caller.client.sessions.get({ id })
    expect(participants.map(({ name }) => name).sort()).toEqual(['Mary', 'Victor'])
    const asVictor = await app.withSession(victor)
    await expect(asVictor.sessions.removeParticipant({ id, userId: mary.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await asVictor.sessions.removeParticipant({ id, userId: victor.id })
    await caller.client.sessions.removeParticipant({ id, userId: mary.id })
    await expect(caller.client.sessions.removeParticipant({ id, userId: mary.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await eventTypes()).toEqual([
      ...Array(2).fill('session.participant.added'),
      ...Array(2).fill('session.participant.removed'),
    ])
    const { items } = await browser.organization.audit({})
    expect(items.filter(({ target }) => target === id).map(({ action }) => action)).toEqual([
      'agent-session.participant-removed',
      'agent-session.participant-removed',
      'agent-session.participant-added',
      'agent-session.participant-added',
    ])
  })

  test('is refused beyond fifty, even when two are added concurrently', async () => {
    await app.sql`
      with added as (
        insert into users (id, email, name, created_at, updated_at)
        select gen_random_uuid(), 'p' || n || '-' || ${id} || '@example.com', 'P' || n, now(), now()
        from generate_series(1, 49) n returning id
      ), joined as (
        insert into memberships (org_id, user_id, role, created_at)
        select ${caller.org.id}, id, 'member', now() from added returning user_id
      )
      insert into session_participants (org_id, session_id, user_id, added_at)
      select ${caller.org.id}, ${id}, id, now() from added`
    const people = [await member('Mary'), await member('Max')]
    const results = await Promise.allSettled(people.map((person) => add(person)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'CONFLICT' },
    })
    expect((await caller.client.sessions.get({ id })).participants).toHaveLength(50)
  })
})

describe('mail', () => {
  const ask = script('call read_canvas {}', 'call ask_person {"question": "Open http://evil.example?"}')
  const openApprovals = async () => (await caller.client.approvals.list({})).openCount
  /** Ends the minute: mails about approvals are due. */
  const endMinute = () => app.sql`update graphile_worker._private_jobs set run_at = now()`

  test('is sent about open approvals once a minute to the creator and participants who can decide', async () => {
    const [mary, victor, una] = [await member('Mary'), await viewer('Victor'), await member('Una', false)]
    await add(mary, victor, una)
    const { run } = await caller.client.sessions.send({ id, content: ask })
    await expect.poll(openApprovals).toBe(2)
    const [job] = await app.sql`
      select payload from graphile_worker._private_jobs where payload ->> 'runId' = ${run.id}`
    await endMinute()
    for (const person of [caller.person, mary]) {
      expect(await mailsTo(app, person.email)).toMatchObject([
        { text: expect.stringContaining('Helper asks for 2 approvals in “Plans”') },
      ])
    }
    await app.app.system().enqueue(approvalsRequested, job!.payload)
    const [mail, ...more] = await mailsTo(app, mary.email)
    expect(more).toEqual([])
    expect(mail!.text).toContain('- Read canvas\n- Answer a question')
    expect(mail!.text).toContain(`Decide: ${app.mailUrl}/approvals\n`)
    expect(mail!.text).not.toContain('evil')
    for (const person of [victor, una]) expect(await mailsTo(app, person.email)).toEqual([])
    const { items } = await caller.client.approvals.list({ runId: run.id })
    const browser = await app.withSession(caller.person)
    await browser.approvals.decide({ id: items[0]!.id, decision: 'deny' })
    const payload = { ...job!.payload, minute: job!.payload.minute + 1 }
    await app.app.system().enqueue(approvalsRequested, payload)
    await expect
      .poll(async () => (await mailsTo(app, mary.email)).map(({ text }) => text))
      .toEqual([
        expect.anything(),
        expect.stringContaining(`Decide: ${app.mailUrl}/approvals/${items[1]!.id}\n`),
      ])
  })

  test('marks the notification read for every recipient once the run waits for no decision', async () => {
    const mary = await member('Mary')
    await add(mary)
    const { run } = await caller.client.sessions.send({ id, content: ask })
    await expect.poll(openApprovals).toBe(2)
    await endMinute()
    const clients = [caller.client, await app.withSession(mary)]
    const unread = () =>
      Promise.all(
        clients.map(async (client) => {
          const { items } = await client.notifications.list({ kind: 'approval', unread: 'true' })
          return items.length
        }),
      )
    await expect.poll(unread).toEqual([1, 1])
    const { items } = await caller.client.approvals.list({ runId: run.id })
    const browser = await app.withSession(caller.person)
    await browser.approvals.decide({ id: items[0]!.id, decision: 'deny' })
    expect(await unread()).toEqual([1, 1])
    await caller.client.agentRuns.cancel({ id: run.id })
    await expect.poll(unread).toEqual([0, 0])
  })

  test("is sent about a child run's approval to the parent run's participants who can see its project", async () => {
    const [mary, victor] = [await member('Mary'), await viewer('Victor')]
    await add(mary, victor)
    await caller.client.agents.update({ id: agentId, tools: { agents: true } })
    const message = '~~~script\ncall ask_person {"question": "Which one?"}\n~~~'
    await caller.client.sessions.send({
      id,
      content: script(`call run_agent ${JSON.stringify({ agent: 'Helper', message })}`),
    })
    await expect.poll(openApprovals, { timeout: 20_000 }).toBe(1)
    await endMinute()
    for (const person of [caller.person, mary])
      await expect
        .poll(async () => (await mailsTo(app, person.email)).map(({ text }) => text))
        .toEqual([expect.stringContaining('Helper asks for an approval')])
    expect(await mailsTo(app, victor.email)).toEqual([])
  })

  test("is in each participant's language", async () => {
    const mary = await member('Mary')
    await add(mary)
    await app.sql`update users set language = 'de' where id = ${mary.id}`
    const { run } = await caller.client.sessions.send({ id, content: ask })
    await expect.poll(openApprovals).toBe(2)
    await endMinute()
    expect(await mailsTo(app, mary.email)).toMatchObject([
      {
        subject: 'Helper braucht Ihre Genehmigung in „Plans“',
        text: expect.stringContaining(
          'Helper bittet um 2 Genehmigungen in „Plans“:\n\n- Read canvas\n- Eine Frage beantworten',
        ),
      },
    ])
    await app.sql`update runs set started_at = started_at - interval '6 minutes' where id = ${run.id}`
    await browser.agentRuns.cancel({ id: run.id })
    await expect.poll(async () => (await caller.client.sessions.get({ id })).activeRunId).toBe(null)
    await endMinute()
    const mails = (await mailsTo(app, mary.email)).map(({ text }) => text)
    expect(mails).toContainEqual(
      expect.stringContaining('Der Lauf von Helper in „Plans“ wurde abgebrochen. Er dauerte 6 Minuten.'),
    )
  })

  test('is not sent for approvals decided within the minute', async () => {
    await caller.client.sessions.send({ id, content: ask })
    await expect.poll(openApprovals).toBe(2)
    await caller.client.sessions.send({ id, content: script('say Thanks') })
    await expect.poll(openApprovals).toBe(0)
    await endMinute()
    expect(await mailsTo(app, caller.person.email)).toEqual([])
  })

  test('is sent when a run over five minutes ends, to all in its session except whoever canceled it', async () => {
    const victor = await viewer('Victor')
    await add(victor)
    const { run } = await caller.client.sessions.send({ id, content: ask })
    await expect.poll(openApprovals).toBe(2)
    await app.sql`update runs set started_at = started_at - interval '6 minutes' where id = ${run.id}`
    await browser.agentRuns.cancel({ id: run.id })
    await expect.poll(async () => (await caller.client.sessions.get({ id })).activeRunId).toBe(null)
    await caller.client.sessions.send({ id, content: script('say A short run') })
    await expect.poll(async () => (await caller.client.sessions.get({ id })).activeRunId).toBe(null)
    await endMinute()
    const mails = await mailsTo(app, victor.email)
    expect(mails).toMatchObject([
      { text: expect.stringContaining('“Plans” was canceled. It took 6 minutes.') },
    ])
    expect(mails[0]!.text).toContain(`${app.mailUrl}/chat/${id}`)
    expect(await mailsTo(app, caller.person.email)).toEqual([])
  })

  test('is sent once when a run with children ends', async () => {
    const mary = await member('Mary')
    await caller.client.agents.update({ id: agentId, tools: { agents: true } })
    const message = '~~~script\ncall ask_person {"question": "Which one?"}\n~~~'
    const content = script(`call run_agent ${JSON.stringify({ agent: 'Helper', message })}`)
    const { run } = await caller.client.sessions.send({ id, content })
    await expect.poll(openApprovals, { timeout: 20_000 }).toBe(1)
    await app.sql`update runs set started_at = started_at - interval '6 minutes' where org_id = ${caller.org.id}`
    await (await app.withSession(mary)).agentRuns.cancel({ id: run.id })
    const active = () => app.sql`select from runs where org_id = ${caller.org.id} and finished_at is null`
    await expect.poll(async () => (await active()).length, { timeout: 20_000 }).toBe(0)
    await endMinute()
    expect((await mailsTo(app, caller.person.email)).map(({ text }) => text)).toEqual([
      expect.stringContaining('“Plans” was canceled. It took 6 minutes.'),
    ])
  })
})
