import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { bitbucket } from '../../../server/features/connections/connectors/catalog/code/bitbucket.ts'
import { github } from '../../../server/features/connections/connectors/catalog/code/github.ts'
import { gitlab } from '../../../server/features/connections/connectors/catalog/code/gitlab.ts'
import {
  expectSameRequests,
  failure,
  type ToolCase,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import {
  captureRequest,
  createTarget,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import { buildRequest } from '../../../server/features/connections/connectors/requests/build-request.ts'

const MARK = '\n\n<!-- atrium -->'
const inRepo = { owner: 'acme', repo: 'app.js' }

const octokit = async (baseUrl: string) => {
  const [{ Octokit }, { restEndpointMethods }] = await Promise.all([
    import('@octokit/core'),
    import('@octokit/plugin-rest-endpoint-methods'),
  ])
  return new (Octokit.plugin(restEndpointMethods))({ baseUrl }).rest
}

const GITHUB: ToolCase[] = [
  [
    'search_issues',
    { query: 'repo:acme/app is:open "{q}"', sort: 'updated', limit: 5 },
    async (url) =>
      (await octokit(url)).search.issuesAndPullRequests({
        q: 'repo:acme/app is:open "{q}"',
        sort: 'updated',
        per_page: 5,
      }),
  ],
  [
    'get_issue',
    { ...inRepo, number: 7 },
    async (url) => (await octokit(url)).issues.get({ ...inRepo, issue_number: 7 }),
  ],
  [
    'list_comments',
    { ...inRepo, number: 7 },
    async (url) => (await octokit(url)).issues.listComments({ ...inRepo, issue_number: 7, per_page: 30 }),
  ],
  [
    'create_issue',
    { ...inRepo, title: 'A', body: 'B', labels: ['bug'], assignees: ['ada'] },
    async (url) =>
      (await octokit(url)).issues.create({
        ...inRepo,
        title: 'A',
        body: `B${MARK}`,
        labels: ['bug'],
        assignees: ['ada'],
      }),
  ],
  [
    'comment',
    { ...inRepo, number: 7, body: 'Done {number}' },
    async (url) =>
      (await octokit(url)).issues.createComment({ ...inRepo, issue_number: 7, body: `Done {number}${MARK}` }),
  ],
  [
    'get_file',
    { ...inRepo, path: 'src/a b.ts', ref: 'main' },
    async (url) => (await octokit(url)).repos.getContent({ ...inRepo, path: 'src/a b.ts', ref: 'main' }),
  ],
]

const gitbeaker = async (host: string) => {
  const { Gitlab } = await import('@gitbeaker/rest')
  return new Gitlab({ host, token: 'token' })
}

const GITLAB: ToolCase[] = [
  [
    'search_issues',
    { search: 'login', limit: 5 },
    async (url) =>
      (await gitbeaker(url)).Issues.all({
        search: 'login',
        state: 'opened',
        scope: 'all',
        perPage: 5,
        maxPages: 1,
      } as never),
  ],
  [
    'search_issues',
    { project: 'acme/app', state: 'all', labels: 'bug' },
    async (url) =>
      (await gitbeaker(url)).Issues.all({
        projectId: 'acme/app',
        state: 'all',
        labels: 'bug',
        scope: 'all',
        perPage: 20,
        maxPages: 1,
      } as never),
  ],
  [
    'get_issue',
    { project: 'acme/app', iid: 7 },
    async (url) => (await gitbeaker(url)).Issues.show(7, { projectId: 'acme/app' }),
  ],
  [
    'create_issue',
    { project: 'acme/app', title: 'A', description: 'B', labels: 'bug' },
    async (url) =>
      (await gitbeaker(url)).Issues.create('acme/app', 'A', { description: `B${MARK}`, labels: 'bug' }),
  ],
  [
    'comment',
    { project: 'acme/app', on: 'issues', iid: 7, body: 'Done' },
    async (url) => (await gitbeaker(url)).IssueNotes.create('acme/app', 7, `Done${MARK}`),
  ],
  [
    'comment',
    { project: 'acme/app', on: 'merge_requests', iid: 7, body: 'Done' },
    async (url) => (await gitbeaker(url)).MergeRequestNotes.create('acme/app', 7, `Done${MARK}`),
  ],
  [
    'list_merge_requests',
    { project: 'acme/app' },
    async (url) =>
      (await gitbeaker(url)).MergeRequests.all({
        projectId: 'acme/app',
        state: 'opened',
        perPage: 20,
        maxPages: 1,
      }),
  ],
  [
    'get_file',
    { project: 'acme/app', path: 'src/a b.ts' },
    async (url) => (await gitbeaker(url)).RepositoryFiles.show('acme/app', 'src/a b.ts', 'HEAD'),
  ],
]

const inWorkspace = { workspace: 'acme', repo_slug: 'app' }
const require = createRequire(import.meta.url)

type Call = (parameters: object) => Promise<unknown>
/** Required without types: those of the package import sources that do not compile here. */
const bitbucketClient = (url: string): Record<'repositories' | 'source', Record<string, Call>> => {
  const { Bitbucket } = require('bitbucket')
  return new Bitbucket({ baseUrl: `${url}/2.0`, notice: false })
}

const BITBUCKET: ToolCase[] = [
  [
    'list_repositories',
    { workspace: 'acme', search: 'say "hi"', limit: 5 },
    (url) =>
      bitbucketClient(url).repositories.list!({
        workspace: 'acme',
        q: 'name ~ "say \\"hi\\""',
        sort: '-updated_on',
        pagelen: 5,
      }),
  ],
  [
    'list_pull_requests',
    { workspace: 'acme', repo: 'app' },
    (url) =>
      bitbucketClient(url).repositories.listPullRequests!({
        ...inWorkspace,
        state: 'OPEN',
        pagelen: 20,
      }),
  ],
  [
    'get_pull_request',
    { workspace: 'acme', repo: 'app', number: 7 },
    (url) => bitbucketClient(url).repositories.getPullRequest!({ ...inWorkspace, pull_request_id: 7 }),
  ],
  [
    'list_comments',
    { workspace: 'acme', repo: 'app', number: 7 },
    (url) =>
      bitbucketClient(url).repositories.listPullRequestComments!({
        ...inWorkspace,
        pull_request_id: 7,
        pagelen: 30,
      }),
  ],
  [
    'comment',
    { workspace: 'acme', repo: 'app', number: 7, body: 'Done', replyTo: 9 },
    (url) =>
      bitbucketClient(url).repositories.createPullRequestComment!({
        ...inWorkspace,
        pull_request_id: 7,
        _body: { content: { raw: 'Done' }, parent: { id: 9 } },
      }),
  ],
  [
    'get_file',
    { workspace: 'acme', repo: 'app', ref: 'main', path: 'a b.ts' },
    (url) => bitbucketClient(url).source.read!({ ...inWorkspace, commit: 'main', path: 'a b.ts' }),
  ],
  [
    'get_file',
    { workspace: 'acme', repo: 'app', path: 'src/a?.ts' },
    { method: 'GET', path: '/2.0/repositories/acme/app/src/HEAD/src/a%3F.ts', query: {}, body: null },
  ],
]

test.each([
  ['github', createTarget(github, { config: { host: 'github.com' } }), GITHUB],
  ['gitlab', createTarget(gitlab, { config: { host: 'gitlab.com' } }), GITLAB],
  ['bitbucket', createTarget(bitbucket), BITBUCKET],
])("%s: every tool makes its SDK's request", (_, target, cases) => expectSameRequests(target, cases))

describe('self-hosted server host', () => {
  const urlOf = (definition: typeof github, host: string) =>
    buildRequest(createTarget(definition, { config: { host } }), { method: 'GET', path: '/user' }, {}).url
  test('decides the API URL', () => {
    expect(urlOf(github, 'github.com')).toBe('https://api.github.com/user')
    expect(urlOf(github, 'acme.ghe.com')).toBe('https://api.acme.ghe.com/user')
    expect(urlOf(github, 'git.acme.example:8443')).toBe('https://git.acme.example:8443/api/v3/user')
    expect(urlOf(gitlab, 'git.acme.example')).toBe('https://git.acme.example/api/v4/user')
  })

  test('decides where tokens are revoked', () => {
    const { revoke } = github.auth as { revoke: { url: (config: Record<string, string>) => string } }
    expect(revoke.url({})).toBe('https://api.github.com/applications/{client.id}/token')
    const own = 'https://{config.host}/api/v3/applications/{client.id}/token'
    expect(revoke.url({ host: 'git.acme.example' })).toBe(own)
  })

  test('is a host and nothing else', () => {
    const hostile = [
      'a/b',
      'a@b',
      'a?b',
      'a#b',
      'a\\b',
      'https://a/x',
      '',
      ' ',
      'a.example/.ghe.com',
      '{config.x}',
    ]
    for (const definition of [github, gitlab]) {
      const pattern = new RegExp(`^(?:${definition.config![0]!.pattern})$`)
      for (const host of hostile) {
        expect(pattern.test(host), host).toBe(false)
        expect(() => urlOf(definition, host), host).toThrow()
      }
    }
  })
})

test('a file path stays below the repository', async () => {
  const input = { workspace: 'acme', repo: 'app', path: 'src/../../../../user' }
  await expect(captureRequest(createTarget(bitbucket), 'get_file', input)).rejects.toThrow()
})

test('files are returned as text, folders as lists, and failures by their meaning', () => {
  const map = github.tools.find(({ name }) => name === 'get_file')!.answer!.map!
  const file = (text: string | Buffer, own = {}) => ({
    path: 'a',
    size: 3,
    encoding: 'base64',
    content: Buffer.from(text).toString('base64'),
    ...own,
  })
  expect(map(file('héy'))).toEqual({ path: 'a', size: 3, text: 'héy' })
  expect(map(file(Buffer.from([0, 1, 2])))).toMatchObject({ text: null })
  expect(map(file('', { encoding: 'none', content: '' }))).toMatchObject({ text: null })
  expect(map([{ name: 'a', path: 'a', type: 'file', size: 1, sha: 'x' }])).toEqual([
    { name: 'a', path: 'a', type: 'file', size: 1 },
  ])
  const limited = { message: 'API rate limit exceeded for user ID 1.' }
  expect(failure(github, 403, limited)?.means).toBe('slow_down')
  expect(failure(github, 403, { message: 'Resource not accessible' })?.means).toBe('forbidden')
  expect(failure(bitbucket, 404, { type: 'error', error: { message: 'No such repository' } })).toMatchObject({
    means: 'not_found',
    message: 'No such repository',
  })
})
