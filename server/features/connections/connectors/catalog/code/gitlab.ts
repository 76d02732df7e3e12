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
import { isMarked, readFileAnswer, repositoryHooks, withMark } from './repositories.ts'

/** Project and group access tokens. */
const BOT = /^(project|group)_\d+_bot/

const KEYS: Record<string, string> = dictionary({
  issue: 'gitlab.issue',
  merge_request: 'gitlab.merge_request',
  note: 'gitlab.comment',
})

const CHANGES: Record<string, NormalizedEvent['change']> = dictionary({
  open: 'created',
  reopen: 'created',
  create: 'created',
  update: 'edited',
})

export const gitlabReceiver: ReceiverDefinition = {
  kind: 'code',
  proof: { by: 'signature', schemes: acceptedSchemes('gitlab'), secret: { from: 'generated' } },
  events: {
    'gitlab.issue': 'An issue was opened, reopened or edited',
    'gitlab.merge_request': 'A merge request was opened, reopened or edited',
    'gitlab.comment': 'A comment on an issue or a merge request',
  },
  normalize,
  marksReplies: true,
  sessionKey: 'gitlab:{thread}',
  reply: ({ replyTo: { project, on, iid } }, text) => ({
    method: 'POST',
    path: `/projects/${encodeSegment(String(project))}/${encodeSegment(String(on))}/${encodeSegment(String(iid))}/notes`,
    json: { body: withMark(text) },
  }),
  setup: repositoryHooks({
    path: hooksPath,
    hook: hookOf,
    updateMethod: 'PUT',
    list: { query: { per_page: 100 }, items: 'hooks', url: 'url', id: 'id' },
    field: {
      key: 'project',
      label: 'Project',
      hint: 'As group/name, or its id. The account must be a project maintainer',
      required: true,
      pattern: '(?!.*(^|/)\\.{1,2}(/|$))[\\w.-]+(/[\\w.-]+){0,20}',
    },
  }),
}

const isRewritten = (body: unknown) =>
  valueAt(body, 'changes.title') !== undefined || valueAt(body, 'changes.description') !== undefined

const project = id('Project path, such as group/name, or its id')

const iid = z.int().min(1).describe('The number after # or !')

const ISSUE = [
  'iid',
  'project_id',
  'title',
  'state',
  'web_url',
  'author.username',
  'labels',
  'created_at',
  'updated_at',
]

