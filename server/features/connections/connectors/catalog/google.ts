import type { OAuth } from '../definition/auth.ts'
import { displayTextAt } from '../definition/payload.ts'
import type { ReceivedEvent, RegisteredEndpoint } from '../definition/receiver.ts'

/** Google returns a refresh token only with consent. */
export const googleOAuth = (scopes: readonly string[]): OAuth => ({
  type: 'oauth',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revoke: { url: 'https://oauth2.googleapis.com/revoke', how: 'form', field: 'token' },
  registerUrl: 'https://console.cloud.google.com/auth/clients',
  scopes: { default: scopes },
  params: { authorize: { access_type: 'offline', prompt: 'consent' } },
  selectAccount: { prompt: 'consent select_account' },
  // Refresh tokens expire after 7 days while the app is in testing, and after 6 months without use.
  lifetime: { access: 3600, refresh: 'stays', idleDays: 180 },
})

export const GOOGLE_ERROR_FIELDS = { code: 'error.status', message: 'error.message' } as const

const DAY_MS = 86_400_000
/** Google ends channels after a week at most. */
const CHANNEL_DAYS = 7
export const CHANNEL_RENEW_DAYS = 6
/** An earlier change may be the cause. Events read twice have the same id. */
const LOOKBACK_MS = 10 * 60_000

/** A channel id can't be reused. */
export const channel = ({ url, secret, now }: RegisteredEndpoint) => ({
  id: `${new URL(url).pathname.split('/').at(-1)}-${now.getTime()}`,
  type: 'web_hook',
  address: url,
  token: secret,
  expiration: String(now.getTime() + CHANNEL_DAYS * DAY_MS),
})

export const keptChannel = (answer: unknown) => ({
  channelId: displayTextAt(answer, 'id') ?? '',
  resourceId: displayTextAt(answer, 'resourceId') ?? '',
})

export const stopBody = ({ channelId = '', resourceId = '' }: Readonly<Record<string, string>>) => ({
  id: channelId,
  resourceId,
})

/** Returns null for the first one, which reports no change. */
export function notification({ headers }: ReceivedEvent): { externalId: string; since: string } | null {
  const [channelId, number] = [headers['x-goog-channel-id'], headers['x-goog-message-number']]
  if (!channelId || !number || headers['x-goog-resource-state'] === 'sync') return null
  return { externalId: `${channelId}:${number}`, since: new Date(Date.now() - LOOKBACK_MS).toISOString() }
}
