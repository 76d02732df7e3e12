import type { OutputOf } from '../../../../contract/endpoint.ts'
import { calls } from '../../../../contract/telephony/calls.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { requireId } from '../../agents/runs/find.ts'

export type CallWithTimeline = OutputOf<typeof calls.get>
export type Call = OutputOf<typeof calls.list>['items'][number]

/** The id of a call; `last` is the newest call. */
export async function findCallId({ server, client }: Connection, ref: string): Promise<string> {
  if (ref !== 'last') return requireId(ref, 'call', 'telephony calls')
  const { items } = await parseResponse(server, calls.list, client.calls.list({ limit: 1 }))
  if (items[0]) return items[0].id
  throw new Failure('failed', 'There are no calls', 'Make one with `npx atrium telephony calls make`.')
}