export const gitlab: ConnectorDefinition = {
  slug: 'gitlab',
  name: 'GitLab',
  description: 'Read and write issues, comments, merge requests and files in GitLab projects.',
  category: 'code',
  docsUrl: 'https://docs.gitlab.com/api/rest/',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'host',
      label: 'Host',
      required: false,
      hint: 'Only for a self-hosted GitLab server',
      pattern: '[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:\\d{1,5})?',
      placeholder: 'gitlab.com',
      default: 'gitlab.com',
    },
  ],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://{config.host}/oauth/authorize',
    tokenUrl: 'https://{config.host}/oauth/token',
    revoke: { url: 'https://{config.host}/oauth/revoke', how: 'form', field: 'token' },
    registerUrl: 'https://gitlab.com/-/user_settings/applications',
    scopes: { default: ['api'] },
    lifetime: { access: 7200, refresh: 'rotates' },
  },
  baseUrl: 'https://{config.host}/api/v4',
  check: {
    request: { method: 'GET', path: '/user' },
    account: { id: 'id', name: 'username', email: 'email', avatarUrl: 'avatar_url' },
  },
  errorFields: { code: 'error', message: 'message' },
  tools: [
    tool({
      name: 'search_issues',
      description:
        'Use it to find issues by words in their title or text, in one project or in all that the account sees.',
      input: z.object({
        search: z.string().min(1).max(200).optional(),
        project: project.optional(),
        state: z.enum(['opened', 'closed', 'all']).default('opened'),
        labels: z.string().max(500).optional().describe('Names, separated by commas'),
        limit: limit(100),
      }),
      effect: 'read',
      risk: 'none',
      request: (input) => ({
        method: 'GET',
        path: input.project === undefined ? '/issues' : '/projects/{project}/issues',
        query: {
          search: from('search'),
          state: from('state'),
          labels: from('labels'),
          scope: 'all',
          per_page: from('limit'),
        },
      }),
      answer: { pick: ISSUE },
      pages: { by: 'link' },
    }),
    tool({
      name: 'get_issue',
      description: 'Use it to read an issue’s text and state.',
      input: z.object({ project, iid }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/projects/{project}/issues/{iid}' },
      answer: {
        pick: [...ISSUE, 'description', 'assignees.username', 'milestone.title', 'user_notes_count'],
      },
    }),
    tool({
      name: 'create_issue',
      description: 'Use it to report a bug or propose a change in a project. Members can see it.',
      input: z.object({
        project,
        title: z.string().min(1).max(255),
        description: z.string().max(100_000).optional().describe('In Markdown'),
        labels: z.string().max(500).optional().describe('Names, separated by commas'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ description }) => ({
        method: 'POST',
        path: '/projects/{project}/issues',
        json: { title: from('title'), description: withMark(description ?? ''), labels: from('labels') },
      }),
      answer: { pick: ['iid', 'title', 'web_url'] },
    }),
    tool({
      name: 'comment',
      description: 'Use it to add a comment to an issue or a merge request. Participants are notified.',
      input: z.object({
        project,
        on: z.enum(['issues', 'merge_requests']),
        iid,
        body: z.string().min(1).max(100_000).describe('In Markdown'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ body }) => ({
        method: 'POST',
        path: '/projects/{project}/{on}/{iid}/notes',
        json: { body: withMark(body) },
      }),
      answer: { pick: ['id', 'created_at'] },
    }),
    tool({
      name: 'list_merge_requests',
      description: 'Use it to see a project’s merge requests, newest first.',
      input: z.object({
        project,
        state: z.enum(['opened', 'closed', 'merged', 'all']).default('opened'),
        limit: limit(100),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/projects/{project}/merge_requests',
        query: { state: from('state'), per_page: from('limit') },
      },
      answer: { pick: [...ISSUE, 'draft', 'source_branch', 'target_branch', 'detailed_merge_status'] },
      pages: { by: 'link' },
    }),
    tool({
      name: 'get_file',
      description: 'Use it to read a file in a project.',
      input: z.object({
        project,
        path: z.string().min(1).max(1000).describe('Such as src/main.ts'),
        ref: z.string().min(1).max(250).default('HEAD').describe('A branch, tag or commit'),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/projects/{project}/repository/files/{path}',
        query: { ref: from('ref') },
      },
      answer: { map: readFileAnswer },
    }),
  ],
  receiver: gitlabReceiver,
}

function hooksPath({ project = '' }: Readonly<Record<string, string>>): string {
  return `/projects/${encodeSegment(project)}/hooks`
}

function hookOf({ url, secret, events }: RegisteredEndpoint) {
  const includes = (key: string) => events.length === 0 || events.includes(key)
  return {
    url,
    token: secret,
    issues_events: includes('gitlab.issue'),
    merge_requests_events: includes('gitlab.merge_request'),
    note_events: includes('gitlab.comment'),
    push_events: false,
    enable_ssl_verification: true,
  }
}

function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  const eventKey = lookup(KEYS, textAt(body, 'object_kind'))
  const content = valueAt(body, 'object_attributes')
  const isNote = eventKey === 'gitlab.comment'
  // Older versions send no action for a new comment.
  const change = lookup(CHANGES, textAt(content, 'action') ?? (isNote ? 'create' : null))
  if (!eventKey || !change || valueAt(content, 'system') === true) return []
  const subject = isNote ? (valueAt(body, 'issue') ?? valueAt(body, 'merge_request')) : content
  const isMerge = valueAt(body, 'merge_request') !== undefined || eventKey === 'gitlab.merge_request'
  const [id, iid, project] = [textAt(content, 'id'), textAt(subject, 'iid'), textAt(body, 'project.id')]
  const text = textAt(content, isNote ? 'note' : 'description')
  const name = textAt(body, 'user.username')
  const isBot = BOT.test(name ?? '')
  if (id === null || iid === null || project === null || isMarked(text) || (isNote && isBot)) return []
  // Otherwise a label, an assignee or a commit changed.
  if (!isNote && change === 'edited' && !isRewritten(body)) return []
  const ref = `${isNote ? 'note' : isMerge ? 'merge_request' : 'issue'}:${id}`
  const isFirst = change === 'created' && textAt(content, 'action') !== 'reopen'
  return [
    normalizedEvent({
      eventKey,
      externalId: isFirst
        ? ref
        : `${ref}:${textAt(content, 'action')}:${textAt(content, 'updated_at') ?? ''}`,
      change,
      targetId: change === 'created' ? null : ref,
      actor: { id: textAt(body, 'user.id'), name, isBot },
      text: isNote ? text : `${textAt(content, 'title')}\n\n${text ?? ''}`.trim(),
      thread: `${textAt(body, 'project.path_with_namespace') ?? project}${isMerge ? '!' : '#'}${iid}`,
      resource: { type: isMerge ? 'merge_request' : 'issue', id: iid, url: textAt(content, 'url') },
      replyTo: { project, on: isMerge ? 'merge_requests' : 'issues', iid },
    }),
  ]
}
