import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, itemsAt } from '../../definition/payload.ts'
import { from } from '../../definition/template.ts'

const DATA = '/services/data/v66.0'
const name = (description: string) =>
  z
    .string()
    .regex(/^[A-Za-z]\w{0,79}$/, 'must be an API name such as Account or Invoice__c')
    .describe(description)
const object = name('Object’s API name, such as Account')
const recordId = z.string().regex(/^[A-Za-z0-9]{15}([A-Za-z0-9]{3})?$/, 'must be a 15- or 18-character id')
const fields = z.record(name('API name'), z.unknown()).describe('Field’s API name → value')

export const salesforce: ConnectorDefinition = {
  slug: 'salesforce',
  name: 'Salesforce',
  description: 'Query, create and change records.',
  category: 'customers',
  docsUrl: 'https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'domain',
      label: 'Domain',
      required: false,
      hint: 'The part of the login URL before .salesforce.com: login, test for a sandbox, or your own such as acme.my.',
      pattern: 'login|test|[a-z0-9][a-z0-9-]{0,62}(\\.(sandbox|develop|scratch))?\\.my',
      placeholder: 'acme.my',
      default: 'login',
    },
  ],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://{config.domain}.salesforce.com/services/oauth2/authorize',
    tokenUrl: 'https://{config.domain}.salesforce.com/services/oauth2/token',
    revoke: {
      url: 'https://{config.domain}.salesforce.com/services/oauth2/revoke',
      how: 'form',
      field: 'token',
    },
    registerUrl: 'https://help.salesforce.com/s/articleView?id=xcloud.create_external_client_app.htm',
    scopes: { default: ['api', 'refresh_token', 'openid'] },
    selectAccount: { prompt: 'select_account' },
    answer: { keep: { instanceUrl: 'instance_url' } },
    // No `expires_in`. Sessions last two hours by default.
    lifetime: { access: 7200, refresh: 'stays' },
  },
  baseUrl: '{kept.instanceUrl}',
  hosts: ['*.salesforce.com'],
  check: {
    request: { method: 'GET', path: '/services/oauth2/userinfo' },
    account: { id: 'user_id', name: 'name', email: 'email', avatarUrl: 'picture' },
  },
  errors: [{ path: '0.errorCode', equals: 'REQUEST_LIMIT_EXCEEDED', means: 'slow_down' }],
  errorFields: { code: '0.errorCode', message: '0.message' },
  tools: [
    tool({
      name: 'query',
      description: 'Use this to find and count records with SOQL. It only reads.',
      input: z.object({
        soql: z
          .string()
          .max(10_000)
          .regex(/^\s*select\b/i, 'must start with SELECT')
          .describe("Such as: SELECT Id, Name FROM Account WHERE Name LIKE 'Acme%' LIMIT 20"),
      }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: `${DATA}/query`, query: { q: from('soql') } },
      answer: {
        map: (answer) => ({
          totalSize: Number(displayTextAt(answer, 'totalSize')),
          done: displayTextAt(answer, 'done') === 'true',
          records: itemsAt(answer, 'records').map(withoutAttributes),
        }),
      },
    }),
    tool({
      name: 'describe_object',
      description: 'Use this to see an object’s fields before you query or write records.',
      input: z.object({ object }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: `${DATA}/sobjects/{object}/describe` },
      answer: {
        pick: [
          'name',
          'label',
          'fields.name',
          'fields.label',
          'fields.type',
          'fields.nillable',
          'fields.externalId',
          'fields.referenceTo',
        ],
      },
    }),
    tool({
      name: 'get_record',
      description: 'Use this to read fields of a record.',
      input: z.object({ object, id: recordId, fields: z.array(name('API name')).min(1).max(100) }),
      effect: 'read',
      risk: 'none',
      request: ({ fields }) => ({
        method: 'GET',
        path: `${DATA}/sobjects/{object}/{id}`,
        query: { fields: fields.join(',') },
      }),
      answer: { map: withoutAttributes },
    }),
    tool({
      name: 'upsert_record',
      description:
        'Use this to create a record, or to change the one with this value in an external id field. Use Id as the field to change a record by its id.',
      input: z.object({
        object,
        externalIdField: name('API name for an external id field, or Id'),
        externalId: z.string().min(1).max(255),
        fields,
      }),
      effect: 'idempotent',
      risk: 'send',
      request: ({ externalIdField }) => ({
        method: 'PATCH',
        path:
          externalIdField === 'Id'
            ? `${DATA}/sobjects/{object}/{externalId}`
            : `${DATA}/sobjects/{object}/{externalIdField}/{externalId}`,
        json: from('fields'),
      }),
      answer: { pick: ['id', 'created', 'success'] },
    }),
    tool({
      name: 'create_record',
      description: 'Use this to create a record that has no external id.',
      input: z.object({ object, fields }),
      effect: 'once',
      risk: 'send',
      request: { method: 'POST', path: `${DATA}/sobjects/{object}`, json: from('fields') },
      answer: { pick: ['id', 'success'] },
    }),
    tool({
      name: 'create_task',
      description: 'Use this to assign a user a task about a contact, a lead or another record.',
      input: z.object({
        subject: z.string().min(1).max(255),
        description: z.string().max(32_000).optional(),
        dueOn: z.iso.date().optional(),
        whoId: recordId.optional().describe('A contact or lead'),
        whatId: recordId.optional().describe('Another record, such as an account'),
        ownerId: recordId.optional().describe('The user who does it; by default the connected user'),
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: `${DATA}/sobjects/Task`,
        json: {
          Subject: from('subject'),
          Description: from('description'),
          ActivityDate: from('dueOn'),
          WhoId: from('whoId'),
          WhatId: from('whatId'),
          OwnerId: from('ownerId'),
        },
      },
      answer: { pick: ['id', 'success'] },
    }),
  ],
}

/** Salesforce adds the type and URL to each record, even nested ones. */
function withoutAttributes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAttributes)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([key]) => key !== 'attributes')
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutAttributes(field)]))
}
