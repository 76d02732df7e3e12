import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Client } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from '../e2e/browser.ts'
import { inspectPage } from '../e2e/inspect-page.ts'
import { seedOrganization } from '../e2e/seed-organization.ts'

const LONG_TIMEOUT = { timeout: 240_000 }

const script = (...lines: string[]) => ['~~~script', ...lines, '~~~'].join('\n')

describe.skipIf(!CHROMIUM)('agent pages', LONG_TIMEOUT, () => {
  const e2e = startE2e({ build: buildTestApp })
  let ada: Person
  let api: Client<Contract>
  let chat: { id: string; runId: string }
  beforeAll(async () => {
    await e2e.app.app.startWorker()
    ada = (await seedOrganization(e2e.app)).ada
    api = await e2e.app.withSession(ada)
    const { id: projectId } = await api.projects.create({ name: 'Launch plan' })
    const { id: agentId } = await api.agents.create({
      name: 'Planner',
      model: 'test/script',
      approvals: { create_project: 'ask' },
    })
    const plan = script(
      'call read_canvas {}',
      '---',
      'call edit_canvas {"create": [{"type": "note", "content": "Order paper samples"}]}',
      '---',
      'say I added **a note** about the paper. Still open:',
      'say ',
      'say - quotes from three printers',
      'say - the deadline of the printer',
    )
    chat = await play(projectId, agentId, `What is missing for the printing?\n${plan}`, 'succeeded')
    const ask = script('call create_project {"name":"Printing"}')
    await play(projectId, agentId, `Move the printing to a project of its own.\n${ask}`, 'waiting')
  })

  /** Starts a session whose agent plays the script, and waits until its run has this status. */
  async function play(projectId: string, agentId: string, content: string, status: string) {
    const { id, run } = await api.sessions.create({ projectId, agentId, message: { content } })
    const hasStatus = async () => expect((await api.agentRuns.get({ id: run!.id })).status).toBe(status)
    await vi.waitFor(hasStatus, { timeout: 60_000 })
    return { id, runId: run!.id }
  }

  test.each<[string, () => string, string]>([
    ['chat', () => '/chat', 'Move the printing'],
    ['chat-conversation', () => `/chat/${chat.id}`, 'quotes from three printers'],
    ['runs', () => '/runs', 'What is missing'],
    ['run', () => `/runs/${chat.runId}`, 'Edit canvas'],
    ['approvals', () => '/approvals', 'Printing'],
    ['agents', () => '/agents', 'Planner'],
  ])('%s fits every width, is readable in both themes, and is accessible', async (name, path, text) => {
    const page = await e2e.show(path(), text, ada)
    await inspectPage(page, name)
  })
})
