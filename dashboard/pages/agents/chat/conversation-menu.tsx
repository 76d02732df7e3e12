import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Archive,
  BookMarked,
  BookX,
  Copy,
  Download,
  Ellipsis,
  FileJson,
  ListTree,
  Pencil,
  RotateCcw,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { PASSAGE_LIMITS } from '../../../../contract/knowledge/passage-options.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import {
  type Conversation,
  cacheConversation,
  conversationRunsQuery,
  refreshConversationLists,
} from '../../../api/conversations.ts'
import { failureMessage } from '../../../api/explain.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Menu, MenuAction, MenuSeparator } from '../../../components/menu.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

export function ConversationMenu({ conversation }: { conversation: Conversation }) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>()
  const navigate = useNavigate()
  const run = useQuery(conversationRunsQuery(conversation.id)).data?.items[0]
  const { user, role } = useSession()
  const { id, title, status, knowledge, canEdit, createdBy } = conversation
  const canDelete = canEdit && (createdBy === user.id || role !== 'member')
  const setStatus = async (next: Conversation['status']) => {
    try {
      await cacheConversation(await api.sessions.update({ id, status: next }))
      if (next === 'ended')
        toast(t`Conversation ended. Reopen it to write again.`, {
          label: t`Undo`,
          run: () => void setStatus('open'),
        })
    } catch (error) {
      toastFailure(error)
    }
  }
  const setKnowledge = async (next: boolean) => {
    try {
      await cacheConversation(await api.sessions.update({ id, knowledge: next }))
      toast(next ? PINNED : t`Unpinned. Agents no longer find this conversation.`, {
        label: t`Undo`,
        run: () => void setKnowledge(!next),
      })
    } catch (error) {
      toastFailure(error)
    }
  }
  const trigger = (
    <Button look="quiet" size="icon" aria-label="Conversation actions">
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <>
      <Menu trigger={trigger}>
        {canEdit && <MenuAction icon={Pencil} label="Rename" onSelect={() => setDialog('rename')} />}
        {canEdit && (
          <MenuAction
            icon={knowledge ? BookX : BookMarked}
            label={knowledge ? t`Unpin from knowledge` : t`Pin as knowledge`}
            onSelect={() => void setKnowledge(!knowledge)}
          />
        )}
        <MenuAction icon={Download} label="Export as Markdown" onSelect={() => download(id, 'markdown')} />
        <MenuAction icon={FileJson} label="Export as JSON" onSelect={() => download(id, 'json')} />
        {run && (
          <MenuAction
            icon={ListTree}
            label="Show latest run"
            onSelect={() => void navigate({ to: '/runs/$runId', params: { runId: run.id } })}
          />
        )}
        <MenuAction
          icon={Copy}
          label="Copy conversation ID"
          onSelect={() => void copyWithToast(id, t`conversation ID`)}
        />
        {canEdit && <MenuSeparator />}
        {canEdit && status === 'open' && (
          <MenuAction icon={Archive} label="End conversation" onSelect={() => void setStatus('ended')} />
        )}
        {canEdit && status === 'ended' && (
          <MenuAction icon={RotateCcw} label="Reopen conversation" onSelect={() => void setStatus('open')} />
        )}
        {canDelete && (
          <MenuAction icon={Trash2} label="Delete conversation" onSelect={() => setDialog('delete')} />
        )}
      </Menu>
      {dialog === 'rename' && (
        <RenameDialog conversation={conversation} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title="Delete conversation"
          action="Delete conversation"
          mutate={() => api.sessions.remove({ id })}
          onSuccess={() => {
            void refreshConversationLists()
            return navigate({ to: '/chat' })
          }}
          success={t`Conversation deleted`}
          onClose={() => setDialog(undefined)}
        >
          <p>
            Deletes every message in “{title ?? t`this conversation`}” for everyone and stops its run. Canvas
            and file changes stay. You can’t undo this. To keep the messages but stop replies, end the
            conversation instead.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

const PINNED = t`Pinned. For everyone in this project, agents find its newest ${PASSAGE_LIMITS.conversation.toLocaleString(LOCALE)} characters.`

/** Sent as an attachment, so the browser downloads it. */
const download = (id: string, format: 'markdown' | 'json') =>
  location.assign(`/api/v1/sessions/${id}/export?format=${format}`)

interface RenameDialogProps {
  conversation: Conversation
  onClose: () => void
}

function RenameDialog({ conversation, onClose }: RenameDialogProps) {
  const [title, setTitle] = useState(conversation.title ?? '')
  const rename = useMutation({
    mutationFn: () => api.sessions.update({ id: conversation.id, title: title.trim() }),
    onSuccess: async (changed) => {
      await cacheConversation(changed)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Rename conversation"
      action="Rename"
      busy={rename.isPending}
      failure={failureMessage(rename.error)}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Title"
        data-autofocus
        required
        limit={255}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
    </FormDialog>
  )
}
