import { SENDGRID } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { displayTextAt, summary } from '../summary.ts'

const EVENTS = {
  'sendgrid.delivered': 'An email was delivered',
  'sendgrid.bounce': 'An email bounced',
  'sendgrid.dropped': 'An email was not sent, because the address is suppressed',
  'sendgrid.spamreport': 'A recipient marked an email as spam',
  'sendgrid.unsubscribe': 'A recipient unsubscribed',
  'sendgrid.open': 'An email was opened',
  'sendgrid.click': 'A link in an email was opened',
} as const

export const sendgridReceiver: ReceiverDefinition = {
  kind: 'mailbox',
  proof: {
    by: 'signature',
    schemes: [SENDGRID],
    secret: {
      from: 'entered',
      label: 'Verification key',
      hint: 'Shown in SendGrid after Signed Event Webhook is turned on.',
    },
  },
  events: EVENTS,
  sessionKey: 'sendgrid:{thread}',
  normalize: ({ body }) =>
    itemsAt(body, '').flatMap((item) => {
      const eventKey = `sendgrid.${displayTextAt(item, 'event')}`
      const [id, email] = [displayTextAt(item, 'sg_event_id'), displayTextAt(item, 'email')]
      if (id === null || email === null || !Object.hasOwn(EVENTS, eventKey)) return []
      const messageId = displayTextAt(item, 'sg_message_id')
      return [
        normalizedEvent({
          eventKey,
          externalId: id,
          actor: { id: email, name: email, isBot: false },
          text: summary(EVENTS[eventKey as keyof typeof EVENTS], {
            email,
            message: messageId,
            reason: displayTextAt(item, 'reason') ?? displayTextAt(item, 'response'),
            status: displayTextAt(item, 'status'),
            url: displayTextAt(item, 'url'),
          }),
          thread: email.toLowerCase(),
          resource: messageId === null ? null : { type: 'email', id: messageId, url: null },
        }),
      ]
    }),
  setup: {
    by: 'hand',
    steps: [
      'In SendGrid, open Settings, Mail Settings, Event Webhooks, and create a webhook with the URL {url}.',
      'Choose the events that the agent handles, and turn on Signed Event Webhook under Security features.',
      'Save it, open it again, and enter its verification key here.',
    ],
  },
}
