import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  buildEndpointApp,
  createConnectedUser,
  type EndpointApp,
} from '../../../testing/clients/endpoint-app.ts'
import { createGoogleTokens, GOOGLE_KEYS_PATH } from '../../../testing/fakes/google-tokens.ts'

const ACCOUNT = 'desk@example.com'
const SERVICE_ACCOUNT = 'push@acme.iam.gserviceaccount.com'
const TOPIC = 'projects/acme/topics/gmail'
const google = createGoogleTokens()
const base64 = (value: string) => Buffer.from(value).toString('base64url')

let app: EndpointApp
beforeAll(async () => {
  app = await buildEndpointApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

/** The changes of the inbox after an id: the first list is longer than one part. */
const HISTORY: Record<string, object> = {
  100: { history: [entryOf('110', 'm1', 'INBOX')], nextPageToken: 'next', historyId: '120' },
  110: { history: [entryOf('115', 'm2', 'INBOX'), entryOf('118', 'sent', 'SENT')], historyId: '120' },
  120: { history: [entryOf('125', 'm3', 'INBOX')], historyId: '130' },
}
const MAILS: Record<string, { from: string; thread: string; text: string }> = {
  m1: { from: 'Ada <ada@example.com>', thread: 't-ada', text: 'Where is my order?' },
  m2: { from: 'Bob <bob@example.com>', thread: 't-bob', text: 'Please cancel mine' },
  m3: { from: 'Ada <ada@example.com>', thread: 't-ada', text: 'Any news?' },
}

function entryOf(id: string, messageId: string, label: string) {
  return { id, messagesAdded: [{ message: { id: messageId, labelIds: [label] } }] }
}

function mailOf(id: string) {
  const { from, thread, text } = MAILS[id]!
  const headers = Object.entries({ From: from, Subject: 'Order', 'Message-ID': `<${id}@example.com>` })
  return {
    threadId: thread,
    payload: {
      mimeType: 'text/plain',
      headers: headers.map(([name, value]) => ({ name, value })),
      body: { data: base64(text) },
    },
  }
}

function answer(path: string) {
  const { pathname, searchParams } = new URL(path, 'http://gmail')
  if (pathname === GOOGLE_KEYS_PATH) return { json: google.keys }
  if (pathname.endsWith('/watch')) return { json: { historyId: '100', expiration: '1' } }
  if (pathname.endsWith('/history')) return { json: HISTORY[searchParams.get('startHistoryId')!] }
  const [, id] = /\/messages\/(m\d)$/.exec(pathname) ?? []
  return { json: id ? mailOf(id) : { id: 'sent' } }
}

test("a mail is announced by a verified push, read, handled in its thread's session, and answered in that thread", async () => {
  app.answerWith(answer)
  const { client, create } = await createConnectedUser(app, 'gmail')
  const fields = { topic: TOPIC, serviceAccount: SERVICE_ACCOUNT }
  const { id, url, registration, setup } = await create({ fields })
  expect([registration, setup.steps.length]).toEqual(['registered', 2])
  expect(JSON.parse(app.sentTo('/watch')[0]!.body)).toMatchObject({ topicName: TOPIC, labelIds: ['INBOX'] })

  const push = async (
    messageId: string,
    historyId: string,
    proof: { aud?: string; isForged?: boolean } = {},
  ) => {
    const data = base64(JSON.stringify({ emailAddress: ACCOUNT, historyId }))
    const claims = { now: app.clock.now(), aud: proof.aud ?? url, email: SERVICE_ACCOUNT }
    const authorization = google.token(claims, { isForged: proof.isForged ?? false })
    const body = { message: { messageId, data }, subscription: 'projects/acme/subscriptions/s' }
    const { pathname } = new URL(url)
    return (await app.request('POST', pathname, { headers: { authorization }, body })).status
  }
  expect(await push('p1', '120', { isForged: true })).toBe(401)
  expect(await push('p1', '120', { aud: `${url}/other` })).toBe(401)
  expect(await push('p1', '120')).toBe(200)
  expect(await push('p1', '120')).toBe(200)

  const events = async () => (await client.connectorEndpoints.events({ id, limit: 100 })).items
  const countAnswered = async () => (await events()).filter(({ reply }) => reply?.status === 'sent').length
  await expect.poll(countAnswered, { timeout: 30_000 }).toBe(2)
  expect(await push('p2', '130')).toBe(200)
  await expect.poll(countAnswered, { timeout: 30_000 }).toBe(3)

  const mails = (await events()).filter(({ runId }) => runId !== null).toReversed()
  expect(mails.map(({ session, record }) => [session, record!.actor.name, record!.text])).toEqual([
    ['gmail:t-ada', 'Ada', 'Order\n\nWhere is my order?'],
    ['gmail:t-bob', 'Bob', 'Order\n\nPlease cancel mine'],
    ['gmail:t-ada', 'Ada', 'Order\n\nAny news?'],
  ])
  const [ada, bob, again] = mails.map(({ sessionId }) => sessionId)
  expect([ada === again, ada === bob]).toEqual([true, false])
  // Nothing of one thread is in the session of the other.
  const { items } = await client.sessions.messages({ id: bob! })
  expect(JSON.stringify(items)).not.toContain('Where is my order?')

  const sent = app.sentTo('/messages/send').map(({ body }) => JSON.parse(body))
  const texts = sent.map(({ raw }) => Buffer.from(raw, 'base64url').toString())
  expect(sent.map(({ threadId }) => threadId).toSorted()).toEqual(['t-ada', 't-ada', 't-bob'])
  const toBob = texts.find((text) => text.includes('To: bob@example.com'))!
  expect(toBob.split('\r\n')).toEqual(
    expect.arrayContaining(['In-Reply-To: <m2@example.com>', 'Subject: Re: Order']),
  )
  // Each part of the history is listed once, and no mail is read twice.
  const listed = app.sentTo('/history').map(({ path }) => /startHistoryId=(\d+)/.exec(path)![1])
  expect(listed).toEqual(['100', '110', '120'])
  const read = app.sentTo('/messages/m').map(({ path }) => /messages\/(m\d)/.exec(path)![1])
  expect(read).toEqual(['m1', 'm2', 'm3'])
})
