import type { CallFilter } from '../../../api/telephony/calls.ts'
import { CALL_STATUS_OPTIONS, DIRECTION_OPTIONS } from '../call-labels.ts'
import { asE164 } from '../phone.tsx'

export interface CallsSearch {
  show?: string
  direction?: string
  number?: string
  agent?: string
  peer?: string
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const E164 = /^\+[1-9]\d{6,14}$/

/** The filter of the API. Values that it would refuse, from an edited URL or half typed, are left out. */
export const filterOf = ({ show, direction, number, agent, peer = '' }: CallsSearch): CallFilter => ({
  status: CALL_STATUS_OPTIONS.find(({ value }) => value === show)?.value,
  direction: DIRECTION_OPTIONS.find(({ value }) => value === direction)?.value,
  numberId: matching(ID, number),
  agentId: matching(ID, agent),
  peer: matching(E164, asE164(peer)),
})

const matching = (pattern: RegExp, text: string | undefined) =>
  text !== undefined && pattern.test(text) ? text : undefined
