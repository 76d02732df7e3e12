import { isEmail } from './rfc822.ts'

const HEADER_MAX = 1000

/** The first mailbox of a `From` or `Reply-To` header. */
export function senderOf(value: string): { email: string; name: string | null } | null {
  const header = value.trim().slice(0, HEADER_MAX)
  const match = /^(?:"((?:[^"\\]|\\.)*)"|([^<",]*))\s*<([^<>]+)>/.exec(header)
  const email = (match?.[3] ?? header.split(',')[0] ?? '').trim()
  if (!isEmail(email)) return null
  const name = (match?.[1]?.replaceAll(/\\(.)/g, '$1') ?? match?.[2] ?? '').trim()
  return { email, name: name === '' ? null : name }
}

/** Whether a program sent the mail: an automatic reply, a bounce or a mailing. */
export function isAutomatic(header: (name: string) => string | null): boolean {
  const autoSubmitted = header('auto-submitted')?.trim().toLowerCase()
  const localPart =
    senderOf(header('from') ?? '')
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
