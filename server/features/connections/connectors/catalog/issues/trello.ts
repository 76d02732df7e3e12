import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { limit } from '../../definition/inputs.ts'
import { from } from '../../definition/request-template.ts'
import { trelloReceiver } from './trello-receiver.ts'

const id = (description: string) =>
  z
    .string()
    .regex(/^([0-9a-f]{24}|[A-Za-z0-9]{8})$/)
    .describe(description)
const card = id('The id of the card, or the short one in its URL')
const board = id('The id of the board, or the short one in its URL')

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
      description: 'Use it to find the id of a board by its name.',
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
      description: 'Use it to find the ids of the lists of a board, which create_card and move_card need.',
      input: z.object({ board }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/boards/{board}/lists', query: { filter: 'open', fields: 'id,name' } },
    }),
    tool({
      name: 'list_cards',
      description: 'Use it to see the open cards of a board.',
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
      description: 'Use it to add a card to a list. Members of the board can see it.',
      input: z.object({
        list: id('The id of the list; list_lists returns it'),
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
      input: z.object({ card, list: id('The id of the list; list_lists returns it') }),
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
