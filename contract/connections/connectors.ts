import { z } from 'zod'
import { CALL_RISKS } from '../agents/run-events.ts'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Timestamp, text } from '../fields.ts'
import {
  CONNECTOR_AUTH_TYPES,
  CONNECTOR_AVAILABILITIES,
  CONNECTOR_CATEGORY_NAMES,
} from './connector-options.ts'

export const CONNECTORS_AREA = 'Managing connectors'

export const ConnectorSlug = text(1, 64)
  .refine(
    (value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
    'must be a connector slug: lower-case letters, digits and hyphens',
  )
  .meta({ examples: ['github'] })

const Field = z.object({
  key: z.string(),
  label: z.string(),
  required: z.boolean(),
  secret: z.boolean().describe('Whether it is a password, a token or a key'),
  hint: z.string().nullable().describe('Where to find the value'),
  pattern: z.string().nullable().describe('Regular expression that must match the whole value'),
  placeholder: z.string().nullable(),
})

export const Connector = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.enum(CONNECTOR_CATEGORY_NAMES),
  authType: z.enum(CONNECTOR_AUTH_TYPES),
  configured: z
    .boolean()
    .describe('For `oauth`: whether the server or the organization has an OAuth client. Otherwise true'),
  availability: z.enum(CONNECTOR_AVAILABILITIES),
  availabilityReason: z.string().optional().describe('Present unless `availability` is `available`'),
  docsUrl: z.string().describe('Provider documentation'),
  tools: z.array(
    z.object({
      name: z
        .string()
        .describe('Name that agents use')
        .meta({ examples: ['github_search_issues'] }),
      description: z.string(),
      effect: z.enum(['read', 'idempotent', 'once']),
      risk: z.enum(CALL_RISKS),
    }),
  ),
  credentialFields: z.array(Field).optional().describe('Only for `api_key` connectors'),
  configFields: z.array(Field).describe('Fields to enter before the connection starts, such as a host'),
  receives: z
    .object({
      kind: z.string(),
      events: z.array(z.object({ key: z.string(), description: z.string() })),
      setup: z
        .enum(['register', 'paste'])
        .describe(
          '`register`: the server registers endpoints. `paste`: the member registers them at the provider',
        ),
      replies: z.boolean().describe('Whether an agent’s answer can be sent back to the event’s thread'),
      sessionKey: z.string().describe('Default `sessionKey`'),
      fields: z.array(Field).describe('Fields to enter for an endpoint, such as a repository'),
      secret: z
        .object({ label: z.string(), hint: z.string() })
        .nullable()
        .describe('Secret that the provider shows and the member enters; null if there is none'),
    })
    .nullable()
    .describe('Events that connection endpoints can receive; null if there are none'),
  client: z
    .object({
      source: z
        .enum(['server', 'organization'])
        .nullable()
        .describe('Who set the OAuth client; null if none is set'),
      clientId: z.string().nullable().describe('Shown for the organization’s own client'),
      redirectUri: z.string().describe('URI to register with the provider'),
      configFields: z
        .array(z.string())
        .describe('`configFields` that identify the server where the client is registered'),
      registerUrl: z.string().nullable().describe('Provider page where you register a client'),
      updatedAt: Timestamp.nullable(),
    })
    .nullable()
    .describe('Only for `oauth` connectors'),
})

const params = z.object({ slug: ConnectorSlug })

export const connectors = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/connectors',
    summary: 'List connectors',
    description: 'Services you can connect to, by name.',
    access: member(),
    query: z.object({
      category: z.enum(CONNECTOR_CATEGORY_NAMES).optional(),
      authType: z.enum(CONNECTOR_AUTH_TYPES).optional(),
      search: text(0, 200).optional().describe('Part of the name, the description or a tool'),
    }),
    output: z.object({ items: z.array(Connector) }),
    tool: 'read',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/:slug',
    summary: 'Get a connector',
    access: member(),
    params,
    output: Connector,
    tool: 'read',
  }),
  setClient: endpoint({
    method: 'PUT',
    path: '/api/v1/connectors/:slug/client',
    summary: 'Set a connector’s OAuth client',
    description:
      'Replaces this organization’s client at the provider. It takes precedence over the server’s client. Connections made with another client must be connected again. Returns BAD_REQUEST if the connector does not use OAuth.',
    access: steppedUp(CONNECTORS_AREA, { role: 'admin' }),
    params,
    body: z.object({
      clientId: text(1, 500),
      clientSecret: text(1, 4000).describe('Stored encrypted and never returned'),
      config: z
        .record(text(1, 64), text(0, 4000))
        .default({})
        .describe('Server where the client is registered, for connectors with `client.configFields`'),
    }),
    output: Connector,
  }),
  removeClient: endpoint({
    method: 'DELETE',
    path: '/api/v1/connectors/:slug/client',
    summary: 'Remove a connector’s OAuth client',
    access: steppedUp(CONNECTORS_AREA, { role: 'admin' }),
    params,
    output: Connector,
  }),
}
