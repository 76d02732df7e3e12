import { useQuery } from '@tanstack/react-query'
import { Paperclip, Pencil, Shapes } from 'lucide-react'
import { memo, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { type Message, memberNamesQuery } from '../../../api/conversations.ts'
import { useSession } from '../../../api/session.ts'
import { useLayer } from '../../../state/layers.ts'
import { Button } from '../../button.tsx'
import { Copy } from '../../copy.tsx'
import { CONTROL } from '../../forms/field.tsx'
import { Time } from '../../time.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import { type Attachment, messageWith, parseAttachments, thumbnailUrl } from '../view/attachments.ts'
import { useBranch } from './use-branch.ts'

interface PersonMessageProps {
  message: Message
  /** Shows all its text. */
  isCited?: boolean | undefined
}

export const PersonMessage = memo(function PersonMessage({ message, isCited }: PersonMessageProps) {
  const [isEditing, setEditing] = useState(false)
  const { canWrite } = useOpenConversation()
  if (isEditing) return <BranchEditor message={message} onClose={() => setEditing(false)} />
  return (
    <article aria-label="Message" className="group/message flex min-w-0 flex-col items-end gap-4">
      <Author message={message} />
      <MessageText text={message.text} isCited={isCited} />
      <Attachments message={message} />
      <div className={`-mb-12 ${MESSAGE_ACTIONS}`}>
        <span className="px-4 text-12 text-neutral-11">
          <Time at={message.createdAt} />
        </span>
        <Copy value={message.text} what="message" />
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

function Author({ message }: { message: Message }) {
  const { user } = useSession()
  const isOther = message.authorId !== null && message.authorId !== user.id
  const names = useQuery({ ...memberNamesQuery, enabled: isOther })
  if (!isOther) return null
  return (
    <span className="text-12 text-neutral-11">{names.data?.get(message.authorId!) ?? t`Another member`}</span>
  )
}

function Attachments({ message }: { message: Message }) {
  const attachments = parseAttachments(message)
  if (attachments.length === 0) return null
  return (
    <ul aria-label="Attachments" className="flex flex-wrap justify-end gap-4">
      {attachments.map((attachment) => (
        <li key={attachment.id} className="max-w-filter">
          <AttachmentChip attachment={attachment} />
        </li>
      ))}
    </ul>
  )
}

const IMAGE = /\.(png|jpe?g|gif|webp)$/i

/** An image that can't be loaded, such as a deleted one, keeps its name. */
function AttachmentChip({ attachment: { kind, id, name, version } }: { attachment: Attachment }) {
  const [isImage, setImage] = useState(kind === 'file' && (version !== undefined || IMAGE.test(name)))
  const Icon = kind === 'file' ? Paperclip : Shapes
  if (isImage)
    return (
      <a href={`/files?view=${id}`} title={name} className="block">
        <img
          src={
            version === undefined
              ? `/api/v1/files/${id}/thumbnail?size=640`
              : thumbnailUrl({ fileId: id, version }, 640)
          }
          alt={name}
          loading="lazy"
          onError={() => setImage(false)}
          className="aspect-4/3 w-qr max-w-full rounded-panel border border-neutral-6 bg-inset object-cover"
        />
      </a>
    )
  return (
    <span className="flex items-center gap-4 rounded-control border border-neutral-6 px-8 text-12 text-neutral-11">
      <Icon aria-hidden className="icon shrink-0" />
      <span className="truncate">{name}</span>
    </span>
  )
}

const LONG_LINES = 16
const LONG_CHARACTERS = 1500

/** Cuts long text, so the answer is near. */
function MessageText({ text, isCited = false }: { text: string; isCited?: boolean | undefined }) {
  const [isOpen, setOpen] = useState(isCited)
  const isLong = text.length > LONG_CHARACTERS || text.split('\n', LONG_LINES + 1).length > LONG_LINES
  return (
    <div className="flex min-w-0 max-w-full flex-col items-start gap-4 rounded-composer rounded-br-control bg-neutral-4 px-16 py-8 text-15 sm:max-w-5/6">
      <div className={`wrap-anywhere whitespace-pre-wrap ${isLong && !isOpen ? 'line-clamp-12' : ''}`}>
        {text}
      </div>
      {isLong && (
        <Button look="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t`Show less` : t`Show full message`}
        </Button>
      )}
    </div>
  )
}

interface BranchEditorProps {
  message: Message
  onClose: () => void
}

/** Starts a branch, so the original conversation stays. */
function BranchEditor({ message, onClose }: BranchEditorProps) {
  const [text, setText] = useState(message.text)
  const branch = useBranch()
  useLayer(onClose)
  const send = () => {
    if (text.trim() === '' || branch.isPending) return
    branch.mutate({ seq: message.seq, message: messageWith(text, parseAttachments(message)) })
  }
  return (
    <form
      className="flex flex-col gap-8"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        aria-label="Edited message"
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit it.
        autoFocus
        rows={Math.min(text.split('\n').length + 1, 16)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          send()
          event.preventDefault()
          event.stopPropagation()
        }}
        className={`resize-y py-8 ${CONTROL}`}
      />
      <div className="flex flex-wrap items-center justify-end gap-8">
        <span className="mr-auto text-12 text-neutral-11">
          Sends to a new branch. This conversation stays unchanged.
        </span>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" type="submit" busy={branch.isPending} disabled={text.trim() === ''}>
          Send in a branch
        </Button>
      </div>
    </form>
  )
}

/** Visible on hover or focus, and always on touch screens. */
const MESSAGE_ACTIONS =
  'flex h-24 items-center gap-4 opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100'
