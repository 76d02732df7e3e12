import type { LinearDocument } from '@linear/sdk'
import { describe, expect, test } from 'vitest'
import {
  textOfDocument,
  toAtlassianDocument,
} from '../../../server/features/connections/connectors/catalog/atlassian.ts'
import { asana } from '../../../server/features/connections/connectors/catalog/issues/asana.ts'
import { jira } from '../../../server/features/connections/connectors/catalog/issues/jira.ts'
import { LINEAR, linear } from '../../../server/features/connections/connectors/catalog/issues/linear.ts'
import { trello } from '../../../server/features/connections/connectors/catalog/issues/trello.ts'
import asanaSdk from '../../../server/features/connections/connectors/catalog/recorded/asana.json' with {
  type: 'json',
}
import jiraSdk from '../../../server/features/connections/connectors/catalog/recorded/jira.json' with {
  type: 'json',
}
import {
  expectSameRequests,
  failure,
  type ToolCase,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { parseSelections } from '../../../server/features/connections/connectors/catalog/testing/graphql-selections.ts'
import {
  captureRequest,
  createTarget,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'

const JIRA: ToolCase[] = [
  ['search_issues', { jql: 'project = APP' }, jiraSdk.requests.search_issues],
  ['get_issue', { key: 'APP-1' }, jiraSdk.requests.get_issue],
  [
    'create_issue',
    { project: 'APP', summary: 'A', description: 'B', labels: ['x'] },
    jiraSdk.requests.create_issue,
  ],
  ['comment', { key: 'APP-1', text: 'Done' }, jiraSdk.requests.comment],
  ['list_transitions', { key: 'APP-1' }, jiraSdk.requests.list_transitions],
  ['transition_issue', { key: 'APP-1', transitionId: '31' }, jiraSdk.requests.transition_issue],
]

const ASANA: ToolCase[] = [
  ['search_tasks', { text: 'login', completed: false }, asanaSdk.requests.search_tasks],
  ['list_tasks', { projectId: '12' }, asanaSdk.requests.list_tasks],
  ['list_tasks', {}, asanaSdk.requests.list_projects],
  ['get_task', { task: '5' }, asanaSdk.requests.get_task],
  [
    'create_task',
    { projectId: '12', name: 'A', notes: 'B', dueOn: '2026-11-30', assignee: 'me' },
    asanaSdk.requests.create_task,
  ],
  ['complete_task', { task: '5' }, asanaSdk.requests.complete_task],
  ['comment', { task: '5', text: 'Done' }, asanaSdk.requests.comment],
]

const BOARD = 'a'.repeat(24)
const LIST = 'b'.repeat(24)
const trelloClient = async (url: string) => {
  const { createTrelloClient } = await import('trello.js')
  return createTrelloClient({ host: `${url}/1`, apiKey: 'k', apiToken: 't' } as never)
}
const TRELLO: ToolCase[] = [
  [
    'list_boards',
    {},
    async (url) =>
      (await trelloClient(url)).members.getMemberBoards({
        id: 'me',
        filter: 'open',
        fields: 'id,name,desc,url',
      } as never),
  ],
  [
    'list_lists',
    { board: BOARD },
    async (url) =>
      (await trelloClient(url)).boards.getBoardLists({
        id: BOARD,
        filter: 'open',
        fields: 'id,name',
      } as never),
  ],
  [
    'list_cards',
    { board: BOARD },
    // The SDK drops the parameters, which the reference names under nested resources.
    {
      method: 'GET',
      path: `/1/boards/${BOARD}/cards`,
      query: { fields: 'id,name,desc,idList,due,dueComplete,labels,shortUrl,dateLastActivity', limit: '100' },
      body: null,
    },
  ],
  [
    'create_card',
    { list: LIST, name: 'A', description: 'B', due: '2026-11-30T12:00:00Z' },
    async (url) =>
      (await trelloClient(url)).cards.createCard({
        idList: LIST,
        name: 'A',
        desc: 'B',
        due: '2026-11-30T12:00:00Z',
      } as never),
  ],
  [
    'move_card',
    { card: BOARD, list: LIST },
    async (url) => (await trelloClient(url)).cards.updateCard({ id: BOARD, idList: LIST } as never),
  ],
  [
    'comment',
    { card: BOARD, text: 'Done' },
    async (url) => (await trelloClient(url)).cards.createCardComment({ id: BOARD, text: 'Done' } as never),
  ],
]

test.each([
  [`jira, by ${jiraSdk.sdk} ${jiraSdk.version}`, createTarget(jira, { kept: { cloudId: 'cloud-1' } }), JIRA],
  [
    `asana, by ${asanaSdk.sdk} ${asanaSdk.version}`,
    createTarget(asana, { kept: { workspaceId: '77' } }),
    ASANA,
  ],
])("%s: every tool makes its SDK's request", (_, target, cases) => expectSameRequests(target, cases))

test("trello: every tool makes its SDK's request", () =>
  expectSameRequests(createTarget(trello), TRELLO, { credentials: ['key', 'token'], writesInUrl: true }))

describe('linear', () => {
  const ID = '11111111-1111-4111-8111-111111111111'
  /** The names in the types of the SDK; a name that they do not have does not compile. */
  const issue = [
    'id',
    'identifier',
    'title',
    'url',
    'priorityLabel',
    'createdAt',
    'updatedAt',
    'state',
    'assignee',
    'team',
    'description',
    'dueDate',
    'labels',
    'comments',
  ] satisfies (keyof LinearDocument.Issue)[]
  const TYPES: Record<string, readonly string[]> = {
    viewer: ['id', 'name', 'email', 'avatarUrl'] satisfies (keyof LinearDocument.User)[],
    issue,
    'searchIssues.nodes': issue.filter(
      (name) => !['description', 'dueDate', 'labels', 'comments'].includes(name),
    ) satisfies (keyof LinearDocument.IssueSearchResult)[],
    'issue.state': ['id', 'name', 'type'] satisfies (keyof LinearDocument.WorkflowState)[],
    'issue.comments.nodes': ['id', 'body', 'createdAt', 'user'] satisfies (keyof LinearDocument.Comment)[],
    issueCreate: ['success', 'issue'] satisfies (keyof LinearDocument.IssuePayload)[],
    'commentCreate.comment': ['id', 'url'] satisfies (keyof LinearDocument.Comment)[],
    'teams.nodes': ['id', 'key', 'name', 'states', 'members'] satisfies (keyof LinearDocument.Team)[],
    'teams.pageInfo': ['hasNextPage', 'endCursor'] satisfies (keyof LinearDocument.PageInfo)[],
    'webhooks.nodes': ['id', 'url'] satisfies (keyof LinearDocument.Webhook)[],
    webhookCreate: ['success', 'webhook'] satisfies (keyof LinearDocument.WebhookPayload)[],
  }
  const roots = [
    'viewer',
    'searchIssues',
    'issue',
    'teams',
    'webhooks',
  ] satisfies (keyof LinearDocument.Query)[]
  const mutations = [
    'issueCreate',
    'issueUpdate',
    'commentCreate',
    'webhookCreate',
    'webhookUpdate',
    'webhookDelete',
  ] satisfies (keyof LinearDocument.Mutation)[]

  test('documents select fields the SDK has', () => {
    const selections = Object.assign({}, ...Object.values(LINEAR).map(parseSelections)) as Record<
      string,
      string[]
    >
    expect(Object.keys(LINEAR).sort()).toEqual([...roots, ...mutations].sort())
    for (const name of Object.keys(LINEAR)) expect(selections).toHaveProperty([name])
    for (const [path, fields] of Object.entries(TYPES)) {
      expect(fields, path).toEqual(expect.arrayContaining(selections[path]!))
    }
  })

  test("inputs match the SDK's", async () => {
    const variables = async (tool: string, input: object) => {
      const { path, body } = await captureRequest(
        createTarget(linear),
        tool,
        input as Record<string, unknown>,
      )
      expect(path).toBe('/graphql')
      return (body as { variables: unknown }).variables
    }
    const text = { title: 'A', description: 'B', priority: 2, assigneeId: ID }
    expect(await variables('create_issue', { teamId: ID, ...text })).toEqual({
      input: { teamId: ID, ...text } satisfies LinearDocument.IssueCreateInput,
    })
    expect(await variables('update_issue', { issue: 'ENG-1', stateId: ID, title: 'A' })).toEqual({
      id: 'ENG-1',
      input: { stateId: ID, title: 'A' } satisfies LinearDocument.IssueUpdateInput,
    })
    expect(await variables('comment', { issue: 'ENG-1', body: 'Done', parentId: ID })).toEqual({
      input: { issueId: 'ENG-1', body: 'Done', parentId: ID } satisfies LinearDocument.CommentCreateInput,
    })
    expect(await variables('search_issues', { query: 'login', teamId: ID })).toEqual({
      term: 'login',
      first: 20,
      teamId: ID,
    } satisfies LinearDocument.QuerySearchIssuesArgs)
    expect(await variables('get_issue', { issue: 'ENG-1' })).toEqual({ id: 'ENG-1' })
    expect(await variables('list_teams', {})).toEqual({ first: 20 })
    expect(linear.tools).toHaveLength(6)
  })

  test('GraphQL errors are failures', () => {
    const errors = (code: string) => ({ errors: [{ message: 'No', extensions: { code } }], data: null })
    expect(failure(linear, 200, errors('AUTHENTICATION_ERROR'))?.means).toBe('expired')
    expect(failure(linear, 400, errors('RATELIMITED'))?.means).toBe('slow_down')
    const missing = { errors: [{ message: 'Entity not found: Webhook' }] }
    expect(failure(linear, 200, missing)?.means).toBe('not_found')
    expect(failure(linear, 200, errors('INVALID_INPUT'))).toMatchObject({ means: 'invalid', message: 'No' })
  })
})

test('Atlassian documents keep paragraphs, lines and code, and are read as text', () => {
  const text = 'One\ntwo {x}\n\nThree\n\n```js\nlet a\n```'
  const document = toAtlassianDocument(text)
  expect(document).toEqual({
    version: 1,
    type: 'doc',
    content: [
      {
        type: 'paragraph',
        content: [{ type: 'text', text: 'One' }, { type: 'hardBreak' }, { type: 'text', text: 'two {x}' }],
      },
      { type: 'paragraph', content: [{ type: 'text', text: 'Three' }] },
      { type: 'codeBlock', content: [{ type: 'text', text: 'let a' }] },
    ],
  })
  expect(textOfDocument(document)).toBe('One\ntwo {x}\nThree\nlet a')
  expect(textOfDocument('wiki text')).toBe('wiki text')
  expect(textOfDocument(null)).toBeNull()
  const mention = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'mention', attrs: { text: '@Ada' } }] }],
  }
  expect(textOfDocument(mention)).toBe('@Ada')
  expect(JSON.stringify(toAtlassianDocument(' '))).not.toContain('"text":""')
})

