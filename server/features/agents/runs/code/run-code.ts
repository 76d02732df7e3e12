import { z } from 'zod'
import { conflict } from '../../../../errors.ts'
import type { RunTool } from '../state/run-tool.ts'
import { signaturesOf } from './signatures.ts'

const CODE_CHARACTERS_MAX = 100_000

const input = z.strictObject({
  code: z
    .string()
    .min(1)
    .max(CODE_CHARACTERS_MAX)
    .describe('Body of an async JavaScript function. Return the result as JSON'),
  input: z.json().optional().describe('JSON for the program, as `input`'),
})

export type RunCodeInput = z.output<typeof input>

const NAME = 'run_code'

const about = `Run a JavaScript program that calls your other tools. Use it instead of many single calls: for loops, for calculations, and to read much and return little. Tools are async functions: \`const file = await tools.read_file({ … })\`. Calls may run at the same time with Promise.all. A failed call throws an error. Approvals are waited for. There is no network, no file system and no import. Limits: 500 calls, 64 MB, 30 seconds of computing. Also: \`console.log\`, \`sleep(ms)\`.`

/** The tools that a program may call: all others of the agent. */
export const programTools = (tools: ReadonlyMap<string, RunTool>): ReadonlyMap<string, RunTool> =>
  new Map([...tools].filter(([name, tool]) => name !== NAME && !tool.isOutsidePrograms))

const described = new WeakMap<ReadonlyMap<string, RunTool>, RunTool<RunCodeInput>>()

/** The description lists the other tools' inputs as types, always in the same words: providers cache the prompt. */
export function runCodeTool(tools: ReadonlyMap<string, RunTool>): RunTool<RunCodeInput> {
  const cached = described.get(tools)
  if (cached) return cached
  const tool: RunTool<RunCodeInput> = {
    name: NAME,
    description: `${about}\n\n${signaturesOf(programTools(tools))}`,
    input,
    effect: 'read',
    risk: 'none',
    runsProgram: true,
    isOutsidePrograms: true,
    summarize: ({ code }) => code.slice(0, 500),
    run: async () => {
      throw conflict('The engine runs programs')
    },
  }
  described.set(tools, tool)
  return tool
}
