import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, limit, tool } from '../../definition/definition.ts'
import { lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type {
  NormalizedEvent,
  ReceivedEvent,
  ReceiverDefinition,
  RegisteredEndpoint,
} from '../../definition/receiver.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'
import { isMarked, REPOSITORY, readFileAnswer, repositoryHooks, withMark } from './repositories.ts'

const EVENTS: Record<string, string> = dictionary({
  'github.issue': 'issues',
  'github.comment': 'issue_comment',
  'github.pull_request': 'pull_request',
  'github.review': 'pull_request_review',
  'github.review_comment': 'pull_request_review_comment',
})

/** Other actions change a label, an assignee or a milestone. */
const ACTIONS: Record<string, NormalizedEvent['change']> = dictionary({
  opened: 'created',
  reopened: 'created',
  ready_for_review: 'created',
  created: 'created',
  submitted: 'created',
  edited: 'edited',
  deleted: 'deleted',
})

export const githubReceiver: ReceiverDefinition = {
  kind: 'code',
  proof: { by: 'signature', schemes: acceptedSchemes('github'), secret: { from: 'generated' } },
  handshake: { by: 'ignored', header: 'x-github-event', equals: 'ping' },
  events: {
    'github.issue': 'An issue was opened, reopened or edited',
    'github.comment': 'A comment on an issue or a pull request',
    'github.pull_request': 'A pull request was opened, reopened, edited or marked as ready',
    'github.review': 'A pull request review with text',
    'github.review_comment': 'A comment on a pull request line',
  },
  normalize,
  marksReplies: true,
  sessionKey: 'github:{thread}',
  reply: ({ replyTo: { owner, repo, number, commentId } }, text) => ({
    method: 'POST',
    path: `${repositoryPath(owner, repo)}/${
      commentId === undefined
        ? `issues/${encodeSegment(String(number))}/comments`
        : `pulls/${encodeSegment(String(number))}/comments/${encodeSegment(String(commentId))}/replies`
    }`,
    json: { body: withMark(text) },
  }),
  setup: repositoryHooks({
    path: hooksPath,
    hook: hookOf,
    newHookFields: { name: 'web' },
    updateMethod: 'PATCH',
    list: { query: { per_page: 100 }, items: 'hooks', url: 'config.url', id: 'id' },
    field: {
      key: 'repository',
      label: 'Repository',
      hint: 'As owner/name. The account must be a repository administrator',
      required: true,
      pattern: REPOSITORY,
    },
  }),
}

const repositoryPath = (owner: unknown, repo: unknown) =>
  `/repos/${encodeSegment(String(owner))}/${encodeSegment(String(repo))}`

const name = z.string().regex(/^[\w.-]{1,100}$/)

const repository = {
  owner: name.describe('User or organization that owns the repository'),
  repo: name.describe('Repository name'),
}

const number = z.int().min(1).describe('Issue or pull request number')

const body = z.string().max(60_000).describe('In Markdown')

const ISSUE = [
  'number',
  'title',
  'state',
  'html_url',
  'user.login',
  'labels.name',
  'comments',
  'created_at',
  'updated_at',
]

export const github: ConnectorDefinition = {
  slug: 'github',
  name: 'GitHub',
  description: 'Read and write issues, comments, pull requests and files in GitHub repositories.',
  category: 'code',
  docsUrl: 'https://docs.github.com/en/rest',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'host',
      label: 'Host',
      required: false,
      hint: 'Only for GitHub Enterprise: your server’s host',
      pattern: '[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:\\d{1,5})?',
      placeholder: 'github.com',
      default: 'github.com',
    },
  ],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://{config.host}/login/oauth/authorize',
    tokenUrl: 'https://{config.host}/login/oauth/access_token',
    revoke: { url: (config) => `${apiOf(config)}/applications/{client.id}/token`, how: 'delete' },
    registerUrl: 'https://github.com/settings/developers',
    scopes: { default: ['repo', 'read:user', 'user:email'], optional: ['read:org'] },
    selectAccount: { prompt: 'select_account' },
    // OAuth app tokens don't expire. GitHub App tokens last 8 hours and come with `expires_in`.
    lifetime: { access: null, refresh: 'rotates', idleDays: 180 },
  },
  baseUrl: apiOf,
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  check: {
    request: { method: 'GET', path: '/user' },
    account: { id: 'id', name: 'login', email: 'email', avatarUrl: 'avatar_url' },
  },
  retryAfter: { header: 'x-ratelimit-reset', unit: 'epoch' },
  // Rate limits return 403 or 429.
  errors: [{ path: 'message', includes: 'rate limit', means: 'slow_down' }],
  errorFields: { code: 'errors.0.code', message: 'message' },
  tools: [
    tool({
      name: 'search_issues',
      description:
        'Use it to find issues and pull requests, in one repository or in all, with GitHub’s search syntax: repo:acme/app is:pr is:open author:ada.',
      input: z.object({
        query: z.string().min(1).max(500),
        sort: z.enum(['created', 'updated', 'comments']).optional().describe('By default the best match'),
        limit: limit(100),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/search/issues',
        query: { q: from('query'), sort: from('sort'), per_page: from('limit') },
      },
      answer: { at: 'items', pick: [...ISSUE, 'repository_url', 'pull_request.html_url'] },
      pages: { by: 'link' },
    }),
    tool({
      name: 'get_issue',
      description: 'Use it to read the text and state for an issue or pull request.',
      input: z.object({ ...repository, number }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{number}' },
      answer: {
        pick: [...ISSUE, 'body', 'assignees.login', 'milestone.title', 'closed_at', 'pull_request.html_url'],
      },
    }),
    tool({
      name: 'list_comments',
      description: 'Use it to read the discussion on an issue or pull request, oldest comment first.',
      input: z.object({ ...repository, number, limit: limit(100, 30) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/repos/{owner}/{repo}/issues/{number}/comments',
        query: { per_page: from('limit') },
      },
      answer: { pick: ['id', 'user.login', 'body', 'created_at', 'html_url'] },
      pages: { by: 'link' },
    }),
    tool({
      name: 'create_issue',
      description: 'Use it to report a bug or propose a change in a repository. Watchers are notified.',
      input: z.object({
        ...repository,
        title: z.string().min(1).max(256),
        body: body.optional(),
        labels: z.array(z.string().min(1).max(50)).max(20).optional(),
        assignees: z.array(name).max(10).optional().describe('Logins'),
      }),
      effect: 'once',
      risk: 'send',
      request: (input) => ({
        method: 'POST',
        path: '/repos/{owner}/{repo}/issues',
        json: {
          title: from('title'),
          body: withMark(input.body ?? ''),
          labels: from('labels'),
          assignees: from('assignees'),
        },
      }),
      answer: { pick: ['number', 'title', 'html_url'] },
    }),
    tool({
      name: 'comment',
      description: 'Use it to add a comment to an issue or a pull request. Participants are notified.',
      input: z.object({ ...repository, number, body: body.min(1) }),
      effect: 'once',
      risk: 'send',
      request: (input) => ({
        method: 'POST',
        path: '/repos/{owner}/{repo}/issues/{number}/comments',
        json: { body: withMark(input.body) },
      }),
      answer: { pick: ['id', 'html_url'] },
    }),
    tool({
      name: 'get_file',
      description: 'Use it to read a file in a repository, or to list a folder’s entries.',
      input: z.object({
        ...repository,
        path: z.string().max(1000).describe('Such as src/main.ts; empty for the root'),
        ref: z.string().min(1).max(250).optional().describe('A branch, tag or commit'),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/repos/{owner}/{repo}/contents/{path}',
        query: { ref: from('ref') },
      },
      answer: { map: readFileAnswer },
    }),
  ],
  receiver: githubReceiver,
}

function hooksPath({ repository = '' }: Readonly<Record<string, string>>): string {
  const [owner = '', repo = ''] = repository.split('/')
  return `${repositoryPath(owner, repo)}/hooks`
}

function hookOf({ url, secret, events }: RegisteredEndpoint) {
  return {
    active: true,
    events: Object.keys(EVENTS)
      .filter((key) => events.length === 0 || events.includes(key))
      .map((key) => EVENTS[key]!),
    config: { url, content_type: 'json', secret, insecure_ssl: '0' },
  }
}

function normalize({ headers, body }: ReceivedEvent): readonly NormalizedEvent[] {
  const eventKey = Object.keys(EVENTS).find((key) => EVENTS[key] === headers['x-github-event'])
  const change = lookup(ACTIONS, textAt(body, 'action'))
  if (!eventKey || !change) return []
  const subject = valueAt(body, 'issue') ?? valueAt(body, 'pull_request')
  const remark = valueAt(body, 'comment') ?? valueAt(body, 'review')
  const content = remark ?? subject
  const [id, number] = [textAt(content, 'id'), textAt(subject, 'number')]
  const [owner, repo] = [textAt(body, 'repository.owner.login'), textAt(body, 'repository.name')]
  const text = textAt(content, 'body')
  const isBot = textAt(body, 'sender.type') === 'Bot'
  if (id === null || number === null || owner === null || repo === null) return []
  // Two bots answering each other would never stop.
  if (isMarked(text) || (remark && (isBot || !text))) return []
  const ref = `${eventKey.slice('github.'.length)}:${id}`
  const isFirst = change === 'created' && textAt(body, 'action') !== 'reopened'
  return [
    normalizedEvent({
      eventKey,
      externalId: isFirst ? ref : `${ref}:${textAt(body, 'action')}:${textAt(content, 'updated_at') ?? ''}`,
      change,
      targetId: change === 'created' ? null : ref,
      actor: { id: textAt(body, 'sender.id'), name: textAt(body, 'sender.login'), isBot },
      text:
        change === 'deleted' ? null : remark ? text : `${textAt(subject, 'title')}\n\n${text ?? ''}`.trim(),
      thread: `${owner}/${repo}#${number}`,
      resource: {
        type: valueAt(body, 'pull_request') || valueAt(subject, 'pull_request') ? 'pull_request' : 'issue',
        id: number,
        url: textAt(content, 'html_url'),
      },
      replyTo: {
        owner,
        repo,
        number,
        // GitHub refuses a reply to a reply.
        ...(eventKey === 'github.review_comment' && { commentId: textAt(remark, 'in_reply_to_id') ?? id }),
      },
    }),
  ]
}

/** github.com, Enterprise Cloud with data residency, or Enterprise Server. */
function apiOf({ host = 'github.com' }: Readonly<Record<string, string>>): string {
  if (host === 'github.com') return 'https://api.github.com'
  return host.endsWith('.ghe.com') ? 'https://api.{config.host}' : 'https://{config.host}/api/v3'
}
