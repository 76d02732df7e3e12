import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { anonymous, endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { SCOPE_NAMES } from './scopes.ts'

/** RFC 8628 field names, as JSON or a form, so existing OAuth clients work. */

export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const withExample = (example: string) => ({ examples: [example] })
const A_DEVICE_CODE = withExample('GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS-8')
const A_USER_CODE = withExample('BCDF-GHJK')
const A_SCOPE = withExample('terminal')
const A_KEY_NAME = withExample('Atrium CLI on laptop')

const DeviceCode = text(1, 200).meta(A_DEVICE_CODE)
const UserCode = text(8, 20).meta(A_USER_CODE)
const STATUS = ['pending', 'approved', 'denied', 'consumed', 'expired'] as const
const limitPerIp = (name: string) => ({ name, by: 'ip', capacity: 30, perSeconds: 60 }) as const

const Scope = text(1, 500)
  .refine(
    (scope) => scope.split(/\s+/).every((name) => (SCOPE_NAMES as string[]).includes(name)),
    `must be scopes separated by spaces, from ${SCOPE_NAMES.join(', ')}`,
  )
  .meta(A_SCOPE)

/** Forms have only text. */
const ReadOnly = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .default(false)
  .transform((value) => value === true || value === 'true')
  .describe('Requests a key that can only read')

export const deviceLogin = {
  start: endpoint({
    method: 'POST',
    path: '/api/v1/auth/device',
    summary: 'Start a device login',
    description:
      'Show `user_code` to the user and open `verification_uri_complete`, then poll for the token every `interval` seconds. Errors are 400 per RFC 6749: `{ "error": "invalid_scope" | "invalid_request" | "slow_down", "error_description" }`.',
    access: anonymous(),
    body: z.object({
      client_id: displayName(1, 200).optional(),
      client_name: displayName(1, 120)
        .optional()
        .describe('Shown to the user who approves the login. Defaults to `client_id`'),
      hostname: displayName(1, 200).optional(),
      scope: Scope.default('terminal'),
      read_only: ReadOnly,
    }),
    output: z.object({
      device_code: z.string().meta(A_DEVICE_CODE),
      user_code: z.string().meta(A_USER_CODE),
      verification_uri: z.string().meta(withExample('…/device')),
      verification_uri_complete: z.string().meta(withExample('…/device?user_code=BCDF-GHJK')),
      expires_in: z.int().meta({ examples: [900] }),
      interval: z.int().meta({ examples: [5] }),
    }),
    limit: limitPerIp('device-start'),
    form: true,
    errors: 'oauth',
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/v1/auth/device',
    summary: 'Get a device login',
    description:
      'The client uses `device_code`. The browser uses `user_code` and a session; without a session it returns UNAUTHORIZED. Returns NOT_FOUND for an unknown code.',
    access: anonymous({ identify: true }),
    query: z
      .object({ device_code: DeviceCode.optional(), user_code: UserCode.optional() })
      .refine(
        ({ device_code, user_code }) => (device_code === undefined) !== (user_code === undefined),
        'must have either device_code or user_code',
      ),
    output: z.object({
      status: z.enum(STATUS),
      client_name: z.string().nullable().meta(withExample('Atrium CLI')),
      hostname: z.string().nullable().meta(withExample('laptop')),
      scope: z.string().meta(A_SCOPE),
      read_only: z.boolean(),
      ip: z.string().meta(withExample('203.0.113.7')),
      created_at: Timestamp,
      expires_in: z.int().meta({ examples: [871] }),
    }),
    limit: limitPerIp('device-status'),
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/v1/auth/device/approve',
    summary: 'Approve or deny a device login',
    description:
      'Returns CONFLICT if it was already approved or denied, NOT_FOUND if the code is unknown or expired, and RATE_LIMITED after too many attempts.',
    access: steppedUp('Approving a device login'),
    body: z.object({ user_code: UserCode, decision: z.enum(['approve', 'deny']).default('approve') }),
    output: z.object({ status: z.enum(STATUS) }),
  }),
  token: endpoint({
    method: 'POST',
    path: '/api/v1/auth/device/token',
    summary: 'Exchange a device login for an API key',
    description:
      'Returns the key once. Until the login is approved, returns 400 per RFC 8628: `{ "error": "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant", "error_description" }`.',
    access: anonymous(),
    body: z.object({
      device_code: DeviceCode,
      grant_type: text(1, 200).optional().meta(withExample(DEVICE_GRANT)),
      client_id: text(1, 200).optional(),
    }),
    output: z.object({
      access_token: z.string().meta(withExample('atrium_test_5f0c…9b3e')),
      token_type: z.literal('Bearer'),
      scope: z.string().meta(A_SCOPE),
      api_key: z.object({ id: Id, name: z.string().meta(A_KEY_NAME), prefix: z.string() }),
    }),
    limit: limitPerIp('device-token'),
    form: true,
    errors: 'oauth',
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Get the caller',
    description: 'The user, organization and credential behind an API key or a session.',
    access: member(),
    output: z.object({
      user: z.object({ id: Id, name: z.string(), email: z.string() }),
      organization: z.object({ id: Id, name: z.string() }),
      workspace: z.object({ id: Id, name: z.string() }).nullable(),
      role: z.enum(['owner', 'admin', 'member']),
      via: z.enum(['session', 'key']),
      scopes: z
        .array(z.string())
        .nullable()
        .describe('API key scopes; null for a session, which has all scopes'),
      key: z
        .object({
          id: Id,
          name: z.string().meta(A_KEY_NAME),
          prefix: z.string(),
          lastFour: z.string(),
          readOnly: z.boolean(),
          expiresAt: Timestamp.nullable(),
        })
        .nullable()
        .describe('API key that sent the request; null for a session'),
    }),
    tool: 'read',
  }),
}
