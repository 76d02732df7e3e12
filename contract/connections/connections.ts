import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { anonymous, attemptsPerIp, endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, NextPath, queryFlag, Timestamp, text } from '../fields.ts'
import {
  CONNECTION_LIMITS,
  CONNECTION_SHARING,
  CONNECTION_STATUSES,
  CONNECTOR_AUTH_TYPES,
} from './connector-options.ts'
import { ConnectorSlug } from './connectors.ts'

export const CONNECTIONS_AREA = 'Sharing connections'

const read = member({ scope: 'connections:read' })
const write = member({ scope: 'connections:write' })
const params = z.object({ id: Id })
const Label = displayName(1, CONNECTION_LIMITS.label).meta({ examples: ['Work'] })
const Values = z
  .record(text(1, 64), text(0, CONNECTION_LIMITS.field))
  .refine((values) => Object.keys(values).length <= 20, 'must have at most 20 fields')

export const Connection = z.object({
  id: Id,
  connectorSlug: z.string(),
  connector: z.object({ name: z.string(), authType: z.enum(CONNECTOR_AUTH_TYPES) }),
  label: z.string().nullable(),
  status: z.enum(CONNECTION_STATUSES),
  statusReason: z.string().nullable().describe('Human-readable reason why it is not active'),
  account: z
    .object({
      id: z.string().nullable(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      avatarUrl: z.string().nullable(),
    })
    .nullable()
    .describe('Account at the provider; null until the connection is active'),
  config: z
    .record(z.string(), z.string())
    .describe('Fields entered before the connection started, such as the host'),
  scopes: z.array(z.string()).describe('Scopes granted by the provider'),
  missingScopes: z.array(z.string()).describe('Scopes that were requested but not granted'),
  shared: z.enum(CONNECTION_SHARING),
  sharedProjectId: Id.nullable(),
  owner: z.object({ id: Id, name: z.string() }),
  heldCount: z.int().describe('Number of provider events waiting until the connection works again'),
  expiresAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable(),
  lastRefreshAt: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Timestamp.nullable(),
})

const StartResult = z.object({
  connection: Connection,
  oauthUrl: z.string().nullable().describe('URL to open in a new tab in this browser'),
  credentialSubmitUrl: z.string().nullable().describe('Path to send credentials to'),
})

export const ConnectionCall = z.object({
  id: Id,
  runId: Id,
  tool: z.string(),
  status: z.enum(['succeeded', 'failed']),
  httpStatus: z.int().nullable(),
  errorCode: z.string().nullable(),
  request: z.unknown().describe('Without secrets'),
  answer: z.unknown().describe('Without secrets, at most 16 KB'),
  startedAt: Timestamp,
  durationMs: z.int(),
  attempts: z.int(),
})

/** Each call reaches the provider. */
const limit = { name: 'connections', by: 'caller', capacity: 30, perSeconds: 60 } as const

export const connections = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/connections',
    summary: 'List connections',
    description: 'Your connections, newest first; with `shared=true`, also those that others share with you.',
    access: read,
    query: z.object({ shared: queryFlag() }),
    output: z.object({ items: z.array(Connection) }),
    tool: 'read',
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v1/connections',
    summary: 'Start a connection',
    description:
      'With `credentials`, checks them with the provider and creates a working connection; nothing is stored if the provider rejects them. Otherwise creates a pending connection and returns the next step: `oauthUrl` to open, or `credentialSubmitUrl` for the credentials. Returns the existing connection with 200 if the caller has an active one with this connector and label. Returns BAD_REQUEST if the connector does not exist or has no OAuth client.',
    access: write,
    body: z.object({
      connectorSlug: ConnectorSlug,
      label: Label.optional(),
      config: Values.default({}).describe('The connector’s `configFields`'),
      credentials: Values.optional().describe('The connector’s `credentialFields`, if it does not use OAuth'),
    }),
    output: StartResult,
    status: 201,
    also: { 200: 'The caller already has this connection' },
    limit,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/connections/:id',
    summary: 'Get a connection',
    access: read,
    params,
    malformedId: 'BAD_REQUEST',
    output: Connection,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/connections/:id',
    summary: 'Rename a connection',
    access: write,
    params,
    malformedId: 'BAD_REQUEST',
    body: z.object({ label: Label.nullable() }),
    output: Connection,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/connections/:id',
    summary: 'Revoke a connection',
    description:
      'Deletes the stored tokens immediately, unregisters its endpoints, and revokes access at the provider where possible.',
    access: write,
    params,
    malformedId: 'BAD_REQUEST',
    output: z.object({ deleted: z.literal(true) }),
  }),
  submitCredentials: endpoint({
    method: 'POST',
    path: '/api/v1/connections/:id/credentials',
    summary: 'Submit connection credentials',
    description:
      'For `api_key` connectors: checks the credentials with the provider and stores them encrypted. They are never returned. Returns BAD_REQUEST with the name of a missing or unknown field, and BAD_REQUEST with the reason CREDENTIALS_REJECTED if the provider rejects them.',
    access: write,
    params,
    malformedId: 'BAD_REQUEST',
    body: z.object({ credentials: Values }),
    output: Connection,
    limit,
  }),
  getOAuth: endpoint({
    method: 'GET',
    path: '/api/v1/connections/:id/oauth',
    summary: 'Get a connection’s authorization',
    description: 'For a pending connection, returns a URL to open; otherwise `oauthUrl` is null.',
    access: write,
    params,
    malformedId: 'BAD_REQUEST',
    output: z.object({ oauthUrl: z.string().nullable(), status: z.enum(CONNECTION_STATUSES) }),
    limit,
  }),
  postOAuth: endpoint({
    method: 'POST',
    path: '/api/v1/connections/:id/oauth',
    summary: 'Authorize a connection again',
    description:
      'Without a body: returns a new URL to open, even for an active connection. With `code` and `state`: completes the authorization with a code that the user entered.',
    access: write,
    params,
    malformedId: 'BAD_REQUEST',
    body: z
      .object({
        code: text(1, 4000).optional(),
        state: text(1, 500).optional(),
        selectAccount: z.boolean().optional(),
      })
      .refine(({ code, state }) => (code === undefined) === (state === undefined), {
        path: ['state'],
        error: 'must be sent together with code',
      }),
    output: z.object({
      oauthUrl: z.string().nullable(),
      status: z.enum(CONNECTION_STATUSES),
      connection: Connection,
    }),
    limit,
  }),
  startOAuth: endpoint({
    method: 'GET',
    path: '/api/v1/connections/oauth/start',
    summary: 'Open a provider’s authorization page',
    description:
      'Starts a connection to the connector with this slug and redirects to the provider. The connector’s `configFields` are additional parameters.',
    access: write,
    query: z.looseObject({
      connector: ConnectorSlug,
      label: Label.optional(),
      selectAccount: z
        .enum(['0', '1'], { error: 'must be 0 or 1' })
        .optional()
        .describe('1: choose an account at the provider'),
      returnTo: NextPath.optional().describe('Dashboard page to return to'),
    }),
    output: z.null(),
    redirects: true,
    status: 302,
    failures: ['NOT_FOUND', 'CONFLICT'],
    limit,
  }),
  callback: endpoint({
    method: 'GET',
    path: '/api/v1/connections/oauth/callback',
    summary: 'Complete a connection’s authorization',
    description:
      'Redirect URI for providers. Accepts only the browser session that started the authorization, and redirects to the dashboard; on failure with `error=`.',
    access: anonymous({ identify: true }),
    query: z.looseObject({ state: text(1, 500).optional() }).describe('Parameters added by the provider'),
    output: z.null(),
    redirects: true,
    status: 302,
    limit: attemptsPerIp('connection-callback'),
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/v1/connections/:id/check',
    summary: 'Check a connection',
    description:
      'Asks the provider now. If the connection does not work, returns 200 with its status and reason.',
    access: write,
    params,
    malformedId: 'BAD_REQUEST',
    output: Connection,
    limit,
  }),
  share: endpoint({
    method: 'PUT',
    path: '/api/v1/connections/:id/share',
    summary: 'Share a connection',
    description:
      'Other members’ runs can use a shared connection, either in one project or in the whole organization. `none` stops sharing it.',
    access: steppedUp(CONNECTIONS_AREA),
    params,
    malformedId: 'BAD_REQUEST',
    body: z
      .object({ shared: z.enum(CONNECTION_SHARING), projectId: Id.optional() })
      .refine(({ shared, projectId }) => (shared === 'project') === (projectId !== undefined), {
        path: ['projectId'],
        error: 'is required for project, and only for project',
      }),
    output: Connection,
  }),
  calls: endpoint({
    method: 'GET',
    path: '/api/v1/connections/:id/calls',
    summary: 'List connection calls',
    description: 'The last 100 calls that agents made with it, newest first, without secrets.',
    access: read,
    params,
    malformedId: 'BAD_REQUEST',
    output: z.object({ items: z.array(ConnectionCall) }),
    standby: true,
  }),
}
