import type { Message, NewMessage } from '../../../api/conversations.ts'

export interface Attachment {
  kind: 'file' | 'block'
  id: string
  name: string
}

/** The server describes attachments to the model this way. */
const ATTACHMENT = /^\[Attached (file|block): (".*"), id ([0-9a-f-]{36})\]$/s

export const parseAttachments = ({ content }: Pick<Message, 'content'>): Attachment[] =>
  content.flatMap(({ type, text }, index) => {
    const match = type === 'text' && index > 0 && typeof text === 'string' ? ATTACHMENT.exec(text) : null
    return match ? [{ kind: match[1] as Attachment['kind'], name: nameIn(match[2]!), id: match[3]! }] : []
  })

function nameIn(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return json
  }
}

export const messageWith = (content: string, attachments: readonly Attachment[]): NewMessage => ({
  content,
  fileIds: attachments.filter(({ kind }) => kind === 'file').map(({ id }) => id),
  blockIds: attachments.filter(({ kind }) => kind === 'block').map(({ id }) => id),
})
