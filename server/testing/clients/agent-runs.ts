import type { Client } from '../../../client/client.ts'
import type { Contract } from '../../../contract/index.ts'
import { buildTestApp, type Headers, type TestApp } from '../test-app.ts'
import { openEventStream } from './live.ts'

export const script = (...lines: string[]) => ['```script', ...lines, '```'].join('\n')

export async function startScripted(client: Client<Contract>, projectId: string, lines: string[]) {
  const agent = await client.agents.create({ name: 'Scripted', model: 'test/script' })
  const message = { content: script(...lines) }
  const { run, ...session } = await client.sessions.create({ projectId, agentId: agent.id, message })
  return { sessionId: session.id, runId: run!.id, agentId: agent.id }
}

export const openRunStream = (app: Pick<TestApp, 'url'>, runId: string, headers: Headers, query = '') =>
  openEventStream(app, `/api/v1/runs/${runId}/stream${query}`, headers)

/** The second process shares the database and runs no steps. */
export async function buildTwoProcesses() {
  const app = await buildTestApp()
  await app.app.startWorker()
  const other = await buildTestApp({ on: app.connection })
  const close = async () => {
    await other.close()
    await app.close()
  }
  return { app, other, close }
}
