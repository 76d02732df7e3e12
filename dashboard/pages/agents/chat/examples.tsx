import { useMutation, useQuery } from '@tanstack/react-query'
import { FilePen, type LucideIcon, MessageCircleQuestionMark, PenLine } from 'lucide-react'
import { AGENT_TEMPLATES } from '../../../../contract/agents/agent-templates.ts'
import { t } from '../../../../contract/text.ts'
import { modelsQuery } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { refreshConversationLists } from '../../../api/conversations.ts'
import { Button } from '../../../components/button.tsx'
import { toastFailure } from '../../../components/toast.tsx'
import { createFirstProject } from './target-menus.tsx'

interface Example {
  icon: LucideIcon
  label: string
  /** For a real model. */
  prompt: string
  /** The same example for the test model `test/script`. */
  script: string
}

interface ExamplesProps {
  agentName: string | undefined
  projectId: string | undefined
  onCompose: (text: string) => void
  onCreated: (sessionId: string) => void
}

/** A template’s own questions, or some for any agent. Without a real model, a test model answers. */
export function Examples({ agentName, projectId, onCompose, onCreated }: ExamplesProps) {
  const { data: models } = useQuery(modelsQuery)
  const hasRealModel = models?.some(({ isTest, availability }) => !isTest && availability === 'available')
  const play = useMutation({
    mutationFn: async ({ script, label }: Example) => {
      const [project, agentId] = await Promise.all([
        projectId ?? createFirstProject(),
        findOrCreateDemoAgent(),
      ])
      return api.sessions.create({
        projectId: project,
        agentId,
        title: label,
        message: { content: `${label}.\n\n\`\`\`script\n${script}\n\`\`\`` },
      })
    },
    onSuccess: ({ id }) => {
      void refreshConversationLists()
      onCreated(id)
    },
    onError: toastFailure,
  })
  const template = Object.values(AGENT_TEMPLATES).find(({ name }) => name === agentName)
  if (template && hasRealModel)
    return (
      <ul aria-label="Examples" className="flex flex-wrap justify-center gap-8">
        {template.examples.map((example) => (
          <li key={example} className="max-w-full">
            <Button className="max-w-full" onClick={() => onCompose(example)}>
              <span className="truncate">{example}</span>
            </Button>
          </li>
        ))}
      </ul>
    )
  return (
    <ul aria-label="Examples" className="flex flex-wrap justify-center gap-8">
      {EXAMPLES.map((example) => {
        const { icon: Icon, label, prompt } = example
        return (
          <li key={label}>
            <Button
              busy={play.isPending && play.variables === example}
              onClick={() => (hasRealModel ? onCompose(prompt) : play.mutate(example))}
            >
              <Icon aria-hidden className="icon text-neutral-11" />
              {label}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

const MODEL = 'test/script'
const NAME = t`Demo`

async function findOrCreateDemoAgent(): Promise<string> {
  const { items } = await api.agents.list({ q: NAME })
  const found = items.find(({ model }) => model === MODEL)
  if (found) return found.id
  const { id } = await api.agents.create({
    name: NAME,
    emoji: '🎬',
    description: t`Plays scripts with the test model to show what agents do`,
    model: MODEL,
  })
  return id
}

const json = (value: unknown) => JSON.stringify(value)

const note = (title: string, content: string, color: string) => ({ type: 'note', title, content, color })

const PLAN = [
  t`# Plan`,
  '',
  t`1. Collect what is known`,
  t`2. Agree on the goal`,
  t`3. Do the first step, and look at the result`,
].join('\n')

/** For the test model `test/script`. `---` ends one model call. */
const SCRIPTS = {
  notes: [
    t`say I’ll write three notes on the canvas.`,
    `call edit_canvas ${json({
      create: [
        note(t`Goal`, t`What is better when this project is done?`, 'teal'),
        note(t`Risk`, t`What could stop it?`, 'red'),
        note(t`Next step`, t`What can be done today?`, 'blue'),
      ],
    })}`,
    '---',
    t`say The canvas has three more notes: a **goal**, a **risk** and a **next step**. Open the project to see them.`,
  ].join('\n'),
  file: [
    t`say I’ll write the plan to a file.`,
    `call write_file ${json({ name: 'plan.md', text: PLAN })}`,
    '---',
    `call read_file ${json({ file: 'plan.md' })}`,
    '---',
    t`say The file **plan.md** is in the project’s folder. It says:`,
    'say',
    ...PLAN.split('\n').map((line) => `say ${line}`),
  ].join('\n'),
  question: [
    `call ask_person ${json({ question: t`What is this project for?`, choices: [t`Research`, t`A product`, t`Something else`] })}`,
    '---',
    t`say Thanks. This is your answer:`,
    'say {{last}}',
  ].join('\n'),
}

const EXAMPLES: Example[] = [
  {
    icon: PenLine,
    label: t`Write three notes on the canvas`,
    prompt: t`Write three notes on the canvas: a goal, a risk and a next step for this project.`,
    script: SCRIPTS.notes,
  },
  {
    icon: FilePen,
    label: t`Write a file with a plan`,
    prompt: t`Write a file plan.md with a plan for the next two weeks, and show me its contents.`,
    script: SCRIPTS.file,
  },
  {
    icon: MessageCircleQuestionMark,
    label: t`Ask me a question first`,
    prompt: t`Ask me what this project is for, with three choices, and then summarize my answer.`,
    script: SCRIPTS.question,
  },
]
