import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, id, limit, tool } from '../../definition/definition.ts'
import { lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type {
  NormalizedEvent,
  ReceivedEvent,
  ReceiverDefinition,
  RegisteredEndpoint,
} from '../../definition/receiver.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'
import { REPOSITORY, repositoryHooks } from './repositories.ts'

type Kind = readonly [eventKey: string, change: NormalizedEvent['change']]

const KINDS: Record<string, Kind> = dictionary({
  'pullrequest:created': ['bitbucket.pull_request', 'created'],
  'pullrequest:updated': ['bitbucket.pull_request', 'edited'],
  'pullrequest:comment_created': ['bitbucket.comment', 'created'],
  'pullrequest:comment_updated': ['bitbucket.comment', 'edited'],
  'pullrequest:comment_deleted': ['bitbucket.comment', 'deleted'],
})

export const bitbucketReceiver: ReceiverDefinition = {
  kind: 'code',
  // Signed like Jira's administrator hooks.
  proof: { by: 'signature', schemes: acceptedSchemes('jira'), secret: { from: 'generated' } },
  handshake: { by: 'ignored', header: 'x-event-key', equals: 'diagnostics:ping' },
  events: {
    'bitbucket.pull_request': 'A pull request was created or edited',
    'bitbucket.comment': 'A comment on a pull request',
  },
  normalize,
  sessionKey: 'bitbucket:{thread}',
  reply: ({ replyTo: { workspace, repo, number, commentId } }, text) => ({
    method: 'POST',
    path: `${repositoryPath(workspace, repo)}/pullrequests/${encodeSegment(String(number))}/comments`,
    json: { content: { raw: text }, ...(commentId !== undefined && { parent: { id: Number(commentId) } }) },
  }),
  setup: repositoryHooks({
    path: hooksPath,
    hook: hookOf,
    updateMethod: 'PUT',
    list: { query: { pagelen: 100 }, items: 'values', url: 'url', id: 'uuid' },
    field: {
      key: 'repository',
      label: 'Repository',
      hint: 'As workspace/repository. The account must be a repository administrator',
      required: true,
      pattern: REPOSITORY,
    },
  }),
}

const repositoryPath = (workspace: unknown, repo: unknown) =>
  `/repositories/${encodeSegment(String(workspace))}/${encodeSegment(String(repo))}`

const repository = {
  workspace: id('The workspace, as in the URL'),
  repo: id('Repository slug, as in the URL'),
}

const PULL = [
  'id',
  'title',
  'state',
  'draft',
  'author.display_name',
  'source.branch.name',
  'destination.branch.name',
  'comment_count',
  'created_on',
  'updated_on',
  'links.html.href',
]

export const bitbucket: ConnectorDefinition = {
  slug: 'bitbucket',
  name: 'Bitbucket',
  description: 'Read repositories, pull requests and files in Bitbucket Cloud, and comment on pull requests.',
  category: 'code',
  docsUrl: 'https://developer.atlassian.com/cloud/bitbucket/rest/',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://bitbucket.org/site/oauth2/authorize',
    tokenUrl: 'https://bitbucket.org/site/oauth2/access_token',
    registerUrl: 'https://bitbucket.org/account/settings/',
    // Bitbucket ignores scopes other than the consumer's.
    scopes: { default: ['account', 'pullrequest:write', 'webhook'] },
    pkce: 'no',
    clientAuth: 'basic',
    answer: { scope: 'scopes' },
    lifetime: { access: 7200, refresh: 'stays' },
  },
  baseUrl: 'https://api.bitbucket.org/2.0',
  check: {
    request: { method: 'GET', path: '/user' },
    account: { id: 'uuid', name: 'display_name', avatarUrl: 'links.avatar.href' },
  },
  errorFields: { code: 'type', message: 'error.message' },
  tools: [
    tool({
      name: 'list_repositories',
      description: 'Use it to find a repository in a workspace by part of its name.',
      input: z.object({
        workspace: repository.workspace,
        search: z.string().min(1).max(100).optional().describe('Part of the name'),
        limit: limit(100),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ search }) => ({
        method: 'GET',
        path: '/repositories/{workspace}',
        query: {
          pagelen: from('limit'),
          sort: '-updated_on',
          ...(search !== undefined && { q: `name ~ "${search.replaceAll(/["\\]/g, '\\$&')}"` }),
        },
      }),
      answer: {
        at: 'values',
        pick: ['slug', 'full_name', 'description', 'is_private', 'language', 'mainbranch.name', 'updated_on'],
      },
      pages: { by: 'page', send: { query: 'page' } },
    }),
    tool({
      name: 'list_pull_requests',
      description: 'Use it to see a repository’s pull requests.',
      input: z.object({
        ...repository,
        state: z.enum(['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']).default('OPEN'),
        limit: limit(50),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/repositories/{workspace}/{repo}/pullrequests',
        query: { state: from('state'), pagelen: from('limit') },
      },
      answer: { at: 'values', pick: PULL },
      pages: { by: 'page', send: { query: 'page' } },
    }),
    tool({
      name: 'get_pull_request',
      description: 'Use it to read a pull request’s description and state.',
      input: z.object({ ...repository, number: z.int().min(1) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/repositories/{workspace}/{repo}/pullrequests/{number}' },
      answer: {
        pick: [
          ...PULL,
          'description',
          'reviewers.display_name',
          'participants.approved',
          'merge_commit.hash',
        ],
      },
    }),
    tool({
      name: 'list_comments',
      description: 'Use it to read a pull request’s discussion, oldest comment first.',
      input: z.object({ ...repository, number: z.int().min(1), limit: limit(100, 30) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/repositories/{workspace}/{repo}/pullrequests/{number}/comments',
        query: { pagelen: from('limit') },
      },
      answer: {
        at: 'values',
        pick: ['id', 'parent.id', 'user.display_name', 'content.raw', 'inline.path', 'deleted', 'created_on'],
      },
      pages: { by: 'page', send: { query: 'page' } },
    }),
    tool({
      name: 'comment',
      description: 'Use it to add a comment to a pull request. Participants are notified.',
      input: z.object({
        ...repository,
        number: z.int().min(1),
        body: z.string().min(1).max(30_000).describe('In Markdown'),
        replyTo: z.int().min(1).optional().describe('Id of the comment it replies to'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ replyTo }) => ({
        method: 'POST',
        path: '/repositories/{workspace}/{repo}/pullrequests/{number}/comments',
        json: { content: { raw: from('body') }, ...(replyTo !== undefined && { parent: { id: replyTo } }) },
      }),
      answer: { pick: ['id', 'links.html.href'] },
    }),
    tool({
      name: 'get_file',
      description: 'Use it to read a file in a repository, or to list a folder’s entries.',
      input: z.object({
        ...repository,
        ref: z.string().min(1).max(250).default('HEAD').describe('A branch, tag or commit'),
        path: z.string().max(1000).default('').describe('Such as src/main.ts; empty for the root'),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ path }) => ({
        method: 'GET',
        path: `/repositories/{workspace}/{repo}/src/{ref}/${path.split('/').map(encodeSegment).join('/')}`,
      }),
      answer: { map: (answer) => entriesOf(answer) },
    }),
  ],
  receiver: bitbucketReceiver,
}

function hooksPath({ repository = '' }: Readonly<Record<string, string>>): string {
  const [workspace = '', repo = ''] = repository.split('/')
  return `${repositoryPath(workspace, repo)}/hooks`
}

function hookOf({ url, secret, events }: RegisteredEndpoint) {
  return {
    description: 'Atrium',
    url,
    active: true,
    secret,
    events: Object.keys(KINDS).filter((key) => events.length === 0 || events.includes(KINDS[key]![0])),
  }
}

function normalize({ headers, body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const [eventKey, change] = lookup(KINDS, headers['x-event-key']) ?? []
  const pull = valueAt(body, 'pullrequest')
  const comment = valueAt(body, 'comment')
  const [workspace, repo] = (textAt(body, 'repository.full_name') ?? '').split('/')
  const number = textAt(pull, 'id')
  const id = comment ? textAt(comment, 'id') : number
  const actor = textAt(body, 'actor.uuid')
  if (!eventKey || !change || !workspace || !repo || number === null || id === null) return []
  if (actor !== null && actor === account.id) return []
  const isBot = textAt(body, 'actor.type') !== 'user'
  if (comment && isBot) return []
  const ref = `${comment ? 'comment' : 'pull_request'}:${workspace}/${repo}:${id}`
  const content = comment ?? pull
  const text = comment
    ? textAt(comment, 'content.raw')
    : `${textAt(pull, 'title')}\n\n${textAt(pull, 'description') ?? ''}`.trim()
  return [
    normalizedEvent({
      eventKey,
      externalId: change === 'created' ? ref : `${ref}:${change}:${textAt(content, 'updated_on') ?? ''}`,
      change,
      targetId: change === 'created' ? null : ref,
      actor: { id: actor, name: textAt(body, 'actor.display_name'), isBot },
      text: change === 'deleted' ? null : text,
      thread: `${workspace}/${repo}#${number}`,
      resource: { type: 'pull_request', id: number, url: textAt(content, 'links.html.href') },
      replyTo: { workspace, repo, number, ...(comment !== undefined && { commentId: id }) },
    }),
  ]
}

function entriesOf(answer: unknown): unknown {
  const { values } = (answer ?? {}) as { values?: unknown }
  if (!Array.isArray(values)) return typeof answer === 'string' ? { text: answer } : answer
  return values.map(({ path, type, size }: Record<string, unknown>) => ({ path, type, size }))
}
