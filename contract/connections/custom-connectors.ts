import { z } from 'zod'
import { browser, endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp, text } from '../fields.ts'
import { CUSTOM_CONNECTOR_LIMITS as LIMITS } from './connector-options.ts'
import { CONNECTORS_AREA, ConnectorSlug } from './connectors.ts'
import { customConnectorFields as fields } from './custom-connector-fields.ts'

const read = member({ role: 'admin' })
const write = steppedUp(CONNECTORS_AREA, { role: 'admin' })
const params = z.object({ slug: ConnectorSlug })

const Settings = z.object({
  name: fields.name,
  description: fields.description,
  category: fields.category.default('other'),
  docsUrl: fields.docsUrl.default(null),
  baseUrl: fields.baseUrl,
  headers: fields.headers.default({}),
  auth: fields.auth,
  check: fields.check.default(null),
  retryAfter: fields.retryAfter.default(null),
  errorFields: fields.errorFields.default(null),
  tools: fields.tools,
})
export type CustomConnectorSettings = z.output<typeof Settings>

/** The request body's schema describes it. */
const StoredPart = z.record(z.string(), z.unknown())
const CustomConnector = z.object({
  name: z.string(),
  description: z.string(),
  category: z.string(),
  docsUrl: z.string().nullable(),
  baseUrl: z.string(),
  headers: z.record(z.string(), z.string()),
  auth: StoredPart,
  check: StoredPart.nullable(),
  retryAfter: StoredPart.nullable(),
  errorFields: StoredPart.nullable(),
  tools: z.array(StoredPart),
  slug: z.string().describe('Name that agents use in `allowedConnectors`'),
  version: z.int(),
  createdBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

const EXAMPLE = {
  name: 'Warehouse',
  description: 'Finds orders and changes their state.',
  baseUrl: 'https://api.example.com/v1',
  auth: {
    type: 'api_key',
    fields: [{ key: 'token', label: 'API token' }],
    send: { header: 'authorization', value: 'Bearer {credentials.token}' },
  },
  tools: [
    {
      name: 'find_order',
      description: 'Finds an order by its number.',
      input: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
      request: { method: 'GET', path: '/orders/{number}' },
    },
  ],
}
const EXAMPLE_DOCUMENT = 'https://api.example.com/openapi.json'

const SlugName = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and hyphens')
  .max(24, 'must be at most 24 characters')
  .optional()
  .describe('The slug is `custom-` followed by this. Derived from the name by default')
  .meta({ examples: ['warehouse'] })

/** Exactly one is required. */
const source = {
  document: z
    .string()
    .max(LIMITS.documentBytes, 'must be at most 2 MB')
    .optional()
    .describe('OpenAPI 3.0 or 3.1 document, as JSON or YAML'),
  url: text(1, 2000).optional().describe('HTTPS URL of the document, instead of `document`'),
}
const hasOneSource = ({ document, url }: { document?: string; url?: string }) =>
  (document === undefined) !== (url === undefined)
const ONE_SOURCE = { path: ['document'], error: 'is required without url, and must not be sent with url' }

/** As a JSON string, a document needs up to twice its size. */
const bodyBytesMax = 2 * LIMITS.documentBytes + 65_536
const limit = { name: 'custom-connectors', by: 'caller', capacity: 20, perSeconds: 60 } as const

const Operation = z.object({
  id: z.string().describe('Method and path'),
  name: z.string().describe('Name that the tool gets'),
  summary: z.string(),
  problem: z.string().nullable().describe('Why it cannot be a tool; null if it can'),
  tool: StoredPart.nullable().describe('As in a custom connector’s `tools`'),
})

export const customConnectors = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/custom',
    summary: 'List custom connectors',
    description: 'Connectors that this organization’s admins added, by name.',
    access: read,
    output: z.object({
      items: z.array(
        CustomConnector.pick({
          slug: true,
          name: true,
          description: true,
          baseUrl: true,
          version: true,
          updatedAt: true,
        }).extend({ toolCount: z.int() }),
      ),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/custom',
    summary: 'Add a custom connector',
    description:
      'Defines a connector for your own service as data: requests are templates over a tool’s input. `{name}` in a path is one segment; `{ "$": "name" }` in a query, a form or JSON is a value. `{credentials.key}` is a value that a member enters to connect. Requests are only sent over https to the host in `baseUrl`, which must be public. A tool with GET only reads; any other tool runs once and is never repeated after a failure. At most 100 tools and 200 KB. Returns CONFLICT if the slug was used before, so that a deleted connector’s connections never go to another host.',
    access: write,
    body: Settings.extend({ slug: SlugName }).meta({ examples: [{ ...EXAMPLE, slug: 'warehouse' }] }),
    output: CustomConnector,
    status: 201,
    bodyBytesMax: 2 * LIMITS.bytes,
    limit,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/custom/:slug',
    summary: 'Get a custom connector',
    access: read,
    params,
    output: CustomConnector,
    versioned: true,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v1/connectors/custom/:slug',
    summary: 'Replace a custom connector',
    description:
      'Replaces all settings. `baseUrl` keeps its scheme, host and port, and `auth` cannot change, so that credentials entered by members are never sent to another host: for another host, add another connector.',
    access: write,
    params,
    body: Settings.meta({ examples: [EXAMPLE] }),
    output: CustomConnector,
    versioned: true,
    bodyBytesMax: 2 * LIMITS.bytes,
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/connectors/custom/:slug',
    summary: 'Delete a custom connector',
    description: 'Its connections stop working and can be revoked. Its slug is never reused.',
    access: write,
    params,
    output: z.object({ deleted: z.literal(true) }),
  }),
  readOpenapi: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/custom/openapi',
    summary: 'List an OpenAPI document’s operations',
    description:
      'Reads a document up to 2 MB and returns the parts for a connector: the operations, each as a tool or with the reason why it cannot be one, the base URL and the authorization. Stores nothing.',
    access: browser(CONNECTORS_AREA, { role: 'admin' }),
    body: z
      .object(source)
      .refine(hasOneSource, ONE_SOURCE)
      .meta({ examples: [{ url: EXAMPLE_DOCUMENT }] }),
    output: z.object({
      title: z.string(),
      description: z.string(),
      baseUrl: z.string().nullable().describe('First https server in the document'),
      auth: StoredPart.nullable().describe(
        'As in a custom connector. Null if none of its security schemes can be used',
      ),
      authProblem: z.string().nullable(),
      operations: z.array(Operation),
    }),
    bodyBytesMax,
    limit,
  }),
  importOpenapi: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/custom/import',
    summary: 'Add a custom connector from an OpenAPI document',
    description:
      'Creates a connector from selected operations in a document; `operations` are their ids, as `POST /connectors/custom/openapi` lists them. You can override settings that are missing or wrong in the document: `name`, `baseUrl`, `auth`. Returns BAD_REQUEST with an operation that cannot be a tool.',
    access: write,
    body: z
      .object({
        ...source,
        operations: z
          .array(text(1, 1100))
          .min(1, 'must have at least one operation')
          .max(LIMITS.tools, `must have at most ${LIMITS.tools} operations`),
        slug: SlugName,
        name: fields.name.optional(),
        description: fields.description.optional(),
        baseUrl: fields.baseUrl.optional(),
        auth: fields.auth.optional(),
        check: fields.check.optional(),
      })
      .refine(hasOneSource, ONE_SOURCE)
      .meta({ examples: [{ url: EXAMPLE_DOCUMENT, operations: ['GET /orders/{id}'] }] }),
    output: CustomConnector,
    status: 201,
    bodyBytesMax,
    limit,
  }),
}
