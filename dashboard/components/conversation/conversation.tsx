import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Download, type LucideIcon, Square, SquarePen } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { agentQuery } from '../../api/agents.ts'
import { api } from '../../api/client.ts'
import { branchesQuery, cacheConversation, type Conversation as Record } from '../../api/conversations.ts'
import { useLayer } from '../../state/layers.ts'
import { buttonClass } from '../button.tsx'
import type { CitedMessage } from '../citations/open-citation.ts'
import { AgentFace } from '../faces.tsx'
import { Name } from '../name.tsx'
import { RecordFailure } from '../record-failure.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { toastFailure } from '../toast.tsx'
import { useAttachments } from './composer/attachments.tsx'
import { Composer } from './composer/composer.tsx'
import { useMessageDraft, useTyping } from './composer/draft.ts'
import type { ComposerAction } from './composer/suggestions.tsx'
import { ConversationContext, useConversation } from './conversation-context.ts'
import { BranchNote, ConversationNotes } from './conversation-notes.tsx'
import { DropArea } from './drop-area.tsx'
import { ModelMenu } from './model-menu.tsx'
import type { ConversationState } from './store/conversation-state.ts'
import { Transcript } from './transcript/transcript.tsx'
import type { RunView } from './view/run-view.ts'

interface ConversationProps {
  sessionId: string
  onOpen: (sessionId: string) => void
  /** Shown instead of the end. */
  cited?: CitedMessage | undefined
  autoFocus?: boolean
}

/**
 * Fills its parent, which must be a flex column with a height. Set `key={sessionId}` where the session can change. To
 * start a conversation, use `NewConversation`. The title row belongs to the page.
 */
export function Conversation(props: ConversationProps) {
  const conversationView = useConversation(props.sessionId)
  const { open, state, conversation } = conversationView
  const error = conversation.error ?? state.error
  if (error && (!conversation.data || !state.isLoaded)) {
    return (
      <RecordFailure
        title="Conversation not found"
        to="/chat"
        action="All conversations"
        error={error}
        onRetry={() => {
          void conversation.refetch()
          void open.load()
        }}
      />
    )
  }
  if (!conversation.data || !state.isLoaded) return <SkeletonRows rows={4} />
  return <LoadedConversation {...props} conversationView={conversationView} record={conversation.data} />
}

interface LoadedProps extends ConversationProps {
  conversationView: ReturnType<typeof useConversation>
  record: Record
}

function LoadedConversation({ conversationView, record, onOpen, cited, autoFocus }: LoadedProps) {
  const { open, state, entries, active, latestRun } = conversationView
  const draft = useMessageDraft(record.id)
  const attachments = useAttachments(record.projectId)
  const area = useRef<HTMLTextAreaElement>(null)
  const root = useRef<HTMLDivElement>(null)
  const stop = useStop(active?.id)
  const reportTyping = useTyping(record.id)
  const branches = useQuery(branchesQuery(record)).data?.items ?? []
  const canWrite = record.canEdit && record.status === 'open'
  const [context] = useState(() => ({
    onCompose: (text: string) => {
      draft.setText(text)
      area.current?.focus()
    },
  }))
  const actions = useActions(record.id, canWrite && active !== undefined, stop.run)
  const changeModel = (model: string | null) =>
    api.sessions.update({ id: record.id, model }).then(cacheConversation, toastFailure)
  // A run can wait days for an answer, so only the Stop button ends it then.
  const canStopByKey = canWrite && active !== undefined && active.status !== 'waiting'
  useLayer(({ target }) => {
    if (!canStopByKey || !(target instanceof Element) || !root.current?.contains(target)) return false
    if (target !== area.current && target.closest('input, textarea, select')) return false
    stop.run()
  })
  return (
    <ConversationContext value={{ open, conversation: record, branches, canWrite, onOpen, ...context }}>
      <DropArea onFiles={canWrite ? attachments.addFiles : undefined}>
        <div ref={root} className="@container flex min-h-0 min-w-0 flex-1 flex-col">
          <Transcript state={state} entries={entries} cited={cited} top={<BranchNote />} />
          <div className="mx-auto flex w-full max-w-column shrink-0 flex-col gap-8 px-12 pb-12 @medium:px-24 @medium:pb-16">
            <TypingNote typing={state.typing} />
            <ConversationNotes connection={state.connection} model={active?.model || latestRun?.model} />
            {canWrite && (
              <Composer
                projectId={record.projectId}
                sessionId={record.id}
                agentId={record.agentId}
                model={record.model}
                actions={actions}
                text={draft.text}
                onText={(text) => {
                  draft.setText(text)
                  if (text !== '') reportTyping()
                }}
                attachments={attachments}
                areaRef={area}
                autoFocus={autoFocus && cited === undefined}
                isActive={active !== undefined}
                stopKey={canStopByKey}
                onStop={stop.run}
                isStopping={stop.isStopping}
                onEditLast={() => editLast(root.current)}
                placeholder={placeholderOf(active)}
                onSend={(message, attachmentNames, interrupt) => {
                  draft.setText('')
                  attachments.clear()
                  void open.send(message, attachmentNames, interrupt)
                }}
              >
                <AgentLink agentId={record.agentId} />
                <ModelMenu agentId={record.agentId} model={record.model} onChoose={changeModel} />
              </Composer>
            )}
          </div>
        </div>
      </DropArea>
    </ConversationContext>
  )
}

