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

export const ENDPOINT_AREA = 'Managing endpoints of connectors'
/** A run could have a key, and must not approve its own reply. */
const REPLY_AREA = 'Deciding a reply'
const OPERATOR_AREA = 'The endpoints of connectors'

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
    summary: 'Create an endpoint of a connection',
    description:
      'Events of the provider start runs of the agent in the project, with the rights of the caller. Registers the URL with the provider where it has an API for it; otherwise `setup` has the steps. Requires a public HTTPS URL of this server. Returns CONFLICT if the connection is not active.',
    access: steppedUp(ENDPOINT_AREA),
    params,
    body: z.object({
      name: records.EndpointName.optional().describe('Default: the name of the connector'),
      agentId: Id,
      projectId: ProjectRef,
      events: records.Events.default([]),
      sessionKey: records.SessionKey.optional(),
      reply: records.Reply.optional().describe(
        'Default: `approve`, or `off` if the connector has no replies',
      ),
      filter: records.Filter.optional(),
      fields: Fields.default({}).describe('The source of the events, such as a repository'),
      secret: text(1, 500)
        .optional()
        .describe('The secret that the provider shows, for connectors that need it'),
    }),
    output: records.ConnectorEndpoint.extend({ setup: records.EndpointSetup }),
    status: 201,
    limit,
    failures: ['PROVIDER_ERROR'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/endpoints',
    summary: 'List endpoints of connectors',
    description: 'The endpoints of the projects that you can see, newest first.',
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
    summary: 'Get an endpoint of a connector',
    description: 'With the setup at the provider, without the secret.',
    access: read,
    params,
    output: records.ConnectorEndpoint.extend({ setup: records.EndpointSetup }),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/connectors/endpoints/:id',
    summary: 'Update an endpoint of a connector',
    description:
      'Only its owner changes its settings; admins can pause it too. A change of `events` or `fields` is registered with the provider again. `active` resumes it, and held events are handled in their order.',
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
          .describe('Forgets the secret that the provider sent, and accepts another for 10 minutes (Notion)'),
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
    summary: 'Delete an endpoint of a connector',
    description:
      'Refuses further events immediately, and unregisters the URL at the provider. Sessions and runs stay.',
    access: steppedUp(ENDPOINT_AREA),
    params,
    output: z.object({ deleted: z.literal(true) }),
    limit,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/endpoints/:id/test',
    summary: 'Test an endpoint of a connector',
    description:
      'Registers the endpoint again where the provider has an API for it, and returns the checks that must pass before events can start runs. Starts no run.',
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
    description: `Evaluates a filter on the last ${ENDPOINT_LIMITS.triedEvents} events. Returns BAD_REQUEST with the position of a mistake.`,
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
    summary: 'List the events of an endpoint',
    description: 'Newest first, of the last 30 days.',
    access: read,
    params,
    query: z.object({ ...cursorQuery, status }),
    output: cursorPage(records.ProviderEvent),
    standby: true,
  }),
  event: endpoint({
    method: 'GET',
    path: '/api/v1/connectors/endpoints/:id/events/:eventId',
    summary: 'Get an event of an endpoint',
    description: 'With the request of the provider, for those who can edit the endpoint.',
    access: read,
    params: eventParams,
    output: records.ProviderEvent.extend({
      raw: z.object({ headers: z.record(z.string(), z.string()), body: z.string().nullable() }).nullable(),
    }),
  }),
  retryEvent: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/endpoints/:id/events/:eventId/retry',
    summary: 'Handle an event again',
    description: 'For the owner of the endpoint and admins. Returns CONFLICT unless the event failed.',
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
    description: 'Newest first. `waiting`: a member has to approve them.',
    access: read,
    query: z.object({ ...cursorQuery, status: z.enum(REPLY_STATUSES).default('waiting') }),
    output: cursorPage(records.WaitingReply),
  }),
  approveReply: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/replies/:id/approve',
    summary: 'Approve a reply',
    description:
      'Sends the reply; `text` replaces its text. Also resends a reply that failed or may not have been sent. Returns CONFLICT if it was decided already.',
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
    description: 'It is never sent. Returns CONFLICT if it was decided already.',
    access: browser(REPLY_AREA),
    params,
    output: records.EventReply,
    limit,
  }),
  receive: endpoint({
    method: 'POST',
    path: '/api/v1/connectors/webhooks/:provider/:endpointId',
    summary: 'Receive events of a provider',
    description:
      'For providers. Accepts bodies up to 256 KB that carry the signature or secret of the connector. Responds after the event is stored, as the provider expects; a repeated event within 30 days changes nothing.',
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
    summary: 'Answer the URL check of a provider',
    description: 'For providers that check the URL before they send events.',
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
    summary: 'List the endpoints of all organizations',
    description: 'Newest first, with counts, latencies and the last error.',
    access: operator(OPERATOR_AREA),
    query: z.object({ ...cursorQuery, connector: ConnectorSlug.optional() }),
    output: cursorPage(records.ObservedEndpoint),
  }),
  observeEvents: endpoint({
    method: 'GET',
    path: '/api/v1/admin/connectors/events',
    summary: 'List the provider events of all organizations',
    description: 'Newest first, without contents.',
    access: operator(OPERATOR_AREA),
    query: z.object({ ...cursorQuery, endpointId: Id.optional() }),
    output: cursorPage(records.ObservedEvent),
  }),
}
