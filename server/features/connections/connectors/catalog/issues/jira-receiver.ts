import { dictionary } from '../../../../../../contract/dictionary.ts'
import { ATLASSIAN_JWT } from '../../../../../signatures/provider-schemes.ts'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { itemsAt, lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { encodeSegment, valueAt } from '../../requests/template.ts'
import { findByUrl } from '../find-registration.ts'
import { documentOf, textOfDocument } from './atlassian-document.ts'

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
  // Hooks of administrators are signed; those of an OAuth app have a JWT of its client. The header decides.
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
    json: { body: documentOf(text) },
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
    // Webhooks of Jira expire after 30 days.
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

const isRewritten = (body: unknown) =>
  itemsAt(body, 'changelog.items').some((item) =>
    ['summary', 'description'].includes(textAt(item, 'field') ?? ''),
  )
