import { z } from 'zod'
import { SENTRY } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, itemsAt, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from } from '../../definition/template.ts'

const ISSUES = '/api/0/organizations/{config.organization}/issues'
const FRAMES_MAX = 10

const EVENTS = {
  'sentry.issue.created': 'A new error occurred',
  'sentry.issue.resolved': 'An error was resolved',
  'sentry.issue.unresolved': 'A resolved error occurred again',
  'sentry.issue.assigned': 'An error was assigned',
  'sentry.event_alert.triggered': 'An alert for an error was triggered',
  'sentry.metric_alert.critical': 'A metric became critical',
  'sentry.metric_alert.warning': 'A metric reached the warning level',
  'sentry.metric_alert.resolved': 'A metric alert was resolved',
  'sentry.comment.created': 'A comment was added to an error',
} as const

export const sentryReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: {
    by: 'signature',
    schemes: [SENTRY],
    secret: {
      from: 'entered',
      label: 'Client secret',
      hint: 'Shown in Sentry on the internal integration’s page.',
    },
  },
  events: EVENTS,
  sessionKey: 'sentry:{thread}',
  normalize: ({ headers, body }) => {
    const resource = headers['sentry-hook-resource']
    const eventKey = `sentry.${resource}.${displayTextAt(body, 'action')}`
    if (!Object.hasOwn(EVENTS, eventKey)) return []
    const data = (path: string) => displayTextAt(body, `data.${path}`)
    const issueId = data('issue.id') ?? data('event.issue_id') ?? data('issue_id') ?? data('metric_alert.id')
    const requestId = headers['request-id']
    if (issueId === null || !requestId) return []
    const isComment = resource === 'comment'
    const line = summary(EVENTS[eventKey as keyof typeof EVENTS], {
      issueId,
      title: data('issue.title') ?? data('event.title') ?? data('metric_alert.title'),
      level: data('issue.level') ?? data('event.level'),
      culprit: data('issue.culprit') ?? data('event.culprit'),
      project: data('issue.project.slug') ?? data('project_slug'),
      count: data('issue.count'),
      rule: data('triggered_rule'),
    })
    return [
      normalizedEvent({
        eventKey,
        externalId: requestId,
        actor: {
          id: displayTextAt(body, 'actor.id'),
          name: displayTextAt(body, 'actor.name'),
          // Sentry's own error events aren't ignored.
          isBot:
            displayTextAt(body, 'actor.type') === 'application' &&
            displayTextAt(body, 'actor.id') !== 'sentry',
        },
        text: isComment ? `${line}\n\n${data('comment') ?? ''}` : line,
        thread: issueId,
        resource: {
          type: resource === 'metric_alert' ? 'metric_alert' : 'issue',
          id: issueId,
          url: data('issue.permalink') ?? data('issue.web_url') ?? data('event.web_url') ?? data('web_url'),
        },
      }),
    ]
  },
  setup: {
    by: 'hand',
    steps: [
      'In Sentry, open Settings, Developer Settings and the internal integration whose token this connection uses.',
      'Set the webhook URL to {url}, and choose the resources issue and comment.',
      'For alerts, turn on Alert Rule Action, and choose the integration as an alert action.',
      'Enter the integration’s client secret here.',
    ],
  },
}

const issueId = z.string().regex(/^\d{1,20}$/, 'must be an issue id: digits, not its short id')

const ISSUE_FIELDS = [
  'id',
  'shortId',
  'title',
  'culprit',
  'level',
  'status',
  'count',
  'userCount',
  'firstSeen',
  'lastSeen',
  'project.slug',
  'permalink',
] as const

