import type { MessageRow } from '../../conversations/conversations.ts'

/** The part of the system prompt about the project. */
export interface ProjectPrompt {
  name: string
  slug: string
  prompt: string | null
}

/**
 * The parts of the prompt that were read with the state of the step; without it, each part is read by its own
 * statement.
 */
export interface PromptParts {
  project: ProjectPrompt | null
  /** The memories in the prompt of the run; null until its first step. */
  memory: string | null
  /** Whether summaries stand for earlier messages of its session. */
  hasSummaries: boolean
}

/**
 * The messages after the last summary that earlier steps have read. Messages never change, so each process reads those
 * of a run once while it has the lease of the run.
 */
export interface ReadMessages {
  messages: readonly MessageRow[]
}

/** Without `read`, the conversation is read again. */
export interface ReadParts extends PromptParts {
  read: ReadMessages | null
}
