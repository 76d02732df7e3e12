import type { NumberSettings } from '../../../../contract/telephony/telephony-fields.ts'
import type { PublicContext } from '../../../context.ts'
import { twiml, type Verb } from '../carrier/twiml.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { issueToken } from './relay-token.ts'

export const RELAY_PATH = '/api/v1/telephony/relay/:callId'

export interface RelayedCall {
  orgId: string
  id: string
}

interface RelayedNumber {
  id: string
  settings: Pick<NumberSettings, 'language' | 'voice'>
}

interface RelayTwimlOptions {
  /** Absent after a lost connection. */
  greeting?: string | null
  before?: readonly Verb[]
  /** Already stored with the call. Absent to issue one. */
  token?: string | undefined
}

/**
 * The carrier opens a WebSocket for text, and asks `relay-ended` what to do afterwards. The call's row must exist, as
 * it stores the token.
 */
export async function relayTwiml(
  { publicUrl }: Pick<TelephonyOptions, 'publicUrl'>,
  ctx: Pick<PublicContext<'vault'>, 'sql' | 'vault' | 'now' | 'origin'>,
  call: RelayedCall,
  number: RelayedNumber,
  { greeting, before = [], token: storedToken }: RelayTwimlOptions = {},
): Promise<string> {
  const base = publicUrl ?? ctx.origin.baseUrl
  const { token, language = number.settings.language } =
    storedToken === undefined ? await issueToken(ctx, call.orgId, call.id) : { token: storedToken }
  const endedQuery = new URLSearchParams({ number: number.id, call: call.id })
  const relay: Verb = {
    name: 'ConversationRelay',
    attributes: {
      url: `${base.replace(/^http/, 'ws')}${RELAY_PATH.replace(':callId', call.id)}?token=${token}`,
      welcomeGreeting: greeting ?? undefined,
      welcomeGreetingInterruptible: greeting ? 'any' : undefined,
      language,
      voice: number.settings.voice ?? undefined,
      interruptible: 'any',
      reportInputDuringAgentSpeech: true,
      dtmfDetection: true,
    },
  }
  const action = `${base}/api/v1/telephony/webhooks/relay-ended?${endedQuery}`
  return twiml(...before, { name: 'Connect', attributes: { action }, children: [relay] })
}
