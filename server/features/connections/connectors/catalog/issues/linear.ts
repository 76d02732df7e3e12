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
import { from, type TemplateValue, valueAt } from '../../definition/template.ts'
import { findByUrl } from '../find-registration.ts'

/** A test compares the fields with `@linear/sdk`. */
const ISSUE = `id identifier title url priorityLabel createdAt updatedAt state { id name type } assignee { id name } team { id key }`

const KEYS: Record<string, string> = dictionary({ Issue: 'linear.issue', Comment: 'linear.comment' })

const CHANGES: Record<string, NormalizedEvent['change']> = dictionary({
  create: 'created',
  update: 'edited',
  remove: 'deleted',
})

export const LINEAR = {
  viewer: `query { viewer { id name email avatarUrl } }`,
  searchIssues: `query($term: String!, $first: Int, $after: String, $teamId: String) {
  searchIssues(term: $term, first: $first, after: $after, teamId: $teamId) {
    nodes { ${ISSUE} }
    pageInfo { hasNextPage endCursor }
  }
}`,
  issue: `query($id: String!) {
  issue(id: $id) {
    ${ISSUE} description dueDate
    labels { nodes { name } }
    comments(first: 50) { nodes { id body createdAt user { name } } }
  }
}`,
  issueCreate: `mutation($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { id identifier title url } }
}`,
  issueUpdate: `mutation($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success issue { id identifier title url state { name } } }
}`,
  commentCreate: `mutation($input: CommentCreateInput!) {
  commentCreate(input: $input) { success comment { id url } }
}`,
  teams: `query($first: Int, $after: String) {
  teams(first: $first, after: $after) {
    nodes { id key name states { nodes { id name type } } members(first: 50) { nodes { id name } } }
    pageInfo { hasNextPage endCursor }
  }
}`,
  webhooks: `query { webhooks(first: 250) { nodes { id url } } }`,
  webhookCreate: `mutation($input: WebhookCreateInput!) {
  webhookCreate(input: $input) { success webhook { id } }
}`,
  webhookUpdate: `mutation($id: String!, $input: WebhookUpdateInput!) {
  webhookUpdate(id: $id, input: $input) { success }
}`,
  webhookDelete: `mutation($id: String!) { webhookDelete(id: $id) { success } }`,
} as const

export const graphql = (query: string, variables: Record<string, TemplateValue> = {}) =>
  ({ method: 'POST', path: '/graphql', graphql: { query, variables } }) as const

export const linearReceiver: ReceiverDefinition = {
  kind: 'issues',
  proof: { by: 'signature', schemes: acceptedSchemes('linear'), secret: { from: 'generated' } },
  events: {
    'linear.issue': 'An issue was created, edited or removed',
    'linear.comment': 'A comment on an issue',
  },
  normalize,
  sessionKey: 'linear:{thread}',
  reply: ({ replyTo: { issueId, parentId } }, text) =>
    graphql(LINEAR.commentCreate, {
      input: { issueId: issueId!, body: text, ...(parentId !== undefined && { parentId }) },
    }),
  setup: {
    by: 'api',
    register: (endpoint) => ({
      request: graphql(LINEAR.webhookCreate, {
        input: { label: 'Atrium', ...scopeOf(endpoint), ...hookOf(endpoint) },
      }),
      keep: (answer) => ({ webhookId: textAt(answer, 'data.webhookCreate.webhook.id') ?? '' }),
    }),
    update: ({ webhookId = '' }, endpoint) =>
      graphql(LINEAR.webhookUpdate, { id: webhookId, input: hookOf(endpoint) }),
    find: findByUrl(graphql(LINEAR.webhooks, {}), {
      items: 'data.webhooks.nodes',
      url: 'url',
      keep: 'webhookId',
    }),
    unregister: ({ webhookId = '' }) => graphql(LINEAR.webhookDelete, { id: webhookId }),
    fields: [
      {
        key: 'teamId',
        label: 'Team id',
        hint: 'Only this team; without it, all public teams. Linear requires the scope admin to register webhooks',
        required: false,
        pattern: '[0-9a-f-]{36}',
      },
    ],
  },
}

