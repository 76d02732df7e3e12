import type { ModelProvider } from './provider.ts'
import type { CallOptions } from './read-stream.ts'

/** For a call that a later call of the same conversation continues. */
export interface PromptCache {
  kind: ModelProvider['kind'] | 'test'
  /** The same in all of the conversation's calls. */
  key: string
}

type Message = CallOptions['prompt'][number]

/** Google's and most compatible servers' caches need no request. */
export function cachePrompt(options: CallOptions, { kind, key }: PromptCache): CallOptions {
  if (kind === 'anthropic') return { ...options, prompt: markBreakpoints(options.prompt) }
  if (kind === 'openai') return { ...options, providerOptions: withCacheKey(options.providerOptions, key) }
  return options
}

/**
 * After the system prompt (and the tools, which precede it), the previous call's last message, and the last message.
 * Anthropic looks back only 20 blocks for an entry, which a step with many calls exceeds. At most four are allowed.
 */
function markBreakpoints(prompt: readonly Message[]): Message[] {
  const answer = prompt.findLastIndex(({ role }) => role === 'assistant')
  const ends = [
    prompt.findIndex(({ role }) => role === 'system'),
    prompt.findLastIndex((message, index) => index < answer && canEndCall(message)),
    prompt.findLastIndex(canEndCall),
  ]
  return prompt.map((message, index) => (ends.includes(index) ? withBreakpoint(message) : message))
}

/** An empty message isn't sent. */
const canEndCall = ({ role, content }: Message) => (role === 'user' || role === 'tool') && content.length > 0

/** The SDK applies a message's options to its last part. */
const withBreakpoint = (message: Message): Message => ({
  ...message,
  providerOptions: {
    ...message.providerOptions,
    anthropic: { ...message.providerOptions?.anthropic, cacheControl: { type: 'ephemeral' } },
  },
})

/** Requests with the same key reach the same cache. */
const withCacheKey = (providerOptions: CallOptions['providerOptions'], key: string) => ({
  ...providerOptions,
  openai: { ...providerOptions?.openai, promptCacheKey: key },
})
