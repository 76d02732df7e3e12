import { NUMBER_URLS } from '../../../../contract/telephony/telephony-options.ts'
import type { Meaning } from '../../../components/status.tsx'
import type { PhoneNumber } from '../telephony-queries.ts'

type Url = PhoneNumber['webhooks']['voice']

export const URL_NAMES: Record<(typeof NUMBER_URLS)[number], string> = {
  voice: 'Calls',
  sms: 'Text messages',
  status: 'Status of calls',
}

export const URL_STATES: Record<Url['state'], { label: string; meaning: Meaning }> = {
  ok: { label: 'Reaches this server', meaning: 'good' },
  elsewhere: { label: 'Other URL', meaning: 'bad' },
  missing: { label: 'Not set', meaning: 'warning' },
  unknown: { label: 'Not checked yet', meaning: 'neutral' },
}

/** The URLs that the number needs: a number without text messages has none for them. */
export const urlsOf = ({ webhooks, capabilities }: PhoneNumber) =>
  NUMBER_URLS.filter((name) => (name === 'sms' ? capabilities.sms : capabilities.voice)).map((name) => ({
    name,
    ...webhooks[name],
  }))

interface NumberState {
  label: string
  meaning: Meaning
  reason: string | null
  /** Whether setting the URLs at the carrier again repairs the number. */
  isRepairable: boolean
}

/** The state of a number: the state of its worst URL. */
export function numberState(number: PhoneNumber): NumberState {
  const { status, statusReason: reason } = number
  if (status === 'released') return { label: 'Released', meaning: 'neutral', reason, isRepairable: false }
  const states = urlsOf(number).map(({ state }) => state)
  if (states.includes('elsewhere'))
    return { ...URL_STATES.elsewhere, reason: reason ?? OTHER_URL, isRepairable: true }
  if (states.includes('missing'))
    return { ...URL_STATES.missing, reason: reason ?? NOT_SET, isRepairable: true }
  if (status === 'error') return { label: 'Error', meaning: 'bad', reason, isRepairable: true }
  return { label: 'Active', meaning: 'good', reason: null, isRepairable: false }
}

const OTHER_URL = 'The carrier sends calls or messages of this number to another URL.'
const NOT_SET = 'The carrier does not send all calls or messages of this number to Atrium.'
