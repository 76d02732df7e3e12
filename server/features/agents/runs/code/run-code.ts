import { z } from 'zod'
import { conflict } from '../../../../errors.ts'
import type { RunTool } from '../state/run-tool.ts'
import { signaturesOf } from './signatures.ts'

const CODE_CHARACTERS_MAX = 100_000
const SUMMARY_CHARACTERS_MAX = 500

const input = z.strictObject({
  code: z
    .string()
    .min(1)
    .max(CODE_CHARACTERS_MAX)
    .optional()
    .describe('Body of an async JavaScript function'),
  script: z
    .string()
    .max(400)
    .regex(/^[^/]+\/scripts\/.+\.js$/, 'must be a skill and a path, such as invoices/scripts/check.js')
    .optional()
    .describe('A skill’s script instead of `code`, such as invoices/scripts/check.js'),
  input: z.json().optional().describe('JSON for the program, as `input`'),
})

export type RunCodeInput = z.output<typeof input>

const NAME = 'run_code'

const ABOUT = `Run a JavaScript program that calls your other tools. Use it instead of many single calls, for calculations, and to read much but return little.
- Tools are async functions of one object: \`const file = await tools.read_file({ file: 'plan.md' })\`. Promise.all runs calls at the same time. A failed or denied call throws an error. Approvals are waited for.
- Texts from outside come without markers. The content of connectors' tools is JSON text: JSON.parse it.
- Return the result, as JSON. console.log shows the first and last lines.
- Also: \`await files.readTable(file, { sheet })\` returns { columns, rows } of a CSV or xlsx file; \`files.write(name, text)\`; \`await charts.line(rows, { title, name, block })\`, \`charts.bar\` and \`charts.scatter\` write an SVG file, with \`block\` on the canvas too; \`await sleep(ms)\`; \`crypto.sha256(text)\`.
- There is no network, no import and no file system. The time zone is UTC. Limits: 500 calls, 64 MB, 30 seconds of computing, 1 MB of result.`

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
    description: `${ABOUT}\n\n${signaturesOf(programTools(tools))}`,
    input,
    effect: 'read',
    risk: 'none',
    runsProgram: true,
    isOutsidePrograms: true,
    summarize: ({ code, script }) => (code ?? script ?? '').slice(0, SUMMARY_CHARACTERS_MAX),
    run: async () => {
      throw conflict('The engine runs programs')
    },
  }
  described.set(tools, tool)
  return tool
}
