import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../../../../client/client.ts'
import type { GuardrailRule } from '../../../../../contract/agents/guardrails.ts'
import type { Contract } from '../../../../../contract/index.ts'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

const CARD = '4111 1111 1111 1111'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

let admin: Client<Contract>
let chat: ChatClient
beforeEach(async () => {
  chat = await createChatClient(app)
  admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
})

const createPhraseRule = (on: GuardrailRule['on'], action: GuardrailRule['action']) =>
  admin.guardrails.create({
    name: 'Secret plans',
    kind: 'topic',
    on,
    action,
    config: { phrases: ['secret plan'] },
    everywhere: true,
  })
const createCardRule = (on: GuardrailRule['on'], action: GuardrailRule['action'] = 'redact') =>
  admin.guardrails.create({
    name: 'Cards',
    kind: 'pii',
    on,
    action,
    config: { kinds: ['card'] },
    everywhere: true,
  })
const matchesOf = (runId: string) => app.sql<
  { stage: string; name: string; action: string; labels: object }[]
>`
  select stage, name, action, labels from guardrail_matches where run_id = ${runId} order by id`
/** Everything that the server stored about a run, except the message of the person. */
async function storedOf(runId: string): Promise<string> {
  const rows = await app.sql`
    select json_build_array(
      (select json_agg(e.data) from run_events e where e.run_id = ${runId}),
      (select json_agg(s.content) from run_steps s where s.run_id = ${runId}),
      (select json_agg(json_build_array(c.input, c.output)) from run_calls c where c.run_id = ${runId}),
      (select json_agg(json_build_array(m.content, m.body)) from messages m where m.run_id = ${runId} and m.role <> 'user'),
      (select json_agg(g) from guardrail_matches g where g.run_id = ${runId}))::text as stored`
  return rows[0]!.stored
}
const echo = async (content: string) => {
  const { id } = await admin.agents.create({ name: 'Echo', model: 'test/echo' })
  return chat.start(content, id)
}

describe('input rules', () => {
  test('redact the message the model receives, and keep the message the member typed', async () => {
    await createCardRule('input')
    const { sessionId, runId } = await echo(`Pay with ${CARD} today`)
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', guardrailMatches: 1 })
    const messages = await chat.messages(sessionId)
    expect(messages[0]).toEqual(['user', `Pay with ${CARD} today`])
    expect(messages[1]![1]).toContain('Pay with [card redacted] today')
    expect(await storedOf(runId)).not.toMatch(/1111 ?1111/)
    expect(await matchesOf(runId)).toEqual([
      { stage: 'input', name: 'Cards', action: 'redact', labels: { card: 1 } },
    ])
  })

  test('block a message before the model call, and the conversation continues', async () => {
    await createPhraseRule('input', 'block')
    const { sessionId, runId } = await echo('What is the secret plan?')
    expect(await chat.waitForEnd(runId)).toMatchObject({
      status: 'failed',
      errorCode: 'blocked_by_guardrail',
      error: 'The guardrail “Secret plans” blocks this',
    })
    expect(await app.sql`select from usage where run_id = ${runId}`).toHaveLength(0)
    const { run } = await chat.send(sessionId, 'Then tell me the time')
    expect(await chat.waitForEnd(run!.id)).toMatchObject({ status: 'succeeded', guardrailMatches: 0 })
    const prompt = await admin.agentRuns.prompt({ id: run!.id, n: 1 })
    expect(JSON.stringify(prompt)).toContain('[phrase redacted]')
    expect(JSON.stringify(prompt)).not.toContain('secret plan')
  })
})

describe('output rules', () => {
  test('redact an answer before a reader sees it', async () => {
    await createCardRule('output')
    const { sessionId, runId } = await chat.start(script(`say The card is ${CARD}, use it.`))
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    expect(await chat.text(runId)).toBe('The card is [card redacted], use it.')
    expect((await chat.messages(sessionId)).at(-1)).toEqual([
      'assistant',
      'The card is [card redacted], use it.',
    ])
    expect(await storedOf(runId)).not.toMatch(/11 ?11/)
  })

  test('block an answer, and keep the text readers saw', async () => {
    await createPhraseRule('output', 'block')
    const { sessionId, runId } = await chat.start(script('say I know. The secret plan is simple.'))
    expect(await chat.waitForEnd(runId)).toMatchObject({
      status: 'failed',
      errorCode: 'blocked_by_guardrail',
    })
    expect(await chat.text(runId)).toBe('I know. The ')
    expect((await chat.messages(sessionId)).at(-1)).toEqual(['assistant', 'I know. The '])
    expect(await storedOf(runId)).not.toContain('secret plan')
  })

  test('flag an answer without changing it', async () => {
    await createPhraseRule('output', 'flag')
    const { runId } = await chat.start(script('say The secret plan.'))
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', guardrailMatches: 1 })
    expect(await chat.text(runId)).toBe('The secret plan.')
  })
})

describe('tool rules', () => {
  test("block one call's input and redact another's", async () => {
    await createPhraseRule('tool', 'block')
    await createCardRule('tool')
    const { runId } = await chat.start(
      script(
        'call search_actions {"words":"secret plan"}',
        `call search_actions {"words":"${CARD}"}`,
        '---',
        'say Done',
      ),
    )
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded', guardrailMatches: 2 })
    const [step] = await chat.steps(runId)
    expect(step!.calls).toMatchObject([
      { state: 'failed', input: {}, output: { error: 'The guardrail “Secret plans” blocks this input' } },
      { state: 'done', input: { words: '[card redacted]' } },
    ])
    expect(await storedOf(runId)).not.toMatch(/secret plan|1111 ?1111/)
  })

  test("redact one call's output and block another's", async () => {
    await createCardRule('tool')
    const { runId } = await chat.start(script('call read_history {}', '---', `say ${CARD}`))
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    const [step] = await chat.steps(runId)
    expect(JSON.stringify(step!.calls)).toContain('[card redacted]')
    expect(JSON.stringify(step!.calls)).not.toMatch(/1111 ?1111/)
    await createPhraseRule('tool', 'block')
    const blocked = await chat.start(script('call read_history {}', '---', 'say secret plan'))
    expect(await chat.waitForEnd(blocked.runId)).toMatchObject({ status: 'succeeded' })
    expect((await chat.steps(blocked.runId))[0]!.calls).toMatchObject([
      { state: 'failed', output: { error: 'The guardrail “Secret plans” blocks this result' } },
    ])
  })
})

test("a rule applies to the agents that list it while it's enabled", async () => {
  const { id } = await admin.guardrails.create({
    name: 'Plans',
    kind: 'topic',
    on: 'output',
    action: 'redact',
    config: { phrases: ['secret plan'] },
  })
  const answer = async () => {
    const { runId } = await chat.start(script('say The secret plan.'))
    await chat.waitForEnd(runId)
    return chat.text(runId)
  }
  expect(await answer()).toBe('The secret plan.')
  await admin.agents.update({ id: chat.agent.id, guardrails: [id] })
  expect(await answer()).toBe('The [phrase redacted].')
  await admin.guardrails.update({ id, enabled: false })
  expect(await answer()).toBe('The secret plan.')
})
