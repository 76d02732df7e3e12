import { type NumberRecord, newCall, newMessage } from './records.ts'
import { type CarrierRequest, errorReply, type Reply, type State } from './state.ts'

const NOT_FOUND = errorReply(404, 20404, 'The requested resource was not found')

export function carryOut(state: State, request: CarrierRequest): Reply {
  const [resource, id] = request.path.replace(/\.json$/, '').split('/')
  switch (resource) {
    case undefined:
    case '':
      return { status: 200, json: { sid: request.account, friendly_name: 'Test account', status: 'active' } }
    case 'IncomingPhoneNumbers':
      return id === undefined ? listNumbers(state, request) : readOrUpdateNumber(state, request, id)
    case 'Calls':
      if (id !== undefined) return readOrUpdateCall(state, request, id)
      return request.method === 'GET' ? listCalls(state, request) : placeCall(state, request)
    case 'Messages':
      return request.path.includes('/Media/')
        ? redirectToMedium(state, request)
        : id !== undefined
          ? readMessage(state, request, id)
          : request.method === 'GET'
            ? listMessages(state, request)
            : sendMessage(state, request)
    case 'Recordings':
      return readOrDeleteRecording(state, request, id ?? '')
    default:
      return NOT_FOUND
  }
}

function listNumbers({ numbers }: State, { account, query }: CarrierRequest): Reply {
  // Like Twilio's, the filter matches any part.
  const part = query.get('PhoneNumber')?.replaceAll('*', '') ?? ''
  const found = numbers.filter(
    ({ account_sid, phone_number }) => account_sid === account && phone_number.includes(part),
  )
  const uri = `/2010-04-01/Accounts/${account}/IncomingPhoneNumbers.json`
  const page = {
    first_page_uri: uri,
    next_page_uri: null,
    page: 0,
    page_size: 50,
    previous_page_uri: null,
    uri,
  }
  return { status: 200, json: { ...page, incoming_phone_numbers: found } }
}

const NUMBER_FIELDS = {
  VoiceUrl: 'voice_url',
  VoiceMethod: 'voice_method',
  VoiceApplicationSid: 'voice_application_sid',
  SmsUrl: 'sms_url',
  SmsMethod: 'sms_method',
  SmsApplicationSid: 'sms_application_sid',
  StatusCallback: 'status_callback',
  StatusCallbackMethod: 'status_callback_method',
  TrunkSid: 'trunk_sid',
} as const satisfies Record<string, keyof NumberRecord>

function readOrUpdateNumber(
  { numbers }: State,
  { account, method, form }: CarrierRequest,
  sid: string,
): Reply {
  const number = numbers.find((each) => each.account_sid === account && each.sid === sid)
  if (!number) return NOT_FOUND
  if (method === 'GET') return { status: 200, json: number }
  for (const [name, value] of form) {
    if (!(name in NUMBER_FIELDS)) return errorReply(400, 20001, `Unknown parameter ${name}`)
    if (/Url$|Callback$/.test(name) && value !== '' && !URL.canParse(value))
      return errorReply(400, 21502, `${name} is not a valid URL`)
    Object.assign(number, { [NUMBER_FIELDS[name as keyof typeof NUMBER_FIELDS]]: value })
  }
  return { status: 200, json: number }
}

function placeCall(state: State, { account, form }: CarrierRequest): Reply {
  const [from, to] = [form.get('From'), form.get('To')]
  if (!from || !to) return errorReply(400, 21201, "No 'To' or 'From' number is specified")
  if (!form.get('Url') && !form.get('Twiml')) return errorReply(400, 21205, 'Url parameter is required.')
  if (!owns(state, account, from))
    return errorReply(400, 21210, `The source phone number ${from} is not yet verified`)
  const resource = newCall(account, { from, to, direction: 'outbound-api' })
  state.calls.push({ resource, form, sequence: 0 })
  return { status: 201, json: resource }
}

function listCalls({ calls }: State, { account, query }: CarrierRequest): Reply {
  const found = calls
    .map(({ resource }) => resource)
    .filter(({ account_sid, from, to }) =>
      [account_sid === account, from === query.get('From'), to === query.get('To')].every(Boolean),
    )
  return { status: 200, json: { calls: found.toReversed(), next_page_uri: null } }
}

const ENDED = ['completed', 'busy', 'failed', 'no-answer', 'canceled']

function readOrUpdateCall({ calls }: State, { account, method, form }: CarrierRequest, sid: string): Reply {
  const call = calls.find(({ resource }) => resource.account_sid === account && resource.sid === sid)
  if (!call) return NOT_FOUND
  const { resource } = call
  if (method === 'GET') return { status: 200, json: resource }
  if (ENDED.includes(resource.status))
    return errorReply(400, 21220, 'Call is not in-progress. Cannot redirect.')
  const status = form.get('Status')
  if (status === 'completed' || status === 'canceled') resource.status = status
  for (const [name, value] of form) call.form.set(name, value)
  return { status: 200, json: resource }
}

function sendMessage(state: State, { account, form }: CarrierRequest): Reply {
  const [from, to, body] = [form.get('From'), form.get('To'), form.get('Body') ?? '']
  const media = form.getAll('MediaUrl')
  if (!to || !from) return errorReply(400, 21604, "A 'To' phone number is required.")
  if (body === '' && media.length === 0)
    return errorReply(400, 21619, 'A text message body or media urls must be specified.')
  if (!owns(state, account, from))
    return errorReply(
      400,
      21606,
      `The 'From' phone number provided (${from}) is not a valid message-capable Twilio phone number`,
    )
  const resource = newMessage(account, { from, to, body, num_media: String(media.length) })
  state.messages.push({ resource, form })
  return { status: 201, json: resource }
}

function listMessages({ messages }: State, { account, query }: CarrierRequest): Reply {
  const found = messages
    .map(({ resource }) => resource)
    .filter(({ account_sid, from, to }) =>
      [account_sid === account, from === query.get('From'), to === query.get('To')].every(Boolean),
    )
  return { status: 200, json: { messages: found.toReversed(), next_page_uri: null } }
}

function readMessage({ messages }: State, { account }: CarrierRequest, sid: string): Reply {
  const found = messages.find(({ resource }) => resource.account_sid === account && resource.sid === sid)
  return found ? { status: 200, json: found.resource } : NOT_FOUND
}

/** Twilio redirects media to another host, without credentials. */
function redirectToMedium({ media, contentOrigin }: State, { account, path }: CarrierRequest): Reply {
  const [, messageSid, , sid] = path.split('/')
  const medium = media.find((each) => each.sid === sid && each.messageSid === messageSid)
  return medium?.account === account ? { status: 307, location: `${contentOrigin}/${medium.sid}` } : NOT_FOUND
}

function readOrDeleteRecording(
  { recordings }: State,
  { account, method }: CarrierRequest,
  name: string,
): Reply {
  const sid = name.replace(/\.\w+$/, '')
  const found = recordings.find(({ resource }) => resource.account_sid === account && resource.sid === sid)
  if (!found || found.isDeleted) return NOT_FOUND
  if (method !== 'DELETE') return { status: 200, content: found.content }
  found.isDeleted = true
  return { status: 204 }
}

const owns = ({ numbers }: State, account: string, e164: string) =>
  numbers.some((each) => each.account_sid === account && each.phone_number === e164)
