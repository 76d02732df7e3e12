import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { from } from '../../definition/request-template.ts'
import { pagerdutyReceiver } from './pagerduty-receiver.ts'

const incidentId = z.string().regex(/^[A-Z0-9]{5,32}$/, 'must be the id of an incident, such as PT4KHLK')

const INCIDENT_FIELDS = [
  'id',
  'incident_number',
  'title',
  'status',
  'urgency',
  'priority.summary',
  'service.summary',
  'assignments.assignee.summary',
  'created_at',
  'html_url',
] as const

export const pagerduty: ConnectorDefinition = {
  slug: 'pagerduty',
  name: 'PagerDuty',
  description: 'Reads incidents and who is on call, acknowledges and resolves incidents, and adds notes.',
  category: 'operations',
  docsUrl: 'https://developer.pagerduty.com/api-reference/',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'region',
      label: 'Region',
      required: false,
      hint: 'eu for app.eu.pagerduty.com, otherwise us.',
      pattern: 'us|eu',
      default: 'us',
    },
  ],
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'apiKey',
        label: 'API token',
        required: true,
        secret: true,
        hint: 'PagerDuty, under My Profile, User Settings: Create API User Token.',
        pattern: '[A-Za-z0-9_+-]{16,64}',
      },
    ],
    send: { header: 'authorization', value: 'Token token={credentials.apiKey}' },
  },
  baseUrl: ({ region }) => (region === 'eu' ? 'https://api.eu.pagerduty.com' : 'https://api.pagerduty.com'),
  headers: { accept: 'application/vnd.pagerduty+json;version=2' },
  check: {
    request: { method: 'GET', path: '/users/me' },
    account: { id: 'user.id', name: 'user.name', email: 'user.email', avatarUrl: 'user.avatar_url' },
  },
  retryAfter: { header: 'ratelimit-reset', unit: 'seconds' },
  errorFields: { code: 'error.code', message: ['error.errors.0', 'error.message'] },
  tools: [
    tool({
      name: 'list_incidents',
      description: 'Use this to see the open incidents, or the incidents of a period. Newest first.',
      input: z.object({
        statuses: z
          .array(z.enum(['triggered', 'acknowledged', 'resolved']))
          .min(1)
          .max(3)
          .default(['triggered', 'acknowledged']),
        since: z.iso.datetime({ offset: true }).optional(),
        until: z.iso.datetime({ offset: true }).optional(),
        limit: z.int().min(1).max(100).default(25),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/incidents',
        query: {
          'statuses[]': from('statuses'),
          since: from('since'),
          until: from('until'),
          limit: from('limit'),
          sort_by: 'created_at:desc',
        },
      },
      answer: { at: 'incidents', pick: INCIDENT_FIELDS },
    }),
    tool({
      name: 'get_incident',
      description: 'Use this to read an incident with its details.',
      input: z.object({ incidentId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/incidents/{incidentId}', query: { 'include[]': 'body' } },
      answer: { at: 'incident', pick: [...INCIDENT_FIELDS, 'body.details', 'escalation_policy.summary'] },
    }),
    tool({
      name: 'list_on_calls',
      description: 'Use this to find out who is on call now.',
      input: z.object({ limit: z.int().min(1).max(100).default(50) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/oncalls', query: { limit: from('limit'), earliest: true } },
      answer: {
        at: 'oncalls',
        pick: [
          'user.summary',
          'schedule.summary',
          'escalation_policy.summary',
          'escalation_level',
          'start',
          'end',
        ],
      },
    }),
    tool({
      name: 'update_incident',
      description:
        'Use this to acknowledge or resolve an incident. The people who respond to it are notified.',
      input: z.object({ incidentId, status: z.enum(['acknowledged', 'resolved']) }),
      effect: 'idempotent',
      risk: 'send',
      request: {
        method: 'PUT',
        path: '/incidents/{incidentId}',
        json: { incident: { type: 'incident_reference', status: from('status') } },
      },
      answer: { at: 'incident', pick: ['id', 'status', 'title', 'html_url'] },
    }),
    tool({
      name: 'add_note',
      description: 'Use this to add a note to an incident. The people who respond to it can see it.',
      input: z.object({ incidentId, text: z.string().min(1).max(25_000) }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/incidents/{incidentId}/notes',
        json: { note: { content: from('text') } },
      },
      answer: { at: 'note', pick: ['id', 'created_at'] },
    }),
  ],
  receiver: pagerdutyReceiver,
}
