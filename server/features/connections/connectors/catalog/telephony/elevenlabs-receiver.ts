import { dictionary } from '../../../../../../contract/dictionary.ts'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { itemsAt, lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { valueAt } from '../../requests/template.ts'

const TEXT_MAX = 50_000
const KEYS: Record<string, string> = dictionary({
  post_call_transcription: 'elevenlabs.conversation',
  call_initiation_failure: 'elevenlabs.failed_call',
})

/** Recordings are ignored: they are larger than an event may be, and the transcript has the text. */
export const elevenlabsReceiver: ReceiverDefinition = {
  kind: 'telephony',
  proof: {
    by: 'signature',
    schemes: acceptedSchemes('elevenlabs'),
    secret: {
      from: 'entered',
      label: 'Webhook secret',
      hint: 'ElevenLabs shows it once when the webhook is created',
    },
  },
  events: {
    'elevenlabs.conversation': 'A conversation ended; with its transcript',
    'elevenlabs.failed_call': 'A call could not be placed',
  },
  normalize,
  sessionKey: 'elevenlabs:{thread}',
  setup: {
    by: 'hand',
    steps: [
      'Open https://elevenlabs.io/app/agents/settings and create a post-call webhook with the URL {url}.',
      'Choose HMAC as authentication, copy the secret that is shown once, and enter it here.',
      'Select the webhook as post-call webhook with the events transcript and call initiation failure.',
    ],
  },
}

function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  const type = textAt(body, 'type') ?? ''
  const [eventKey, data] = [lookup(KEYS, type), valueAt(body, 'data')]
  const id = textAt(data, 'conversation_id')
  if (!eventKey || id === null) return []
  const phone = textAt(data, 'metadata.phone_call.external_number')
  const summary = textAt(data, 'analysis.transcript_summary')
  const lines = itemsAt(data, 'transcript').flatMap((each) => {
    const message = textAt(each, 'message')
    return message === null ? [] : [`${textAt(each, 'role')}: ${message}`]
  })
  const reason = `The call failed: ${textAt(data, 'failure_reason') ?? 'unknown'}`
  const text = eventKey === 'elevenlabs.failed_call' ? reason : [summary, '', ...lines].join('\n').trim()
  return [
    normalizedEvent({
      eventKey,
      externalId: `${type}:${id}`,
      actor: { id: phone ?? textAt(data, 'user_id'), name: null, isBot: false },
      text: text.slice(0, TEXT_MAX),
      thread: id,
      resource: { type: 'conversation', id, url: null },
    }),
  ]
}
