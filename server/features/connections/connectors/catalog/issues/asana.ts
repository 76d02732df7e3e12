import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { limit } from '../../definition/inputs.ts'
import { itemsAt, textAt } from '../../definition/payload.ts'
import { from } from '../../definition/request-template.ts'
import { asanaReceiver } from './asana-receiver.ts'

const gid = (description: string) =>
  z
    .string()
    .regex(/^\d{1,30}$/)
    .describe(description)
const task = gid('The id of the task: the last number in its URL')
const date = z.iso.date().describe('Such as 2026-11-30')
const TASK = 'name,completed,due_on,assignee.name,projects.name,permalink_url,modified_at'

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
      hint: 'The name of the workspace, if the account has several',
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
        'Asana searches tasks only in workspaces with a paid plan: use list_tasks for the tasks of a project',
    },
  ],
  errorFields: { message: 'errors.0.message' },
  tools: [
    tool({
      name: 'search_tasks',
      description:
        'Use it to find tasks of the workspace by words of their name or description. Requires a paid plan of Asana.',
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
      description:
        'Use it to see the tasks of a project, or, without a project, to find the ids of the projects.',
      input: z.object({ projectId: gid('The id of the project').optional(), limit: limit(100, 50) }),
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
      description: 'Use it to add a task to a project. Members of the project can see it.',
      input: z.object({
        projectId: gid('The id of the project; list_tasks returns it'),
        name: z.string().min(1).max(1000),
        notes: z.string().max(60_000).optional().describe('Plain text'),
        dueOn: date.optional(),
        assignee: z.union([gid('The id of a user'), z.email(), z.literal('me')]).optional(),
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
