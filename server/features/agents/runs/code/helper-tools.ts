import type { RunTool } from '../state/run-tool.ts'
import { sleepTool } from './sleep.ts'

/** What programs call through their library, not models. */
export const HELPER_TOOLS: ReadonlyMap<string, RunTool> = new Map(
  [sleepTool as unknown as RunTool].map((tool) => [tool.name, tool]),
)
