import { NUMBER_URLS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import type { Meaning } from '../../../components/status.tsx'
import type { PhoneNumber } from '../telephony-queries.ts'

type Url = PhoneNumber['webhooks']['voice']

export const URL_NAMES: Record<(typeof NUMBER_URLS)[number], string> = {
  voice: t`Calls`,
  sms: t`Text messages`,
  status: t`Call status`,
}

export const URL_STATES: Record<Url['state'], { label: string; meaning: Meaning }> = {
  ok: { label: t`Points to this server`, meaning: 'good' },
  elsewhere: { label: t`Other URL`, meaning: 'bad' },
  missing: { label: t`Not set`, meaning: 'warning' },
  unknown: { label: t`Not checked yet`, meaning: 'neutral' },
}

/** Only the URLs the number's capabilities need. */
export const listNumberUrls = ({ webhooks, capabilities }: PhoneNumber) =>
  NUMBER_URLS.filter((name) => (name === 'sms' ? capabilities.sms : capabilities.voice)).map((name) => ({
    name,
    ...webhooks[name],
  }))

interface NumberState {
  label: string
  meaning: Meaning
  reason: string | null
  /** Setting the URLs at the carrier again would repair the number. */
  isRepairable: boolean
}

/** Returns its worst URL's state. */
export function numberState(number: PhoneNumber): NumberState {
  const { status, statusReason: reason } = number
  if (status === 'released') return { label: t`Released`, meaning: 'neutral', reason, isRepairable: false }
  const states = listNumberUrls(number).map(({ state }) => state)
  if (states.includes('elsewhere'))
    return { ...URL_STATES.elsewhere, reason: reason ?? OTHER_URL, isRepairable: true }
  if (states.includes('missing'))
    return { ...URL_STATES.missing, reason: reason ?? NOT_SET, isRepairable: true }
  if (status === 'error') return { label: t`Error`, meaning: 'bad', reason, isRepairable: true }
  return { label: t`Active`, meaning: 'good', reason: null, isRepairable: false }
}

const OTHER_URL = t`The carrier sends this number’s calls or messages to another URL.`
const NOT_SET = t`The carrier doesn’t send every call or message for this number to Atrium.`
