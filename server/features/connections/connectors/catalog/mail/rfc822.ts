export interface Mail {
  to: readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
  subject: string
  text: string
  /** `references` has the earlier ones. */
  inReplyTo?: string
  references?: string
  /** RFC 3834: programs don't reply to automatic replies. */
  isAutomatic?: boolean
}

const LINE_MAX = 76
/** In UTF-8, so that a word has at most 75 characters. */
const WORD_BYTES_MAX = 45

/** RFC 5322 in base64url. Gmail adds `From`, `Date` and `Message-ID`. */
export function encodeMail({ to, cc, bcc, subject, text, inReplyTo, references, isAutomatic }: Mail): string {
  const lists = { To: to, Cc: cc ?? [], Bcc: bcc ?? [] }
  const ids = [references, inReplyTo].filter((id) => id !== undefined && id !== '').join(' ')
  const headers = [
    ...Object.entries(lists).flatMap(([name, list]) =>
      list.length > 0 ? [`${name}: ${list.map(mailbox).join(',\r\n ')}`] : [],
    ),
    `Subject: ${encodeText(subject)}`,
    ...(inReplyTo ? [`In-Reply-To: ${messageIds(inReplyTo)}`] : []),
    ...(ids === '' ? [] : [`References: ${messageIds(ids)}`]),
    ...(isAutomatic ? ['Auto-Submitted: auto-replied'] : []),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ]
  const body = Buffer.from(text.replaceAll(/\r?\n/g, '\r\n').toWellFormed()).toString('base64')
  const lines = body.match(new RegExp(`.{1,${LINE_MAX}}`, 'g')) ?? []
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${lines.join('\r\n')}\r\n`).toString('base64url')
}

/** A line break or comma would add a header or recipient. */
function mailbox(text: string): string {
  const { email, name } = partsOf(text)
  if (!isEmail(email)) throw new Error(`${plain(text).slice(0, 100)} is not an email address`)
  if (name === '') return email
  const isAtoms = /^[\w !#$%&'*+/=?^`{|}~-]+$/.test(name)
  const quoted = isAscii(name) ? `"${name.replaceAll(/["\\]/g, '\\$&')}"` : encodeText(name)
  return `${isAtoms ? name : quoted} <${email}>`
}

function partsOf(text: string): { email: string; name: string } {
  const parts = /^(?:([^<>]*)<([^<>]*)>|([^<>]*))$/.exec(plain(text))
  return {
    email: (parts?.[2] ?? parts?.[3] ?? '').trim(),
    name: (parts?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1'),
  }
}

export const isMailbox = (text: string) => isEmail(partsOf(text).email)

export const isEmail = (text: string) => /^[^\s@<>(),;:"\\[\]]{1,64}@[A-Za-z0-9.-]{1,253}$/.test(text)

/** RFC 2047 words, one per line. */
function encodeText(text: string): string {
  const line = plain(text)
  // Text that looks like an encoded word would be decoded.
  if (isAscii(line) && !line.includes('=?')) return line
  const words: string[] = []
  let word = ''
  for (const character of line) {
    if (Buffer.byteLength(word + character) > WORD_BYTES_MAX) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`).join('\r\n ')
}

const messageIds = (text: string) =>
  (text.match(/<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>/g) ?? []).slice(-20).join('\r\n ')

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

/** One line without control characters. */
const plain = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

const HEADER_MAX = 1000

export function parseMailbox(value: string): { email: string; name: string | null } | null {
  const header = value.trim().slice(0, HEADER_MAX)
  const match = /^(?:"((?:[^"\\]|\\.)*)"|([^<",]*))\s*<([^<>]+)>/.exec(header)
  const email = (match?.[3] ?? header.split(',')[0] ?? '').trim()
  if (!isEmail(email)) return null
  const name = (match?.[1]?.replaceAll(/\\(.)/g, '$1') ?? match?.[2] ?? '').trim()
  return { email, name: name === '' ? null : name }
}

/** An automatic reply, a bounce or a mailing. */
export function isAutomatic(header: (name: string) => string | null): boolean {
  const autoSubmitted = header('auto-submitted')?.trim().toLowerCase()
  const localPart =
    parseMailbox(header('from') ?? '')
      ?.email.split('@')[0]
      ?.toLowerCase() ?? ''
  return (
    (autoSubmitted !== undefined && autoSubmitted !== '' && autoSubmitted !== 'no') ||
    /^(bulk|junk|list|auto_reply)$/i.test(header('precedence')?.trim() ?? '') ||
    header('x-autoreply') !== null ||
    header('list-id') !== null ||
    /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply)([+.-].*)?$/.test(localPart)
  )
}
