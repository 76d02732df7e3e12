import { expect } from 'vitest'
import type { TestApp } from '../test-app.ts'
import { script } from './agent-runs.ts'

/** Longer than any test's wait, even under load. */
const TIMEOUTS = { timeout: 30_000, interval: 20 }

export const ENDED = ['succeeded', 'failed', 'canceled']

export type ChatClient = Awaited<ReturnType<typeof createChatClient>>

/** Uses the model `test/script`. The app's worker must run. */
export async function createChatClient(app: TestApp, settings: Record<string, unknown> = {}) {
  const { org, person } = await app.newUser()
  const client = await app.withSession(person)
  const project = await app.project(person)
  const agent = await client.agents.create({ name: 'Tester', model: 'test/script', ...settings })
  const getRun = (id: string) => client.agentRuns.get({ id })
  const chat = {
    org,
    person,
    /** In a browser, with step-up. */
    client,
    project,
    agent,
    getRun,
    async start(content: string, agentId = agent.id) {
      const session = await client.sessions.create({
        projectId: project.id,
        agentId,
        message: { content },
      })
      return { sessionId: session.id, runId: session.run!.id }
    },
    send: (sessionId: string, content: string, options: { interrupt?: boolean; fileIds?: string[] } = {}) =>
      client.sessions.send({ id: sessionId, content, ...options }),
    async until(runId: string, ...statuses: string[]) {
      await expect.poll(async () => (await getRun(runId)).status, TIMEOUTS).toSatisfy(isOneOf(statuses))
      return getRun(runId)
    },
    waitForEnd: (runId: string) => chat.until(runId, ...ENDED),
    async waitForText(runId: string, text: string) {
      await expect.poll(() => chat.text(runId), TIMEOUTS).toContain(text)
    },
    async text(runId: string): Promise<string> {
      const rows = await app.sql<{ text: string }[]>`
        select data ->> 'text' as text from run_events where run_id = ${runId} and type = 'text' order by seq`
      return rows.map(({ text }) => text).join('')
    },
    async messages(sessionId: string): Promise<[string, string][]> {
      const { items } = await client.sessions.messages({ id: sessionId, after: 0, limit: 100 })
      return items.map(({ role, text, content }) => [role, text || JSON.stringify(content)])
    },
    steps: async (runId: string) => (await client.agentRuns.steps({ id: runId })).items,
    async approvals(runId: string) {
      await chat.until(runId, 'waiting')
      return (await client.approvals.list({ runId })).items
    },
    /** The answer never ends. */
    async startStreaming(text: string) {
      const started = await chat.start(script(`say ${text}`, 'wait 600000', 'say never'))
      await chat.waitForText(started.runId, text)
      return started
    },
  }
  return chat
}

const isOneOf = (statuses: string[]) => (status: string) => statuses.includes(status)
