import { isTrusted } from '../project-ref.ts'
import type { ToolCall } from '../tool.ts'

/** Whose calls and messages a tool lists: a run that has read content from outside lists those of its own project. */
export const listedProject = (call: ToolCall): { projectId?: string } =>
  isTrusted(call) || call.projectId === null ? {} : { projectId: call.projectId }