function AgentLink({ agentId }: { agentId: string }) {
  const { data } = useQuery(agentQuery(agentId))
  if (!data) return null
  return (
    <Link
      to="/agents/$id"
      params={{ id: agentId }}
      aria-label={textWithNames`Agent: ${data.name}`}
      className={`min-w-0 shrink ${buttonClass('quiet', 'small')}`}
    >
      <AgentFace agent={data} size={18} />
      <span className="max-w-qr truncate">
        <Name>{data.name}</Name>
        {data.archivedAt && ` (${t`archived`})`}
      </span>
    </Link>
  )
}

/** Offered after `/`. */
function useActions(id: string, canStop: boolean, stop: () => void): readonly ComposerAction[] {
  const navigate = useNavigate()
  const action = (name: string, icon: LucideIcon, run: () => unknown) =>
    ({ kind: 'action', id: name, name, icon, run: () => void run() }) as const
  return [
    action(t`New chat`, SquarePen, () => navigate({ to: '/chat/new' })),
    ...(canStop ? [action(t`Stop the run`, Square, stop)] : []),
    action(t`Export as Markdown`, Download, () =>
      location.assign(`/api/v1/sessions/${id}/export?format=markdown`),
    ),
  ]
}

function placeholderOf(active: RunView | undefined): string {
  if (!active) return t`Reply, or @ to mention a file, block or agent`
  if (active.wait?.for === 'approval') return t`Sending a message denies the approval`
  if (active.wait?.for === 'input') return t`Reply to answer the question`
  return t`Add an instruction for the agent`
}

function editLast(root: HTMLElement | null) {
  const buttons = root?.querySelectorAll<HTMLButtonElement>('[data-edit-message]') ?? []
  buttons[buttons.length - 1]?.click()
}

function TypingNote({ typing }: Pick<ConversationState, 'typing'>) {
  const [now, setNow] = useState(() => Date.now())
  const last = Math.max(0, ...[...typing.values()].map(({ until }) => until))
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, last - Date.now()) + 1)
    return () => clearTimeout(timer)
  }, [last])
  const names = [...typing.values()].filter(({ until }) => until > now).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p role="status" className="text-12 text-neutral-11">
      {names.length === 1 ? t`${names[0]!} is typing…` : t`${names.join(', ')} are typing…`}
    </p>
  )
}

/** `isStopping` stays true until the run has ended. */
function useStop(runId: string | undefined) {
  const cancel = useMutation({
    mutationFn: (id: string) => api.agentRuns.cancel({ id }),
    onError: toastFailure,
  })
  return {
    run: () => {
      if (runId !== undefined && !cancel.isPending) cancel.mutate(runId)
    },
    isStopping: runId !== undefined && cancel.variables === runId && !cancel.isError,
  }
}
