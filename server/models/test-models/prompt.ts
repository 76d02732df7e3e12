import type { LanguageModel } from '../language-model.ts'
import { findScript } from './parse-script.ts'

export type CallOptions = Parameters<LanguageModel['doStream']>[0]
export type Prompt = CallOptions['prompt']
type Message = Prompt[number]

/** The text of the last message from a user. */
export const lastUserText = (prompt: Prompt): string => {
  const message = prompt.findLast(({ role }) => role === 'user')
  return message ? textOf(message) : ''
}

/** The last script from a user, and how many times a model has answered since. */
export function lastScript(prompt: Prompt): { source: string; answers: number } | null {
  for (let index = prompt.length - 1; index >= 0; index--) {
    const message = prompt[index]!
    const source = message.role === 'user' ? findScript(textOf(message)) : null
    if (source === null) continue
    const answers = prompt.slice(index + 1).filter(({ role }) => role === 'assistant').length
    return { source, answers }
  }
  return null
}

/** The last result of a tool, as text. */
export function lastToolResult(prompt: Prompt): string | null {
  const results = prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part] : []))
      : [],
  )
  const output = results.at(-1)?.output
  if (!output) return null
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type === 'execution-denied') return output.reason ?? 'denied'
  if (output.type === 'content')
    return output.value.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return JSON.stringify(output.value)
}

/** About four characters per token, as models count English text. */
export const countTokens = (text: string) => Math.ceil(text.length / 4)

export const promptTokens = (prompt: Prompt) => countTokens(JSON.stringify(prompt))

function textOf(message: Message): string {
  if (message.role === 'system') return message.content
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
