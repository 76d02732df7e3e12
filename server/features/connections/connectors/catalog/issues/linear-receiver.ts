import { dictionary } from '../../../../../../contract/dictionary.ts'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type {
  NormalizedEvent,
  ReceivedEvent,
  ReceiverDefinition,
  RegisteredEndpoint,
} from '../../definition/receiver.ts'
import type { TemplateValue } from '../../definition/request-template.ts'
import { valueAt } from '../../requests/template.ts'
import { findByUrl } from '../find-registration.ts'
import { graphql, LINEAR } from './linear-queries.ts'

const KEYS: Record<string, string> = dictionary({ Issue: 'linear.issue', Comment: 'linear.comment' })
const CHANGES: Record<string, NormalizedEvent['change']> = dictionary({
  create: 'created',
  update: 'edited',
  remove: 'deleted',
})

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

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const eventKey = lookup(KEYS, textAt(body, 'type'))
  const change = lookup(CHANGES, textAt(body, 'action'))
  const data = valueAt(body, 'data')
  const isComment = eventKey === 'linear.comment'
  const [id, actor] = [textAt(data, 'id'), textAt(body, 'actor.id')]
  const issueId = isComment ? (textAt(data, 'issueId') ?? textAt(data, 'issue.id')) : id
  if (!eventKey || !change || id === null || issueId === null) return []
  if (actor !== null && actor === account.id) return []
  // Comments of apps and integrations are ignored: two of them that answer each other would not stop.
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
