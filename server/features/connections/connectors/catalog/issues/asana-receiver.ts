import { dictionary } from '../../../../../../contract/dictionary.ts'
import { ASANA } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import type { TemplateValue } from '../../definition/request-template.ts'
import { encodeSegment } from '../../requests/template.ts'

/** The fields to fetch: events contain ids only. */
const FIELDS: Record<string, string> = dictionary({
  story: 'text,resource_subtype,created_by.name,target.name,target.permalink_url',
  task: 'name,notes,permalink_url',
})

const FILTERS: TemplateValue = [
  { resource_type: 'task', action: 'added' },
  { resource_type: 'task', action: 'changed', fields: ['name', 'notes'] },
  { resource_type: 'story', resource_subtype: 'comment_added', action: 'added' },
]

export const asanaReceiver: ReceiverDefinition = {
  kind: 'issues',
  proof: { by: 'signature', schemes: [ASANA], secret: { from: 'handshake', header: 'x-hook-secret' } },
  handshake: { by: 'header-echo', header: 'x-hook-secret' },
  events: {
    'asana.task': 'A task was added to the project or edited',
    'asana.comment': 'A comment on a task',
  },
  normalize,
  fetch: {
    request: ({ text, change, resource }) => {
      const fields = resource && FIELDS[resource.type]
      if (text !== null || change === 'deleted' || !fields) return null
      const path = resource.type === 'story' ? 'stories' : 'tasks'
      return { method: 'GET', path: `/${path}/${encodeSegment(resource.id)}`, query: { opt_fields: fields } }
    },
    complete,
  },
  sessionKey: 'asana:{thread}',
  reply: ({ replyTo: { task } }, text) => ({
    method: 'POST',
    path: `/tasks/${encodeSegment(String(task))}/stories`,
    json: { data: { text } },
  }),
  setup: {
    by: 'api',
    // Asana calls the URL with the secret before it responds.
    register: ({ url, config: { resource = '' } }) => ({
      request: {
        method: 'POST',
        path: '/webhooks',
        json: {
          data: {
            resource,
            target: url,
            filters: FILTERS,
          },
        },
      },
      keep: (answer) => ({ webhookId: textAt(answer, 'data.gid') ?? '' }),
    }),
    unregister: ({ webhookId = '' }) => ({ method: 'DELETE', path: `/webhooks/${encodeSegment(webhookId)}` }),
    fields: [
      {
        key: 'resource',
        label: 'Project or task id',
        hint: 'The first number in the URL of the project',
        required: true,
        pattern: '\\d{1,30}',
      },
    ],
  },
}

/** A request without events is a heartbeat. */
function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const events = itemsAt(body, 'events').flatMap((event) => recordOf(event, account.id))
  // A task that is added to a project and to a section is reported twice.
  return [...new Map(events.map((event) => [event.externalId, event])).values()]
}

function recordOf(event: unknown, accountId: string | null): readonly NormalizedEvent[] {
  const [type, id, action] = [
    textAt(event, 'resource.resource_type'),
    textAt(event, 'resource.gid'),
    textAt(event, 'action'),
  ]
  const actor = textAt(event, 'user.gid')
  const isStory = type === 'story'
  const isComment = isStory && textAt(event, 'resource.resource_subtype') === 'comment_added'
  const task = isStory ? textAt(event, 'parent.gid') : id
  if (id === null || task === null || (actor !== null && actor === accountId)) return []
  if (
    !(isComment && action === 'added') &&
    !(type === 'task' && (action === 'added' || action === 'changed'))
  )
    return []
  const ref = `${type}:${id}`
  const isEdit = action === 'changed'
  return [
    normalizedEvent({
      eventKey: isStory ? 'asana.comment' : 'asana.task',
      externalId: isEdit ? `${ref}:edited:${textAt(event, 'created_at') ?? ''}` : ref,
      change: isEdit ? 'edited' : 'created',
      targetId: isEdit ? ref : null,
      actor: { id: actor, name: null, isBot: false },
      thread: task,
      resource: { type: isStory ? 'story' : 'task', id, url: null },
      replyTo: { task },
    }),
  ]
}

function complete(event: NormalizedEvent, answer: unknown) {
  const isStory = event.eventKey === 'asana.comment'
  const task = `${textAt(answer, 'data.name')}\n\n${textAt(answer, 'data.notes') ?? ''}`.trim()
  const url = textAt(answer, isStory ? 'data.target.permalink_url' : 'data.permalink_url')
  return {
    events: [
      {
        ...event,
        actor: { ...event.actor, name: textAt(answer, 'data.created_by.name') },
        text: isStory ? (textAt(answer, 'data.text') ?? '') : task,
        resource: { type: 'task', id: event.thread, url },
      },
    ],
  }
}
