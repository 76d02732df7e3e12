import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { TRELLO } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, limit, tool } from '../../definition/definition.ts'
import { itemsAt, lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'

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
        hint: 'The 24-character id: open the board, add .json to its URL, and copy the first id',
        required: true,
        pattern: '[0-9a-f]{24}',
      },
    ],
  },
}

const id = (description: string) =>
  z
    .string()
    .regex(/^([0-9a-f]{24}|[A-Za-z0-9]{8})$/)
    .describe(description)

const card = id('Card id, or the short id in its URL')

const board = id('Board id, or the short id in its URL')

export const trello: ConnectorDefinition = {
  slug: 'trello',
  name: 'Trello',
  description: 'Read boards, create and move cards, and comment on them in Trello.',
  category: 'issues',
  docsUrl: 'https://developer.atlassian.com/cloud/trello/rest/',
  checkedAt: '2026-11-16',
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'key',
        label: 'API key',
        required: true,
        hint: 'On the API Key page of your Power-Up at https://trello.com/power-ups/admin',
        pattern: '[0-9a-f]{32}',
      },
      {
        key: 'token',
        label: 'Token',
        required: true,
        secret: true,
        hint: 'From the Token link beside the API key. Choose a token that never expires',
        pattern: '[0-9A-Za-z]{32,128}',
      },
      {
        key: 'secret',
        label: 'Secret',
        required: false,
        secret: true,
        hint: 'Below the API key. Required to receive events',
        pattern: '[0-9a-f]{32,128}',
      },
    ],
    send: {
      header: 'authorization',
      value: 'OAuth oauth_consumer_key="{credentials.key}", oauth_token="{credentials.token}"',
    },
  },
  baseUrl: 'https://api.trello.com/1',
  check: {
    request: { method: 'GET', path: '/members/me', query: { fields: 'id,fullName,username,avatarUrl' } },
    account: { id: 'id', name: 'fullName', avatarUrl: 'avatarUrl' },
  },
  tools: [
    tool({
      name: 'list_boards',
      description: 'Use it to find a board’s id by name.',
      input: z.object({}),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/members/me/boards',
        query: { filter: 'open', fields: 'id,name,desc,url' },
      },
    }),
    tool({
      name: 'list_lists',
      description: 'Use it to find the list ids on a board, which create_card and move_card need.',
      input: z.object({ board }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/boards/{board}/lists', query: { filter: 'open', fields: 'id,name' } },
    }),
    tool({
      name: 'list_cards',
      description: 'Use it to see a board’s open cards.',
      input: z.object({ board, limit: limit(1000, 100) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/boards/{board}/cards',
        query: {
          limit: from('limit'),
          fields: 'id,name,desc,idList,due,dueComplete,labels,shortUrl,dateLastActivity',
        },
      },
      answer: {
        pick: [
          'id',
          'name',
          'desc',
          'idList',
          'due',
          'dueComplete',
          'labels.name',
          'shortUrl',
          'dateLastActivity',
        ],
      },
    }),
    tool({
      name: 'create_card',
      description: 'Use it to add a card to a list. Board members can see it.',
      input: z.object({
        list: id('List id from list_lists'),
        name: z.string().min(1).max(16_384),
        description: z.string().max(16_384).optional().describe('In Markdown'),
        due: z.iso.datetime().optional().describe('Such as 2026-11-30T12:00:00Z'),
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/cards',
        json: { idList: from('list'), name: from('name'), desc: from('description'), due: from('due') },
      },
      answer: { pick: ['id', 'name', 'shortUrl'] },
    }),
    tool({
      name: 'move_card',
      description: 'Use it to move a card to another list, such as Done. Watchers are notified.',
      input: z.object({ card, list: id('List id from list_lists') }),
      effect: 'idempotent',
      risk: 'send',
      request: { method: 'PUT', path: '/cards/{card}', json: { idList: from('list') } },
      answer: { pick: ['id', 'name', 'idList', 'shortUrl'] },
    }),
    tool({
      name: 'comment',
      description: 'Use it to add a comment to a card. Watchers are notified.',
      input: z.object({ card, text: z.string().min(1).max(16_384) }),
      effect: 'once',
      risk: 'send',
      request: { method: 'POST', path: '/cards/{card}/actions/comments', json: { text: from('text') } },
      answer: { pick: ['id', 'date'] },
    }),
  ],
  receiver: trelloReceiver,
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
  // A comment's id is its creating action's.
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
