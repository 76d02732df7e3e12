import { decode } from '../encoding.ts'

export interface Email {
  subject: string
  /** Sender, recipients and date. */
  lines: string[]
  text: string | null
  html: string | null
}

/** A message has a few parts, some of them nested. */
const PARTS_MAX = 100
const DEPTH_MAX = 10
const SHOWN = ['From', 'To', 'Cc', 'Date']

/** Headers and the first text. Attachments are left out. */
export function readEmail(bytes: Uint8Array): Email {
  const found: Pick<Email, 'text' | 'html'> = { text: null, html: null }
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const headers = readPart(file, found, { parts: PARTS_MAX }, 0)
  const value = (name: string) => decodeWords(headers.get(name.toLowerCase()) ?? '')
  return {
    subject: value('Subject') || 'Email',
    lines: SHOWN.flatMap((name) => (value(name) ? [`${name}: ${value(name)}`] : [])),
    ...found,
  }
}

function readPart(
  source: string,
  found: Pick<Email, 'text' | 'html'>,
  left: { parts: number },
  depth: number,
): Map<string, string> {
  const separator = /\r?\n\r?\n/.exec(source)
  const headers = readHeaders(separator ? source.slice(0, separator.index) : source)
  const body = separator ? source.slice(separator.index + separator[0].length) : ''
  const type = headers.get('content-type') ?? 'text/plain'
  const boundary = /boundary="?([^";\r\n]+)"?/i.exec(type)?.[1]
  if (/^multipart\//i.test(type) && boundary !== undefined && depth < DEPTH_MAX) {
    for (const part of body.split(`--${boundary}`).slice(1)) {
      if (part.startsWith('--') || left.parts-- <= 0) break
      readPart(part.replace(/^\r?\n/, ''), found, left, depth + 1)
    }
    return headers
  }
  if (/^attachment/i.test(headers.get('content-disposition') ?? '')) return headers
  if (/^text\/html/i.test(type)) found.html ??= decodeBody(body, headers)
  else if (/^text\/plain/i.test(type)) found.text ??= decodeBody(body, headers)
  return headers
}

function readHeaders(source: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of source.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

function decodeBody(body: string, headers: Map<string, string>): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? ''
  const charset = /charset="?([^";\s]+)"?/i.exec(headers.get('content-type') ?? '')?.[1]
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(
          encoding === 'quoted-printable' ? fromQuoted(body.replace(/=\r?\n/g, '')) : body,
          'latin1',
        )
  return decodeAs(bytes, charset)
}

const fromQuoted = (text: string) =>
  text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Encoded words, such as `=?utf-8?q?Gr=C3=BC=C3=9Fe?=`. */
const decodeWords = (value: string) =>
  Buffer.from(value, 'latin1')
    .toString('utf8')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi, (_, charset: string, encoding: string, text: string) =>
      decodeAs(
        /b/i.test(encoding)
          ? Buffer.from(text, 'base64')
          : Buffer.from(fromQuoted(text.replaceAll('_', ' ')), 'latin1'),
        charset,
      ),
    )

function decodeAs(bytes: Uint8Array, charset: string | undefined): string {
  try {
    if (charset) return new TextDecoder(charset).decode(bytes)
  } catch {
    // An unknown name: the bytes tell.
  }
  return decode(bytes)
}
