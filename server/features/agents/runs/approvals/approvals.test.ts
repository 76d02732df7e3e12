import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, cookie, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  chat = await createChatClient(app)
})
afterAll(() => app.close())

const SEND = 'call submit_feedback {"message":"Hello"}'

/** Starts a run that waits for the approval of a call, and then repeats its result. */
async function startWaitingRun(call = SEND) {
  const started = await chat.start(script(call, '---', 'say {{last}}'))
  const [approval] = await chat.approvals(started.runId)
  return { ...started, approval: approval! }
}

const resultOf = async (sessionId: string) => (await chat.messages(sessionId)).at(-1)![1]
const sentFeedback = async (runId: string) =>
  (await app.sql`select message from feedback where metadata ->> 'runId' = ${runId}`).map(
    ({ message }) => message,
  )

describe('a decision', () => {
  test('approves with another input and a note for the agent; an invalid input is refused', async () => {
    const { approval, runId, sessionId } = await startWaitingRun()
    expect(await chat.client.approvals.get({ id: approval.id })).toEqual(approval)
    const approve = (input: unknown) =>
      chat.client.approvals.decide({ id: approval.id, decision: 'approve', input, note: 'Politely' })
    await expect(approve({ message: 5 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.input.message', message: expect.any(String) }],
    })
    await approve({ message: 'Good day' })
    await chat.waitForEnd(runId)
    expect(await sentFeedback(runId)).toEqual(['Good day'])
    expect(await chat.client.approvals.get({ id: approval.id })).toMatchObject({
      decision: 'approved',
      decidedBy: chat.person.id,
      input: { message: 'Good day' },
    })
    const result = await resultOf(sessionId)
    for (const part of ['A member changed this call’s input', 'Good day', 'Politely'])
      expect(result).toContain(part)
  })

  test('denies, as do an expiry and a new message; the run always continues', async () => {
    const denied = await startWaitingRun()
    await chat.client.approvals.decide({ id: denied.approval.id, decision: 'deny', note: 'Not now' })
    await chat.waitForEnd(denied.runId)
    expect(await resultOf(denied.sessionId)).toContain('denied this call: Not now')

    const superseded = await startWaitingRun()
    await chat.send(superseded.sessionId, script('say Read your message'))
    await chat.waitForEnd(superseded.runId)
    expect(await chat.messages(superseded.sessionId)).toContainEqual([
      'tool',
      expect.stringContaining('A message arrived instead of a decision'),
    ])
    const question = await startWaitingRun('call ask_person {"question":"Which color?"}')
    await chat.send(question.sessionId, 'Blue')
    await chat.waitForEnd(question.runId)
    expect(await chat.messages(question.sessionId)).toContainEqual(['tool', expect.stringContaining('Blue')])

    const expired = await startWaitingRun()
    app.clock.advance(25 * 3600)
    await app.sql`select graphile_worker.add_job('runs.sweep', '{}')`
    // The day that people took does not count against the minutes of the run.
    expect(await chat.waitForEnd(expired.runId)).toMatchObject({ status: 'succeeded' })
    expect(await resultOf(expired.sessionId)).toContain('within 24 hours')
    const counts = await app.sql`
      select payload ->> 'decision' as decision, count(*)::int from events
      where org_id = ${chat.org.id} and type = 'agent.approval.decided' group by 1 order by 1`
    expect(counts).toEqual(
      [
        ['answered', 1],
        ['approved', 1],
        ['denied', 1],
        ['expired', 1],
        ['superseded', 1],
      ].map(([decision, count]) => ({ decision, count })),
    )
    for (const { runId } of [denied, superseded, expired]) expect(await sentFeedback(runId)).toEqual([])
  })

  test('is stored once if two members decide concurrently', async () => {
    const { approval, runId } = await startWaitingRun()
    const other = await app.withSession(await app.person(chat.org))
    const results = await Promise.allSettled([
      chat.client.approvals.decide({ id: approval.id, decision: 'approve' }),
      other.approvals.decide({ id: approval.id, decision: 'deny' }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(refused.reason).toMatchObject({ code: 'CONFLICT', details: { reason: 'decided' } })
    await chat.waitForEnd(runId)
    expect((await sentFeedback(runId)).length).toBe(results[0]!.status === 'fulfilled' ? 1 : 0)
  })

  test('requires step-up for a risk that needs it, even if an edit adds the risk', async () => {
    const withoutStepUp = app.as(cookie(await app.session(chat.person, { steppedUp: false })))
    const agent = await chat.client.agents.create({
      name: 'Asks',
      model: 'test/script',
      approvals: { run_action: 'ask', share: 'deny' },
    })
    const { runId } = await chat.start(script('call run_action {"action":"quotas.get"}'), agent.id)
    const [approval] = await chat.approvals(runId)
    expect(approval).toMatchObject({ risk: 'none', requiresStepUp: false })
    const input = { action: 'projects.remove', input: { id: chat.project.id } }
    const edited = withoutStepUp.approvals.decide({ id: approval!.id, decision: 'approve', input })
    await expect(edited).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('Step-up'),
    })
    await withoutStepUp.approvals.decide({ id: approval!.id, decision: 'approve', scope: 'session' })
    await chat.waitForEnd(runId)
    const { items } = await chat.client.approvals.grants({ agentId: agent.id })
    expect(items.map(({ tool }) => tool)).toEqual(['run_action quotas.get'])
  })
})

describe('a cancellation', () => {
  const cancel = async (runId: string) => {
    const [first, second] = [
      await chat.client.agentRuns.cancel({ id: runId }),
      await chat.client.agentRuns.cancel({ id: runId }),
    ]
    expect([first, second].every(({ cancelRequestedAt }) => cancelRequestedAt !== null)).toBe(true)
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'canceled', errorCode: null })
    const calls = (await chat.steps(runId)).flatMap((step) => step.calls)
    return calls.map(({ tool, state }) => [tool, state])
  }

  test('ends a run that waits for an approval, with a result for its call', async () => {
    const { runId, sessionId, approval } = await startWaitingRun()
    expect(await cancel(runId)).toEqual([['submit_feedback', 'canceled']])
    const decided = chat.client.approvals.decide({ id: approval.id, decision: 'approve' })
    await expect(decided).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await chat.messages(sessionId)).at(-1)![0]).toBe('tool')
    const { run } = await chat.send(sessionId, script('say Going on'))
    expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  })

  test('ends a run that is waiting for a retry or streaming', async () => {
    const retry = await chat.start(script('fail 503'))
    await chat.until(retry.runId, 'waiting')
    expect(await cancel(retry.runId)).toEqual([])
    const { runId, sessionId } = await chat.startStreaming('Visible text')
    expect(await cancel(runId)).toEqual([])
    expect((await chat.messages(sessionId)).at(-1)).toEqual(['assistant', 'Visible text'])
  })

  test('ends a run before its next call starts', async () => {
    const calls = Array.from({ length: 3 }, (_, n) => `call create_project {"name":"P${n}"}`)
    const { runId } = await chat.start(script('wait 300', ...calls))
    await app.sql.begin(async (sql) => {
      await chat.until(runId, 'running')
      await sql`update runs set cancel_requested_at = now() where id = ${runId}`
    })
    await chat.waitForEnd(runId)
    expect(
      await app.sql`select from projects where org_id = ${chat.org.id} and name in ('P0', 'P1', 'P2')`,
    ).toEqual([])
  })
})
