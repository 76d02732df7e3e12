import { itemsAt, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { encodeSegment, valueAt } from '../../requests/template.ts'
import { htmlToText } from './html-text.ts'
import { announcesEnd, graphSubscription } from './microsoft.ts'
import { isAutomatic } from './sender.ts'

const TEXT_MAX = 50_000
const FIELDS =
  'id,conversationId,subject,from,toRecipients,ccRecipients,isDraft,webLink,body,internetMessageHeaders'

export const outlookReceiver: ReceiverDefinition = {
  kind: 'mailbox',
  proof: { by: 'body-field', path: 'value.*.clientState', secret: { from: 'generated' } },
  handshake: { by: 'query-echo', parameter: 'validationToken' },
  events: { 'outlook.mail': 'A mail in the inbox' },
  response: { status: 202, contentType: 'text/plain', body: '' },
  normalize,
  announcesEnd,
  fetch: {
    request: ({ text, resource }) =>
      text === null && resource
        ? {
            method: 'GET',
            path: `/me/messages/${encodeSegment(resource.id)}`,
            query: { $select: FIELDS },
            headers: { prefer: 'outlook.body-content-type="text"' },
          }
        : null,
    complete,
  },
  sessionKey: 'outlook:{thread}',
  reply: ({ replyTo: { messageId } }, text) => ({
    method: 'POST',
    path: `/me/messages/${encodeSegment(String(messageId))}/reply`,
    json: { comment: text },
  }),
  setup: graphSubscription({
    resource: () => "/me/mailFolders('inbox')/messages",
    changeType: 'created',
  }),
}

/** Lifecycle notifications have no message. */
function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  return itemsAt(body, 'value').flatMap((item) => {
    const id = textAt(item, 'resourceData.id')
    const isCreated = textAt(item, 'changeType') === 'created' && textAt(item, 'lifecycleEvent') === null
    if (id === null || !isCreated) return []
    return [
      normalizedEvent({
        eventKey: 'outlook.mail',
        externalId: `mail:${id}`,
        thread: 'inbox',
        resource: { type: 'mail', id, url: null },
        replyTo: { messageId: id },
      }),
    ]
  })
}

/** Automatic mail is ignored: two programs that reply to each other would never stop. */
function complete(event: NormalizedEvent, answer: unknown) {
  const email = textAt(answer, 'from.emailAddress.address')
  const name = textAt(answer, 'from.emailAddress.name')
  const headers = itemsAt(answer, 'internetMessageHeaders')
  const header = (name: string) => {
    const found = headers.find((each) => textAt(each, 'name')?.toLowerCase() === name)
    return textAt(found, 'value') ?? (name === 'from' ? email : null)
  }
  // The reply to a mail that the account sent to itself would arrive as the next mail.
  const isToOneself = [...itemsAt(answer, 'toRecipients'), ...itemsAt(answer, 'ccRecipients')].some(
    (each) => textAt(each, 'emailAddress.address')?.toLowerCase() === email?.toLowerCase(),
  )
  if (email === null || isToOneself || valueAt(answer, 'isDraft') === true || isAutomatic(header)) {
    return { events: [] }
  }
  const content = textAt(answer, 'body.content') ?? ''
  const text = textAt(answer, 'body.contentType') === 'html' ? htmlToText(content) : content
  return {
    events: [
      {
        ...event,
        actor: { id: email, name, isBot: false },
        text: `${textAt(answer, 'subject') ?? ''}\n\n${text}`.slice(0, TEXT_MAX).trim(),
        thread: textAt(answer, 'conversationId') ?? event.resource!.id,
        resource: { type: 'message', id: event.resource!.id, url: textAt(answer, 'webLink') },
      },
    ],
  }
}
