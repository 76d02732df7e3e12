import { z } from 'zod'
import { CONNECTOR_CATEGORY_NAMES } from '../../../../../contract/connections/connector-options.ts'

/** Slugs that are paths of the API, or that begin those of custom connectors. */
const RESERVED = /^(custom|endpoints|webhooks)$|^custom-/

const isPattern = (pattern: string) => {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const https = z.string().regex(/^https:\/\/[^\s@]+$/, 'must be an https URL')
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !text.includes('\n'), 'must be one line')
const code = z.custom<(...input: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
)

const field = z.looseObject({
  key: z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'must be letters and digits'),
  label: line(80),
  required: z.boolean(),
  hint: line(300).optional(),
  pattern: z.string().refine(isPattern, 'must be a regular expression').optional(),
})
const fields = z
  .array(field)
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'must have unique keys')

const request = z.looseObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().regex(/^(\/|https:\/\/|$)/, 'must begin with a slash, or be an https URL'),
})

const tool = z.looseObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and underscores'),
  description: z.string().min(1).max(2000),
  input: z.instanceof(z.ZodObject, { error: 'must be an object schema' }),
  effect: z.enum(['read', 'idempotent', 'once']),
  risk: z.enum(['none', 'send', 'spend', 'delete', 'share']),
  request: z.union([code, request]),
})

const oauth = z.looseObject({
  type: z.literal('oauth'),
  authorizeUrl: https,
  tokenUrl: https,
  refreshUrl: https.optional(),
  revoke: z.looseObject({ url: z.union([code, https]) }).optional(),
  registerUrl: https,
  scopes: z.looseObject({ default: z.array(z.string().min(1)) }),
  lifetime: z.looseObject({
    access: z.number().positive().nullable(),
    refresh: z.enum(['rotates', 'stays', 'none']),
  }),
})

/** The required fields of a definition; `check-definition.ts` adds the rules between its parts. */
export const DefinitionSchema = z.looseObject({
  slug: z
    .string()
    .max(40)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and hyphens')
    .refine((slug) => !RESERVED.test(slug), 'is reserved'),
  name: line(60),
  description: line(200),
  category: z.enum(CONNECTOR_CATEGORY_NAMES),
  docsUrl: https,
  checkedAt: z.iso.date(),
  availability: z.looseObject({ value: z.enum(['beta', 'coming_soon']), reason: line(300) }).optional(),
  config: fields.optional(),
  auth: z.discriminatedUnion('type', [
    oauth,
    z.looseObject({ type: z.literal('api_key'), fields: fields.min(1) }),
    z.looseObject({ type: z.literal('none') }),
  ]),
  baseUrl: z.union([code, z.string().regex(/^(https:\/\/|\{(config|kept)\.\w+\})/, 'must be an https URL')]),
  hosts: z.array(z.string().regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$/, 'must be a host')).optional(),
  check: z.looseObject({ request: z.union([code, request]), account: z.looseObject({}) }),
  discover: z.looseObject({ request, keep: code }).optional(),
  tools: z.array(tool).max(100),
  receiver: z.looseObject({ events: z.record(z.string(), z.string()), normalize: code }).optional(),
})
