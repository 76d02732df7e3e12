import { itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition, RegisteredEndpoint } from '../../definition/receiver.ts'
import { findByUrl } from '../find-registration.ts'
import { displayTextAt } from '../summary.ts'

const pathOf = ({ webhookId = '' }: Readonly<Record<string, string>>) =>
  `/v2/webhooks/${encodeURIComponent(webhookId)}`

const webhook = ({ url, secret }: RegisteredEndpoint) => ({
  event_type: 'FILE_COMMENT',
  endpoint: url,
  passcode: secret,
  status: 'ACTIVE',
  description: 'Atrium',
})

const contextOf = ({ config: { fileKey, teamId } }: RegisteredEndpoint) => ({
  context: fileKey ? 'file' : 'team',
  context_id: fileKey || teamId || '',
})

export const figmaReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'body-field', path: 'passcode', secret: { from: 'generated' } },
  handshake: { by: 'ignored', path: 'event_type', equals: 'PING' },
  events: { 'figma.comment': 'A comment was added to a file' },
  sessionKey: 'figma:{thread}',
  normalize: ({ body }) => {
    const [comment, file] = [displayTextAt(body, 'comment_id'), displayTextAt(body, 'file_key')]
    const author = displayTextAt(body, 'triggered_by.id')
    if (displayTextAt(body, 'event_type') !== 'FILE_COMMENT' || comment === null || file === null) return []
    const root = displayTextAt(body, 'parent_id') ?? comment
    const text = itemsAt(body, 'comment')
      .map((part) => displayTextAt(part, 'text') ?? mentionOf(body, displayTextAt(part, 'mention')))
      .join('')
    return [
      normalizedEvent({
        eventKey: 'figma.comment',
        externalId: comment,
        actor: { id: author, name: displayTextAt(body, 'triggered_by.handle'), isBot: false },
        text: `${displayTextAt(body, 'file_name') ?? file}: ${text}`,
        thread: `${file}:${root}`,
        resource: { type: 'file', id: file, url: `https://www.figma.com/design/${encodeURIComponent(file)}` },
        replyTo: { fileKey: file, commentId: root },
      }),
    ]
  },
  reply: ({ replyTo }, text) => ({
    method: 'POST',
    path: `/v1/files/${encodeURIComponent(replyTo.fileKey!)}/comments`,
    json: { message: text, comment_id: replyTo.commentId! },
  }),
  setup: {
    by: 'api',
    find: (endpoint) =>
      findByUrl(
        { method: 'GET', path: '/v2/webhooks', query: contextOf(endpoint) },
        { items: 'webhooks', url: 'endpoint', keep: 'webhookId' },
      )(endpoint),
    register: (endpoint) => ({
      request: {
        method: 'POST',
        path: '/v2/webhooks',
        json: {
          ...webhook(endpoint),
          ...contextOf(endpoint),
        },
      },
      keep: (answer) => ({ webhookId: displayTextAt(answer, 'id') ?? '' }),
    }),
    update: (kept, endpoint) => ({ method: 'PUT', path: pathOf(kept), json: webhook(endpoint) }),
    unregister: (kept) => ({ method: 'DELETE', path: pathOf(kept) }),
    fields: [
      {
        key: 'teamId',
        label: 'Team',
        hint: 'The number in the URL of the team. All files of the team are watched.',
        required: false,
        pattern: '\\d{1,30}',
      },
      {
        key: 'fileKey',
        label: 'File',
        hint: 'The part of the URL of a file after /design/, to watch this file only.',
        required: false,
        pattern: '[A-Za-z0-9]{10,128}',
      },
    ],
  },
}

/** A mention is the id of a person; `mentions` contains the name. */
function mentionOf(body: unknown, id: string | null): string {
  const person = itemsAt(body, 'mentions').find((each) => displayTextAt(each, 'id') === id)
  return `@${displayTextAt(person, 'handle') ?? id ?? ''}`
}
