import { useQuery } from '@tanstack/react-query'
import { Paperclip, Pencil, RotateCw, Shapes } from 'lucide-react'
import { memo, useState } from 'react'
import { type Message, memberNamesQuery } from '../../../api/conversations.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../button.tsx'
import { Copy } from '../../copy.tsx'
import { Time } from '../../time.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import { attachmentsOf, messageWith } from '../view/attachments.ts'
import { BranchEditor } from './branch-editor.tsx'
import { MESSAGE_ACTIONS } from './message-actions.ts'
import { MessageBranches } from './message-branches.tsx'
import { MessageText } from './message-text.tsx'
import { useBranch } from './use-branch.ts'

/** A message of a member. */
export const PersonMessage = memo(function PersonMessage({ message }: { message: Message }) {
  const [isEditing, setEditing] = useState(false)
  const { canWrite } = useOpenConversation()
  if (isEditing) return <BranchEditor message={message} onClose={() => setEditing(false)} />
  return (
    <article aria-label="Message" className="group/message flex min-w-0 flex-col items-end gap-4">
      <Author message={message} />
      <MessageText text={message.text} />
      <Attachments message={message} />
      <MessageBranches seq={message.seq} />
      <div className={MESSAGE_ACTIONS}>
        <span className="px-4 text-12 text-neutral-11">
          <Time at={message.createdAt} />
        </span>
        <Copy value={message.text} what="message" />
        {canWrite && <AskAgain message={message} />}
        {canWrite && (
          <Button
            look="quiet"
            size="small-icon"
            aria-label="Edit in a branch"
            title="Edit in a branch"
            data-edit-message={message.id}
            onClick={() => setEditing(true)}
          >
            <Pencil aria-hidden className="icon" />
          </Button>
        )}
      </div>
    </article>
  )
})

/** Sends the same message again in a branch; the existing answer stays. */
function AskAgain({ message }: { message: Message }) {
  const branch = useBranch()
  return (
    <Button
      look="quiet"
      size="small-icon"
      aria-label="Ask again in a branch"
      title="Ask again in a branch"
      busy={branch.isPending}
      onClick={() =>
        branch.mutate({ seq: message.seq, message: messageWith(message.text, attachmentsOf(message)) })
      }
    >
      {!branch.isPending && <RotateCw aria-hidden className="icon" />}
    </Button>
  )
}

/** Shown only if another member wrote the message. */
function Author({ message }: { message: Message }) {
  const { user } = useSession()
  const isOther = message.authorId !== null && message.authorId !== user.id
  const names = useQuery({ ...memberNamesQuery, enabled: isOther })
  if (!isOther) return null
  return (
    <span className="text-12 text-neutral-11">{names.data?.get(message.authorId!) ?? 'Another member'}</span>
  )
}

function Attachments({ message }: { message: Message }) {
  const attachments = attachmentsOf(message)
  if (attachments.length === 0) return null
  return (
    <ul aria-label="Attachments" className="flex flex-wrap justify-end gap-4">
      {attachments.map(({ kind, id, name }) => {
        const Icon = kind === 'file' ? Paperclip : Shapes
        return (
          <li
            key={id}
            className="flex max-w-filter items-center gap-4 rounded-control border border-neutral-6 px-8 text-12 text-neutral-11"
          >
            <Icon aria-hidden className="icon" />
            <span className="truncate">{name}</span>
          </li>
        )
      })}
    </ul>
  )
}
