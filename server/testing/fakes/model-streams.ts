/** Streams as the vendors send them, with cached input in their own fields. */

export type StreamedAnswer = { text: string } | { tool: string; input: object }

interface StreamedUsage {
  uncached: number
  cacheRead: number
  cacheWrite: number
  output: number
}

const USAGE: StreamedUsage = { uncached: 10, cacheRead: 0, cacheWrite: 0, output: 5 }

const sse = (events: readonly object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

let calls = 0

/** Input tokens exclude cached ones. */
export function anthropicStream(answer: StreamedAnswer, usage = USAGE): string {
  const [block, delta] =
    'text' in answer
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: answer.text },
        ]
      : [
          { type: 'tool_use', id: `toolu_${++calls}`, name: answer.tool, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(answer.input) },
        ]
  const message = {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [] },
    ...{ stop_reason: null, stop_sequence: null },
    usage: {
      input_tokens: usage.uncached,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
      output_tokens: 1,
    },
  }
  return sse([
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'text' in answer ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ])
}

const inputOf = ({ uncached, cacheRead, cacheWrite }: StreamedUsage) => uncached + cacheRead + cacheWrite

export function openaiStream(text: string, usage = USAGE): string {
  const item = { type: 'message', id: 'msg_1' }
  const counts = {
    input_tokens: inputOf(usage),
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
  }
  return sse([
    { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt' } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', item_id: 'msg_1', delta: text },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { usage: counts } },
  ])
}

const googlePart = (answer: StreamedAnswer) =>
  'text' in answer ? answer : { functionCall: { name: answer.tool, args: answer.input } }

const asAnswer = (answer: StreamedAnswer | string): StreamedAnswer =>
  typeof answer === 'string' ? { text: answer } : answer

export const googleStream = (answer: StreamedAnswer | string, usage = USAGE): string =>
  sse([
    {
      candidates: [
        { content: { role: 'model', parts: [googlePart(asAnswer(answer))] }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: inputOf(usage),
        cachedContentTokenCount: usage.cacheRead,
        candidatesTokenCount: usage.output,
        totalTokenCount: inputOf(usage) + usage.output,
      },
    },
  ])

const CHUNK = { id: 'chatcmpl_1', object: 'chat.completion.chunk', created: 1, model: 'm' }

const compatibleDelta = (answer: StreamedAnswer) =>
  'text' in answer
    ? { content: answer.text }
    : {
        tool_calls: [
          {
            index: 0,
            id: `call_${++calls}`,
            type: 'function',
            function: { name: answer.tool, arguments: JSON.stringify(answer.input) },
          },
        ],
      }

export const compatibleStream = (answer: StreamedAnswer | string, usage = USAGE): string =>
  sse([
    { ...CHUNK, choices: [{ index: 0, delta: compatibleDelta(asAnswer(answer)), finish_reason: null }] },
    {
      ...CHUNK,
      choices: [{ index: 0, delta: {}, finish_reason: 'text' in asAnswer(answer) ? 'stop' : 'tool_calls' }],
    },
    {
      ...CHUNK,
      choices: [],
      usage: {
        prompt_tokens: inputOf(usage),
        prompt_tokens_details: { cached_tokens: usage.cacheRead },
        completion_tokens: usage.output,
        total_tokens: inputOf(usage) + usage.output,
      },
    },
  ])
