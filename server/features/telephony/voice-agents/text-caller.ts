import type { PublicContext } from '../../../context.ts'
import type { CallRow } from '../calls/call-queries.ts'
import type { TelephonyOptions } from '../dependencies.ts'

/** Sends a text message to the person of a call, from the number of the call. Returns why not, null if it is queued. */
export async function textCaller(
  _options: TelephonyOptions,
  _inside: PublicContext,
  _orgId: string,
  { numberId }: CallRow,
  _text: string,
): Promise<string | null> {
  if (numberId === null) return 'The organization has no number for this call.'
  return 'Text messages are not built yet.'
}
