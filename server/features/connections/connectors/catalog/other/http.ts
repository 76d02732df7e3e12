import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { encodeSegment, from, type RequestTemplate } from '../../definition/template.ts'

const path = z
  .string()
  .max(2000)
  .regex(/^\/[^?#\\\0\r\n]*$/, 'must start with / and have no ? or #: parameters belong in query')
  .refine(
    (value) => !value.split('/').some((segment) => segment === '.' || segment === '..'),
    'must not contain . or .. segments',
  )
  .describe('Below the base URL, such as /orders/17')
const query = z
  .record(z.string().min(1).max(200), z.union([z.string().max(4000), z.number(), z.boolean()]))
  .default({})
const body = z.unknown().optional().describe('JSON')

const request = (
  method: RequestTemplate['method'],
  input: { path: string; query: Record<string, string | number | boolean> },
): RequestTemplate => ({
  method,
  path: input.path.split('/').map(encodeSegment).join('/'),
  query: input.query,
  ...(method !== 'GET' && method !== 'DELETE' && { json: from('body') }),
})

const writeTool = (
  name: string,
  method: 'POST' | 'PUT' | 'PATCH',
  description: string,
  effect: 'once' | 'idempotent',
) =>
  tool({
    name,
    description,
    input: z.object({ path, query, body }),
    effect,
    risk: 'send',
    request: (input) => request(method, input),
  })

export const http: ConnectorDefinition = {
  slug: 'http',
  name: 'HTTP',
  description: 'Call any service with a JSON API, authorized by a header or by a user name and password.',
  category: 'other',
  docsUrl: 'https://www.rfc-editor.org/rfc/rfc9110',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'baseUrl',
      label: 'Base URL',
      required: true,
      hint: 'All requests go below this URL, and to no other host.',
      pattern:
        'https://[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[0-9]{1,5})?(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?',
      placeholder: 'https://api.example.com/v1',
    },
    {
      key: 'checkPath',
      label: 'Path for the check',
      required: false,
      hint: 'A path below the base URL that responds to GET with success if the credentials are right.',
      pattern: '(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?',
      placeholder: '/me',
      default: '/',
    },
  ],
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'headerName',
        label: 'Header',
        required: false,
        hint: 'Header name, such as Authorization or X-API-Key.',
        pattern: '[A-Za-z0-9-]{1,64}',
        placeholder: 'Authorization',
      },
      {
        key: 'headerValue',
        label: 'Header value',
        required: false,
        secret: true,
        hint: 'Complete, such as Bearer followed by a token.',
        pattern: '[\\x20-\\x7e]{1,4000}',
      },
      {
        key: 'username',
        label: 'User name',
        required: false,
        hint: 'For basic authentication, instead of a header.',
        pattern: '[^:\\x00-\\x1f]{1,255}',
      },
      { key: 'password', label: 'Password', required: false, secret: true },
    ],
    send: [
      { header: '{credentials.headerName}', value: '{credentials.headerValue}', optional: true },
      { basic: { user: '{credentials.username}', password: '{credentials.password}' }, optional: true },
    ],
  },
  baseUrl: ({ baseUrl }) => baseUrl ?? '{config.baseUrl}',
  check: {
    request: ({ checkPath }) => ({ method: 'GET', path: checkPath || '/' }),
    account: {},
  },
  tools: [
    tool({
      name: 'get',
      description: 'Use this to read something from this connection’s service.',
      input: z.object({ path, query }),
      effect: 'read',
      risk: 'none',
      request: (input) => request('GET', input),
    }),
    writeTool('post', 'POST', 'Use this to create something in the service, or to start an action.', 'once'),
    writeTool('put', 'PUT', 'Use this to replace something in the service.', 'idempotent'),
    writeTool('patch', 'PATCH', 'Use this to change something in the service.', 'once'),
    tool({
      name: 'delete',
      description: 'Use this to delete something in the service.',
      input: z.object({ path, query }),
      effect: 'idempotent',
      risk: 'delete',
      request: (input) => request('DELETE', input),
    }),
  ],
}
