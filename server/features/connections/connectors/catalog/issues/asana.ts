import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { ASANA } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, limit, tool } from '../../definition/definition.ts'
import { itemsAt, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { encodeSegment, from, type TemplateValue } from '../../definition/template.ts'

const TASK = 'name,completed,due_on,assignee.name,projects.name,permalink_url,modified_at'

/** Events contain only ids. */
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
        hint: 'The first number in the project URL',
        required: true,
        pattern: '\\d{1,30}',
      },
    ],
  },
}

const gid = (description: string) =>
  z
    .string()
    .regex(/^\d{1,30}$/)
    .describe(description)

const task = gid('Task id: the last number in its URL')

const date = z.iso.date().describe('Such as 2026-11-30')

export const asana: ConnectorDefinition = {
  slug: 'asana',
  name: 'Asana',
  description: 'Search, create, complete and comment on Asana tasks.',
  category: 'issues',
  docsUrl: 'https://developers.asana.com/reference/rest-api-reference',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'workspace',
      label: 'Workspace',
      required: false,
      hint: 'Workspace name, if the account has several',
      pattern: '[^\\r\\n]{1,200}',
    },
  ],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://app.asana.com/-/oauth_authorize',
    tokenUrl: 'https://app.asana.com/-/oauth_token',
    revoke: { url: 'https://app.asana.com/-/oauth_revoke', how: 'form', field: 'token' },
    registerUrl: 'https://app.asana.com/0/my-apps',
    scopes: { default: ['default'] },
    lifetime: { access: 3600, refresh: 'stays' },
  },
  baseUrl: 'https://app.asana.com/api/1.0',
  discover: {
    request: { method: 'GET', path: '/users/me', query: { opt_fields: 'workspaces.name' } },
    keep: workspaceOf,
  },
  check: {
    request: { method: 'GET', path: '/users/me' },
    account: { id: 'data.gid', name: 'data.name', email: 'data.email', avatarUrl: 'data.photo.image_60x60' },
  },
  errors: [
    {
      status: 402,
      means: 'forbidden',
      message:
        'Asana searches tasks only in workspaces with a paid plan: use list_tasks for a project’s tasks',
    },
  ],
  errorFields: { message: 'errors.0.message' },
  tools: [
    tool({
      name: 'search_tasks',
      description:
        'Use it to find tasks in the workspace by words in their name or description. Requires a paid Asana plan.',
      input: z.object({
        text: z.string().min(1).max(200),
        completed: z.boolean().optional(),
        limit: limit(100),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/workspaces/{kept.workspaceId}/tasks/search',
        query: { text: from('text'), completed: from('completed'), limit: from('limit'), opt_fields: TASK },
      },
      answer: { at: 'data' },
    }),
    tool({
      name: 'list_tasks',
      description: 'Use it to see a project’s tasks, or, without a project, to find project ids.',
      input: z.object({ projectId: gid('Project id').optional(), limit: limit(100, 50) }),
      effect: 'read',
      risk: 'none',
      request: ({ projectId }) => ({
        method: 'GET',
        path:
          projectId === undefined ? '/workspaces/{kept.workspaceId}/projects' : '/projects/{projectId}/tasks',
        query: {
          limit: from('limit'),
          opt_fields: projectId === undefined ? 'name,archived,permalink_url' : TASK,
        },
      }),
      answer: { at: 'data' },
      pages: { by: 'cursor', next: 'next_page.offset', send: { query: 'offset' } },
    }),
    tool({
      name: 'get_task',
      description: 'Use it to read a task with its notes.',
      input: z.object({ task }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/tasks/{task}',
        query: { opt_fields: `${TASK},notes,created_by.name,followers.name,tags.name,parent.name` },
      },
      answer: { at: 'data' },
    }),
    tool({
      name: 'create_task',
      description: 'Use it to add a task to a project. Project members can see it.',
      input: z.object({
        projectId: gid('Project id from list_tasks'),
        name: z.string().min(1).max(1000),
        notes: z.string().max(60_000).optional().describe('Plain text'),
        dueOn: date.optional(),
        assignee: z.union([gid('User id'), z.email(), z.literal('me')]).optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/tasks',
        json: {
          data: {
            projects: [from('projectId')],
            name: from('name'),
            notes: from('notes'),
            due_on: from('dueOn'),
            assignee: from('assignee'),
          },
        },
      },
      answer: { at: 'data', pick: ['gid', 'name', 'permalink_url'] },
    }),
    tool({
      name: 'complete_task',
      description: 'Use it to mark a task as completed, or as not completed. Followers are notified.',
      input: z.object({ task, completed: z.boolean().default(true) }),
      effect: 'idempotent',
      risk: 'send',
      request: { method: 'PUT', path: '/tasks/{task}', json: { data: { completed: from('completed') } } },
      answer: { at: 'data', pick: ['gid', 'name', 'completed'] },
    }),
    tool({
      name: 'comment',
      description: 'Use it to add a comment to a task. Followers are notified.',
      input: z.object({ task, text: z.string().min(1).max(60_000).describe('Plain text') }),
      effect: 'once',
      risk: 'send',
      request: { method: 'POST', path: '/tasks/{task}/stories', json: { data: { text: from('text') } } },
      answer: { at: 'data', pick: ['gid', 'created_at'] },
    }),
  ],
  receiver: asanaReceiver,
}

/** A request without events is a heartbeat. */
function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const events = itemsAt(body, 'events').flatMap((event) => recordOf(event, account.id))
  // A task added to a project and a section is reported twice.
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

function workspaceOf(
  answer: unknown,
  { workspace }: Readonly<Record<string, string>>,
): Record<string, string> {
  const workspaces = itemsAt(answer, 'data.workspaces')
  const name = workspace?.trim().toLowerCase()
  const found = name ? workspaces.find((each) => textAt(each, 'name')?.toLowerCase() === name) : workspaces[0]
  const workspaceId = textAt(found, 'gid')
  if (workspaceId === null) {
    throw new Error(name ? `The account has no workspace named ${workspace}` : 'The account has no workspace')
  }
  return { workspaceId }
}
