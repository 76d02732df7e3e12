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
  | { kind: 'mail'; account: string; to: string; cc: string; bcc: string; subject: string; text: string }
  | { kind: 'message'; account: string; to: string; text: string }
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
      account: [payee.account, payee.url].map(textOf).filter(Boolean).join(' · '),
      reason: textOf(fields.reason),
      rest: restOf(fields, ['amount', 'currency', 'payee', 'reason']),
    }
  }
  const field = messageField(tool, input)
  if (field !== null) {
    const message = { account: textOf(fields.account), to: recipientsOf(fields), text: textOf(fields[field]) }
    const [cc, bcc] = [listOf(fields.cc), listOf(fields.bcc)]
    if (!isText(fields.subject) && cc === '' && bcc === '') return { kind: 'message', ...message }
    return { kind: 'mail', ...message, cc, bcc, subject: textOf(fields.subject) }
  }
  return { kind: 'fields', fields: tool === 'run_action' ? actionFields(fields) : fieldsOf(fields) }
}

/** An action's own fields may have any name, such as `action`. */
const actionFields = ({ input, ...fields }: Fields): PreviewField[] =>
  Object.keys(recordOf(input)).length > 0
    ? [...fieldsOf(fields), ...fieldsOf(recordOf(input))]
    : fieldsOf({ ...fields, input })

const TEXT_FIELDS = ['body', 'text', 'message', 'content', 'html']
const RECIPIENT_FIELDS = ['to', 'recipient', 'recipients', 'channel', 'channelId', 'chatId', 'chat']

/** The field with the text to be sent, if the call sends a message to someone and a preview shows all of it. */
export function messageField(tool: string, input: unknown): string | null {
  if (tool === 'run_agent') return null
  const filled = Object.entries(recordOf(input)).filter(([, value]) => !isEmpty(value))
  // Anything else may matter as much as the text, so it isn't hidden.
  if (!filled.every(isInMessage)) return null
  const names = filled.map(([name]) => name)
  const texts = names.filter((name) => TEXT_FIELDS.includes(name))
  const recipients = names.filter((name) => RECIPIENT_FIELDS.includes(name))
  return texts.length === 1 && recipients.length === 1 ? texts[0]! : null
}

function isInMessage([name, value]: [string, unknown]): boolean {
  if ([...TEXT_FIELDS, 'account', 'subject'].includes(name)) return isText(value)
  return [...RECIPIENT_FIELDS, 'cc', 'bcc'].includes(name) && [value].flat().every(isText)
}

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
