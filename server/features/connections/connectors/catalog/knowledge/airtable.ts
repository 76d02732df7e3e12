import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { from } from '../../definition/request-template.ts'
import { airtableReceiver } from './airtable-receiver.ts'

const baseId = z
  .string()
  .regex(/^app\w{14}$/, 'must be the id of a base, such as app followed by 14 characters')
const table = z.string().min(1).max(255).describe('The id or name of a table, as describe_base returns it')
const fields = z.record(z.string().max(255), z.unknown()).describe('Field name → value')
/** Airtable accepts at most ten records in a request. */
const RECORDS_MAX = 10
const typecast = z.boolean().default(false).describe('Convert texts to the types of the fields')

export const airtable: ConnectorDefinition = {
  slug: 'airtable',
  name: 'Airtable',
  description: 'Reads and writes records of bases.',
  category: 'knowledge',
  docsUrl: 'https://airtable.com/developers/web/api/introduction',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://airtable.com/oauth2/v1/authorize',
    tokenUrl: 'https://airtable.com/oauth2/v1/token',
    registerUrl: 'https://airtable.com/create/oauth',
    scopes: {
      default: [
        'data.records:read',
        'data.records:write',
        'schema.bases:read',
        'user.email:read',
        'webhook:manage',
      ],
    },
    pkce: 'required',
    clientAuth: 'basic',
    lifetime: { access: 3600, refresh: 'rotates', idleDays: 60 },
  },
  baseUrl: 'https://api.airtable.com',
  check: {
    request: { method: 'GET', path: '/v0/meta/whoami' },
    account: { id: 'id', name: 'email', email: 'email' },
  },
  errorFields: { code: 'error.type', message: 'error.message' },
  tools: [
    tool({
      name: 'list_bases',
      description: 'Use this first to find the id of a base.',
      input: z.object({ limit: z.int().min(1).max(1000).default(100) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v0/meta/bases' },
      answer: { at: 'bases', pick: ['id', 'name', 'permissionLevel'] },
      pages: { by: 'cursor', next: 'offset', send: { query: 'offset' } },
    }),
    tool({
      name: 'describe_base',
      description:
        'Use this to see the tables of a base with their fields, before records are read or written.',
      input: z.object({ baseId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v0/meta/bases/{baseId}/tables' },
      answer: { at: 'tables', pick: ['id', 'name', 'description', 'fields.name', 'fields.type'] },
    }),
    tool({
      name: 'list_records',
      description: 'Use this to read records of a table, all of them or those that a formula selects.',
      input: z.object({
        baseId,
        table,
        formula: z.string().max(2000).optional().describe("Such as: AND({Status} = 'Open', {Amount} > 100)"),
        view: z.string().max(255).optional(),
        limit: z.int().min(1).max(500).default(50),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ limit }) => ({
        method: 'GET',
        path: '/v0/{baseId}/{table}',
        query: {
          filterByFormula: from('formula'),
          view: from('view'),
          maxRecords: limit,
          pageSize: Math.min(limit, 100),
        },
      }),
      answer: { at: 'records', pick: ['id', 'createdTime', 'fields'] },
      pages: { by: 'cursor', next: 'offset', send: { query: 'offset' } },
    }),
    tool({
      name: 'create_records',
      description: 'Use this to add up to ten records to a table.',
      input: z.object({
        baseId,
        table,
        records: z.array(z.object({ fields })).min(1).max(RECORDS_MAX),
        typecast,
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/v0/{baseId}/{table}',
        json: { records: from('records'), typecast: from('typecast') },
      },
      answer: { at: 'records', pick: ['id', 'fields'] },
    }),
    tool({
      name: 'update_records',
      description:
        'Use this to change fields of up to ten records. Fields that are not given stay as they are.',
      input: z.object({
        baseId,
        table,
        records: z
          .array(z.object({ id: z.string().regex(/^rec\w{14}$/, 'must be the id of a record'), fields }))
          .min(1)
          .max(RECORDS_MAX),
        typecast,
      }),
      effect: 'idempotent',
      risk: 'send',
      request: {
        method: 'PATCH',
        path: '/v0/{baseId}/{table}',
        json: { records: from('records'), typecast: from('typecast') },
      },
      answer: { at: 'records', pick: ['id', 'fields'] },
    }),
  ],
  receiver: airtableReceiver,
}
