import { dictionary } from '../../../../../../contract/dictionary.ts'
import { TRELLO } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { encodeSegment, valueAt } from '../../requests/template.ts'

type Kind = readonly [eventKey: string, change: NormalizedEvent['change']]
const KINDS: Record<string, Kind> = dictionary({
  createCard: ['trello.card', 'created'],
  updateCard: ['trello.card', 'edited'],
  deleteCard: ['trello.card', 'deleted'],
  commentCard: ['trello.comment', 'created'],
  updateComment: ['trello.comment', 'edited'],
  deleteComment: ['trello.comment', 'deleted'],
})

export const trelloReceiver: ReceiverDefinition = {
  kind: 'issues',
  proof: { by: 'signature', schemes: [TRELLO], secret: { from: 'credential', key: 'secret' } },
  // Trello checks the URL by HEAD.
  handshake: { by: 'ignored' },
  events: {
    'trello.card': 'A card was created, edited or deleted',
    'trello.move': 'A card was moved to another list',
    'trello.comment': 'A comment on a card',
  },
  normalize,
  sessionKey: 'trello:{thread}',
  reply: ({ replyTo: { card } }, text) => ({
    method: 'POST',
    path: `/cards/${encodeSegment(String(card))}/actions/comments`,
    json: { text },
  }),
  setup: {
    by: 'api',
    register: ({ url, config: { board = '' } }) => ({
      request: {
        method: 'POST',
        path: '/webhooks',
        json: { idModel: board, callbackURL: url, description: 'Atrium' },
      },
      keep: (answer) => ({ webhookId: textAt(answer, 'id') ?? '' }),
    }),
    update: ({ webhookId = '' }, { url }) => ({
      method: 'PUT',
      path: `/webhooks/${encodeSegment(webhookId)}`,
      json: { callbackURL: url, active: true },
    }),
    find: ({ url, config: { board } }) => ({
      request: { method: 'GET', path: '/tokens/{credentials.token}/webhooks' },
      keep: (answer) => {
        const hook = itemsAt(answer, '').find(
          (each) => textAt(each, 'callbackURL') === url && textAt(each, 'idModel') === board,
        )
        return hook === undefined ? null : { webhookId: textAt(hook, 'id') ?? '' }
      },
    }),
    unregister: ({ webhookId = '' }) => ({ method: 'DELETE', path: `/webhooks/${encodeSegment(webhookId)}` }),
    fields: [
      {
        key: 'board',
        label: 'Board id',
        hint: 'The id of 24 characters: open the board, add .json to its URL, and copy the first id',
        required: true,
        pattern: '[0-9a-f]{24}',
      },
    ],
  },
}

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const action = valueAt(body, 'action')
  const [eventKey, change] = lookup(KINDS, textAt(action, 'type')) ?? []
  const [id, card, actor] = [
    textAt(action, 'id'),
    textAt(action, 'data.card.id'),
    textAt(action, 'idMemberCreator'),
  ]
  if (!eventKey || !change || id === null || card === null) return []
  if ((actor !== null && actor === account.id) || textAt(action, 'appCreator.id') === account.id) return []
  const isComment = eventKey === 'trello.comment'
  const isMove = valueAt(action, 'data.listAfter') !== undefined
  const isRewritten = ['name', 'desc'].some((name) => valueAt(action, `data.old.${name}`) !== undefined)
  if (eventKey === 'trello.card' && change === 'edited' && !isMove && !isRewritten) return []
  // The id of a comment is that of the action that created it.
  const ref = isComment ? `comment:${textAt(action, 'data.action.id') ?? id}` : `card:${card}`
  const isFirst = change === 'created'
  const name = textAt(action, 'data.card.name')
  const text = isComment
    ? (textAt(action, 'data.action.text') ?? textAt(action, 'data.text'))
    : isMove
      ? `${name}: moved from ${textAt(action, 'data.listBefore.name')} to ${textAt(action, 'data.listAfter.name')}`
      : `${name}\n\n${textAt(action, 'data.card.desc') ?? ''}`.trim()
  const shortLink = textAt(action, 'data.card.shortLink')
  return [
    normalizedEvent({
      eventKey: isMove ? 'trello.move' : eventKey,
      externalId: isFirst ? ref : `${ref}:${id}`,
      change: isMove ? 'created' : change,
      targetId: isFirst || isMove ? null : ref,
      actor: { id: actor, name: textAt(action, 'memberCreator.fullName'), isBot: false },
      text: change === 'deleted' ? null : text,
      thread: card,
      resource: {
        type: 'card',
        id: card,
        url: shortLink === null ? null : `https://trello.com/c/${shortLink}`,
      },
      replyTo: { card },
    }),
  ]
}
