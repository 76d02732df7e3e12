import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { callLine } from '../../../../testing/clients/scripted-runs.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(async () => void (await app.sql`delete from rate_limits`))

/** A message with these lines as a script; scripts can be nested in a line. */
const play = (...lines: string[]) => ['~~~script', ...lines, '~~~'].join('\n')
const runChild = (message: string, extra: object = {}) =>
  callLine('run_agent', { agent: 'tester', message, ...extra })
const askLine = callLine('ask_person', { question: 'Which one?' })

const createChat = () => createChatClient(app, { tools: { agents: true, web: true } })

const childrenOf = async ({ client }: ChatClient, id: string) =>
  (await client.agentRuns.children({ id })).items
const firstCall = async (chat: ChatClient, runId: string) => (await chat.steps(runId))[0]!.calls[0]!
const eventsOf = (runId: string) =>
  app.sql<{ seq: number; type: string; data: Record<string, unknown> }[]>`
    select seq::int, type, data from run_events where run_id = ${runId} order by seq`

describe('a run_agent call', () => {
  test("returns the answer from a run with the same key's permissions, in an unlisted session", async () => {
    const chat = await createChat()
    const key = await app.key(chat.person, ['terminal'])
    const byKey = app.as({ authorization: `Bearer ${key.key}` })
    const { run, ...session } = await byKey.sessions.create({
      projectId: chat.project.id,
      agentId: chat.agent.id,
      message: {
        content: play(runChild(play('say forty-two')), runChild(play('say two')), '---', 'say Got {{last}}'),
      },
    })
    await chat.until(run!.id, 'succeeded')
    const children = await childrenOf(chat, run!.id)
    expect(children).toMatchObject([
      { status: 'succeeded', agentName: 'Tester' },
      { status: 'succeeded', agentName: 'Tester' },
    ])
    expect(await firstCall(chat, run!.id)).toMatchObject({
      state: 'done',
      childRunId: children[0]!.id,
      output: { runId: children[0]!.id, answer: 'forty-two' },
    })
    expect((await chat.messages(session.id)).at(-1)![1]).toContain('two')
    const rows = await app.sql`select key_id, depth, created_by from runs where parent_run_id = ${run!.id}`
    expect(rows).toMatchObject([
      { key_id: key.id, depth: 1, created_by: chat.person.id },
      { key_id: key.id, depth: 1 },
    ])
    const { items } = await chat.client.sessions.list({ projectId: chat.project.id })
    expect(items.map(({ id }) => id)).toEqual([session.id])
    const events = await eventsOf(run!.id)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  })

  test("returns a failure's reason to its parent, and lists the agents if the name is unknown", async () => {
    const chat = await createChat()
    const lines = [runChild(play('fail 401')), callLine('run_agent', { agent: 'Librarian', message: 'x' })]
    const { runId } = await chat.start(play(...lines, '---', 'say went on'))
    await chat.until(runId, 'succeeded')
    const [{ calls }] = (await chat.steps(runId)) as [Awaited<ReturnType<ChatClient['steps']>>[number]]
    expect(calls).toMatchObject([
      {
        state: 'failed',
        errorCode: 'child_failed',
        output: { error: expect.stringMatching(/^The agent failed: /) },
      },
      { state: 'failed', output: { error: expect.stringMatching(/no agent Librarian. Agents: .*Tester/) } },
    ])
  })

  test('starts one child, even if the server stops between starting it and waiting', async () => {
    const chat = await createChat()
    const { runId } = await chat.start(play(runChild(play(askLine, '---', 'say {{last}}')), '---', 'say end'))
    await chat.until(runId, 'waiting')
    for (const attempt of [1, 2]) {
      // The state after the lease of a killed worker has expired.
      await app.sql`update runs set status = 'running', due_at = now(), lease = lease + 1 where id = ${runId}`
      const waits = () => app.sql`
        select from run_events where run_id = ${runId} and type = 'run.waiting' offset ${attempt}`
      await expect.poll(async () => (await waits()).length).toBe(1)
    }
    expect(await chat.getRun(runId)).toMatchObject({ wait: { for: 'child' } })
    const [child, ...others] = await childrenOf(chat, runId)
    expect(others).toEqual([])
    const { parent_step: step } = (await app.sql`select parent_step from runs where id = ${child!.id}`)[0]!
    await expect(
      app.sql`
        insert into runs (org_id, id, project_id, status, created_by, created_at, parent_run_id, parent_step, parent_ordinal)
        select org_id, gen_random_uuid(), project_id, status, created_by, created_at, parent_run_id, ${step}, parent_ordinal
        from runs where id = ${child!.id}`,
    ).rejects.toMatchObject({ constraint: 'runs_call' })
    await chat.client.agentRuns.cancel({ id: runId })
    await chat.waitForEnd(runId)
  })

  test("passes its run's trust to the child, and lowers it to the child's", async () => {
    const chat = await createChat()
    const helper = runChild(play('say from outside', 'wait 400', 'say !'))
    const { runId } = await chat.start(play(helper, '---', helper, '---', 'say end'))
    await expect.poll(async () => (await childrenOf(chat, runId)).length).toBe(1)
    const { id } = (await childrenOf(chat, runId))[0]!
    await app.sql`update runs set trust = 'untrusted' where id = ${id}`
    await chat.until(runId, 'succeeded')
    expect(await chat.getRun(runId)).toMatchObject({ trust: 'untrusted' })
    const children = await childrenOf(chat, runId)
    expect(await chat.getRun(children[1]!.id)).toMatchObject({ trust: 'untrusted' })
    const { output } = await firstCall(chat, runId)
    expect((output as { answer: string }).answer).toMatch(/are data from the agent/)
    const other = await app.project(chat.person)
    const { runId: next } = await chat.start(play(runChild('hi', { project: other.id })))
    await chat.until(next, 'succeeded')
    expect((await chat.getRun((await childrenOf(chat, next))[0]!.id)).projectId).toBe(other.id)
  })

  test('is limited to three levels', async () => {
    const chat = await createChat()
    const nested = (level: number): string =>
      level === 0 ? play('say bottom') : play(runChild(nested(level - 1)), '---', 'say {{last}}')
    const { runId, sessionId } = await chat.start(nested(4))
    await chat.until(runId, 'succeeded')
    expect((await chat.messages(sessionId)).at(-1)![1]).toContain('at most 3 times in a row')
    const rows = await app.sql`select from runs where org_id = ${chat.org.id} and depth > 0`
    expect(rows).toHaveLength(3)
  })
})

