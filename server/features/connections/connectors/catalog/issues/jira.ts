import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { ATLASSIAN_JWT } from '../../../../../signatures/provider-schemes.ts'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, limit, tool } from '../../definition/definition.ts'
import { itemsAt, lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'
import { atlassian, textOfDocument, toAtlassianDocument } from '../atlassian.ts'
import { findByUrl } from '../find-registration.ts'

const API = '/ex/jira/{kept.cloudId}/rest/api/3'

type Kind = readonly [eventKey: string, change: NormalizedEvent['change']]

const KINDS: Record<string, Kind> = dictionary({
  'jira:issue_created': ['jira.issue', 'created'],
  'jira:issue_updated': ['jira.issue', 'edited'],
  'jira:issue_deleted': ['jira.issue', 'deleted'],
  comment_created: ['jira.comment', 'created'],
  comment_updated: ['jira.comment', 'edited'],
  comment_deleted: ['jira.comment', 'deleted'],
})

export const jiraReceiver: ReceiverDefinition = {
  kind: 'issues',
  // Administrators' hooks are signed, OAuth app hooks have a JWT.
  proof: {
    by: 'signature',
    schemes: [...acceptedSchemes('jira'), ATLASSIAN_JWT],
    secret: { from: 'generated', orClient: true },
  },
  events: {
    'jira.issue': 'An issue was created, edited or deleted',
    'jira.comment': 'A comment on an issue',
  },
  normalize,
  sessionKey: 'jira:{thread}',
  reply: ({ replyTo: { key } }, text) => ({
    method: 'POST',
    path: `${API}/issue/${encodeSegment(String(key))}/comment`,
    json: { body: toAtlassianDocument(text) },
  }),
  setup: {
    by: 'api',
    register: ({ url, events, config }) => ({
      request: {
        method: 'POST',
        path: `${API}/webhook`,
        json: {
          url,
          webhooks: [
            {
              jqlFilter: config.jql || 'project is not EMPTY',
              events: Object.keys(KINDS).filter(
                (key) => events.length === 0 || events.includes(KINDS[key]![0]),
              ),
            },
          ],
        },
      },
      keep: (answer) => ({
        webhookId: textAt(itemsAt(answer, 'webhookRegistrationResult')[0], 'createdWebhookId') ?? '',
      }),
    }),
    // Jira webhooks expire after 30 days.
    update: ({ webhookId = '' }) => ({
      method: 'PUT',
      path: `${API}/webhook/refresh`,
      json: { webhookIds: [Number(webhookId)] },
    }),
    find: findByUrl(
      { method: 'GET', path: `${API}/webhook`, query: { maxResults: 100 } },
      { items: 'values', url: 'url', keep: 'webhookId' },
    ),
    unregister: ({ webhookId = '' }) => ({
      method: 'DELETE',
      path: `${API}/webhook`,
      json: { webhookIds: [Number(webhookId)] },
    }),
    fields: [
      {
        key: 'jql',
        label: 'Filter (JQL)',
        hint: 'Such as: project = APP. Without it, all projects. Jira requires the scope manage:jira-webhook',
        required: false,
        pattern: '[^\\r\\n]{1,1000}',
      },
    ],
    renewDays: 14,
  },
}

const isRewritten = (body: unknown) =>
  itemsAt(body, 'changelog.items').some((item) =>
    ['summary', 'description'].includes(textAt(item, 'field') ?? ''),
  )

const FIELDS = [
  'summary',
  'status',
  'issuetype',
  'priority',
  'assignee',
  'reporter',
  'labels',
  'created',
  'updated',
]

const key = z
  .string()
  .regex(/^([A-Za-z][A-Za-z0-9_]{1,80}-\d{1,10}|\d{1,15})$/)
  .describe('Issue key, such as APP-12')

const text = z.string().min(1).max(30_000)

export const jira: ConnectorDefinition = {
  slug: 'jira',
  name: 'Jira',
  description: 'Search, create, move and comment on issues in Jira Cloud.',
  category: 'issues',
  docsUrl: 'https://developer.atlassian.com/cloud/jira/platform/rest/v3/',
  checkedAt: '2026-11-16',
  ...atlassian('Jira', {
    default: ['read:jira-work', 'write:jira-work', 'read:jira-user'],
    optional: ['manage:jira-webhook'],
  }),
  baseUrl: 'https://api.atlassian.com',
  check: {
    request: { method: 'GET', path: `${API}/myself` },
    account: { id: 'accountId', name: 'displayName', email: 'emailAddress', avatarUrl: 'avatarUrls.48x48' },
  },
  errorFields: { message: 'errorMessages.0' },
  tools: [
    tool({
      name: 'search_issues',
      description: 'Use it to find issues by JQL: project = APP AND status != Done ORDER BY updated DESC.',
      input: z.object({ jql: z.string().min(1).max(2000), limit: limit(100) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'POST',
        path: `${API}/search/jql`,
        json: { jql: from('jql'), maxResults: from('limit'), fields: FIELDS },
      },
      answer: { at: 'issues', map: (issues) => (Array.isArray(issues) ? issues.map(issueOf) : issues) },
      pages: { by: 'cursor', next: 'nextPageToken', send: { body: 'nextPageToken' } },
    }),
    tool({
      name: 'get_issue',
      description: 'Use it to read an issue with its description and its newest comments.',
      input: z.object({ key }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: `${API}/issue/{key}`,
        query: { fields: [...FIELDS, 'description', 'comment'] },
      },
      answer: { map: issueOf },
    }),
    tool({
      name: 'create_issue',
      description: 'Use it to report a bug or a task in a project. Project members can see it.',
      input: z.object({
        project: z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9_]{1,80}$/)
          .describe('Project key, such as APP'),
        type: z.string().min(1).max(100).default('Task').describe('Issue type name'),
        summary: z.string().min(1).max(255),
        description: text.optional().describe('Plain text'),
        labels: z
          .array(z.string().regex(/^\S{1,255}$/))
          .max(20)
          .optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ description }) => ({
        method: 'POST',
        path: `${API}/issue`,
        json: {
          fields: {
            project: { key: from('project') },
            issuetype: { name: from('type') },
            summary: from('summary'),
            labels: from('labels'),
            ...(description !== undefined && { description: toAtlassianDocument(description) }),
          },
        },
      }),
      answer: { pick: ['id', 'key'] },
    }),
    tool({
      name: 'comment',
      description: 'Use it to add a comment to an issue. Watchers are notified.',
      input: z.object({ key, text: text.describe('Plain text') }),
      effect: 'once',
      risk: 'send',
      request: (input) => ({
        method: 'POST',
        path: `${API}/issue/{key}/comment`,
        json: { body: toAtlassianDocument(input.text) },
      }),
      answer: { pick: ['id', 'created'] },
    }),
    tool({
      name: 'list_transitions',
      description: 'Use it before transition_issue: returns the states an issue can move to, with their ids.',
      input: z.object({ key }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: `${API}/issue/{key}/transitions` },
      answer: { at: 'transitions', pick: ['id', 'name', 'to.name'] },
    }),
    tool({
      name: 'transition_issue',
      description: 'Use it to move an issue to another state, such as Done. Watchers are notified.',
      input: z.object({
        key,
        transitionId: z
          .string()
          .regex(/^\d{1,10}$/)
          .describe('An id from list_transitions'),
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: `${API}/issue/{key}/transitions`,
        json: { transition: { id: from('transitionId') } },
      },
    }),
  ],
  receiver: jiraReceiver,
}

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const [eventKey, change] = lookup(KINDS, textAt(body, 'webhookEvent')) ?? []
  const [issue, comment] = [valueAt(body, 'issue'), valueAt(body, 'comment')]
  const isComment = eventKey === 'jira.comment'
  const [key, id] = [textAt(issue, 'key'), textAt(isComment ? comment : issue, 'id')]
  if (!eventKey || !change || key === null || id === null) return []
  const author =
    valueAt(comment, change === 'created' ? 'author' : 'updateAuthor') ?? valueAt(comment, 'author')
  const actor = (isComment ? author : valueAt(body, 'user')) ?? null
  const actorId = textAt(actor, 'accountId')
  const isBot = textAt(actor, 'accountType') === 'app'
  if ((actorId !== null && actorId === account.id) || (isComment && isBot)) return []
  if (eventKey === 'jira.issue' && change === 'edited' && !isRewritten(body)) return []
  const ref = `${isComment ? 'comment' : 'issue'}:${id}`
  const description = textOfDocument(valueAt(issue, 'fields.description'))
  const text = isComment
    ? textOfDocument(valueAt(comment, 'body'))
    : `${textAt(issue, 'fields.summary')}\n\n${description ?? ''}`.trim()
  return [
    normalizedEvent({
      eventKey,
      externalId: change === 'created' ? ref : `${ref}:${change}:${textAt(body, 'timestamp') ?? ''}`,
      change,
      targetId: change === 'created' ? null : ref,
      actor: { id: actorId, name: textAt(actor, 'displayName'), isBot },
      text: change === 'deleted' ? null : text,
      thread: textAt(issue, 'id') ?? key,
      resource: { type: 'issue', id: key, url: null },
      replyTo: { key },
    }),
  ]
}

function issueOf(issue: unknown): unknown {
  const field = (path: string) => textAt(issue, `fields.${path}`)
  const comments = itemsAt(issue, 'fields.comment.comments').map((comment) => ({
    author: textAt(comment, 'author.displayName'),
    created: textAt(comment, 'created'),
    text: textOfDocument(valueAt(comment, 'body')),
  }))
  const description = textOfDocument(valueAt(issue, 'fields.description'))
  return {
    key: textAt(issue, 'key'),
    summary: field('summary'),
    type: field('issuetype.name'),
    status: field('status.name'),
    priority: field('priority.name'),
    assignee: field('assignee.displayName'),
    reporter: field('reporter.displayName'),
    labels: valueAt(issue, 'fields.labels'),
    created: field('created'),
    updated: field('updated'),
    ...(description !== null && { description }),
    ...(comments.length > 0 && { comments }),
  }
}
