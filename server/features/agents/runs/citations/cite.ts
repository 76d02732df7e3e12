import { citedKeys, keepKeys } from '../../../../../contract/agents/citation-key.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Citation } from '../../conversations/conversations.ts'
import type { Answer } from '../state/answer.ts'
import type { EngineRun } from '../state/run-row.ts'
import { findPassages } from './passages.ts'

export interface CitedAnswer {
  answer: Answer
  /** In the order of the text. */
  citations: Citation[]
  /** Keys that no search of this conversation has given. */
  unknown: number
}

/**
 * Finds what an answer's keys stand for, and removes invented keys before the answer is stored: later prompts repeat the
 * stored text.
 */
export async function citeAnswer(
  sql: Sql,
  { orgId, sessionId }: EngineRun,
  answer: Answer,
): Promise<CitedAnswer> {
  const keys = citedKeys(answer.text)
  if (keys.length === 0) return { answer, citations: [], unknown: 0 }
  const passages = await findPassages(sql, orgId, sessionId, keys)
  const citations = keys.flatMap((key) => passages.get(key) ?? [])
  const unknown = keys.length - citations.length
  return { answer: unknown === 0 ? answer : withoutKeys(answer, passages), citations, unknown }
}

function withoutKeys(answer: Answer, known: ReadonlyMap<string, unknown>): Answer {
  const clean = (text: string) => keepKeys(text, known)
  return {
    ...answer,
    text: clean(answer.text),
    messages: answer.messages.map((message) => {
      if (message.role !== 'assistant') return message
      const { content } = message
      if (typeof content === 'string') return { ...message, content: clean(content) }
      return {
        ...message,
        content: content.map((part) => (part.type === 'text' ? { ...part, text: clean(part.text) } : part)),
      }
    }),
  }
}
