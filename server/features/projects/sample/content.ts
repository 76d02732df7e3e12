import type { CanvasWrite } from '../../canvas/canvas/canvas.ts'

/** The scripts are for the model `test/script`. `---` ends one model call. */

export const PROJECT = {
  name: 'Sample: a newsletter',
  emoji: '🌱',
  description: 'Shows how people and agents work together. Delete it whenever you like.',
}

export const FILE_NAME = 'newsletter-plan.md'

export const FILE_TEXT = `# Newsletter plan

One issue every second week, on Tuesday morning. Each issue answers one question.

| Issue | Question | State |
|---|---|---|
| 1 | What do we spend most time on? | draft |
| 2 | Which meeting can we drop? | idea |
| 3 | How do we say no to a customer? | idea |

## Measures

- 500 readers by the end of the quarter
- Four of ten readers open an issue
`

const fence = (lines: string[]) => `\`\`\`script\n${lines.join('\n')}\n\`\`\``

const AGENT_INSTRUCTIONS = `Draft the first issue from the notes and the plan.\n\n${fence([
  'say ## What do we spend most time on?',
  'say',
  'say We asked twelve teams. The answer was the same in nine of them: **looking for things**.',
  'say',
  'say 1. Write decisions down where the work is.',
  'say 2. Give each project one place.',
  'say 3. Ask before you search for longer than five minutes.',
  'say',
  'say _Next time: which meeting can we drop?_',
])}`

export const CHAT = {
  title: 'What is the next step?',
  message: `Read the plan and tell me the next step.\n\n${fence([
    'say I read the plan first.',
    `call read_file ${JSON.stringify({ file: FILE_NAME })}`,
    '---',
    'say The plan has three issues, and the first one is a draft. **Next step:** finish the draft of issue 1 and show it to three readers.',
    'say',
    'say I can also change this project’s canvas and files. Ask me, or run the agent block on the canvas.',
  ])}`,
}

interface Ids {
  goal: string
  audience: string
  file: string
  agent: string | null
  fileId: string
  agentId: string | null
  newId: () => string
}

const [WIDTH, GAP, TOP] = [280, 40, 72]
const column = (index: number) => GAP + index * (WIDTH + GAP)

export function sampleCanvas({ goal, audience, file, agent, fileId, agentId, newId }: Ids): CanvasWrite {
  const group = newId()
  const block = (fields: {
    id?: string
    type: 'note' | 'task' | 'file' | 'agent' | 'group'
    x: number
    y: number
    height: number
    width?: number
    title?: string
    content?: string
    color?: string
    fileId?: string
    metadata?: Record<string, unknown>
  }) => ({
    ...{ id: newId(), width: WIDTH, rotation: 0, parentId: group, title: null, content: null, color: null },
    ...{ fileId: null, locked: false, metadata: {} },
    ...fields,
  })
  const lastColumn = column(agent ? 2 : 1)
  const task = (title: string, y: number, done = false) =>
    block({ type: 'task', x: lastColumn, y, height: 56, title, metadata: done ? { done } : {} })
  const edge = (fromBlockId: string) => ({ id: newId(), fromBlockId, toBlockId: agent!, label: null })
  return {
    create: {
      blocks: [
        {
          ...block({ id: group, type: 'group', x: 0, y: 0, height: 536, title: 'First issue' }),
          ...{ parentId: null, width: lastColumn + WIDTH + GAP },
        },
        block({
          ...{ id: goal, type: 'note', x: column(0), y: TOP, height: 120, title: 'Goal', color: 'teal' },
          content: '**500 readers** by the end of the quarter, who read to the end.',
        }),
        block({
          ...{
            id: audience,
            type: 'note',
            x: column(0),
            y: 224,
            height: 120,
            title: 'Readers',
            color: 'blue',
          },
          content: 'People who lead a team of five to fifteen. They read on the phone, between two meetings.',
        }),
        block({ id: file, type: 'file', x: column(0), y: 376, height: 120, title: FILE_NAME, fileId }),
        ...(agent && agentId
          ? [
              block({
                ...{ id: agent, type: 'agent', x: column(1), y: TOP, height: 424, title: 'Writer' },
                ...{ content: AGENT_INSTRUCTIONS, metadata: { agentId } },
              }),
            ]
          : []),
        block({
          ...{ type: 'note', x: lastColumn, y: TOP, height: 208, title: 'Try it', color: 'amber' },
          content: agent
            ? 'Press **Run** on the agent block. Its model is a test model that follows a script: it needs no provider and costs nothing. With your own provider, write instructions in plain words.'
            : 'Drag blocks, connect them, and write notes. Add an agent block with the key A.',
        }),
        task('Choose the first question', 304, true),
        task('Draft the first issue', 372),
        task('Show it to three readers', 440),
      ],
      edges: agent ? [edge(goal), edge(audience), edge(file)] : [],
    },
  }
}
