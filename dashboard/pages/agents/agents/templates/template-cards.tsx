import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { AGENT_TEMPLATE_NAMES, AGENT_TEMPLATES } from '../../../../../contract/agents/agent-templates.ts'
import { AgentFace } from '../../../../components/faces.tsx'

const CARD =
  'flex h-full items-start gap-12 rounded-panel bg-card p-16 text-left shadow-card transition-colors hover:bg-hover aria-[current]:bg-selection-wash aria-[current]:outline-1 aria-[current]:outline-selection-line'

/** Each opens its preview, and is current while that shows. */
export const TemplateCards = () => (
  <ul aria-label="Starting points" className="grid gap-12 @medium:grid-cols-2 @wide:grid-cols-3">
    {AGENT_TEMPLATE_NAMES.map((name) => {
      const { emoji, name: title, description } = AGENT_TEMPLATES[name]
      return (
        <li key={name}>
          <Link to="/agents/new" search={{ template: name }} className={CARD}>
            <AgentFace agent={{ id: name, name: title, emoji }} size={32} />
            <span className="flex min-w-0 flex-col gap-2">
              <span className="font-strong">{title}</span>
              <span className="text-13 text-neutral-11">{description}</span>
            </span>
          </Link>
        </li>
      )
    })}
  </ul>
)

export const BlankCard = () => (
  <Link
    to="/agents/new"
    search={{ from: 'blank' }}
    className="flex items-center gap-12 self-start rounded-control px-12 py-8 font-medium text-13 text-neutral-11 hover:bg-hover hover:text-neutral-12"
  >
    <Plus aria-hidden className="icon" />
    Start without a template
  </Link>
)
