import { dictionary } from '../../../../../../contract/dictionary.ts'
import { DISCORD } from '../../../../../signatures/signature-schemes.ts'
import { itemsAt, lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { encodeSegment, valueAt } from '../../requests/template.ts'

const TEXT_MAX = 2000
const KEYS: Record<string, string> = dictionary({
  2: 'discord.command',
  3: 'discord.component',
  5: 'discord.form',
})

export const discordReceiver: ReceiverDefinition = {
  kind: 'chat',
  proof: {
    by: 'signature',
    schemes: [DISCORD],
    secret: {
      from: 'entered',
      label: 'Public key',
      hint: 'On the General Information page of the application',
    },
  },
  handshake: { by: 'body-type', path: 'type', equals: 1, respond: { type: 1 } },
  events: {
    'discord.command': 'A command of the application',
    'discord.component': 'A button or a menu in a message of the application',
    'discord.form': 'A form that a member submitted',
  },
  // Shows that the application is thinking; the reply replaces this. Discord accepts the reply for 15 minutes.
  response: { status: 200, contentType: 'application/json', body: '{"type":5}' },
  normalize,
  sessionKey: 'discord:{thread}',
  reply: ({ replyTo: { applicationId, token } }, text) => {
    const path = `/webhooks/${encodeSegment(String(applicationId))}/${encodeSegment(String(token))}`
    return splitText(text, TEXT_MAX).map((content, index) => ({
      method: index === 0 ? 'PATCH' : 'POST',
      path: index === 0 ? `${path}/messages/@original` : path,
      json: { content, allowed_mentions: { parse: [] } },
    }))
  },
  setup: {
    by: 'hand',
    steps: [
      'Open the application at https://discord.com/developers/applications, copy its public key, and enter it here.',
      'Enter {url} as Interactions Endpoint URL on the General Information page. Discord checks it when you save.',
      'Create a command with one text option, such as /ask, for example with the API of Discord.',
    ],
  },
}

function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  const eventKey = lookup(KEYS, textAt(body, 'type'))
  const [id, token, applicationId] = [
    textAt(body, 'id'),
    textAt(body, 'token'),
    textAt(body, 'application_id'),
  ]
  const channel = textAt(body, 'channel_id') ?? textAt(body, 'channel.id')
  if (!eventKey || id === null || token === null || applicationId === null || channel === null) return []
  const user = valueAt(body, 'member.user') ?? valueAt(body, 'user')
  return [
    normalizedEvent({
      eventKey,
      externalId: id,
      actor: {
        id: textAt(user, 'id'),
        name: textAt(user, 'global_name') ?? textAt(user, 'username'),
        isBot: valueAt(user, 'bot') === true,
      },
      text: contentOf(valueAt(body, 'data')),
      thread: channel,
      resource: { type: 'interaction', id, url: null },
      replyTo: { applicationId, token },
    }),
  ]
}

/** The only text option of a command is the message; several are shown with their names. */
function contentOf(data: unknown): string {
  const values = [...fieldsOf(data), ...itemsAt(data, 'values').map((value) => ['', String(value)] as const)]
  const name = textAt(data, 'name') ?? textAt(data, 'custom_id') ?? ''
  if (values.length === 0) return name
  if (values.length === 1) return values[0]![1]
  return [`/${name}`, ...values.map(([key, value]) => (key === '' ? value : `${key}: ${value}`))].join('\n')
}

/** Options of commands and of their subcommands, and the inputs of forms. */
function fieldsOf(node: unknown): (readonly [name: string, value: string])[] {
  return [...itemsAt(node, 'options'), ...itemsAt(node, 'components')].flatMap((item) => {
    const value = valueAt(item, 'value')
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
    const name = textAt(item, 'name') ?? textAt(item, 'custom_id') ?? ''
    return isPlain ? [[name, String(value)] as const] : fieldsOf(item)
  })
}
