import { t } from '../../../../contract/text.ts'
import type { Message, NewMessage } from '../../../api/conversations.ts'

export interface Attachment {
  kind: 'file' | 'block'
  id: string
  name: string
  /** Of an image: the version that the agent saw. */
  version?: number
}

/** The server describes attachments to the model this way. */
const ATTACHMENT = /^\[Attached (file|block): (".*"), id ([0-9a-f-]{36})\]$/s

export const parseAttachments = ({ content }: Pick<Message, 'content'>): Attachment[] =>
  content.flatMap((part, index): Attachment[] => {
    if (part.type === 'image') return imageOf(part)
    if (part.type === 'file') return fileOf(part)
    const { type, text } = part
    const match = type === 'text' && index > 0 && typeof text === 'string' ? ATTACHMENT.exec(text) : null
    return match ? [{ kind: match[1] as Attachment['kind'], name: nameIn(match[2]!), id: match[3]! }] : []
  })

/** A block's image is part of the block. An untrusted author's name is left out. */
function imageOf({ fileId, version, name, blockId }: Message['content'][number]): Attachment[] {
  if (typeof fileId !== 'string' || typeof version !== 'number' || blockId !== undefined) return []
  return [{ kind: 'file', id: fileId, name: typeof name === 'string' ? name : t`Image`, version }]
}

const fileOf = ({ fileId, name }: Message['content'][number]): Attachment[] =>
  typeof fileId === 'string'
    ? [{ kind: 'file', id: fileId, name: typeof name === 'string' ? name : t`File` }]
    : []

/** Small, made once, and cached for good. */
export const thumbnailUrl = (
  { fileId, version, page }: { fileId: string; version: number; page?: number | undefined },
  size: 320 | 640 | 1568,
) =>
  `/api/v1/files/${fileId}/thumbnail?version=${version}&size=${size}${page === undefined ? '' : `&page=${page}`}`

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
