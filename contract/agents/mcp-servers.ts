import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { anonymous, attemptsPerIp, endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, text } from '../fields.ts'
import { MCP_AUTH_NAMES, MCP_LIMITS } from './mcp-server-options.ts'
import * as records from './mcp-server-records.ts'

export const MCP_AREA = 'Managing MCP servers'

const params = z.object({ id: Id })
const writes = steppedUp(MCP_AREA, { role: 'admin' })

const Name = displayName(1, MCP_LIMITS.name).meta({ examples: ['Linear'] })
const Url = text(1, MCP_LIMITS.url).describe('Streamable HTTP URL')
const HeaderName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'must be a header name')
  .describe('Header that carries the secret')
  .meta({ examples: ['Authorization'] })
const Secret = z
  .string()
  .regex(
    /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
    'must be printable ASCII characters, without spaces at the ends',
  )
  .max(MCP_LIMITS.secret, `must be at most ${MCP_LIMITS.secret} characters`)
const Value = Secret.describe('Header value. Stored encrypted and never returned').meta({
  examples: ['Bearer 5f0c1d2e3b4a'],
})
const Client = z
  .strictObject({
    id: text(1, 500).describe('This server’s client id at the authorization server'),
    secret: Secret.optional().describe('Stored encrypted and never returned'),
  })
  .describe('For authorization servers that do not register clients')
const Allow = z
  .array(text(1, MCP_LIMITS.toolName))
  .max(MCP_LIMITS.tools, `must have at most ${MCP_LIMITS.tools} tools`)
  .transform((names) => [...new Set(names)])
const settings = {
  trusted: z
    .boolean()
    .describe(
      'Whether to trust the server’s hints: a tool that it marks as read-only then needs no approval',
    ),
  enabled: z.boolean(),
  approvals: records.McpApprovals,
}
const credentials = {
  auth: z.enum(MCP_AUTH_NAMES, { error: `must be one of ${MCP_AUTH_NAMES.join(', ')}` }),
  header: z.strictObject({ name: HeaderName, value: Value }).optional().describe('For `auth: header`'),
  client: Client.optional(),
}

/** Each call connects to another server. */
const limit = { name: 'mcp-servers', by: 'caller', capacity: 30, perSeconds: 60 } as const

export const mcpServers = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/mcp-servers',
    summary: 'List MCP servers',
    description: 'The MCP servers whose tools agents can use, by name.',
    access: member(),
    output: z.object({ items: z.array(records.McpServer) }),
    reduced: { below: 'admin', output: z.object({ items: z.array(records.McpServerSummary) }) },
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/mcp-servers',
    summary: 'Add an MCP server',
    description:
      'Connects to the server and lists its tools. The tools in `allow` are accepted as the server lists them now; all others stay off until they are accepted. `name` defaults to the name the server reports. A server that does not respond is still added, with its `problem`. Returns CONFLICT if the organization already has a server with this name.',
    access: writes,
    body: z.object({
      url: Url,
      name: Name.optional(),
      auth: credentials.auth.default('none'),
      header: credentials.header,
      client: credentials.client,
      allow: Allow.default([]).describe('Tool names as the server lists them'),
      approvals: settings.approvals.default({}),
      trusted: settings.trusted.default(false),
    }),
    output: records.McpServerDetails,
    status: 201,
    limit,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/mcp-servers/:id',
    summary: 'Get an MCP server',
    description: 'Includes its tools, both as an admin accepted them and as the server lists them now.',
    access: member(),
    params,
    output: records.McpServerDetails,
    reduced: { below: 'admin', output: records.McpServerSummary },
    versioned: true,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/mcp-servers/:id',
    summary: 'Update an MCP server',
    description:
      'Changing `url` or `auth` requires the credentials again, so that a stored secret is never sent to another server, and turns all tools off until they are accepted. `allow` replaces the list of allowed tools; each must be accepted. The part of the tool names that identifies the server never changes. Returns CONFLICT if the organization already has a server with this name.',
    access: writes,
    params,
    body: z
      .object({
        url: Url.optional(),
        name: Name.optional(),
        auth: credentials.auth.optional(),
        header: credentials.header,
        client: credentials.client,
        allow: Allow.optional().describe('Names of the accepted tools that agents can use'),
        approvals: settings.approvals.optional(),
        trusted: settings.trusted.optional(),
        enabled: settings.enabled.optional(),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      }),
    output: records.McpServerDetails,
    versioned: true,
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/mcp-servers/:id',
    summary: 'Delete an MCP server',
    description:
      'Permanently deletes the server with its credentials and tools. Agents that list it continue without it; `agents` lists them.',
    access: writes,
    params,
    output: z.object({ deleted: z.literal(true), agents: z.array(records.UsingAgent) }),
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/v1/mcp-servers/:id/check',
    summary: 'Check an MCP server',
    description:
      'Connects now and lists the tools. If the server does not respond, returns 200 with the `problem`. New or changed tools stay off until they are accepted.',
    access: member({ role: 'admin' }),
    params,
    output: records.McpCheck,
    limit,
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/v1/mcp-servers/:id/accept',
    summary: 'Accept MCP server tools',
    description:
      'Accepts each tool as identified by the `hash` you have seen. Returns CONFLICT if a tool has changed since. A null `hash` removes a tool that the server no longer lists.',
    access: writes,
    params,
    body: z.object({
      tools: z
        .array(
          z.strictObject({
            name: text(1, MCP_LIMITS.toolName),
            hash: z.string().max(64).nullable().describe('The tool’s `hash`'),
            allow: z.boolean().default(true).describe('Whether agents can use it'),
          }),
        )
        .min(1, 'must have at least one tool')
        .max(MCP_LIMITS.tools, `must have at most ${MCP_LIMITS.tools} tools`)
        .meta({ examples: [[{ name: 'search_issues', hash: null, allow: true }]] }),
    }),
    output: records.McpServerDetails,
    versioned: true,
  }),
  calls: endpoint({
    method: 'GET',
    path: '/api/v1/mcp-servers/:id/calls',
    summary: 'List recent MCP server calls',
    description: 'The last 50 calls to its tools in runs, newest first, without inputs and outputs.',
    access: member({ role: 'admin' }),
    params,
    output: z.object({ items: z.array(records.McpCall) }),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/v1/mcp-servers/:id/sign-in',
    summary: 'Sign in to an MCP server',
    description:
      'Discovers the authorization server, registers a client if it has none, and returns the URL to open in this browser. The provider redirects the browser to the callback, which stores the tokens. Returns CONFLICT if the server does not use OAuth, and BAD_REQUEST if its authorization server cannot be used.',
    access: writes,
    params,
    output: z.object({ url: z.string() }),
    limit,
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/v1/mcp-servers/:id/sign-out',
    summary: 'Sign out of an MCP server',
    description: 'Deletes the stored tokens. Agents’ calls fail until an admin signs in again.',
    access: writes,
    params,
    output: records.McpServerDetails,
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/v1/mcp-servers/oauth/callback',
    summary: 'Complete a sign-in to an MCP server',
    description:
      'Redirect URI for authorization servers. Accepts only the browser session that started the sign-in, and redirects to the server’s page; on failure with `error=`: `expired`, `access_denied`, `wrong_issuer` or `failed`.',
    access: anonymous({ identify: true }),
    query: z.looseObject({ state: text(1, 500) }).describe('Parameters added by the authorization server'),
    output: z.null(),
    redirects: true,
    status: 302,
    limit: attemptsPerIp('mcp-callback'),
  }),
}
