import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { id, limit } from '../../definition/inputs.ts'
import { from } from '../../definition/request-template.ts'
import { graphql, LINEAR } from './linear-queries.ts'
import { linearReceiver } from './linear-receiver.ts'

const issue = id('The identifier, such as ENG-123, or the id of the issue')
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
    // Issues and comments are those of the app, not of the person who connected it.
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
  // GraphQL responds to errors with status 200 or 400.
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
      description: 'Use it to find issues by words of their title, text or comments.',
      input: z.object({
        query: z.string().min(1).max(500),
        teamId: uuid('Only issues of this team; list_teams returns it').optional(),
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
      description: 'Use it to report a bug or a task to a team. Members of the workspace can see it.',
      input: z.object({
        teamId: uuid('The id of the team; list_teams returns it'),
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
      description: 'Use it to change the state, the priority, the assignee or the text of an issue.',
      input: z.object({
        issue,
        title: z.string().min(1).max(255).optional(),
        description: text.optional(),
        stateId: uuid('A state of the team; list_teams returns the ids').optional(),
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
        parentId: uuid('The first comment of the thread that it answers').optional(),
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
      description:
        'Use it to find the ids of teams, of their states and of their members, which other tools need.',
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