const scopeOf = ({ config: { teamId } }: RegisteredEndpoint): Record<string, TemplateValue> =>
  teamId ? { teamId } : { allPublicTeams: true }

const hookOf = ({ url, secret, events }: RegisteredEndpoint) => ({
  url,
  secret,
  enabled: true,
  resourceTypes: Object.keys(KEYS).filter((type) => events.length === 0 || events.includes(KEYS[type]!)),
})

const issue = id('Identifier, such as ENG-123, or issue id')

const text = z.string().min(1).max(100_000).describe('In Markdown')

const priority = z.int().min(0).max(4).describe('0 none, 1 urgent, 2 high, 3 medium, 4 low')

const uuid = (description: string) => z.uuid().describe(description)

export const linear: ConnectorDefinition = {
  slug: 'linear',
  name: 'Linear',
  description: 'Find, create and update Linear issues, and comment on them.',
  category: 'issues',
  docsUrl: 'https://linear.app/developers',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    revoke: { url: 'https://api.linear.app/oauth/revoke', how: 'form', field: 'token' },
    registerUrl: 'https://linear.app/settings/api/applications/new',
    scopes: { default: ['read', 'write'], optional: ['admin'] },
    scopeSeparator: ',',
    // The app is the author, not the user.
    params: { authorize: { actor: 'app' } },
    selectAccount: { prompt: 'consent' },
    lifetime: { access: 86_400, refresh: 'rotates' },
  },
  baseUrl: 'https://api.linear.app',
  check: {
    request: graphql(LINEAR.viewer),
    account: {
      id: 'data.viewer.id',
      name: 'data.viewer.name',
      email: 'data.viewer.email',
      avatarUrl: 'data.viewer.avatarUrl',
    },
  },
  retryAfter: { header: 'x-ratelimit-requests-reset', unit: 'epoch' },
  // GraphQL reports errors with status 200 or 400.
  errors: [
    { path: 'errors.0.extensions.code', equals: 'AUTHENTICATION_ERROR', means: 'expired' },
    { path: 'errors.0.extensions.code', equals: 'RATELIMITED', means: 'slow_down' },
    { path: 'errors.0.extensions.code', equals: 'FORBIDDEN', means: 'forbidden' },
    { path: 'errors.0.message', includes: 'Entity not found', means: 'not_found' },
    { path: 'errors.0', means: 'invalid' },
  ],
  errorFields: { code: 'errors.0.extensions.code', message: 'errors.0.message' },
  tools: [
    tool({
      name: 'search_issues',
      description: 'Use it to find issues by words in their title, text or comments.',
      input: z.object({
        query: z.string().min(1).max(500),
        teamId: uuid('Only this team’s issues; list_teams returns the id').optional(),
        limit: limit(100),
      }),
      effect: 'read',
      risk: 'none',
      request: graphql(LINEAR.searchIssues, {
        term: from('query'),
        first: from('limit'),
        teamId: from('teamId'),
      }),
      answer: { at: 'data.searchIssues.nodes' },
      pages: {
        by: 'cursor',
        next: 'data.searchIssues.pageInfo.endCursor',
        send: { body: 'variables.after' },
      },
    }),
    tool({
      name: 'get_issue',
      description: 'Use it to read an issue with its description, labels and the first 50 comments.',
      input: z.object({ issue }),
      effect: 'read',
      risk: 'none',
      request: graphql(LINEAR.issue, { id: from('issue') }),
      answer: { at: 'data.issue' },
    }),
    tool({
      name: 'create_issue',
      description: 'Use it to report a bug or a task to a team. Workspace members can see it.',
      input: z.object({
        teamId: uuid('Team id from list_teams'),
        title: z.string().min(1).max(255),
        description: text.optional(),
        priority: priority.optional(),
        assigneeId: uuid('A member; list_teams returns the ids').optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: graphql(LINEAR.issueCreate, {
        input: {
          teamId: from('teamId'),
          title: from('title'),
          description: from('description'),
          priority: from('priority'),
          assigneeId: from('assigneeId'),
        },
      }),
      answer: { at: 'data.issueCreate.issue' },
    }),
    tool({
      name: 'update_issue',
      description: 'Use it to change an issue’s state, priority, assignee or text.',
      input: z.object({
        issue,
        title: z.string().min(1).max(255).optional(),
        description: text.optional(),
        stateId: uuid('A team state; list_teams returns the ids').optional(),
        priority: priority.optional(),
        assigneeId: uuid('A member; list_teams returns the ids').optional(),
      }),
      effect: 'idempotent',
      risk: 'send',
      request: graphql(LINEAR.issueUpdate, {
        id: from('issue'),
        input: {
          title: from('title'),
          description: from('description'),
          stateId: from('stateId'),
          priority: from('priority'),
          assigneeId: from('assigneeId'),
        },
      }),
      answer: { at: 'data.issueUpdate.issue' },
    }),
    tool({
      name: 'comment',
      description: 'Use it to add a comment to an issue. Subscribers are notified.',
      input: z.object({
        issue,
        body: text,
        parentId: uuid('First comment in the thread it replies to').optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: graphql(LINEAR.commentCreate, {
        input: { issueId: from('issue'), body: from('body'), parentId: from('parentId') },
      }),
      answer: { at: 'data.commentCreate.comment' },
    }),
    tool({
      name: 'list_teams',
      description: 'Use it to find ids for teams, their states and their members, which other tools need.',
      input: z.object({ limit: limit(50) }),
      effect: 'read',
      risk: 'none',
      request: graphql(LINEAR.teams, { first: from('limit') }),
      answer: { at: 'data.teams.nodes' },
      pages: { by: 'cursor', next: 'data.teams.pageInfo.endCursor', send: { body: 'variables.after' } },
    }),
  ],
  receiver: linearReceiver,
}

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const eventKey = lookup(KEYS, textAt(body, 'type'))
  const change = lookup(CHANGES, textAt(body, 'action'))
  const data = valueAt(body, 'data')
  const isComment = eventKey === 'linear.comment'
  const [id, actor] = [textAt(data, 'id'), textAt(body, 'actor.id')]
  const issueId = isComment ? (textAt(data, 'issueId') ?? textAt(data, 'issue.id')) : id
  if (!eventKey || !change || id === null || issueId === null) return []
  if (actor !== null && actor === account.id) return []
  // Two apps answering each other would never stop.
  const isBot =
    (textAt(body, 'actor.type') ?? 'user').toLowerCase() !== 'user' || textAt(data, 'botActor.id') !== null
  if (isComment && isBot) return []
  const isRewritten = ['title', 'description', 'body'].some(
    (name) => valueAt(body, `updatedFrom.${name}`) !== undefined,
  )
  if (change === 'edited' && !isRewritten) return []
  const ref = `${isComment ? 'comment' : 'issue'}:${id}`
  const text = isComment
    ? textAt(data, 'body')
    : `${textAt(data, 'title')}\n\n${textAt(data, 'description') ?? ''}`.trim()
  return [
    normalizedEvent({
      eventKey,
      externalId: change === 'created' ? ref : `${ref}:${change}:${textAt(data, 'updatedAt') ?? ''}`,
      change,
      targetId: change === 'created' ? null : ref,
      actor: { id: actor, name: textAt(body, 'actor.name'), isBot },
      text: change === 'deleted' ? null : text,
      thread: issueId,
      resource: {
        type: 'issue',
        id: textAt(data, 'issue.identifier') ?? textAt(data, 'identifier') ?? issueId,
        url: textAt(body, 'url'),
      },
      replyTo: { issueId, ...(isComment && { parentId: textAt(data, 'parentId') ?? id }) },
    }),
  ]
}
