import { GOOGLE_CHANNEL } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from } from '../../definition/request-template.ts'
import { displayTextAt, summary } from '../summary.ts'
import { CHANNEL_RENEW_DAYS, channel, keptChannel, notification, stopBody } from './google-channel.ts'

export const driveReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'signature', schemes: [GOOGLE_CHANNEL], secret: { from: 'generated' } },
  events: { 'google-drive.file': 'A file was added or changed' },
  sessionKey: 'google-drive:{thread}',
  // A notification reports only that there are changes.
  normalize: (event) => {
    const received = notification(event)
    if (received === null) return []
    const { externalId, since } = received
    return [
      normalizedEvent({ eventKey: 'google-drive.file', externalId, thread: 'changes', replyTo: { since } }),
    ]
  },
  fetch: {
    request: ({ text, replyTo }) =>
      text !== null
        ? null
        : {
            method: 'GET',
            path: '/drive/v3/files',
            query: {
              q: `trashed = false and mimeType != 'application/vnd.google-apps.folder' and modifiedTime > '${replyTo.since}'`,
              orderBy: 'modifiedTime',
              pageSize: 100,
              fields:
                'files(id,name,mimeType,modifiedTime,createdTime,webViewLink,lastModifyingUser(displayName,emailAddress,permissionId,me))',
              supportsAllDrives: true,
              includeItemsFromAllDrives: true,
            },
          },
    complete: (_, answer) => ({
      events: itemsAt(answer, 'files').flatMap((file) => {
        const [id, modified] = [displayTextAt(file, 'id'), displayTextAt(file, 'modifiedTime')]
        if (id === null || modified === null) return []
        const user = displayTextAt(file, 'lastModifyingUser.permissionId')
        return [
          normalizedEvent({
            eventKey: 'google-drive.file',
            externalId: `${id}:${modified}`,
            actor: { id: user, name: displayTextAt(file, 'lastModifyingUser.displayName'), isBot: false },
            text: summary(
              displayTextAt(file, 'createdTime') === modified ? 'A file was added' : 'A file was changed',
              {
                name: displayTextAt(file, 'name'),
                fileId: id,
                mimeType: displayTextAt(file, 'mimeType'),
                modified,
                by: displayTextAt(file, 'lastModifyingUser.emailAddress'),
              },
            ),
            thread: id,
            resource: { type: 'file', id, url: displayTextAt(file, 'webViewLink') },
          }),
        ]
      }),
    }),
  },
  setup: {
    by: 'api',
    register: (endpoint) => ({
      request: {
        method: 'POST',
        path: '/drive/v3/changes/watch',
        query: {
          pageToken: from('kept.startPageToken'),
          supportsAllDrives: true,
          includeItemsFromAllDrives: true,
        },
        json: channel(endpoint),
      },
      keep: keptChannel,
    }),
    unregister: (kept) => ({ method: 'POST', path: '/drive/v3/channels/stop', json: stopBody(kept) }),
    renewDays: CHANNEL_RENEW_DAYS,
  },
}
