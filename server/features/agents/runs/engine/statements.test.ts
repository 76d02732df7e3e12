import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SentStatement, statementChannel } from '../../../../database/client.ts'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

const FEW = 2
const MANY = 12

let app: TestApp
let chat: ChatClient
let statements: string[] = []
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  chat = await createChatClient(app, { maxSteps: 100 })
  statementChannel.subscribe(onStatement)
})
afterAll(async () => {
  statementChannel.unsubscribe(onStatement)
  await app.close()
})

/** Statements of the server, not of the test. */
const onStatement = (message: unknown) => {
  const { session, text } = message as SentStatement
  if (session.startsWith('atrium ')) statements.push(text.trim())
}

/** The statements of a run in which each step but the last one calls a tool. */
async function statementsOf(steps: number): Promise<string[]> {
  const parts = Array.from({ length: steps - 1 }, (_, n) => [
    `say Step ${n}`,
    'call search_actions {"words":"snapshot"}',
    '---',
  ])
  statements = []
  const { runId } = await chat.start(script(...parts.flat(), 'say Done'))
  // Without requests: the server would send statements for them.
  await expect
    .poll(() => app.sql`select status from runs where id = ${runId}`)
    .toEqual([{ status: 'succeeded' }])
  return statements.filter((statement) => !isPeriodic(statement))
}

/** Claims, polls and notifications, whose number depends on the time. */
const isPeriodic = (statement: string) =>
  /^(with recursive|select pg_notify)/.test(statement) ||
  statement.includes('job_processes') ||
  statement.includes('from suspensions') ||
  statement.includes('clock_timestamp())::float8') ||
  statement.includes('webhook_backlog')

test('a step with a tool call takes few statements and commits, and no separate claim', async () => {
  await statementsOf(FEW)
  const [shortRun, longRun] = [await statementsOf(FEW), await statementsOf(MANY)]
  const perStep = (pattern: RegExp) => {
    const count = (list: string[]) => list.filter((statement) => pattern.test(statement)).length
    return (count(longRun) - count(shortRun)) / (MANY - FEW)
  }
  // With a transaction for each part, a step took 54 statements. Text that arrives slowly adds statements.
  expect(perStep(/^/)).toBeLessThanOrEqual(20)
  expect(perStep(/^commit/)).toBeLessThanOrEqual(2)
  // Each append outside of these transactions is another commit: the one that stores the result of the call.
  expect(perStep(/^with run as/)).toBeLessThanOrEqual(3)
})
