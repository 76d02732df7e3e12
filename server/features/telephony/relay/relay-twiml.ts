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
  /** The first sentence that the caller hears; absent after a lost connection. */
  greeting?: string | null
  /** Instructions before the connection, such as the notice of a recording. */
  before?: readonly Verb[]
  /** A token that is already stored with the call; absent to issue one. */
  token?: string | undefined
}

/**
 * Connects a call with its agent: the carrier opens a WebSocket for text in both directions, and asks `relay-ended` what to
 * do when the conversation ends. The row of the call exists; the token for the WebSocket is stored with it.
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
