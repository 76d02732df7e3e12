import type { PublicContext } from '../../../../context.ts'
import { randomToken } from '../../../../security/random.ts'

type DeviceContext = Pick<PublicContext<'vault'>, 'vault' | 'origin' | 'now'>

const PURPOSE = 'recognized-device'
const LIFETIME_MS = 180 * 86_400_000
/** Accounts one browser is recognized for. */
const ENTRIES_MAX = 5
const ENTRY = /^([\w-]{22})\.(\d{1,15})\.([\w-]{43})$/

interface Entry {
  text: string
  id: string
}

/**
 * Null if the device hasn't signed in to the account before. A recognized device has its own attempt budget: wrong
 * attempts from other devices don't lock its user out. The cookie proves nothing else.
 */
export const findRecognizedDevice = (ctx: DeviceContext, userId: string): string | null =>
  entriesOf(ctx).find((entry) => isSigned(ctx, userId, entry.text))?.id ?? null

/** Keeps other accounts' entries. */
export function rememberDevice(ctx: DeviceContext, userId: string): string {
  const others = entriesOf(ctx).filter(({ text }) => !isSigned(ctx, userId, text))
  const start = `${findRecognizedDevice(ctx, userId) ?? randomToken(16)}.${ctx.now().getTime()}`
  const entry = `${start}.${ctx.vault.sign(PURPOSE, `${userId}.${start}`)}`
  return [entry, ...others.map(({ text }) => text)].slice(0, ENTRIES_MAX).join('~')
}

function entriesOf({ origin, now }: DeviceContext): Entry[] {
  const entries = (origin.deviceToken ?? '').split('~').slice(0, ENTRIES_MAX)
  return entries.flatMap((text) => {
    const [, id, issuedAt] = ENTRY.exec(text) ?? []
    return id && Number(issuedAt) + LIFETIME_MS > now().getTime() ? [{ text, id }] : []
  })
}

function isSigned({ vault }: DeviceContext, userId: string, entry: string): boolean {
  const end = entry.lastIndexOf('.')
  return vault.verify(PURPOSE, `${userId}.${entry.slice(0, end)}`, entry.slice(end + 1))
}
