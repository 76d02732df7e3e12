import { sign as signAsGitHub } from '@octokit/webhooks-methods'
import { Webhook as Standard } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { bitbucketReceiver } from '../../../server/features/connections/connectors/catalog/code/bitbucket.ts'
import {
  github,
  githubReceiver,
} from '../../../server/features/connections/connectors/catalog/code/github.ts'
import {
  gitlab,
  gitlabReceiver,
} from '../../../server/features/connections/connectors/catalog/code/gitlab.ts'
import { toComparable } from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import {
  isAccepted,
  receivedEvent,
  registeredEndpoint,
  replies,
} from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import { recordRequests } from '../../../server/features/connections/connectors/catalog/testing/recording-server.ts'
import {
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import type { Registration } from '../../../server/features/connections/connectors/definition/receiver.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const MARK = '\n\n<!-- atrium -->'

test('github: issues, comments, reviews and lines are sessions for their issue or pull request', async () => {
  const body = '{"zen":"Design for failure."}'
  const headers = { 'x-hub-signature-256': await signAsGitHub('a-secret', body) }
  expect(isAccepted(githubReceiver, { headers, body }, 'a-secret', NOW)).toBe(true)
  expect(isAccepted(githubReceiver, { headers, body }, 'another', NOW)).toBe(false)

  const normalize = (event: string, own: object) =>
    githubReceiver.normalize(
      receivedEvent(
        {
          repository: { name: 'app', owner: { login: 'acme' } },
          sender: { id: 1, login: 'ada', type: 'User' },
          ...own,
        },
        { headers: { 'x-github-event': event } },
      ),
    )
  const issue = { id: 70, number: 7, title: 'Crash', body: 'It crashes', html_url: 'https://github.com/i/7' }
  const [opened] = normalize('issues', { action: 'opened', issue })
  expect(opened).toEqual({
    eventKey: 'github.issue',
    externalId: 'issue:70',
    change: 'created',
    targetId: null,
    actor: { id: '1', name: 'ada', isBot: false },
    text: 'Crash\n\nIt crashes',
    thread: 'acme/app#7',
    resource: { type: 'issue', id: '7', url: 'https://github.com/i/7' },
    replyTo: { owner: 'acme', repo: 'app', number: '7' },
  })
  const comment = { id: 9, body: 'Me too', updated_at: '2026-11-16T12:00:00Z' }
  const commented = (own: object) => normalize('issue_comment', { action: 'created', issue, comment, ...own })
  expect(commented({})).toMatchObject([{ externalId: 'comment:9', text: 'Me too', thread: 'acme/app#7' }])
  expect(commented({ action: 'edited', comment: { ...comment, body: 'No' } })).toMatchObject([
    {
      externalId: 'comment:9:edited:2026-11-16T12:00:00Z',
      change: 'edited',
      targetId: 'comment:9',
      text: 'No',
    },
  ])
  expect(commented({ action: 'deleted' })).toMatchObject([
    { change: 'deleted', targetId: 'comment:9', text: null },
  ])
  expect(commented({ comment: { ...comment, body: `Done${MARK}` } })).toEqual([])
  expect(commented({ sender: { id: 2, login: 'ci[bot]', type: 'Bot' } })).toEqual([])
  expect(normalize('issues', { action: 'labeled', issue })).toEqual([])
  expect(normalize('star', { action: 'created' })).toEqual([])
  const pull = { ...issue, number: 8 }
  const bot = { id: 2, login: 'dependabot[bot]', type: 'Bot' }
  expect(normalize('pull_request', { action: 'opened', pull_request: pull, sender: bot })).toMatchObject([
    { eventKey: 'github.pull_request', actor: { isBot: true }, resource: { type: 'pull_request' } },
  ])
  const line = { ...comment, in_reply_to_id: 5 }
  const [onLine] = normalize('pull_request_review_comment', {
    action: 'created',
    pull_request: pull,
    comment: line,
  })
  const [review] = normalize('pull_request_review', {
    action: 'submitted',
    pull_request: pull,
    review: comment,
  })
  expect(review).toMatchObject({ externalId: 'review:9', thread: 'acme/app#8' })

  const { Octokit } = await import('@octokit/core')
  const { restEndpointMethods } = await import('@octokit/plugin-rest-endpoint-methods')
  const endpoint = registeredEndpoint({ config: { repository: 'acme/app' }, events: ['github.comment'] })
  const hook = {
    events: ['issue_comment'],
    active: true,
    config: { url: endpoint.url, content_type: 'json', secret: 'a-secret', insecure_ssl: '0' as const },
  }
  const inRepo = { owner: 'acme', repo: 'app' }
  const theirs = await recordRequests(async (baseUrl) => {
    const { rest } = new (Octokit.plugin(restEndpointMethods))({ baseUrl })
    await rest.repos.createWebhook({ ...inRepo, name: 'web', ...hook })
    await rest.repos.updateWebhook({ ...inRepo, hook_id: 3, ...hook })
    await rest.repos.deleteWebhook({ ...inRepo, hook_id: 3 })
    await rest.issues.createComment({ ...inRepo, issue_number: 7, body: `Yes${MARK}` })
    await rest.pulls.createReplyForReviewComment({
      ...inRepo,
      pull_number: 8,
      comment_id: 5,
      body: `Yes${MARK}`,
    })
  })
  const setup = githubReceiver.setup as Registration
  const { request, keep } = setup.register(endpoint)
  const kept = keep!({ id: 3 })
  const ours = [
    request,
    setup.update!(kept, endpoint),
    setup.unregister(kept, endpoint.config),
    ...replies(githubReceiver.reply!(opened!, 'Yes')),
    ...replies(githubReceiver.reply!(onLine!, 'Yes')),
  ]
  expect(ours).toHaveLength(theirs.length)
  for (const [index, template] of ours.entries()) {
    expect(toComparable(await sentRequest(createTarget(github), template))).toEqual(
      toComparable(theirs[index]!),
    )
  }
})

test('gitlab: accepts signing and secret tokens, and reads issues, merge requests and notes', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{}'
  const signed = {
    'webhook-id': 'm1',
    'webhook-timestamp': String(NOW.getTime() / 1000),
    'webhook-signature': new Standard(secret).sign('m1', NOW, body),
  }
  expect(isAccepted(gitlabReceiver, { headers: signed, body }, secret, NOW)).toBe(true)
  expect(isAccepted(gitlabReceiver, { headers: { 'x-gitlab-token': secret }, body }, secret, NOW)).toBe(true)
  const wrong = { ...signed, 'x-gitlab-token': secret, 'webhook-signature': 'v1,AAAA' }
  expect(isAccepted(gitlabReceiver, { headers: wrong, body }, secret, NOW)).toBe(false)

  const common = { user: { id: 1, username: 'ada' }, project: { id: 5, path_with_namespace: 'acme/app' } }
  const normalize = (own: object) => gitlabReceiver.normalize(receivedEvent({ ...common, ...own }))
  const attributes = {
    id: 70,
    iid: 7,
    title: 'Crash',
    description: 'It crashes',
    action: 'open',
    url: 'https://u',
  }
  expect(normalize({ object_kind: 'issue', object_attributes: attributes })).toMatchObject([
    {
      externalId: 'issue:70',
      thread: 'acme/app#7',
      text: 'Crash\n\nIt crashes',
      resource: { type: 'issue' },
    },
  ])
  const update = { ...attributes, action: 'update', updated_at: 't' }
  expect(normalize({ object_kind: 'issue', object_attributes: update, changes: { labels: {} } })).toEqual([])
  expect(
    normalize({ object_kind: 'issue', object_attributes: update, changes: { title: {} } }),
  ).toMatchObject([{ change: 'edited', targetId: 'issue:70', externalId: 'issue:70:update:t' }])
  const note = (own: object, extra: object = {}) =>
    normalize({
      object_kind: 'note',
      object_attributes: { id: 9, note: 'Me too', ...own },
      merge_request: { iid: 8 },
      ...extra,
    })
  const [noted] = note({})
  expect(noted).toMatchObject({ eventKey: 'gitlab.comment', thread: 'acme/app!8', externalId: 'note:9' })
  expect(note({ system: true })).toEqual([])
  expect(note({ note: `Done${MARK}` })).toEqual([])
  expect(note({}, { user: { id: 2, username: 'project_5_bot_x' } })).toEqual([])

  const { Gitlab } = await import('@gitbeaker/rest')
  const endpoint = registeredEndpoint({ config: { project: 'acme/app' }, events: ['gitlab.comment'] })
  const flags = {
    token: 'a-secret',
    issuesEvents: false,
    mergeRequestsEvents: false,
    noteEvents: true,
    pushEvents: false,
    enableSslVerification: true,
  }
  const theirs = await recordRequests(async (host) => {
    const api = new Gitlab({ host, token: 'token' })
    await api.ProjectHooks.add('acme/app', endpoint.url, flags)
    await api.ProjectHooks.edit('acme/app', 3, endpoint.url, flags)
    await api.ProjectHooks.remove('acme/app', 3)
    await api.MergeRequestNotes.create(5, 8, `Yes${MARK}`)
  })
  const setup = gitlabReceiver.setup as Registration
  const kept = setup.register(endpoint).keep!({ id: 3 })
  const ours = [
    setup.register(endpoint).request,
    setup.update!(kept, endpoint),
    setup.unregister(kept, endpoint.config),
    ...replies(gitlabReceiver.reply!(noted!, 'Yes')),
  ]
  const target = createTarget(gitlab, { config: { host: 'gitlab.com' } })
  for (const [index, template] of ours.entries()) {
    expect(toComparable(await sentRequest(target, template))).toEqual(toComparable(theirs[index]!))
  }
})

