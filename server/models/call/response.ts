import type { ModelMessage } from 'ai'
import type { CallOptions } from './prompt.ts'

type Content = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>
type Part = Content[number]
type Options = CallOptions['providerOptions']

/** A text or a piece of reasoning while it arrives. */
interface OpenPart {
  type: 'text' | 'reasoning'
  text: string
  providerOptions?: Options
}

/**
 * Collects a response for the next call, which sends it back verbatim: in the order in which its parts began, with the
 * signatures and ids of the provider. The last metadata of a part counts.
 */
export function createResponse() {
  const content: (OpenPart | Part)[] = []
  const openParts = new Map<string, OpenPart>()

  function partOf(type: OpenPart['type'], id: string): OpenPart {
    const existing = openParts.get(`${type} ${id}`)
    if (existing) return existing
    const part: OpenPart = { type, text: '' }
    openParts.set(`${type} ${id}`, part)
    content.push(part)
    return part
  }

  return {
    add(type: OpenPart['type'], id: string, text: string, options: Options): void {
      const part = partOf(type, id)
      part.text += text
      if (options) part.providerOptions = options
    },
    /** A later part may have the same id. */
    end(type: OpenPart['type'], id: string): void {
      openParts.delete(`${type} ${id}`)
    },
    put(part: Part): void {
      content.push(part)
    },
    messages(): ModelMessage[] {
      const parts = content.filter((part) => part.type !== 'text' || part.text !== '') as Content
      return parts.length > 0 ? [{ role: 'assistant', content: parts }] : []
    },
  }
}
