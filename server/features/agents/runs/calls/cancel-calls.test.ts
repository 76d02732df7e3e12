import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { WEB_DEFAULT } from '../../../../../contract/agents/agent-fields.ts'
import { ApiError } from '../../../../errors.ts'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import type { Effect } from '../../../../tools/tool.ts'
import { runCalls } from '../engine/run-calls.ts'
import { settle } from '../engine/settle.ts'
import { NO_SCREENING } from '../screening/screening.ts'
import { leaseEnd } from '../state/lease.ts'
import { claimRuns } from '../state/run-row.ts'
import type { RunTool, RunToolCall } from '../state/run-tool.ts'
import { insertCalls, listCallsOfStep, listOpenCalls } from './call-queries.ts'

/** Without a worker: the test claims the runs, and has tools of its own. */
let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  app = await buildTestApp()
  chat = await createChatClient(app)
  await app.sql`create table effects (run_id uuid)`
})
afterAll(() => app.close())

/** A claimed run with two calls of a tool of this effect, which takes effect and then does `work`. */
async function startClaimedRun(effect: Effect, work: (call: RunToolCall) => Promise<void>) {
  await chat.start(script('say x'))
  const ctx = app.app.system()
  const now = app.clock.now()
  const claim = { running: [], perOrganization: 10, limit: 1, now, leasedUntil: leaseEnd(now) }
  const [run] = await claimRuns(app.sql, claim)
  // Calls that commit with their results follow each other; others run at the same time.
  const concurrentCalls = effect === 'transaction' ? 1 : 2
  let startedCount = 0
  const started = Promise.withResolvers<void>()
  const tool: RunTool = {
    name: 'act',
    description: 'Acts',
    input: z.object({}) as never,
    effect,
    risk: 'none',
    async run(call) {
      await call.sql`insert into effects values (${run!.id})`
      if (++startedCount === concurrentCalls) started.resolve()
      await work(call)
      return { acted: true }
    },
  }
  const calls = [1, 2].map((ordinal) => ({
    step: 1,
    ordinal,
    callId: `c${ordinal}`,
    tool: 'act',
    input: {},
    effect,
    risk: 'none' as const,
    state: 'pending' as const,
    output: null,
    approvalId: null,
    parent: null,
    requestHash: null,
  }))
  await insertCalls(app.sql, run!, calls, app.clock.now())
  // The second call begins after the test allows it: the cancellation waits for the lock of the first.
  const next = Promise.withResolvers<void>()
  let transactions = 0
  const environment = {
    ctx: {
      ...ctx,
      transaction: (async (work) => {
        if (transactions++ > 0) await next.promise
        return ctx.transaction(work)
      }) as typeof ctx.transaction,
    },
    run: run!,
    tools: new Map([['act', tool]]),
    web: {
      openSearch: () => Promise.reject(new Error('This test searches nothing')),
      limits: { searchesPerRun: 0, fetchesPerRun: 0 },
      domains: WEB_DEFAULT,
    },
    invokeOn: () => async () => {},
    screening: NO_SCREENING,
    knowledge: [],
    recordMatches: async () => {},
    storeOverflow: () => Promise.reject(new Error('not needed')),
    prepareChild: () => Promise.reject(new Error('not needed')),
    runProgram: () => Promise.reject(new Error('not needed')),
    log: pino({ level: 'silent' }),
  }
  const ended = runCalls(environment, [...(await listOpenCalls(app.sql, run!))])
  await started.promise
  const end = async () => {
    expect(await ended).toBe('next')
    await settle({ models: null as never }, ctx, run!, { status: 'canceled' })
    const states = (await listCallsOfStep(app.sql, run!, 1)).map(({ state }) => state)
    const effects = await app.sql`select from effects where run_id = ${run!.id}`
    return { states, effects: effects.length }
  }
  return { runId: run!.id, end, allowNext: next.resolve }
}

const untilAborted = ({ signal }: RunToolCall) =>
  new Promise<void>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })

test('a cancellation during a call that commits with its result takes effect after it, and no further call starts', async () => {
  const gate = Promise.withResolvers<void>()
  const { runId, end, allowNext } = await startClaimedRun('transaction', () => gate.promise)
  const canceled = chat.client.agentRuns.cancel({ id: runId })
  await expect.poll(() => app.sql`select from pg_locks where not granted`).not.toEqual([])
  gate.resolve()
  await canceled
  allowNext()
  expect(await end()).toEqual({ states: ['done', 'canceled'], effects: 1 })
})

test('a cancellation aborts calls that may have been sent, and their results say they may have taken effect', async () => {
  for (const effect of ['once', 'idempotent'] as const) {
    const { runId, end } = await startClaimedRun(effect, untilAborted)
    await chat.client.agentRuns.cancel({ id: runId })
    expect(await end()).toEqual({ states: ['unknown', 'unknown'], effects: 2 })
  }
})

test("a short read's result is stored while another read is still running", async () => {
  const stateOf = async (runId: string) => {
    const [row] = await app.sql`select state from run_calls where run_id = ${runId} and ordinal = 1`
    return row!.state
  }
  const { end } = await startClaimedRun('read', async ({ runId, idempotencyKey }) => {
    if (idempotencyKey.endsWith(':2')) await expect.poll(() => stateOf(runId!)).toBe('done')
  })
  expect(await end()).toEqual({ states: ['done', 'done'], effects: 2 })
})

test('a cancellation aborts reads, whose results are errors', async () => {
  const { runId, end } = await startClaimedRun('read', untilAborted)
  await chat.client.agentRuns.cancel({ id: runId })
  expect((await end()).states).toEqual(['failed', 'failed'])
})

test("a call still being made by the run's previous worker waits for its result", async () => {
  const refused: string[] = []
  const { end } = await startClaimedRun('idempotent', async ({ idempotencyKey }) => {
    if (refused.includes(idempotencyKey)) return
    refused.push(idempotencyKey)
    throw new ApiError('CONFLICT', 'Still running', { details: { reason: 'request_in_progress' } })
  })
  expect(await end()).toEqual({ states: ['done', 'done'], effects: 4 })
})
