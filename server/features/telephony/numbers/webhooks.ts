import { NUMBER_URLS } from '../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../context.ts'
import type { NumberUrls } from '../carrier/carrier.ts'
import { callbackUrl } from '../carrier/urls.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { NumberRow } from './queries.ts'

type Urls = Record<keyof NumberUrls, string>

export const shownBase = (
  { publicUrl }: Pick<TelephonyOptions, 'publicUrl'>,
  { origin }: Pick<PublicContext, 'origin'>,
): string => publicUrl ?? origin.baseUrl

export const urlsFor = (base: string, numberId: string): Urls => ({
  voice: callbackUrl(base, 'voice', { number: numberId }),
  sms: callbackUrl(base, 'sms', { number: numberId }),
  status: callbackUrl(base, 'status', { number: numberId }),
})

export function compareWebhooks(
  base: string,
  { id, urls, checkedAt }: Pick<NumberRow, 'id' | 'urls' | 'checkedAt'>,
) {
  const expected = urlsFor(base, id)
  const webhook = (name: keyof NumberUrls) => {
    const actual = urls[name] ?? null
    const state =
      checkedAt === null
        ? 'unknown'
        : actual === null
          ? 'missing'
          : actual === expected[name]
            ? 'ok'
            : 'elsewhere'
    return { url: expected[name], actual, state } as const
  }
  return { voice: webhook('voice'), sms: webhook('sms'), status: webhook('status') }
}

const SUBJECTS = { voice: 'calls', sms: 'text messages', status: 'call statuses' } as const

/** Null if it works. A number needs no URL for a capability it lacks. */
export function findUrlProblem(
  base: string,
  { id, capabilities, configuresUrls }: Pick<NumberRow, 'id' | 'capabilities' | 'configuresUrls'>,
  urls: NumberUrls,
): string | null {
  if (!configuresUrls) return null
  const expected = urlsFor(base, id)
  const isNeeded = { voice: capabilities.voice, sms: capabilities.sms, status: capabilities.voice }
  const wrong = NUMBER_URLS.filter((name) => isNeeded[name] && urls[name] !== expected[name])
  if (wrong.length === 0) return null
  const [name] = wrong as [keyof NumberUrls]
  const actual = urls[name]
  return actual === null
    ? `Twilio does not send ${SUBJECTS[name]} to this server: it has no URL for them`
    : `Twilio sends ${SUBJECTS[name]} to ${actual} instead of this server`
}

export function isNumberUrl(numberId: string, url: string | null): boolean {
  if (url === null || !URL.canParse(url)) return false
  const { pathname, searchParams } = new URL(url)
  return pathname.startsWith('/api/v1/telephony/webhooks/') && searchParams.get('number') === numberId
}
