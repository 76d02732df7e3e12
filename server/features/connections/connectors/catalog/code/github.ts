import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { limit } from '../../definition/inputs.ts'
import { from } from '../../definition/request-template.ts'
import { fileOf } from './file-content.ts'
import { githubReceiver } from './github-receiver.ts'
import { withMark } from './own-mark.ts'

const name = z.string().regex(/^[\w.-]{1,100}$/)
const repository = {
  owner: name.describe('The user or organization of the repository'),
  repo: name.describe('The name of the repository'),
}
const number = z.int().min(1).describe('The number of the issue or pull request')
const body = z.string().max(60_000).describe('In Markdown')
const ISSUE = [
  'number',
  'title',
  'state',
  'html_url',
  'user.login',
  'labels.name',
  'comments',
  'created_at',
  'updated_at',
]

export const github: ConnectorDefinition = {
  slug: 'github',
  name: 'GitHub',
  description: 'Read and write issues, comments, pull requests and files of GitHub repositories.',
  category: 'code',
  docsUrl: 'https://docs.github.com/en/rest',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'host',
      label: 'Host',
      required: false,
      hint: 'Only for GitHub Enterprise: the host of your server',
      pattern: '[A-Za-z0-9][A-Za-z0-9.-]{0,252}(:\\d{1,5})?',
      placeholder: 'github.com',
      default: 'github.com',
    },
  ],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://{config.host}/login/oauth/authorize',
    tokenUrl: 'https://{config.host}/login/oauth/access_token',
    revoke: { url: (config) => `${apiOf(config)}/applications/{client.id}/token`, how: 'delete' },
    registerUrl: 'https://github.com/settings/developers',
    scopes: { default: ['repo', 'read:user', 'user:email'], optional: ['read:org'] },
    selectAccount: { prompt: 'select_account' },
    // Tokens of an OAuth app do not expire; those of a GitHub App expire after 8 hours and come with `expires_in`.
    lifetime: { access: null, refresh: 'rotates', idleDays: 180 },
  },
  baseUrl: apiOf,
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  check: {
    request: { method: 'GET', path: '/user' },
    account: { id: 'id', name: 'login', email: 'email', avatarUrl: 'avatar_url' },
  },
  retryAfter: { header: 'x-ratelimit-reset', unit: 'epoch' },
  // Requests beyond a rate limit are refused with 403 or 429.
  errors: [{ path: 'message', includes: 'rate limit', means: 'slow_down' }],
  errorFields: { code: 'errors.0.code', message: 'message' },
  tools: [
    tool({
      name: 'search_issues',
      description:
        'Use it to find issues and pull requests, in one repository or in all, by the search syntax of GitHub: repo:acme/app is:pr is:open author:ada.',
      input: z.object({
        query: z.string().min(1).max(500),
        sort: z.enum(['created', 'updated', 'comments']).optional().describe('By default the best match'),
        limit: limit(100),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/search/issues',
        query: { q: from('query'), sort: from('sort'), per_page: from('limit') },
      },
      answer: { at: 'items', pick: [...ISSUE, 'repository_url', 'pull_request.html_url'] },
      pages: { by: 'link' },
    }),
    tool({
      name: 'get_issue',
      description: 'Use it to read the text and the state of an issue or a pull request.',
      input: z.object({ ...repository, number }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{number}' },
      answer: {
        pick: [...ISSUE, 'body', 'assignees.login', 'milestone.title', 'closed_at', 'pull_request.html_url'],
      },
    }),
    tool({
      name: 'list_comments',
      description: 'Use it to read the discussion of an issue or a pull request, oldest comment first.',
      input: z.object({ ...repository, number, limit: limit(100, 30) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/repos/{owner}/{repo}/issues/{number}/comments',
        query: { per_page: from('limit') },
      },
      answer: { pick: ['id', 'user.login', 'body', 'created_at', 'html_url'] },
      pages: { by: 'link' },
    }),
    tool({
      name: 'create_issue',
      description: 'Use it to report a bug or propose a change in a repository. Watchers are notified.',
      input: z.object({
        ...repository,
        title: z.string().min(1).max(256),
        body: body.optional(),
        labels: z.array(z.string().min(1).max(50)).max(20).optional(),
        assignees: z.array(name).max(10).optional().describe('Logins'),
      }),
      effect: 'once',
      risk: 'send',
      request: (input) => ({
        method: 'POST',
        path: '/repos/{owner}/{repo}/issues',
        json: {
          title: from('title'),
          body: withMark(input.body ?? ''),
          labels: from('labels'),
          assignees: from('assignees'),
        },
      }),
      answer: { pick: ['number', 'title', 'html_url'] },
    }),
    tool({
      name: 'comment',
      description: 'Use it to add a comment to an issue or a pull request. Participants are notified.',
      input: z.object({ ...repository, number, body: body.min(1) }),
      effect: 'once',
      risk: 'send',
      request: (input) => ({
        method: 'POST',
        path: '/repos/{owner}/{repo}/issues/{number}/comments',
        json: { body: withMark(input.body) },
      }),
      answer: { pick: ['id', 'html_url'] },
    }),
    tool({
      name: 'get_file',
      description: 'Use it to read a file of a repository, or to list the entries of a folder.',
      input: z.object({
        ...repository,
        path: z.string().max(1000).describe('Such as src/main.ts; empty for the root'),
        ref: z.string().min(1).max(250).optional().describe('A branch, tag or commit'),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/repos/{owner}/{repo}/contents/{path}',
        query: { ref: from('ref') },
      },
      answer: { map: fileOf },
    }),
  ],
  receiver: githubReceiver,
}

/** github.com, Enterprise Cloud with data residency, or Enterprise Server. */
function apiOf({ host = 'github.com' }: Readonly<Record<string, string>>): string {
  if (host === 'github.com') return 'https://api.github.com'
  return host.endsWith('.ghe.com') ? 'https://api.{config.host}' : 'https://{config.host}/api/v3'
}
