import { useMutation, useQuery } from '@tanstack/react-query'
import { FilePen, type LucideIcon, MessageCircleQuestionMark, PenLine } from 'lucide-react'
import { modelsQuery } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { refreshConversationLists } from '../../../api/conversations.ts'
import { Button } from '../../../components/button.tsx'
import { toastFailure } from '../../../components/toast.tsx'
import { findOrCreateDemoAgent } from './demo-agent.ts'
import { SCRIPTS } from './example-scripts.ts'
import { createFirstProject } from './first-project.ts'

interface Example {
  icon: LucideIcon
  label: string
  /** For a real model. */
  prompt: string
  /** The script of the same example for the test model `test/script`. */
  script: string
}

const EXAMPLES: Example[] = [
  {
    icon: PenLine,
    label: 'Write three notes on the canvas',
    prompt: 'Write three notes on the canvas: a goal, a risk and a next step for this project.',
    script: SCRIPTS.notes,
  },
  {
    icon: FilePen,
    label: 'Write a file with a plan',
    prompt: 'Write a file plan.md with a plan for the next two weeks, and show me its contents.',
    script: SCRIPTS.file,
  },
  {
    icon: MessageCircleQuestionMark,
    label: 'Ask me a question first',
    prompt: 'Ask me what this project is for, with three choices, and then summarize my answer.',
    script: SCRIPTS.question,
  },
]

interface ExamplesProps {
  projectId: string | undefined
  onCompose: (text: string) => void
  onCreated: (sessionId: string) => void
}

/** Three example prompts. Without a real model, a test model answers them. */
export function Examples({ projectId, onCompose, onCreated }: ExamplesProps) {
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
  return (
    <ul aria-label="Examples" className="flex flex-wrap gap-8">
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