test('bitbucket: reads pull requests and comments, ignores its own account, and answers the comment', async () => {
  const body = 'Hello World!'
  const secret = "It's a Secret to Everybody"
  const signature = 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9'
  expect(
    isAccepted(bitbucketReceiver, { headers: { 'x-hub-signature': signature }, body }, secret, NOW),
  ).toBe(true)
  const normalize = (event: string, own: object) =>
    bitbucketReceiver.normalize(
      receivedEvent(
        {
          actor: { uuid: '{ada}', display_name: 'Ada', type: 'user' },
          repository: { full_name: 'acme/app' },
          pullrequest: { id: 7, title: 'Fix', description: 'It fixes' },
          ...own,
        },
        { headers: { 'x-event-key': event }, account: { id: '{own}' } },
      ),
    )
  expect(normalize('pullrequest:created', {})).toMatchObject([
    { eventKey: 'bitbucket.pull_request', thread: 'acme/app#7', text: 'Fix\n\nIt fixes' },
  ])
  const comment = { id: 9, content: { raw: 'Why?' }, links: { html: { href: 'https://c' } } }
  const [event] = normalize('pullrequest:comment_created', { comment })
  expect(event).toMatchObject({ externalId: 'comment:acme/app:9', text: 'Why?', actor: { name: 'Ada' } })
  expect(normalize('pullrequest:comment_deleted', { comment })).toMatchObject([
    { change: 'deleted', targetId: event!.externalId, text: null },
  ])
  expect(
    normalize('pullrequest:comment_created', { comment, actor: { uuid: '{own}', type: 'user' } }),
  ).toEqual([])
  expect(
    normalize('pullrequest:comment_created', { comment, actor: { uuid: '{b}', type: 'app_user' } }),
  ).toEqual([])
  expect(normalize('repo:push', {})).toEqual([])
  expect(bitbucketReceiver.reply!(event!, 'Because')).toEqual({
    method: 'POST',
    path: '/repositories/acme/app/pullrequests/7/comments',
    json: { content: { raw: 'Because' }, parent: { id: 9 } },
  })
  const setup = bitbucketReceiver.setup as Registration
  const endpoint = registeredEndpoint({
    config: { repository: 'acme/app' },
    events: ['bitbucket.pull_request'],
  })
  expect(setup.register(endpoint)).toMatchObject({
    request: {
      path: '/repositories/acme/app/hooks',
      json: { secret: 'a-secret', events: ['pullrequest:created', 'pullrequest:updated'] },
    },
  })
  const { path } = setup.unregister({ hookId: '{h}' }, endpoint.config)
  expect(path).toBe('/repositories/acme/app/hooks/%7Bh%7D')
})
