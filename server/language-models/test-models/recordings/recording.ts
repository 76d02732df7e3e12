import type { ScriptLine } from '../parse-script.ts'

/** What the sample project's agent plays, with the texts its project needs. Each part is one model call. */
export interface Recording {
  project: { name: string; description: string }
  agent: { name: string; description: string }
  file: { name: string; text: string }
  notes: { title: string; content: string }[]
  group: string
  tasks: [string, string, string]
  /** In an agent block. */
  work: { instructions: string; parts: ScriptLine[][] }
  /** In a conversation. */
  chat: { title: string; question: string; parts: ScriptLine[][] }
  /** For any other question. */
  otherwise: string
  invoices: InvoiceTexts
}

/** Of a workflow that asks no model. */
export interface InvoiceTexts {
  group: string
  hint: { title: string; content: string }
  agent: { name: string; description: string }
  file: string
  table: string
  columns: Record<
    'number' | 'supplier' | 'date' | 'due' | 'net' | 'tax' | 'total' | 'check' | 'reason',
    string
  >
  states: { ok: string; odd: string }
  reasons: { sum: string; rate: string; due: string; large: string }
  check: string
  mark: string
  chart: { title: string; file: string }
}

/** Right of the agent block, one below the other. */
const [FINDING_X, FINDING_WIDTH, FINDING_HEIGHT, FINDING_GAP] = [680, 280, 120, 24]

export interface Finding {
  title: string
  content: string
  color: string
}

/** One note per model call, so that people see them appear. */
export const findingParts = (
  { agent, group }: { agent: string; group: string },
  findings: readonly (Finding & { say: string })[],
): ScriptLine[][] =>
  findings.map(({ say, ...finding }, index) => [
    { command: 'wait', ms: 700 },
    { command: 'say', text: say },
    {
      command: 'call',
      tool: 'edit_canvas',
      input: JSON.stringify({
        create: [
          {
            ...{ ref: 'finding', type: 'note', parentId: group, ...finding },
            ...{ x: FINDING_X, y: 72 + index * (FINDING_HEIGHT + FINDING_GAP) },
            ...{ width: FINDING_WIDTH, height: FINDING_HEIGHT },
          },
        ],
        connect: [{ fromBlockId: agent, toBlockId: 'finding' }],
      }),
    },
  ])

export const call = (tool: string, input: unknown): ScriptLine => ({
  command: 'call',
  tool,
  input: JSON.stringify(input),
})
