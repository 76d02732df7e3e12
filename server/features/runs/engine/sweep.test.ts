import { afterAll, beforeAll, expect, test } from 'vitest'
import { script } from '../../../testing/clients/agent-runs.ts'
import { createChatClient } from '../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { sweepRuns } from './sweep.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

test('deletes the events of runs that ended a week ago; their steps keep the answers', async () => {
  const chat = await createChatClient(app)
  const [old, recent] = [await chat.start(script('say before')), await chat.start(script('say after'))]
  for (const { runId } of [old, recent]) await chat.ended(runId)
  const end = (runId: string, days: number) => app.sql`
    update runs set finished_at = now() - ${days} * interval '1 day' where id = ${runId}`
  await end(old.runId, 8)
  await end(recent.runId, 6)
  await sweepRuns(app.app.system())
  const left = await app.sql<{ runId: string }[]>`select distinct run_id as "runId" from run_events`
  expect(left.map(({ runId }) => runId)).toEqual([recent.runId])
  const texts = async (runId: string) => (await chat.steps(runId)).map(({ text }) => text)
  expect(await texts(old.runId)).toEqual(['before'])
  expect(await texts(recent.runId)).toEqual(['after'])
})
