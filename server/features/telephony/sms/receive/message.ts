import { counted } from '../../../../../contract/counted.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import type { PendingSms } from './pending-queries.ts'

/** The message as the model receives it. The text of the sender is data, not a request of a member. */
export function messageFor(e164: string, message: PendingSms) {
  const { peer, media, remoteMedia } = message
  const files = media.map((id) => `A file of the message is in the folder Messages, with the id ${id}.`)
  const missingFiles = remoteMedia.map(() => 'A file of the message could not be stored.')
  const intro = [
    `A text message arrived at ${e164}. Your answer is sent back as a text message: keep it short, without formatting.`,
    ...files,
    ...missingFiles,
  ].join('\n')
  const data = stableFence(`From: ${peer}\n\n${message.body}`.trim(), 'a text message (outside)')
  return { content: [{ type: 'text' as const, text: `${intro}\n\n${data}` }], body: textOf(message) }
}

/** The text of the message, followed by the number of its files. */
export function textOf({
  body,
  media,
  remoteMedia,
}: Pick<PendingSms, 'body' | 'media' | 'remoteMedia'>): string {
  const count = media.length + remoteMedia.length
  const files = count === 0 ? '' : `[${counted(count, 'file')}]`
  return [body.trim(), files].filter(Boolean).join(' ') || '[empty message]'
}
