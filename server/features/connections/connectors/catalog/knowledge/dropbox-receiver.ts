import { newId } from '../../../../../security/ids.ts'
import { DROPBOX } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { displayTextAt, summary } from '../summary.ts'

const EVENTS = {
  'dropbox.file': 'A file was added or changed',
  'dropbox.deleted': 'A file or folder was deleted',
} as const

/** The first cursor is as old as the connection: older changes are not events of the endpoint. */
const BEFORE_MS = 10 * 60_000

/** The type of an entry. The name of the field contains a dot, which paths cannot. */
export const tagOf = (entry: unknown): string | null =>
  (entry as { '.tag'?: string } | null | undefined)?.['.tag'] ?? null

export const dropboxReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'signature', schemes: [DROPBOX], secret: { from: 'client' } },
  handshake: { by: 'query-echo', parameter: 'challenge' },
  events: EVENTS,
  sessionKey: 'dropbox:{thread}',
  normalize: ({ body, account }) => {
    // An app has one URL for all accounts that use it.
    if (!itemsAt(body, 'list_folder.accounts').includes(account.id)) return []
    // Every notification of an account has the same body, so that nothing in it can be the id.
    const externalId = newId()
    const since = new Date(Date.now() - BEFORE_MS).toISOString()
    return [normalizedEvent({ eventKey: 'dropbox.file', externalId, thread: 'changes', replyTo: { since } })]
  },
  fetch: {
    request: ({ text }, { cursor, startCursor }) =>
      text !== null
        ? null
        : {
            method: 'POST',
            path: '/2/files/list_folder/continue',
            json: { cursor: cursor ?? startCursor ?? '' },
          },
    complete: (event, answer, { kept }) => {
      const isRecent = (entry: unknown) =>
        kept.cursor !== undefined ||
        (displayTextAt(entry, 'server_modified') ?? '') >= String(event.replyTo.since)
      const events = itemsAt(answer, 'entries').flatMap((entry) => {
        const [tag, path] = [tagOf(entry), displayTextAt(entry, 'path_display')]
        if (path === null || tag === 'folder' || !isRecent(entry)) return []
        const eventKey = tag === 'deleted' ? 'dropbox.deleted' : 'dropbox.file'
        return [
          normalizedEvent({
            eventKey,
            externalId: displayTextAt(entry, 'rev') ?? `${kept.cursor ?? kept.startCursor}:${path}`,
            actor: { id: displayTextAt(entry, 'sharing_info.modified_by'), name: null, isBot: false },
            text: summary(EVENTS[eventKey], {
              path,
              size: displayTextAt(entry, 'size'),
              modified: displayTextAt(entry, 'server_modified'),
            }),
            thread: displayTextAt(entry, 'id') ?? path,
            resource: { type: 'file', id: displayTextAt(entry, 'id') ?? path, url: null },
          }),
        ]
      })
      const cursor = displayTextAt(answer, 'cursor')
      const hasMore = displayTextAt(answer, 'has_more') === 'true'
      const next = { ...event, externalId: `${event.externalId}+` }
      return { events: hasMore ? [...events, next] : events, ...(cursor !== null && { keep: { cursor } }) }
    },
  },
  setup: {
    by: 'hand',
    steps: [
      'In the App Console of Dropbox, open the app whose client this server uses.',
      'Under Webhooks, add the URL {url}. Dropbox checks it immediately.',
    ],
  },
}