test('the Jira site and Asana workspace are the ones the member named', () => {
  const sites = [
    { id: 'c0', url: 'https://wiki.atlassian.net', scopes: ['read:confluence-content.all'] },
    { id: 'c1', url: 'https://acme.atlassian.net', scopes: ['read:jira-work'] },
    { id: 'c2', url: 'https://Other.atlassian.net', scopes: ['read:jira-work'] },
  ]
  expect(jira.discover!.keep(sites, {})).toMatchObject({ cloudId: 'c1' })
  expect(jira.discover!.keep(sites, { site: 'other' })).toMatchObject({ cloudId: 'c2' })
  expect(() => jira.discover!.keep(sites, { site: 'wiki' })).toThrow('no access')
  expect(() => jira.discover!.keep([], {})).toThrow('no site')
  const me = {
    data: {
      workspaces: [
        { gid: '1', name: 'Acme' },
        { gid: '2', name: 'Home' },
      ],
    },
  }
  expect(asana.discover!.keep(me, {})).toEqual({ workspaceId: '1' })
  expect(asana.discover!.keep(me, { workspace: 'home' })).toEqual({ workspaceId: '2' })
  expect(() => asana.discover!.keep(me, { workspace: 'none' })).toThrow('no workspace named none')
  expect(failure(asana, 402, { errors: [{ message: 'Payment Required' }] })?.message).toContain('list_tasks')
})
