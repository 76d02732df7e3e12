import type { MessageRow } from '../../sessions/sessions.ts'

/** What the system prompt says about the project. */
export interface ProjectPrompt {
  name: string
  slug: string
  prompt: string | null
}

/** What the state of a step has read of its prompt; without it, each part is read by a statement of its own. */
export interface PromptParts {
  project: ProjectPrompt | null
  /** What the run sees of the memory; null until its first step. */
  memory: string | null
  /** Whether summaries stand for earlier messages of its session. */
  hasSummaries: boolean
}

/**
 * The messages after the last summary that earlier steps have read. Messages never change, so that each process reads those
 * of a run once while it holds the run.
 */
export interface ReadMessages {
  messages: readonly MessageRow[]
}

/** Without `read`, the conversation is read again. */
export interface ReadParts extends PromptParts {
  read: ReadMessages | null
}
