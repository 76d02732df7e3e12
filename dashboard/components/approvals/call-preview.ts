interface PreviewField {
  name: string
  text: string
  /** Of a nested value, as JSON. */
  data?: string
}

interface PreviewBlock {
  type: string
  title: string
  content: string
  color: string
  rest: PreviewField[]
}

export type CallPreview =
  | {
      kind: 'canvas'
      created: PreviewBlock[]
      updated: { name: string; fields: PreviewField[] }[]
      deleted: string[]
      moved: number
      connected: number
      rest: PreviewField[]
    }
  | { kind: 'file'; name: string; folder: string; text: string; rest: PreviewField[] }
  | { kind: 'mail'; to: string; cc: string; bcc: string; subject: string; text: string }
  | { kind: 'message'; to: string; text: string }
  | { kind: 'payment'; input: unknown; payee: string; account: string; reason: string; rest: PreviewField[] }
  | { kind: 'fields'; fields: PreviewField[] }

/** What a call's input would do. Unknown tools show their fields, and no field is left out. */
export function previewOf(tool: string, input: unknown): CallPreview {
  const fields = recordOf(input)
  if (tool === 'edit_canvas') return canvasPreview(fields)
  if (tool === 'write_file' && isText(fields.name) && isText(fields.text))
    return {
      kind: 'file',
      name: fields.name,
      folder: textOf(fields.folder),
      text: fields.text,
      rest: restOf(fields, ['name', 'folder', 'text']),
    }
  if (tool === 'make_payment' && isText(fields.amount)) {
    const payee = recordOf(fields.payee)
    return {
      kind: 'payment',
      input,
      payee: textOf(payee.name),
      account: textOf(payee.account) || textOf(payee.url),
      reason: textOf(fields.reason),
      rest: restOf(fields, ['amount', 'currency', 'payee', 'reason']),
    }
  }
  const field = messageField(tool, input)
  if (field !== null) {
    const text = textOf(fields[field])
    const to = recipientsOf(fields)
    if (isText(fields.subject))
      return {
        kind: 'mail',
        to,
        cc: listOf(fields.cc),
        bcc: listOf(fields.bcc),
        subject: fields.subject,
        text,
      }
    return { kind: 'message', to, text }
  }
  return {
    kind: 'fields',
    fields: fieldsOf(
      tool === 'run_action' ? { ...fields, ...recordOf(fields.input), input: undefined } : fields,
    ),
  }
}

const TEXT_FIELDS = ['body', 'text', 'message', 'content', 'html']
const RECIPIENT_FIELDS = ['to', 'recipient', 'recipients', 'channel', 'channelId', 'chatId', 'chat']

/** The field with the text to be sent, if the call sends a message to someone. */
export function messageField(tool: string, input: unknown): string | null {
  const fields = recordOf(input)
  if (tool === 'run_agent' || recipientsOf(fields) === '') return null
  const known = new Set([...TEXT_FIELDS, ...RECIPIENT_FIELDS, ...OTHER_MESSAGE_FIELDS])
  // Anything else may matter as much as the text, so it isn't hidden.
  if (Object.entries(fields).some(([name, value]) => !known.has(name) && !isEmpty(value))) return null
  const texts = TEXT_FIELDS.filter((name) => isText(fields[name]) && fields[name] !== '')
  return texts.length === 1 ? texts[0]! : null
}

const OTHER_MESSAGE_FIELDS = ['account', 'subject', 'cc', 'bcc']

/** The text field that a member edits as text; null edits the whole input. */
export const editedField = (tool: string, input: unknown): string | null =>
  tool === 'write_file' && isText(recordOf(input).text) ? 'text' : messageField(tool, input)

const recipientsOf = (fields: Fields) =>
  RECIPIENT_FIELDS.map((name) => listOf(fields[name])).find((names) => names !== '') ?? ''

type Fields = Readonly<Record<string, unknown>>

const recordOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const isText = (value: unknown): value is string => typeof value === 'string'
const textOf = (value: unknown) => (isText(value) ? value : '')
const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const listOf = (value: unknown): string =>
  Array.isArray(value) ? value.filter(isText).join(', ') : textOf(value)

function canvasPreview(fields: Fields): CallPreview {
  return {
    kind: 'canvas',
    created: arrayOf(fields.create)
      .map(recordOf)
      .map((block) => ({
        type: textOf(block.type),
        title: textOf(block.title),
        content: textOf(block.content),
        color: textOf(block.color),
        rest: restOf(block, BLOCK_FIELDS),
      })),
    updated: arrayOf(fields.update)
      .map(recordOf)
      .map(({ id, ...change }) => ({ name: textOf(id), fields: fieldsOf(change) })),
    deleted: arrayOf(fields.delete).filter(isText),
    moved: arrayOf(fields.move).length,
    connected: arrayOf(fields.connect).length,
    rest: restOf(fields, EDITS),
  }
}

const EDITS = ['create', 'update', 'move', 'connect', 'delete']
/** Shown, or only where a block is. */
const BLOCK_FIELDS = ['ref', 'type', 'title', 'content', 'color', 'parentId', 'x', 'y', 'width', 'height']

const restOf = (fields: Fields, shown: readonly string[]) =>
  fieldsOf(Object.fromEntries(Object.entries(fields).filter(([name]) => !shown.includes(name))))

function fieldsOf(fields: Fields): PreviewField[] {
  return Object.entries(fields)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        return { name, text: String(value) }
      if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
        return { name, text: value.join(', ') }
      return { name, text: '', data: JSON.stringify(value, null, 2) }
    })
}
