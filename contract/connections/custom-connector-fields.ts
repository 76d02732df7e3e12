import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { jsonObject, text } from '../fields.ts'
import { CONNECTOR_CATEGORY_NAMES, CUSTOM_CONNECTOR_LIMITS as LIMITS } from './connector-options.ts'

const HeaderName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name')
const HttpsUrl = text(1, 2000)
  .refine(
    (value) => /^https:\/\/[^/?#@]+/.test(value) && URL.canParse(value),
    'must begin with https:// and have a host',
  )
  .meta({ examples: ['https://api.example.com/v1'] })
const Template = text(1, 2000)
const Path = text(1, 500).describe('Path into the JSON response, such as `data.items`')

const Field = z.strictObject({
  key: z
    .string()
    .regex(/^[a-z][A-Za-z0-9]{0,39}$/, 'must be letters and digits, and begin with a lower-case letter'),
  label: displayName(1, 80),
  required: z.boolean().default(true),
  secret: z.boolean().default(true).describe('Whether it is removed from everything that is stored'),
  hint: text(0, 500).optional(),
  placeholder: text(0, 200).optional(),
})

const Send = z.union(
  [
    z.strictObject({ header: HeaderName, value: Template }),
    z.strictObject({ query: text(1, 64), value: Template }),
    z.strictObject({ basic: z.strictObject({ user: Template, password: text(0, 2000) }) }),
    z.literal('path'),
  ],
  { error: 'must have header and value, query and value, or basic with user and password; or be "path"' },
)

const Scopes = z.array(text(1, 200)).max(50, 'must have at most 50 scopes')

const CustomAuth = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({
        type: z.literal('api_key'),
        fields: z.array(Field).min(1, 'must have at least one field').max(10, 'must have at most 10 fields'),
        send: z
          .union([Send, z.array(Send).min(1).max(3)])
          .describe('Where credentials are sent; `{credentials.key}` is a field value'),
      }),
      z.strictObject({
        type: z.literal('oauth'),
        authorizeUrl: HttpsUrl,
        tokenUrl: HttpsUrl,
        refreshUrl: HttpsUrl.optional(),
        registerUrl: HttpsUrl.optional().describe('Service page where you register a client'),
        scopes: z.strictObject({ default: Scopes, optional: Scopes.optional() }),
        scopeSeparator: z.enum([' ', ',']).default(' '),
        pkce: z.enum(['required', 'yes', 'no']).default('yes'),
        clientAuth: z.enum(['post', 'basic']).default('post'),
        tokenBody: z.enum(['form', 'json']).default('form'),
        lifetime: z
          .strictObject({
            access: z
              .int()
              .min(60)
              .nullable()
              .describe('Token lifetime in seconds if `expires_in` is missing; null if tokens do not expire'),
            refresh: z.enum(['rotates', 'stays', 'none']),
          })
          .default({ access: 3600, refresh: 'rotates' }),
        send: Send.optional().describe('Default: `authorization: Bearer {accessToken}`'),
      }),
    ],
    { error: 'must have a type: none, api_key or oauth' },
  )
  .describe('How requests are authorized. Set OAuth clients as for any other connector')

const Values = z.record(text(1, 200), z.unknown())
const CustomRequest = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: text(1, 1000)
      .refine((path) => /^\/(?!\/)[^?#\\\s]*$/.test(path), 'must begin with one / and have no query')
      .describe('Path below the base URL. `{name}` is an input value, as one segment'),
    query: Values.optional().describe('A literal, or `{ "$": "name" }` for an input value'),
    headers: z.record(HeaderName, Template).optional(),
    json: z.unknown().optional().describe('JSON in which `{ "$": "name" }` is an input value'),
    form: Values.optional(),
    graphql: z.strictObject({ query: text(1, 20_000), variables: Values.optional() }).optional(),
    idempotencyHeader: HeaderName.optional().describe(
      'Header for a key that stays the same for every attempt',
    ),
  })
  .refine(
    ({ json, form, graphql }) => [json, form, graphql].filter((body) => body !== undefined).length <= 1,
    {
      error: 'must have at most one of json, form and graphql',
    },
  )

const PageParameter = z.strictObject({ query: text(1, 200) })
const Pages = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('cursor'),
    next: Path,
    send: z.union([PageParameter, z.strictObject({ body: text(1, 200) })]),
  }),
  z.strictObject({ by: z.literal('link') }),
  z.strictObject({ by: z.literal('page'), send: PageParameter, first: z.int().min(0).max(1).optional() }),
  z.strictObject({ by: z.literal('offset'), send: PageParameter }),
])

const CustomTool = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/, 'must be lower-case letters, digits and _, at most 32 characters')
    .meta({ examples: ['find_order'] }),
  description: text(1, LIMITS.description).describe('The first sentence says when to use it'),
  input: jsonObject(LIMITS.schemaBytes, 20).describe('JSON Schema for an object'),
  risk: z
    .enum(['none', 'send', 'spend', 'delete', 'share'])
    .optional()
    .describe('Defaults to `none` for GET, `delete` for DELETE, `send` for the rest'),
  request: CustomRequest,
  answer: z
    .strictObject({ at: Path.optional(), pick: z.array(Path).max(100).optional() })
    .optional()
    .describe('Part of the JSON response that agents receive, and its fields'),
  pages: Pages.optional().describe('How the next page is requested'),
})

/** Like this server's definitions, without functions. */
export const customConnectorFields = {
  name: displayName(1, LIMITS.name).meta({ examples: ['Warehouse'] }),
  description: text(1, 300).describe('One line about how agents use it'),
  category: z.enum(CONNECTOR_CATEGORY_NAMES),
  docsUrl: HttpsUrl.nullable(),
  baseUrl: HttpsUrl.refine(
    (value) => !/[{}?#]/.test(value),
    'must have no placeholders, no query and no fragment',
  ).describe('Host that receives every request'),
  headers: z.record(HeaderName, Template),
  auth: CustomAuth,
  check: z
    .strictObject({
      request: CustomRequest,
      account: z.strictObject({ id: Path.optional(), name: Path.optional(), email: Path.optional() }),
    })
    .nullable()
    .describe(
      'Small authorized request that identifies the account. Null if credentials are stored without a check',
    ),
  retryAfter: z
    .strictObject({ header: HeaderName, unit: z.enum(['seconds', 'milliseconds', 'epoch']) })
    .nullable()
    .describe('Header with the time of the next permitted call. Null for `retry-after`'),
  errorFields: z
    .strictObject({ code: Path.optional(), message: Path.optional() })
    .nullable()
    .describe('Where the service puts its error code and message'),
  tools: z
    .array(CustomTool)
    .min(1, 'must have at least one tool')
    .max(LIMITS.tools, `must have at most ${LIMITS.tools} tools`),
}
