import { Link, useNavigate } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '../../../components/button.tsx'
import { Conversation } from '../../../components/conversation/conversation.tsx'
import { NewConversation } from '../../../components/conversation/new-conversation.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useCanvas } from '../canvas-context.ts'
import { AgentSelect } from './agent-select.tsx'
import { UndoChanges } from './undo-changes.tsx'

interface AskPanelProps {
  projectId: string
  /** Absent until the first message creates it. */
  sessionId: string | undefined
  onClose: () => void
}

/** A conversation with an agent about blocks of the canvas, beside it. */
export function AskPanel({ projectId, sessionId, onClose }: AskPanelProps) {
  const navigate = useNavigate()
  const open = (session: string) => navigate({ to: '.', search: { panel: 'ask', session } })
  return (
    <Panel
      title="Ask an agent"
      onClose={onClose}
      subtitle={sessionId && <PanelActions sessionId={sessionId} />}
      fills
    >
      {sessionId ? (
        <Conversation key={sessionId} sessionId={sessionId} onOpen={open} autoFocus />
      ) : (
        <NewQuestion projectId={projectId} onCreated={open} />
      )}
    </Panel>
  )
}

function PanelActions({ sessionId }: { sessionId: string }) {
  return (
    <span className="flex justify-end gap-4">
      <UndoChanges key={sessionId} sessionId={sessionId} />
      <ChatLink sessionId={sessionId} />
    </span>
  )
}

function ChatLink({ sessionId }: { sessionId: string }) {
  return (
    <Link to="/chat/$sessionId" params={{ sessionId }} className={buttonClass('quiet', 'small')}>
      <ExternalLink aria-hidden className="icon" />
      Open in chat
    </Link>
  )
}

const PLACEHOLDERS = ['Ask about this canvas', 'Ask about this block', 'Ask about these blocks']

function NewQuestion({ projectId, onCreated }: { projectId: string; onCreated: (id: string) => void }) {
  const { ui } = useCanvas()
  const { key, blocks } = ui.agentQuestion.use()
  const [agentId, setAgentId] = useState<string>()
  const count = blocks.length
  return (
    <NewConversation
      // Asking about another selection starts with its blocks.
      key={key}
      projectId={projectId}
      agentId={agentId}
      draftName={`canvas-${projectId}`}
      attached={blocks}
      onCreated={onCreated}
      autoFocus
      placeholder={PLACEHOLDERS[Math.min(count, 2)]!}
      controls={<AgentSelect value={agentId} onChoose={setAgentId} />}
    >
      {() => (
        <div className="flex min-h-0 flex-1 flex-col justify-end px-16 pb-12 text-13 text-neutral-11">
          <p>
            {count > 0
              ? `The agent can read and edit ${count === 1 ? 'this block' : `these ${count} blocks`}, and the rest of the canvas. Its edits appear while it works.`
              : 'The agent can read and edit the canvas. Select blocks first to ask about them.'}
          </p>
        </div>
      )}
    </NewConversation>
  )
}
