import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { callLine, scriptedAgent } from '../../../../testing/clients/scripted-runs.ts'
import { buildTestApp, cookie, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
let agent: Awaited<ReturnType<typeof scriptedAgent>>
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  agent = await scriptedAgent(app)
})
afterAll(() => app.close())

const HANDBOOK = '# Pumps\n\nThe red pump stops at forty degrees and has to cool for an hour.\n'
const QUESTION = 'When does the red pump stop?'

async function findKey(name: string, text: string) {
  const { id } = await agent.write(name, text)
  const find = async () => (await agent.client.passages.search({ q: QUESTION, within: id })).items[0]?.key
  await expect.poll(find, { timeout: 20_000, interval: 250 }).toBeDefined()
  return { id, key: (await find())! }
}

const search = callLine('search_knowledge', { queries: [QUESTION] })

async function ask(...lines: string[]) {
  const runId = await agent.play(lines)
  const { sessionId } = await agent.client.agentRuns.get({ id: runId })
  return { runId, sessionId, ...(await answerOf(sessionId)) }
}

async function answerOf(sessionId: string) {
  const { items } = await agent.client.sessions.messages({ id: sessionId })
  const answer = items.find(({ role, text }) => role === 'assistant' && text !== '')!
  return { answer, messages: items.toReversed() }
}

describe('an answer', () => {
  test('cites what was read, in the version that was read', async () => {
    const { id, key } = await findKey('handbook.md', HANDBOOK)
    const { answer, sessionId } = await ask(search, '---', `say It stops at forty degrees [${key}].`)
    expect(answer.text).toContain(`[${key}]`)
    expect(answer.citations).toMatchObject([
      { key, fileId: id, version: 1, source: { type: 'file', id, name: 'handbook.md', version: 1 } },
    ])
    expect(answer.citations[0]!.quote).toContain('The red pump stops at forty degrees')
    await agent.write('handbook.md', 'Everything is different now.\n')
    expect((await answerOf(sessionId)).answer.citations).toEqual(answer.citations)
    const { version } = answer.citations[0]!
    const preview = await agent.client.fileVersions.preview({ id, version: version! })
    expect(JSON.stringify(preview)).toContain('forty degrees')
  })

  test('loses a key that no search gave, and the next prompt lacks it too', async () => {
    const { key } = await findKey('pumps.md', HANDBOOK)
    const line = `say It stops [${key}, k9zzzz] or not [k1aaaa].`
    const { answer } = await ask(search, '---', line)
    expect(answer.text).toBe(`It stops [${key}] or not.`)
    expect(answer.content).toMatchObject([{ type: 'text', text: `It stops [${key}] or not.` }])
    expect(answer.citations.map((citation) => citation.key)).toEqual([key])
  })

  test("can't cite what another conversation has read", async () => {
    const { key } = await findKey('other.md', HANDBOOK)
    await ask(search, '---', `say It stops [${key}].`)
    const { answer } = await ask(`say I have not searched [${key}].`)
    expect([answer.text, answer.citations]).toEqual(['I have not searched.', []])
  })

  test('keeps its citations in branches, exports and events', async () => {
    const { key } = await findKey('branched.md', HANDBOOK)
    const { runId, sessionId, answer } = await ask(search, '---', `say It stops [${key}].`)
    const message = { content: script(`say Again: it stops [${key}].`) }
    const sent = await agent.client.sessions.send({ id: sessionId, ...message })
    await expect
      .poll(async () => (await agent.client.agentRuns.get({ id: sent.run.id })).status, { timeout: 20_000 })
      .toBe('succeeded')
    const branch = await agent.client.sessions.branch({ id: sessionId, seq: sent.message.seq })
    const copied = await answerOf(branch.id)
    expect(copied.answer.citations).toEqual(answer.citations)
    expect((await answerOf(sessionId)).answer.citations.map((citation) => citation.key)).toEqual([key])
    const markdown = await app.request('GET', `/api/v1/sessions/${sessionId}/export?format=markdown`, {
      headers: cookie(await app.session(agent.person)),
    })
    expect(markdown.text).toMatch(/branched\.md.*The red pump stops at forty degrees/)
    const [event] = await app.sql<{ data: { citations?: unknown } }[]>`
      select data from run_events where run_id = ${runId} and type = 'step.finished' and data ? 'citations'`
    expect(event!.data.citations).toEqual(answer.citations)
  })
})
