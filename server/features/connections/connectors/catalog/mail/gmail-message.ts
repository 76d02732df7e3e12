import { itemsAt, textAt } from '../../definition/payload.ts'
import { valueAt } from '../../requests/template.ts'
import { htmlToText } from './html-text.ts'

const TEXT_MAX = 50_000
const DEPTH_MAX = 20

export function headerOf(message: unknown, name: string): string | null {
  const header = itemsAt(message, 'payload.headers').find(
    (each) => textAt(each, 'name')?.toLowerCase() === name.toLowerCase(),
  )
  return textAt(header, 'value')
}

/** The parts of a message that a model needs. */
export const readableMessage = (message: unknown) => ({
  id: textAt(message, 'id'),
  threadId: textAt(message, 'threadId'),
  messageId: headerOf(message, 'message-id'),
  from: headerOf(message, 'from'),
  to: headerOf(message, 'to'),
  cc: headerOf(message, 'cc'),
  subject: headerOf(message, 'subject'),
  date: headerOf(message, 'date'),
  labels: valueAt(message, 'labelIds'),
  text: textOf(message),
  attachments: partsOf(valueAt(message, 'payload'), 0).flatMap((part) => {
    const filename = textAt(part, 'filename')
    return filename ? [{ filename, type: textAt(part, 'mimeType'), size: valueAt(part, 'body.size') }] : []
  }),
})

/** The plain text of a message, or the text of its HTML. */
export function textOf(message: unknown): string {
  const parts = partsOf(valueAt(message, 'payload'), 0).filter((part) => !textAt(part, 'filename'))
  const content = (type: string) =>
    parts
      .filter((part) => textAt(part, 'mimeType') === type)
      .map((part) => Buffer.from(textAt(part, 'body.data') ?? '', 'base64url').toString('utf8'))
      .join('\n')
      .trim()
  const plain = content('text/plain')
  return (plain === '' ? htmlToText(content('text/html')) : plain.replaceAll('\r\n', '\n')).slice(0, TEXT_MAX)
}

function partsOf(part: unknown, depth: number): readonly unknown[] {
  if (depth > DEPTH_MAX) return []
  return [part, ...itemsAt(part, 'parts').flatMap((each) => partsOf(each, depth + 1))]
}
