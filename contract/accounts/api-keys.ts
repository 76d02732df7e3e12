import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, TimestampInput } from '../fields.ts'
import { KEY_USAGE_DAYS } from './key-abilities.ts'
import { SCOPE_NAMES } from './scopes.ts'

const Scopes = z
  .array(z.enum(SCOPE_NAMES, { error: `must be one of ${SCOPE_NAMES.join(', ')}` }))
  .max(SCOPE_NAMES.length, `must have at most ${SCOPE_NAMES.length} scopes`)

const Name = displayName(1, 120)
const ReadOnly = z
  .boolean()
  .describe('Whether every call except reads (GET) returns FORBIDDEN. Cannot be changed')
const ExpiresAt = Timestamp.nullable().describe(
  'When requests with the key start to return UNAUTHORIZED; null if the key never expires. Cannot be changed; create another key instead',
)
const byId = z.object({ id: Id })

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  prefix: z.string(),
  lastFour: z.string(),
  scopes: z.array(z.string()),
  readOnly: ReadOnly,
  expiresAt: ExpiresAt,
  lastUsedAt: Timestamp.nullable().describe('Updated at most once a minute'),
  lastUsedAddress: z
    .string()
    .nullable()
    .describe('IP address of the request at `lastUsedAt`')
    .meta({ examples: ['203.0.113.7'] }),
  callsPerDay: z
    .array(z.int())
    .describe(
      `Requests with the key on each of the last ${KEY_USAGE_DAYS} days (UTC), oldest first; the last entry is today. Counted in batches, so a crash can lose a few seconds`,
    ),
  createdAt: Timestamp,
})

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: 'List your API keys',
    description:
      'Your API keys in the current organization that are not revoked, newest first. Expired keys stay listed for 30 days.',
    access: member({ scope: 'api-keys:read' }),
    output: z.object({ items: z.array(ApiKey) }),
    envelope: true,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Create an API key',
    description:
      'Only this response contains the full key. The key has your permissions: scopes limit only the endpoints that require one, `readOnly` limits all endpoints.',
    access: steppedUp('Creating an API key'),
    body: z.object({
      name: Name,
      scopes: Scopes.default(['models:read']),
      readOnly: ReadOnly.default(false),
      expiresAt: TimestampInput.nullable()
        .default(null)
        .describe('A time in the future; null if the key does not expire'),
    }),
    output: z.object({
      id: Id,
      name: z.string(),
      prefix: z.string(),
      key: z.string(),
      scopes: z.array(z.string()),
      readOnly: ReadOnly,
      expiresAt: ExpiresAt,
      createdAt: Timestamp,
    }),
    status: 201,
    envelope: true,
    limit: {
      name: 'api-key-create',
      by: 'caller and ip',
      capacity: 5,
      perSeconds: 300,
      refusal: 'BAD_REQUEST',
    },
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/api-keys/:id',
    summary: 'Update an API key',
    description: 'Changing `scopes` requires a browser session with step-up; changing `name` does not.',
    access: member({ scope: 'api-keys:write' }),
    params: byId,
    body: z
      .object({ name: Name.optional().meta({ examples: ['Nightly build'] }), scopes: Scopes.optional() })
      .refine((body) => Object.keys(body).length > 0, 'must have a field to change'),
    output: ApiKey,
    envelope: true,
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/v1/api-keys/:id',
    summary: 'Revoke an API key',
    description:
      'Takes effect immediately: the next request with the key returns UNAUTHORIZED. A key can revoke itself.',
    access: steppedUp('Revoking an API key', { orSelf: true }),
    params: byId,
    output: z.object({ revoked: z.literal(true) }),
    envelope: true,
  }),
}