export const sentry: ConnectorDefinition = {
  slug: 'sentry',
  name: 'Sentry',
  description: 'Search, read, comment on and resolve errors.',
  category: 'operations',
  docsUrl: 'https://docs.sentry.io/api/',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'organization',
      label: 'Organization',
      required: true,
      hint: 'The organization slug: the part of your Sentry URL before .sentry.io.',
      pattern: '[a-z0-9][a-z0-9_-]{0,49}',
      placeholder: 'acme',
    },
    {
      key: 'host',
      label: 'Host',
      required: false,
      hint: 'us.sentry.io or de.sentry.io for a region, or your own server’s host.',
      pattern: '[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[0-9]{1,5})?',
      placeholder: 'sentry.io',
      default: 'sentry.io',
    },
  ],
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'token',
        label: 'Token',
        required: true,
        secret: true,
        hint: 'Sentry, under Settings, Developer Settings: an internal integration’s token with read and write access to issues and events.',
        pattern: '[A-Za-z0-9_=+/.-]{16,500}',
      },
    ],
    send: { header: 'authorization', value: 'Bearer {credentials.token}' },
  },
  baseUrl: 'https://{config.host}',
  check: {
    request: { method: 'GET', path: '/api/0/organizations/{config.organization}/' },
    account: { id: 'id', name: 'name', avatarUrl: 'avatar.avatarUrl' },
  },
  errorFields: { message: 'detail' },
  tools: [
    tool({
      name: 'search_issues',
      description: 'Use this to find errors, such as a project’s unresolved ones. Last seen first.',
      input: z.object({
        query: z
          .string()
          .max(500)
          .default('is:unresolved')
          .describe('Sentry search syntax, such as: is:unresolved level:error project:web TypeError'),
        period: z
          .string()
          .regex(/^\d{1,3}[hdw]$/, 'must be a period such as 24h or 14d')
          .default('14d'),
        limit: z.int().min(1).max(100).default(20),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: `${ISSUES}/`,
        query: { query: from('query'), statsPeriod: from('period'), limit: from('limit'), sort: 'date' },
      },
      answer: { pick: ISSUE_FIELDS },
    }),
    tool({
      name: 'get_issue',
      description:
        'Use this to read an error with its numbers, its assignee and its first and last releases.',
      input: z.object({ issueId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: `${ISSUES}/{issueId}/` },
      answer: {
        pick: [
          ...ISSUE_FIELDS,
          'metadata',
          'assignedTo.name',
          'firstRelease.version',
          'lastRelease.version',
          'tags.key',
          'tags.totalValues',
        ],
      },
    }),
    tool({
      name: 'get_latest_event',
      description: 'Use this to see the stack trace, tags and request from an error’s last occurrence.',
      input: z.object({ issueId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: `${ISSUES}/{issueId}/events/latest/` },
      answer: { map: eventOf },
    }),
    tool({
      name: 'resolve_issue',
      description: 'Use this to mark an error as resolved, or to open or archive it. Colleagues can see it.',
      input: z.object({ issueId, status: z.enum(['resolved', 'unresolved', 'ignored']).default('resolved') }),
      effect: 'idempotent',
      risk: 'send',
      request: { method: 'PUT', path: `${ISSUES}/{issueId}/`, json: { status: from('status') } },
      answer: { pick: ['id', 'status', 'permalink'] },
    }),
    tool({
      name: 'comment',
      description: 'Use this to comment on an error. Colleagues can see it.',
      input: z.object({ issueId, text: z.string().min(1).max(20_000) }),
      effect: 'once',
      risk: 'send',
      request: { method: 'POST', path: `${ISSUES}/{issueId}/comments/`, json: { text: from('text') } },
      answer: { pick: ['id', 'dateCreated'] },
    }),
  ],
  receiver: sentryReceiver,
}

/** With the innermost application frames. */
function eventOf(event: unknown) {
  const entry = (type: string) =>
    itemsAt(event, 'entries').find((each) => displayTextAt(each, 'type') === type)
  return {
    id: displayTextAt(event, 'eventID'),
    title: displayTextAt(event, 'title'),
    dateCreated: displayTextAt(event, 'dateCreated'),
    release: displayTextAt(event, 'release.version'),
    tags: itemsAt(event, 'tags').map((tag) => `${displayTextAt(tag, 'key')}: ${displayTextAt(tag, 'value')}`),
    request: [displayTextAt(entry('request'), 'data.method'), displayTextAt(entry('request'), 'data.url')]
      .filter(Boolean)
      .join(' '),
    exceptions: itemsAt(entry('exception'), 'data.values').map((exception) => {
      const frames = itemsAt(exception, 'stacktrace.frames')
      const own = frames.filter((frame) => displayTextAt(frame, 'inApp') === 'true')
      return {
        type: displayTextAt(exception, 'type'),
        value: displayTextAt(exception, 'value'),
        frames: (own.length > 0 ? own : frames)
          .slice(-FRAMES_MAX)
          .reverse()
          .map(
            (frame) =>
              `${displayTextAt(frame, 'function') ?? '?'} at ${displayTextAt(frame, 'filename')}:${displayTextAt(frame, 'lineNo')}`,
          ),
      }
    }),
  }
}
