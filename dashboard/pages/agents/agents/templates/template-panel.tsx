import { Link } from '@tanstack/react-router'
import { AGENT_TEMPLATES, type AgentTemplateName } from '../../../../../contract/agents/agent-templates.ts'
import { buttonClass } from '../../../../components/button.tsx'
import { AgentFace } from '../../../../components/faces.tsx'
import { Panel, PanelSection } from '../../../../components/layout/panel.tsx'
import { templateDraft } from '../editor/draft.ts'
import { WebSearchNote } from '../web-search-note.tsx'
import { AllowanceList } from './allowance-list.tsx'

interface TemplatePanelProps {
  template: AgentTemplateName
  canCreate: boolean
  onClose: () => void
}

export function TemplatePanel({ template, canCreate, onClose }: TemplatePanelProps) {
  const { name, description, emoji, examples, prompt } = AGENT_TEMPLATES[template]
  const draft = templateDraft(template)
  return (
    <Panel title={name} onClose={onClose}>
      <div className="flex items-start gap-12 px-16 py-16">
        <AgentFace agent={{ id: template, name, emoji }} size={48} />
        <div className="flex min-w-0 flex-col gap-12">
          <p>{description}</p>
          {canCreate && (
            <Link
              to="/agents/new"
              search={{ from: template }}
              className={`self-start ${buttonClass('primary')}`}
            >
              Use this template
            </Link>
          )}
        </div>
      </div>
      <PanelSection title="What it may do">
        <AllowanceList draft={draft} />
        {draft.tools.web && <WebSearchNote />}
      </PanelSection>
      <PanelSection title="Ask it">
        <ul className="flex flex-col gap-8">
          {examples.map((example) => (
            <li key={example} className="rounded-panel bg-inset px-12 py-8 text-13">
              {example}
            </li>
          ))}
        </ul>
      </PanelSection>
      <PanelSection title="Instructions">
        <p lang="en" className="wrap-anywhere whitespace-pre-wrap text-13 text-neutral-11">
          {prompt}
        </p>
      </PanelSection>
    </Panel>
  )
}
