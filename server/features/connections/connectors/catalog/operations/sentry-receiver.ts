import { SENTRY } from '../../../../../signatures/provider-schemes.ts'
import { normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { displayTextAt, summary } from '../summary.ts'

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
      hint: 'Shown in Sentry on the page of the internal integration.',
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
          // Sentry itself is also of the type application, but its events report errors and are not ignored.
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
      'For alerts, turn on Alert Rule Action, and choose the integration as an action of the alert.',
      'Enter the client secret of the integration here.',
    ],
  },
}
