import { z } from 'zod'
import { browser, endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'

const AREA = 'Connecting an app'
const ACCESS = ['read', 'write'] as const
const withExamples = (...examples: unknown[]) => ({ examples })

/** Unchanged: some parameters only have meaning for the app. */
const AuthorizationRequest = text(1, 8000, { trim: false })
  .describe('Query from the URL with which the app opened `/authorize`')
  .meta(
    withExamples('response_type=code&client_id=…&redirect_uri=…&code_challenge=…&code_challenge_method=S256'),
  )
const INVALID =
  'Returns BAD_REQUEST if the app or its redirect URI is not valid: `details.reason` is `invalid_client`, `invalid_redirect_uri` or `invalid_request`, and the browser must not return to the app.'
const Redirect = z
  .string()
  .describe('URL to open next')
  .meta(withExamples('com.example.app:/callback?code=…'))

export const GRANT_DAYS = [1, 7, 30, 90, 365] as const

export const ConnectedApp = z.object({
  id: Id,
  name: z.string().describe('Name chosen by the app; not verified'),
  host: z.string().describe('Where the app comes from: its document’s host, or its redirect URI’s host'),
  access: z.enum(ACCESS),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  expiresAt: Timestamp.nullable().describe('Null if it ends after 60 days without use'),
})

export const connectedApps = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/connected-apps',
    summary: 'List your connected apps',
    description: 'Apps you allowed to act for you over MCP in the current organization, newest first.',
    access: member({ scope: 'api-keys:read' }),
    output: z.object({ items: z.array(ConnectedApp) }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/v1/connected-apps/preview',
    summary: 'Preview an app that requests a connection',
    description: `Reads the app’s metadata document if its client ID is a URL. ${INVALID}`,
    access: browser(AREA),
    body: z.object({ request: AuthorizationRequest }),
    output: z.object({
      app: z.object({
        name: z.string(),
        host: z.string(),
        identified: z.boolean().describe('Whether `host` published the app’s metadata'),
        local: z.boolean().describe('Whether a program on the user’s computer receives the code'),
        returnsTo: z.string().describe('Redirect URI host or scheme'),
      }),
      access: z.enum(ACCESS).describe('Access that the app requests'),
      problem: z
        .object({ error: z.string(), description: z.string(), redirect: Redirect })
        .nullable()
        .describe('Why the request cannot be approved, and the URL that reports it to the app'),
    }),
    limit: { name: 'connected-app-preview', by: 'caller', capacity: 30, perSeconds: 60 },
  }),
  connect: endpoint({
    method: 'POST',
    path: '/api/v1/connected-apps',
    summary: 'Connect an app',
    description: `Allows the app to act for you in one organization. ${INVALID} Returns NOT_FOUND if you are not a member of the organization, and CONFLICT if you already have 100 connected apps in it.`,
    access: steppedUp(AREA),
    body: z.object({
      request: AuthorizationRequest,
      organizationId: Id.optional().describe('Defaults to your current organization'),
      access: z.enum(ACCESS).default('read'),
      days: z
        .literal(GRANT_DAYS, { error: `must be one of ${GRANT_DAYS.join(', ')}, or null` })
        .nullable()
        .default(null)
        .describe('Null if it ends after 60 days without use'),
    }),
    output: z.object({ redirect: Redirect }),
    status: 201,
    limit: { name: 'connected-app-connect', by: 'caller', capacity: 30, perSeconds: 60 },
  }),
  deny: endpoint({
    method: 'POST',
    path: '/api/v1/connected-apps/deny',
    summary: 'Deny an app',
    description: `Reports to the app that you did not connect it. ${INVALID}`,
    access: browser(AREA),
    body: z.object({ request: AuthorizationRequest }),
    output: z.object({ redirect: Redirect }),
    limit: { name: 'connected-app-preview', by: 'caller', capacity: 30, perSeconds: 60 },
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/v1/connected-apps/:id',
    summary: 'Disconnect an app',
    description: 'Takes effect with the app’s next request.',
    access: member({ scope: 'api-keys:write' }),
    params: z.object({ id: Id }),
    output: z.object({ revoked: z.literal(true) }),
  }),
}
