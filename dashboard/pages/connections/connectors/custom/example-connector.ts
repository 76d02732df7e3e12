/** The initial text of a new custom connector. */
export const EXAMPLE = JSON.stringify(
  {
    name: 'Warehouse',
    description: 'Find orders and change their state.',
    category: 'operations',
    baseUrl: 'https://api.example.com/v1',
    auth: {
      type: 'api_key',
      fields: [{ key: 'token', label: 'API token', hint: 'In the settings of the warehouse, under API.' }],
      send: { header: 'authorization', value: 'Bearer {credentials.token}' },
    },
    check: { request: { method: 'GET', path: '/me' }, account: { id: 'id', name: 'name' } },
    tools: [
      {
        name: 'find_order',
        description: 'Finds an order by its number.',
        input: {
          type: 'object',
          properties: { number: { type: 'string', description: 'The number of the order' } },
          required: ['number'],
        },
        request: { method: 'GET', path: '/orders/{number}' },
      },
      {
        name: 'set_state',
        description: 'Changes the state of an order.',
        input: {
          type: 'object',
          properties: { number: { type: 'string' }, state: { type: 'string', enum: ['packed', 'sent'] } },
          required: ['number', 'state'],
        },
        request: { method: 'PATCH', path: '/orders/{number}', json: { state: { $: 'state' } } },
      },
    ],
  },
  null,
  2,
)
