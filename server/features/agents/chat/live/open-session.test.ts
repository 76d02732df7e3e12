import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../../testing/clients/chat-client.ts'
import { CALLER_DEFAULTS } from '../../../../testing/factories/caller.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { openSession } from './open-session.ts'

/** Without a worker: the test ends the run. */
let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** Runs `work` before the statement that contains `text`. */
const runBefore = (sql: Sql, text: string, work: () => Promise<unknown>): Sql =>
  new Proxy(sql, {
    apply: (target, _this, [strings, ...values]: [TemplateStringsArray, ...never[]]) =>
      Array.isArray(strings) && strings.join('').includes(text)
        ? work().then(() => target(strings, ...values))
        : target(strings, ...values),
  })

test("a run that ends while its session's stream opens isn't shown as active", async () => {
  const chat = await createChatClient(app)
  const { sessionId, runId } = await chat.start(script('say x'))
  await app.session(chat.person)
  const [session] = await app.sql<
    { id: string }[]
  >`select id from sessions where user_id = ${chat.person.id} limit 1`
  const credentialId = session!.id
  const end = async () => {
    await app.sql`update runs set status = 'succeeded', finished_at = now(), due_at = null where id = ${runId}`
    await app.sql`update agent_sessions set active_run_id = null where id = ${sessionId}`
  }
  const sql = runBefore(app.sql, 's.message_seq::int as message', end)
  const caller = { ...CALLER_DEFAULTS, credentialId, userId: chat.person.id, orgId: chat.org.id }
  const ctx = createContext({ ...app.app.system(), caller, sql })
  const { frames } = await openSession(ctx, sessionId, undefined)
  expect(frames.join('')).toContain('"activeRunId":null')
  expect(frames.join('')).not.toContain(runId)
})