describe('a child', () => {
  test("asks questions in its parent's session, where members answer them and decide its approvals", async () => {
    const chat = await createChatClient(app, {
      tools: { agents: true },
      approvals: { create_project: 'ask' },
    })
    const asks = play(askLine, '---', callLine('create_project', { name: 'New' }), '---', 'say {{last}}')
    const { runId, sessionId } = await chat.start(
      play(runChild(play(runChild(asks), '---', 'say {{last}}')), '---', 'say end'),
    )
    const approvalRequests = async () =>
      (await eventsOf(runId)).filter(({ type }) => type === 'approval.requested')
    await expect.poll(async () => (await approvalRequests()).length).toBe(1)
    const call = await firstCall(chat, runId)
    expect((await approvalRequests())[0]!.data).toMatchObject({
      n: 1,
      ordinal: 1,
      callId: call.callId,
      summary: 'Which one?',
    })
    await chat.send(sessionId, 'The second')
    await expect.poll(async () => (await approvalRequests()).length).toBe(2)
    const { approvalId } = (await approvalRequests())[1]!.data as { approvalId: string }
    await chat.client.approvals.decide({ id: approvalId, decision: 'approve' })
    await chat.until(runId, 'succeeded')
    const decided = (await eventsOf(runId)).filter(({ type }) => type === 'approval.decided')
    expect(decided.map(({ data }) => data.decision)).toEqual(['answered', 'approved'])
    expect(JSON.stringify((await firstCall(chat, runId)).output)).toContain('New')
  })

  test("ends with its parent at every level, and its changes count as the parent's in lists and undo", async () => {
    const chat = await createChat()
    const projectId = chat.project.id
    const note = callLine('edit_canvas', { create: [{ type: 'note', content: 'By a child' }] })
    const { runId } = await chat.start(
      play(runChild(play(note, '---', 'say ok')), runChild(play(runChild(play(askLine)))), '---', 'say end'),
    )
    const runsInTree = () => app.sql<{ status: string }[]>`
      select status from runs where org_id = ${chat.org.id} order by id`
    await expect
      .poll(async () => (await runsInTree()).filter(({ status }) => status === 'waiting').length)
      .toBe(3)
    await expect(chat.client.agentRuns.undo({ id: runId })).rejects.toMatchObject({ code: 'CONFLICT' })
    await chat.client.agentRuns.cancel({ id: runId })
    await expect
      .poll(async () => (await runsInTree()).map(({ status }) => status))
      .toEqual(['canceled', 'succeeded', 'canceled', 'canceled'])
    const { items } = await chat.client.agentRuns.changes({ id: runId })
    expect(items).toMatchObject([{ kind: 'block', action: 'created' }])
    const { undoRunId } = await chat.client.agentRuns.undo({ id: runId })
    expect((await chat.client.canvas.list({ projectId })).items).toEqual([])
    await chat.client.agentRuns.undo({ id: undoRunId! })
    expect((await chat.client.canvas.list({ projectId })).items).toMatchObject([{ content: 'By a child' }])
  })
})
