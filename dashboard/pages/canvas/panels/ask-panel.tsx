import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ExternalLink, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { conversationRunsQuery } from '../../../api/conversations.ts'
import { type AgentRun, changesQuery, isActive } from '../../../api/runs.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Conversation } from '../../../components/conversation/conversation.tsx'
import { NewConversation } from '../../../components/conversation/new-conversation.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { UndoDialog } from '../../../components/runs/undo-dialog.tsx'
import { useCanvas } from '../canvas-context.ts'

interface AskPanelProps {
  projectId: string
  /** Absent until the first message creates it. */
  sessionId: string | undefined
  onClose: () => void
}

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

const PLACEHOLDERS = [t`Ask about this canvas`, t`Ask about this block`, t`Ask about these blocks`]

function NewQuestion({ projectId, onCreated }: { projectId: string; onCreated: (id: string) => void }) {
  const { ui } = useCanvas()
  const { key, blocks } = ui.agentQuestion.use()
  const [agentId, setAgentId] = useState<string>()
  const count = blocks.length
  return (
    <NewConversation
      // Resets the composer when the user asks about another selection.
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
              ? t`The agent can read and edit ${count === 1 ? t`this block` : t`these ${count} blocks`} and everything else on the canvas. You’ll see its edits as it works.`
              : t`The agent can read and edit the canvas. To ask about specific blocks, select them first.`}
          </p>
        </div>
      )}
    </NewConversation>
  )
}

interface AgentSelectProps {
  /** Undefined: the default agent. */
  value: string | undefined
  onChoose: (agentId: string | undefined) => void
}

function AgentSelect({ value, onChoose }: AgentSelectProps) {
  const { data } = useQuery(agentChoicesQuery)
  const agents = (data?.items ?? []).map(({ id, name, emoji }) => ({
    value: id,
    label: emoji ? `${emoji} ${name}` : name,
  }))
  return (
    <InlineSelect
      label="Agent"
      value={value ?? ''}
      options={[{ value: '', label: t`Default agent` }, ...agents]}
      onChoose={(id) => onChoose(id || undefined)}
      narrow
    />
  )
}

function UndoChanges({ sessionId }: { sessionId: string }) {
  const runs = useQuery(conversationRunsQuery(sessionId))
  const run = runs.data?.items[0]
  return run?.canEdit && !isActive(run) && !run.restoredAt ? <UndoButton key={run.id} run={run} /> : null
}

function UndoButton({ run }: { run: AgentRun }) {
  const changes = useInfiniteQuery(changesQuery(run.id))
  const [isOpen, setOpen] = useState(false)
  if (!changes.data?.pages.some(({ items }) => items.length > 0)) return null
  return (
    <>
      <Button look="quiet" size="small" title="Undo the last reply’s changes" onClick={() => setOpen(true)}>
        <Undo2 aria-hidden className="icon" />
        Undo changes
      </Button>
      {isOpen && <UndoDialog run={run} onClose={() => setOpen(false)} />}
    </>
  )
}
