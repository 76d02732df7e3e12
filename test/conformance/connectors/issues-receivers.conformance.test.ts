import type { LinearDocument } from '@linear/sdk'
import { LINEAR_WEBHOOK_SIGNATURE_HEADER, LinearWebhookClient } from '@linear/sdk/webhooks'
import { expect, test } from 'vitest'
import { asana, asanaReceiver } from '../../../server/features/connections/connectors/catalog/issues/asana.ts'
import { jira, jiraReceiver } from '../../../server/features/connections/connectors/catalog/issues/jira.ts'
import {
  linear,
  linearReceiver,
} from '../../../server/features/connections/connectors/catalog/issues/linear.ts'
import {
  trello,
  trelloReceiver,
} from '../../../server/features/connections/connectors/catalog/issues/trello.ts'
import asanaSdk from '../../../server/features/connections/connectors/catalog/recorded/asana.json' with {
  type: 'json',
}
import jiraSdk from '../../../server/features/connections/connectors/catalog/recorded/jira.json' with {
  type: 'json',
}
import { toComparable } from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import {
  isAccepted,
  receivedEvent,
  registeredEndpoint,
  replies,
} from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import {
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import type { Registration } from '../../../server/features/connections/connectors/definition/receiver.ts'
import { hmac } from '../../../server/security/hmac.ts'

const NOW = new Date('2026-11-16T12:00:00Z')

test('linear: accepts the signatures its SDK accepts, and reads issues and comment threads', async () => {
  const now = new Date()
  const body = JSON.stringify({ webhookTimestamp: now.getTime() })
  const signature = hmac('sha256', Buffer.from('a-secret'), [body]).toString('hex')
  const client = new LinearWebhookClient('a-secret')
  expect(client.verify(Buffer.from(body), signature, now.getTime())).toBe(true)
  const headers = { [LINEAR_WEBHOOK_SIGNATURE_HEADER]: signature }
  expect(isAccepted(linearReceiver, { headers, body }, 'a-secret', now)).toBe(true)
  expect(isAccepted(linearReceiver, { headers, body: '{}' }, 'a-secret', now)).toBe(false)

  const normalize = (own: object) =>
    linearReceiver.normalize(
      receivedEvent({
        action: 'create',
        actor: { id: 'u1', name: 'Ada', type: 'user' },
        url: 'https://l',
        ...own,
      }),
    )
  const comment = { id: 'c1', body: 'Why?', issueId: 'i1', issue: { id: 'i1', identifier: 'ENG-1' } }
  const [event] = normalize({ type: 'Comment', data: comment })
  expect(event).toEqual({
    eventKey: 'linear.comment',
    externalId: 'comment:c1',
    change: 'created',
    targetId: null,
    actor: { id: 'u1', name: 'Ada', isBot: false },
    text: 'Why?',
    thread: 'i1',
    resource: { type: 'issue', id: 'ENG-1', url: 'https://l' },
    replyTo: { issueId: 'i1', parentId: 'c1' },
  })
  const issue = { id: 'i1', identifier: 'ENG-1', title: 'Crash', description: 'It crashes', updatedAt: 't' }
  expect(normalize({ type: 'Issue', data: issue })).toMatchObject([
    { thread: 'i1', text: 'Crash\n\nIt crashes' },
  ])
  const update = { type: 'Issue', action: 'update', data: issue }
  expect(normalize({ ...update, updatedFrom: { stateId: 's' } })).toEqual([])
  expect(normalize({ ...update, updatedFrom: { title: 'x' } })).toMatchObject([
    { change: 'edited', targetId: 'issue:i1', externalId: 'issue:i1:edited:t' },
  ])
  expect(normalize({ type: 'Comment', action: 'remove', data: comment })).toMatchObject([
    { change: 'deleted', targetId: 'comment:c1', text: null },
  ])
  expect(normalize({ type: 'Comment', data: comment, actor: { id: 'account', type: 'user' } })).toEqual([])
  expect(normalize({ type: 'Comment', data: comment, actor: { id: 'x', type: 'OauthClient' } })).toEqual([])
  expect(normalize({ type: 'Project', data: { id: 'p' } })).toEqual([])

  const setup = linearReceiver.setup as Registration
  const variables = async (template: Parameters<typeof sentRequest>[1]) =>
    ((await sentRequest(createTarget(linear), template)).body as { variables: unknown }).variables
  const { url, secret } = registeredEndpoint()
  const hook = { url, secret, enabled: true, resourceTypes: ['Issue', 'Comment'] }
  expect(await variables(setup.register(registeredEndpoint()).request)).toEqual({
    input: { label: 'Atrium', allPublicTeams: true, ...hook } satisfies LinearDocument.WebhookCreateInput,
  })
  expect(await variables(setup.update!({ webhookId: 'w' }, registeredEndpoint()))).toEqual({
    id: 'w',
    input: hook satisfies LinearDocument.WebhookUpdateInput,
  })
  expect(await variables(replies(linearReceiver.reply!(event!, 'Because {x}'))[0]!)).toEqual({
    input: { issueId: 'i1', parentId: 'c1', body: 'Because {x}' } satisfies LinearDocument.CommentCreateInput,
  })
})

test('jira: accepts a client signature or JWT, and reads issues and comments', async () => {
  const body = 'Hello World!'
  const secret = "It's a Secret to Everybody"
  const signature = 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9'
  const accepts = (headers: Record<string, string>) =>
    isAccepted(jiraReceiver, { headers, body }, secret, NOW)
  expect(accepts({ 'x-hub-signature': signature })).toBe(true)
  expect(accepts({ 'x-hub-signature': signature.replace('sha256', 'sha1') })).toBe(false)
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode({ alg: 'HS256' })}.${encode({ exp: NOW.getTime() / 1000 + 60 })}`
  const tag = hmac('sha256', Buffer.from(secret), [signed]).toString('base64url')
  expect(accepts({ authorization: `Bearer ${signed}.${tag}` })).toBe(true)
  expect(accepts({ authorization: `Bearer ${signed}.${tag}`, 'x-hub-signature': 'sha256=00' })).toBe(false)
  expect(accepts({ authorization: `Bearer ${secret}` })).toBe(false)

  const normalize = (own: object) => jiraReceiver.normalize(receivedEvent({ timestamp: 5, ...own }))
  const author = { accountId: 'u1', displayName: 'Ada', accountType: 'atlassian' }
  const issue = { id: '10', key: 'APP-1', fields: { summary: 'Crash', description: null } }
  const comment = { id: '9', body: 'Why?', author }
  const [event] = normalize({ webhookEvent: 'comment_created', issue, comment })
  expect(event).toMatchObject({ externalId: 'comment:9', text: 'Why?', thread: '10', actor: { name: 'Ada' } })
  expect(normalize({ webhookEvent: 'jira:issue_created', issue, user: author })).toMatchObject([
    { eventKey: 'jira.issue', text: 'Crash', thread: '10', resource: { id: 'APP-1' } },
  ])
  const update = { webhookEvent: 'jira:issue_updated', issue, user: author }
  expect(normalize({ ...update, changelog: { items: [{ field: 'status' }] } })).toEqual([])
  expect(normalize({ ...update, changelog: { items: [{ field: 'summary' }] } })).toMatchObject([
    { change: 'edited', targetId: 'issue:10', externalId: 'issue:10:edited:5' },
  ])
  for (const ignored of [{ accountId: 'account' }, { accountId: 'x', accountType: 'app' }]) {
    expect(
      normalize({ webhookEvent: 'comment_created', issue, comment: { ...comment, author: ignored } }),
    ).toEqual([])
  }
  const setup = jiraReceiver.setup as Registration
  const endpoint = registeredEndpoint({ config: { jql: 'project = APP' }, events: ['jira.comment'] })
  const { request, keep } = setup.register(endpoint)
  const kept = keep!({ webhookRegistrationResult: [{ createdWebhookId: 7 }] })
  const target = createTarget(jira, { kept: { cloudId: 'cloud-1' } })
  const ours = async (template: typeof request) => toComparable(await sentRequest(target, template))
  expect(await ours(request)).toEqual(jiraSdk.requests.register)
  expect(await ours(setup.update!(kept, endpoint))).toEqual(jiraSdk.requests.update)
  expect(await ours(setup.unregister(kept, endpoint.config))).toEqual(jiraSdk.requests.unregister)
  expect(await ours(jira.check.request as typeof request)).toEqual(jiraSdk.requests.check)
  const [reply] = replies(jiraReceiver.reply!({ ...event!, replyTo: { key: 'APP-1' } }, 'Done'))
  expect(await ours(reply!)).toEqual(jiraSdk.requests.comment)
})

test('asana: fetches the tasks that events name, once per task, and answers as a comment', async () => {
  const body = '{"events":[]}'
  const headers = { 'x-hook-signature': hmac('sha256', Buffer.from('hook secret'), [body]).toString('hex') }
  expect(isAccepted(asanaReceiver, { headers, body }, 'hook secret', NOW)).toBe(true)
  expect(isAccepted(asanaReceiver, { headers, body: '{}' }, 'hook secret', NOW)).toBe(false)
  const event = (own: object) => ({ action: 'added', user: { gid: 'u1' }, created_at: 't', ...own })
  const task = { gid: '5', resource_type: 'task' }
  const story = { gid: '9', resource_type: 'story', resource_subtype: 'comment_added' }
  const events = asanaReceiver.normalize(
    receivedEvent({
      events: [
        event({ resource: task, parent: { gid: '12', resource_type: 'project' } }),
        event({ resource: task, parent: { gid: '13', resource_type: 'section' } }),
        event({ resource: story, parent: task }),
        event({ resource: { ...story, gid: '8' }, parent: task, user: { gid: 'account' } }),
        event({ resource: { ...story, resource_subtype: 'assigned' }, parent: task }),
        event({ resource: task, action: 'changed' }),
        event({ resource: task, action: 'deleted' }),
      ],
    }),
  )
  expect(events.map(({ externalId, change, thread }) => [externalId, change, thread])).toEqual([
    ['task:5', 'created', '5'],
    ['story:9', 'created', '5'],
    ['task:5:edited:t', 'edited', '5'],
  ])
  const target = createTarget(asana, { kept: { workspaceId: '77' } })
  const ours = async (template: Parameters<typeof sentRequest>[1]) =>
    toComparable(await sentRequest(target, template))
  const { request, complete } = asanaReceiver.fetch!
  expect(await ours(request(events[0]!, {})!)).toEqual(asanaSdk.requests.task)
  expect(await ours(request(events[1]!, {})!)).toEqual(asanaSdk.requests.story)
  const [completed] = complete(
    events[1]!,
    { data: { text: 'Why?', created_by: { name: 'Ada' } } },
    receivedEvent({}),
  ).events
  expect(completed).toMatchObject({
    text: 'Why?',
    actor: { id: 'u1', name: 'Ada' },
    resource: { type: 'task', id: '5' },
  })
  expect(request(completed!, {})).toBeNull()
  expect(await ours(replies(asanaReceiver.reply!(completed!, 'Done'))[0]!)).toEqual(asanaSdk.requests.comment)
  const setup = asanaReceiver.setup as Registration
  const registration = setup.register(registeredEndpoint({ config: { resource: '12' } }))
  expect(await ours(registration.request)).toEqual(asanaSdk.requests.register)
  expect(await ours(setup.unregister(registration.keep!({ data: { gid: '3' } }), {}))).toEqual(
    asanaSdk.requests.unregister,
  )
})

test('a registration with a lost answer is found by its URL', () => {
  const { url } = registeredEndpoint()
  const findKept = (setup: unknown, answer: unknown) =>
    (setup as Registration).find!(registeredEndpoint({ config: { board: 'b' } })).keep(answer)
  const hooks = [
    { id: '1', url: 'https://other.example' },
    { id: '2', url },
  ]
  expect(findKept(linearReceiver.setup, { data: { webhooks: { nodes: hooks } } })).toEqual({ webhookId: '2' })
  expect(findKept(jiraReceiver.setup, { values: hooks })).toEqual({ webhookId: '2' })
  expect(findKept(jiraReceiver.setup, { values: [] })).toBeNull()
  const models = ['a', 'b'].map((idModel) => ({ id: idModel, idModel, callbackURL: url }))
  expect(findKept(trelloReceiver.setup, models)).toEqual({ webhookId: 'b' })
  expect(findKept(trelloReceiver.setup, {})).toBeNull()
})

test('trello: accepts a signature over body and URL, and reads cards, moves and comments', async () => {
  const { url } = registeredEndpoint()
  const body = '{"action":{}}'
  const headers = { 'x-trello-webhook': hmac('sha1', Buffer.from('app'), [body, url]).toString('base64') }
  expect(isAccepted(trelloReceiver, { headers, body, url }, 'app', NOW)).toBe(true)
  expect(isAccepted(trelloReceiver, { headers, body, url: `${url}2` }, 'app', NOW)).toBe(false)
  const normalize = (type: string, data: object, own: object = {}) =>
    trelloReceiver.normalize(
      receivedEvent({
        action: { id: 'a1', type, idMemberCreator: 'm1', memberCreator: { fullName: 'Ada' }, data, ...own },
      }),
    )
  const card = { id: 'k1', name: 'Crash', shortLink: 'abc' }
  const [event] = normalize('commentCard', { card, text: 'Why?' })
  expect(event).toMatchObject({
    externalId: 'comment:a1',
    text: 'Why?',
    thread: 'k1',
    resource: { url: 'https://trello.com/c/abc' },
  })
  expect(
    normalize('updateComment', { card, action: { id: 'a1', text: 'Who?' } }, { id: 'a2' }),
  ).toMatchObject([{ change: 'edited', targetId: 'comment:a1', externalId: 'comment:a1:a2', text: 'Who?' }])
  const move = { card, listBefore: { name: 'Doing' }, listAfter: { name: 'Done' }, old: { idList: 'l' } }
  expect(normalize('updateCard', move)).toMatchObject([
    { eventKey: 'trello.move', change: 'created', text: 'Crash: moved from Doing to Done' },
  ])
  expect(normalize('updateCard', { card, old: { pos: 1 } })).toEqual([])
  expect(normalize('commentCard', { card, text: 'x' }, { idMemberCreator: 'account' })).toEqual([])
  const setup = trelloReceiver.setup as Registration
  const { request } = setup.register(registeredEndpoint({ config: { board: 'b' } }))
  expect(toComparable(await sentRequest(createTarget(trello), request))).toEqual({
    method: 'POST',
    path: '/1/webhooks',
    query: {},
    body: { idModel: 'b', callbackURL: url, description: 'Atrium' },
  })
})
