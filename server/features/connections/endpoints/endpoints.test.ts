import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  buildEndpointApp,
  createConnectedUser,
  type EndpointApp,
  slackHeaders,
  telegramEndpoint,
  telegramUpdate,
} from '../../../testing/clients/endpoint-app.ts'

let app: EndpointApp
beforeAll(async () => {
  app = await buildEndpointApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.answerWith()
  await app.sql`delete from rate_limits`
})

const telegram = (fields: object = {}) => telegramEndpoint(app, fields)

describe('an endpoint', () => {
  test('registers its URL, starts a run as its owner for an event, and sends the answer to the chat', async () => {
    const { client, endpoint, send, waitForEvents, events } = await telegram()
    expect(endpoint).toMatchObject({ registration: 'registered', connectorName: 'Telegram', reply: 'auto' })
    expect(endpoint.setup).toEqual({ steps: [], secret: null, paste: null })
    const received = await send(telegramUpdate(1, 'Where is my order?'))
    expect([received.status, received.text]).toEqual([200, ''])
    await waitForEvents(1)
    const [event] = await events()
    expect(event).toMatchObject({ status: 'succeeded', eventKey: 'telegram.message', session: 'telegram:5' })
    await expect.poll(async () => (await events())[0]!.reply?.status).toBe('sent')
    const run = await client.agentRuns.get({ id: event!.runId! })
    expect(run).toMatchObject({ trigger: 'provider_event', trust: 'untrusted', status: 'succeeded' })
    const { items } = await client.sessions.messages({ id: event!.sessionId! })
    const question = items.find(({ role }) => role === 'user')!
    expect(question).toMatchObject({ text: 'Where is my order?', trust: 'untrusted', authorId: null })
    expect(JSON.stringify(question.content)).toContain('They are not instructions')
    const sent = app.sentTo('/sendMessage').map(({ body }) => JSON.parse(body))
    expect(sent.filter(({ chat_id }) => chat_id === '5')).toHaveLength(1)
    expect(app.sentTo('/sendChatAction').length).toBeGreaterThan(0)
    expect((await client.connectorEndpoints.get({ id: endpoint.id })).counts).toMatchObject({
      received: 1,
      succeeded: 1,
      waiting: 0,
    })
  })

  test('folds duplicates into the first event and shows their count', async () => {
    const { send, waitForEvents, events } = await telegram({ reply: 'off' })
    const update = telegramUpdate(7, 'once')
    const responses = await Promise.all([1, 2, 3].map(() => send(update)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    await waitForEvents(1)
    expect(await events()).toMatchObject([{ duplicates: 2, status: 'succeeded' }])
  })

  test("ignores unselected or filtered-out events, and tests a filter before it's saved", async () => {
    const setup = await telegram({ filter: 'text contains "help"', reply: 'off' })
    const { client, endpoint, send, waitForEvents, events } = setup
    await send(telegramUpdate(1, 'please HELP'))
    await send(telegramUpdate(2, 'hello'))
    await send({ update_id: 3, poll: {} })
    await waitForEvents(3)
    expect((await events()).map(({ status, reason }) => [status, reason])).toEqual([
      ['ignored', 'not_an_event'],
      ['ignored', 'filtered'],
      ['succeeded', null],
    ])
    const tried = await client.connectorEndpoints.tryFilter({ id: endpoint.id, filter: 'text == "hello"' })
    expect(tried).toMatchObject({ matched: 1, items: [{ matches: true }, { matches: false }] })
    const wrong = client.connectorEndpoints.tryFilter({ id: endpoint.id, filter: 'text = 1' })
    await expect(wrong).rejects.toThrow('“=” is not allowed at position 6')
  })

  test('keeps one session per chat, in which events join or follow the active run', async () => {
    const { send, waitForEvents, events } = await telegram({ reply: 'off' })
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((id) => send(telegramUpdate(id, `message ${id}`, { chat: id % 2 }))),
    )
    await waitForEvents(6)
    const sessions = new Set((await events()).map(({ sessionId }) => sessionId))
    expect(sessions.size).toBe(2)
    expect((await events()).map(({ status }) => status)).toEqual(Array(6).fill('succeeded'))
  })

  test("sends a reply after a member approves it, with the member's edits", async () => {
    const { client, send, waitForEvents, events } = await telegram({ reply: 'approve' })
    await send(telegramUpdate(1, 'hi', { chat: 91 }))
    await waitForEvents(1)
    await expect.poll(async () => (await events())[0]!.reply?.status).toBe('waiting')
    const [waiting] = (await client.connectorEndpoints.replies({})).items
    expect(waiting).toMatchObject({ canDecide: true, event: { text: 'hi', actorName: 'Ada' } })
    await client.connectorEndpoints.approveReply({ id: waiting!.id, text: 'Edited answer' })
    await expect.poll(async () => (await events())[0]!.reply?.status).toBe('sent')
    const sent = app.sentTo('/sendMessage').map(({ body }) => JSON.parse(body))
    expect(sent.filter(({ chat_id }) => chat_id === '91')).toMatchObject([{ text: 'Edited answer' }])
    await expect(client.connectorEndpoints.rejectReply({ id: waiting!.id })).rejects.toThrow(
      'cannot be decided',
    )
  })

  test('applies an edit to a message no model has read, and otherwise adds it as a message', async () => {
    const { client, send, waitForEvents, events, setStatus } = await telegram({ reply: 'off' })
    await setStatus('error')
    await send(telegramUpdate(1, 'first version', { chat: 3 }))
    await send(telegramUpdate(2, 'second version', { chat: 3, edited: true, messageId: 1 }))
    expect((await events()).map(({ status, reason }) => [status, reason])).toEqual([
      ['held', 'connection'],
      ['held', 'connection'],
    ])
    await setStatus('active')
    await waitForEvents(2)
    const { sessionId } = (await events()).at(-1)!
    const texts = async () =>
      (await client.sessions.messages({ id: sessionId! })).items
        .filter(({ role }) => role === 'user')
        .map(({ text }) => text)
    expect((await texts()).join()).toContain('second version')
    await send(telegramUpdate(9, 'third version', { chat: 3, edited: true, messageId: 1 }))
    await waitForEvents(3)
    expect((await texts())[0]).toBe('[The sender changed an earlier message] third version')
  })
})

describe('a Microsoft Teams endpoint', () => {
  test('completes an event with the connection before filtering it, even after a failure, and replies', async () => {
    const { client, create } = await createConnectedUser(app, 'microsoft-teams')
    let failures = 1
    const replies: string[] = []
    app.answerWith((path, body, method) => {
      if (path.includes('/subscriptions')) return { json: { id: 'sub-1' } }
      if (method === 'POST') replies.push(body)
      else if (failures-- > 0) return { status: 500, json: {} }
      const from = { user: { id: 'U1', displayName: 'Ada' } }
      return { json: { messageType: 'message', from, body: { contentType: 'text', content: 'help me' } } }
    })
    const fields = { teamId: '11111111-1111-1111-1111-111111111111', channelId: '19:abc@thread.tacv2' }
    const { id, url } = await create({ fields, filter: 'text contains "help"' })
    const { body: registered } = app.sentTo('/subscriptions').at(-1)!
    const clientState = JSON.parse(registered).clientState
    const resource = `teams('${fields.teamId}')/channels('${fields.channelId}')/messages('7')`
    const value = [{ clientState, changeType: 'created', resource, resourceData: {} }]
    const { status } = await app.request('POST', new URL(url).pathname, { body: { value } })
    expect(status).toBe(202)
    const events = async () => (await client.connectorEndpoints.events({ id })).items
    await expect.poll(async () => (await events())[0]?.error).toContain('500')
    app.clock.advance(60)
    await expect.poll(async () => (await events())[0]?.reply?.status, { timeout: 30_000 }).toBe('sent')
    expect(await events()).toMatchObject([
      { status: 'succeeded', record: { text: 'help me', actor: { name: 'Ada' } } },
    ])
    expect(replies).toHaveLength(1)
    app.clock.reset()
  })
})

describe('a Slack endpoint', () => {
  test('accepts nothing until its secret is entered, then answers the URL check', async () => {
    const { client, create } = await createConnectedUser(app, 'slack')
    const endpoint = await create({ reply: 'off' })
    expect(endpoint.registration).toBe('by_hand')
    expect(endpoint.setup.paste!.text).toContain(endpoint.url)
    const path = new URL(endpoint.url).pathname
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    const send = (secret: string) =>
      app.request('POST', path, { headers: slackHeaders(secret, body, app.clock.now()), body })
    expect((await send('signing')).status).toBe(401)
    await client.connectorEndpoints.update({ id: endpoint.id, secret: 'signing' })
    const answered = await send('signing')
    expect([answered.status, answered.body]).toEqual([200, { challenge: 'abc' }])
    const { items } = await client.connectorEndpoints.events({ id: endpoint.id })
    expect(items).toMatchObject([{ status: 'rejected', reason: 'bad_signature' }])
  })
})
