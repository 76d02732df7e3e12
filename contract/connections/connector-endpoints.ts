import { z } from 'zod'
import { anonymous, browser, endpoint, member, operator, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import {
  ENDPOINT_LIMITS,
  ENDPOINT_STATUSES,
  PROVIDER_EVENT_STATUSES,
  REPLY_STATUSES,
} from './connector-endpoint-options.ts'
import * as records from './connector-endpoint-records.ts'
import { ConnectorSlug } from './connectors.ts'

export const ENDPOINT_AREA = 'Managing connector endpoints'
/** A run could have a key, and must not approve its own reply. */
const REPLY_AREA = 'Deciding a reply'
const OPERATOR_AREA = 'The connector endpoint list'

const read = member({ scope: 'connections:read' })
const write = member({ scope: 'connections:write' })
const params = z.object({ id: Id })
const eventParams = z.object({ id: Id, eventId: Id })
const receiverParams = z.object({ provider: ConnectorSlug, endpointId: Id })
const status = z.enum(PROVIDER_EVENT_STATUSES).optional()
/** Each call may reach the provider. */
const limit = { name: 'connector-endpoints', by: 'caller', capacity: 30, perSeconds: 60 } as const

const Fields = z
  .record(text(1, 64), text(0, ENDPOINT_LIMITS.field))
  .refine((values) => Object.keys(values).length <= 20, 'must have at most 20 fields')

export const connectorEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/api/v1/connections/:id/endpoints',
    summary: 'Create a connection endpoint',
    description:
      'Provider events start agent runs in the project, with the caller’s permissions. Registers the URL with the provider if it has an API for that; otherwise `setup` has the steps. Requires a public HTTPS URL for this server. Returns CONFLICT if the connection is not active.',
    access: steppedUp(ENDPOINT_AREA),
    params,
    body: z.object({
      name: records.EndpointName.optional().describe('Defaults to the connector name'),
      agentId: Id,
      projectId: ProjectRef,
      events: records.Events.default([]),
      sessionKey: records.SessionKey.optional(),
      reply: records.Reply.optional().describe(
        'Defaults to `approve`, or `off` if the connector has no replies',
      ),
      filter: records.Filter.optional(),
      fields: Fields.default({}).describe('Source of the events, such as a repository'),
      secret: text(1, 500).optional().describe('Secret shown by the provider, for connectors that need it'),
    }),
    output: records.ConnectorEndpoint.extend({ setup: records.EndpointSetup }),
    status: 201,
    limit,
    failures: ['PROVIDER_ERROR'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/endpoints',
    summary: 'List connector endpoints',
    description: 'Endpoints in the projects you can see, newest first.',
    access: read,
    query: z.object({
      ...cursorQuery,
      connectionId: Id.optional(),
      projectId: ProjectRef.optional(),
      agentId: Id.optional(),
    }),
    output: cursorPage(records.ConnectorEndpoint),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/endpoints/:id',
    summary: 'Get a connector endpoint',
    description: 'Includes the setup at the provider, without the secret.',
    access: read,
    params,
    output: records.ConnectorEndpoint.extend({ setup: records.EndpointSetup }),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/connectors/endpoints/:id',
    summary: 'Update a connector endpoint',
    description:
      'Only its owner can change its settings; admins can also pause it. Changing `events` or `fields` registers it with the provider again. `active` resumes it, and held events are handled in order.',
    access: steppedUp(ENDPOINT_AREA),
    params,
    body: z
      .object({
        name: records.EndpointName,
        agentId: Id,
        projectId: ProjectRef,
        events: records.Events,
        sessionKey: records.SessionKey,
        reply: records.Reply,
        filter: records.Filter.nullable(),
        fields: Fields,
        secret: text(1, 500),
        status: z.enum(ENDPOINT_STATUSES),
        acceptSecret: z
          .literal(true)
          .describe(
            'Forgets the secret that the provider sent, and accepts a new one for 10 minutes (Notion)',
          ),
      })
      .partial()
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      }),
    output: records.ConnectorEndpoint,
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/connectors/endpoints/:id',
    summary: 'Delete a connector endpoint',
    description:
      'Refuses further events immediately, and unregisters the URL at the provider. Sessions and runs are kept.',
    access: steppedUp(ENDPOINT_AREA),
    params,
    output: z.object({ deleted: z.literal(true) }),
    limit,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/endpoints/:id/test',
    summary: 'Test a connector endpoint',
    description:
      'Registers the endpoint again if the provider has an API for that, and returns the checks that must pass before events can start runs. Starts no run.',
    access: write,
    params,
    output: z.object({
      ok: z.boolean(),
      checks: z.array(z.object({ name: z.string(), ok: z.boolean(), message: z.string() })),
    }),
    limit,
  }),
  tryFilter: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/endpoints/:id/try-filter',
    summary: 'Try a filter',
    description: `Evaluates a filter on the last ${ENDPOINT_LIMITS.triedEvents} events. Returns BAD_REQUEST with the error position.`,
    access: read,
    params,
    body: z.object({ filter: records.Filter }),
    output: z.object({
      matched: z.int(),
      items: z.array(
        z.object({ eventId: Id, eventKey: z.string(), text: z.string().nullable(), matches: z.boolean() }),
      ),
    }),
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/endpoints/:id/events',
    summary: 'List endpoint events',
    description: 'Events from the last 30 days, newest first.',
    access: read,
    params,
    query: z.object({ ...cursorQuery, status }),
    output: cursorPage(records.ProviderEvent),
    standby: true,
  }),
  event: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/endpoints/:id/events/:eventId',
    summary: 'Get an endpoint event',
    description: 'Includes the provider’s request if you can edit the endpoint.',
    access: read,
    params: eventParams,
    output: records.ProviderEvent.extend({
      raw: z.object({ headers: z.record(z.string(), z.string()), body: z.string().nullable() }).nullable(),
    }),
  }),
  retryEvent: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/endpoints/:id/events/:eventId/retry',
    summary: 'Retry an event',
    description: 'For the endpoint’s owner and admins. Returns CONFLICT unless the event failed.',
    access: write,
    params: eventParams,
    output: records.ProviderEvent,
    status: 202,
    limit,
  }),
  replies: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/replies',
    summary: 'List replies to providers',
    description: 'Newest first. `waiting`: a member must approve them.',
    access: read,
    query: z.object({ ...cursorQuery, status: z.enum(REPLY_STATUSES).default('waiting') }),
    output: cursorPage(records.WaitingReply),
  }),
  approveReply: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/replies/:id/approve',
    summary: 'Approve a reply',
    description:
      'Sends the reply; `text` replaces its text. Also resends a reply that failed or may not have been sent. Returns CONFLICT if it was already decided.',
    access: browser(REPLY_AREA),
    params,
    body: z.object({ text: text(1, ENDPOINT_LIMITS.reply).optional() }),
    output: records.EventReply,
    limit,
  }),
  rejectReply: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/replies/:id/reject',
    summary: 'Reject a reply',
    description: 'The reply is never sent. Returns CONFLICT if it was already decided.',
    access: browser(REPLY_AREA),
    params,
    output: records.EventReply,
    limit,
  }),
  receive: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/webhooks/:provider/:endpointId',
    summary: 'Receive provider events',
    description:
      'For providers. Accepts bodies up to 256 KB that carry the connector’s signature or secret. Responds as the provider expects, once the event is stored; a repeated event within 30 days changes nothing.',
    access: anonymous(),
    params: receiverParams,
    query: z.looseObject({}),
    raw: true,
    bytes: 'reply',
    failures: ['UNAUTHORIZED', 'CONFLICT', 'RATE_LIMITED'],
    output: z.null(),
  }),
  checkUrl: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/webhooks/:provider/:endpointId',
    summary: 'Answer a provider’s URL check',
    description: 'For providers that check the URL before sending events.',
    access: anonymous(),
    params: receiverParams,
    query: z.looseObject({}),
    bytes: 'reply',
    failures: ['UNAUTHORIZED'],
    output: z.null(),
  }),
  observeEndpoints: endpoint({
    method: 'GET',
    path: '/api/v1/admin/connectors/endpoints',
    summary: 'List endpoints in all organizations',
    description: 'Newest first, with counts, latencies and the last error.',
    access: operator(OPERATOR_AREA),
    query: z.object({ ...cursorQuery, connector: ConnectorSlug.optional() }),
    output: cursorPage(records.ObservedEndpoint),
  }),
  observeEvents: endpoint({
    method: 'GET',
    path: '/api/v1/admin/connectors/events',
    summary: 'List provider events in all organizations',
    description: 'Newest first, without contents.',
    access: operator(OPERATOR_AREA),
    query: z.object({ ...cursorQuery, endpointId: Id.optional() }),
    output: cursorPage(records.ObservedEvent),
  }),
}
