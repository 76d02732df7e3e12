import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { type NewMessage, refreshConversationLists } from '../../api/conversations.ts'
import { failureMessage } from '../../api/explain.ts'
import { createRequestKey } from '../../state/random-id.ts'
import { FormFailure } from '../failure.tsx'
import { useAttachments } from './composer/attachments.tsx'
import { Composer } from './composer/composer.tsx'
import { useMessageDraft } from './composer/draft.ts'
import { DropArea } from './drop-area.tsx'
import type { Attachment } from './view/attachments.ts'

interface NewConversationProps {
  /** Undefined until chosen. */
  projectId: string | undefined
  /** Defaults to the organization's first agent. */
  agentId: string | undefined
  /** Replaces the agent's. */
  model?: string | null
  /** Keeps composers' unsent messages apart, such as `chat` or `agent-<id>`. */
  draftName: string
  attached?: readonly Attachment[]
  /** Runs before the conversation is created. Returns its project's id. */
  prepare?: () => Promise<string>
  onCreated: (sessionId: string) => void
  autoFocus?: boolean
  placeholder?: string
  controls?: ReactNode
  /** Shown above the composer; gets a function that fills it. */
  children?: (compose: (text: string) => void) => ReactNode
  /** Puts the composer in the middle, with this below. */
  below?: (compose: (text: string) => void) => ReactNode
}

/** The first message creates the conversation. */
export function NewConversation(props: NewConversationProps) {
  const { projectId, agentId, model, draftName, attached, prepare, onCreated, controls, children, below } =
    props
  const draft = useMessageDraft(draftName)
  const attachments = useAttachments(projectId, attached)
  const [requestKey] = useState(createRequestKey)
  const create = useMutation({
    mutationFn: async (message: NewMessage) => {
      const project = projectId ?? (await prepare!())
      const request = { projectId: project, agentId, ...(model && { model }), message }
      return api.sessions.create(request, { idempotencyKey: requestKey.of(request) })
    },
    onSuccess: ({ id }) => {
      draft.setText('')
      attachments.clear()
      requestKey.reset()
      void refreshConversationLists()
      onCreated(id)
    },
  })
  const composer = (
    <>
      <FormFailure>{failureMessage(create.error)}</FormFailure>
      <Composer
        projectId={projectId}
        agentId={agentId}
        model={model ?? null}
        text={draft.text}
        onText={draft.setText}
        attachments={attachments}
        autoFocus={props.autoFocus}
        isBusy={create.isPending}
        placeholder={props.placeholder ?? t`Message, or @ to mention`}
        onSend={(message) => {
          if (projectId !== undefined || prepare) create.mutate(message)
        }}
      >
        {controls}
      </Composer>
    </>
  )
  if (below)
    return (
      <DropArea onFiles={attachments.addFiles}>
        <div data-scroll className="@container flex min-h-0 flex-1 flex-col overflow-y-auto">
          <div className="m-auto flex w-full max-w-column flex-col gap-16 px-12 py-48 @medium:px-24">
            {children?.(draft.setText)}
            {composer}
            {below(draft.setText)}
          </div>
        </div>
      </DropArea>
    )
  return (
    <DropArea onFiles={attachments.addFiles}>
      {children?.(draft.setText)}
      <div className="mx-auto flex w-full max-w-column shrink-0 flex-col gap-8 px-12 pb-12">{composer}</div>
    </DropArea>
  )
}
