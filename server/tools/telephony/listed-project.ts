import { isTrusted } from '../project-ref.ts'
import type { ToolCall } from '../tool.ts'

/** The project whose calls and messages a tool lists: its own for a run that has read content from outside, otherwise all. */
export const projectFilterOf = (call: ToolCall): { projectId?: string } =>
  isTrusted(call) || call.projectId === null ? {} : { projectId: call.projectId }
