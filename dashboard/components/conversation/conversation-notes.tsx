import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GitBranch } from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { modelsQuery } from '../../api/agents.ts'
import { api } from '../../api/client.ts'
import { cacheConversation, conversationQuery } from '../../api/conversations.ts'
import { useReportLostStream } from '../../api/reachability.ts'
import type { Connection } from '../../live/follow.ts'
import { Button } from '../button.tsx'
import { toastFailure } from '../toast.tsx'
import { useOpenConversation } from './conversation-context.ts'

interface ConversationNotesProps {
  connection: Connection
  /** From the latest run. */
  model: string | undefined
}

/** Ended, read-only or test model. The frame reports a lost connection. */
export function ConversationNotes({ connection, model }: ConversationNotesProps) {
  const { conversation } = useOpenConversation()
  useReportLostStream(connection === 'lost')
  return (
    <>
      {connection === 'ended' && (
        <p role="status" className="text-12 text-warning-text">
          This conversation was deleted, or you lost access. New messages won’t appear.
        </p>
      )}
      {!conversation.canEdit && (
        <p className="text-12 text-neutral-11">You can read this conversation but not write in it.</p>
      )}
      {conversation.canEdit && conversation.status === 'ended' && <EndedNote />}
      {conversation.canEdit && model?.startsWith('test/') && <TestModelNote model={model} />}
    </>
  )
}

function EndedNote() {
  const { conversation } = useOpenConversation()
  const reopen = useMutation({
    mutationFn: () => api.sessions.update({ id: conversation.id, status: 'open' }),
    onSuccess: cacheConversation,
    onError: toastFailure,
  })
  return (
    <div className="flex items-center justify-between gap-8 rounded-panel border border-neutral-6 px-12 py-8 text-13">
      This conversation has ended.
      <Button size="small" busy={reopen.isPending} onClick={() => reopen.mutate()}>
        Reopen
      </Button>
    </div>
  )
}

/** Without this note, a test model looks like a poor model. */
export function TestModelNote({ model }: { model: string }) {
  const { data: models = [] } = useQuery(modelsQuery)
  const hasRealModel = models.some(({ isTest, availability }) => !isTest && availability === 'available')
  return (
    <p className="text-12 text-neutral-11">
      {describeTestModel(model)}{' '}
      {hasRealModel ? (
        <span>For real replies, choose another model below.</span>
      ) : (
        <span>
          For real replies, add a provider under{' '}
          <Link to="/settings/organization/models" className="underline underline-offset-2">
            Settings → Models
          </Link>
          .
        </span>
      )}
    </p>
  )
}

/** Plays the sample project's recorded answers. */
export const RECORDED_MODEL = 'test/sample'

function describeTestModel(model: string): string {
  if (model === 'test/script') return t`${model} is a test model: it plays the script in your message.`
  if (model === RECORDED_MODEL) return t`${model} is a test model: it plays recorded answers.`
  return t`${model} is a test model: it repeats your message.`
}

export function BranchNote() {
  const { conversation, onOpen } = useOpenConversation()
  const origin = conversation.branchedFrom
  const original = useQuery({ ...conversationQuery(origin?.sessionId ?? ''), enabled: origin !== null })
  if (!origin || !original.data) return null
  return (
    <p className="flex items-center justify-center gap-4 text-12 text-neutral-11">
      <GitBranch aria-hidden className="icon" />
      Branched from
      <button
        type="button"
        className="max-w-form truncate underline underline-offset-2"
        onClick={() => onOpen(origin.sessionId)}
      >
        {original.data.title ?? t`another conversation`}
      </button>
    </p>
  )
}
